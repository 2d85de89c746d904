//! The right programs are right, and the wrong ones wrong.

mod agreement;
mod inputs;
mod translations;
mod wrongness;
