//! The public API of the library, one file per subject.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod api;
mod atlas;
mod certificates;
mod corpus;
mod counts;
mod dead;
mod documents;
mod games;
mod hints;
mod levels;
mod notakto_sums;
mod playouts;
mod positions;
mod properties;
mod provers;
mod random_positions;
mod records;
mod rules;
mod saved_tables;
mod seeds;
mod solve;
mod stopping;
