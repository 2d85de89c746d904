//! `cargo xtask fuzz --only position`: checks the property of the same name on generated input.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "each target uses one property")]
#[path = "../../../crates/tictac/tests/it/properties.rs"]
mod properties;

fuzz_target!(|bytes: &[u8]| properties::position(bytes));
