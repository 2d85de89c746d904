//! Archives, read as programs read them.

// The functions that tests share are tests too.
#![allow(clippy::unwrap_used)]

mod convert;
mod faults;
mod fmt;
mod games;
mod inputs;
mod planted;
mod properties;
mod rewriting;
mod seeds;
mod stats;
mod texts;
