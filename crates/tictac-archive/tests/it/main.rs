//! Tests of the public API.

// The shared functions of the tests may unwrap as well.
#![allow(clippy::unwrap_used)]

mod convert;
mod faults;
mod fmt;
mod follow;
mod games;
mod inputs;
mod planted;
mod properties;
mod rewriting;
mod seeds;
mod stats;
mod texts;
