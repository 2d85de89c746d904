//! The right programs are right, the wrong ones wrong, and the examiner tells them apart.

mod agreement;
mod examiner;
mod inputs;
mod translations;
mod wrongness;
