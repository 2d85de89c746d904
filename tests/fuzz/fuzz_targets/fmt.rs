//! `cargo xtask fuzz --only fmt`: checks the property of the same name on generated input.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "each target uses one property")]
#[path = "../../../crates/tictac-archive/tests/it/rewriting.rs"]
mod rewriting;

fuzz_target!(|bytes: &[u8]| rewriting::fmt(bytes));
