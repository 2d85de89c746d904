//! The reader and the checker on damaged input. The tests that need a solver to make proofs are in `tictac-solver`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod properties;
#[path = "../../../tictac/tests/it/seeds.rs"]
mod seeds;
