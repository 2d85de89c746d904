//! `cargo xtask fuzz --only certificate`: checks the properties of certificates on generated input.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../../crates/tictac-proof/tests/it/properties.rs"]
mod properties;

fuzz_target!(|bytes: &[u8]| properties::all(bytes));
