//! `cargo fuzz run -s none convert`: the property of the same name, for every reader of a notation, on whatever the fuzzer invents.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "each target uses one property")]
#[path = "../../crates/tictac-archive/tests/it/rewriting.rs"]
mod rewriting;

fuzz_target!(|bytes: &[u8]| rewriting::convert(bytes));
