//! The right programs are right, the wrong ones are wrong, and the grader distinguishes them.

mod agreement;
mod grader;
mod inputs;
mod translations;
mod wrongness;
