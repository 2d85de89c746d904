//! The public API of the solver, one file per subject.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod analyst;
mod atlas;
mod boards;
mod census;
mod certificates;
#[path = "../../../tictac/tests/it/corpus.rs"]
mod corpus;
mod hints;
mod levels;
mod notakto_sums;
mod provers;
mod random_positions;
mod saved_tables;
mod solve;
mod stopping;
