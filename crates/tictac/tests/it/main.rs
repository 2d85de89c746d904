//! The public API of the library, one file per subject.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod api;
mod boards;
mod corpus;
mod counts;
mod dead;
mod documents;
mod games;
mod playouts;
mod positions;
mod properties;
mod records;
mod rules;
mod seeds;
