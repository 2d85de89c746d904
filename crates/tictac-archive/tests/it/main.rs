//! Archives, read as programs read them.

// The functions that tests share are tests too.
#![allow(clippy::unwrap_used)]

mod faults;
mod games;
mod inputs;
mod planted;
mod properties;
mod seeds;
