//! Tests of the five programs as dialogues, as processes and on a terminal.

// Clippy takes only functions marked `#[test]` for tests; their helpers may unwrap for the same reason.
#![allow(clippy::unwrap_used)]

mod checkers;
mod endings;
mod lab3;
mod lab3_class;
mod notakto;
mod perfect_play;
mod program;
mod streams;
mod tictactoe;
mod transcripts;
