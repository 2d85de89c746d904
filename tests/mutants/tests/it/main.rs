//! The correct programs fulfil their documents, the wrong ones do not, and the grader distinguishes them.

mod agreement;
mod grader;
mod translations;
mod wrongness;
