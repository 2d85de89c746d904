//! The tic-tac-toe family: rules, positions, games and notation.
//!
//! One engine plays every variant: grids of up to 64 squares, lines of any length, lines that win or lose (misère),
//! players with their own mark, with a free choice of mark (wild) or with one mark for both (Notakto), on one board or
//! many; marks that drop (Connect Four), joined edges (torus), layers (Qubic), shapes and missing squares.
//!
//! # A first program
//!
//! Play a game, check a record, and print the results. `cargo run --example first_game` runs it:
//!
//! ```
#![doc = include_str!("../examples/first_game.rs")]
//! ```
//!
//! # Which type to use
//!
//! * [`Rules`] describe a variant and are parsed from text such as `"4,4,3 misere"`. Every function that needs them
//!   takes `&Rules`, as its last argument where it parses or sets something up.
//! * [`Game`] keeps its moves and can take them back; [`State`] is one moment of a game under any rules.
//! * [`Position`] is a [`State`] on one board: `Copy`, for engines and searches. [`Boards`] is a [`State`] on several.
//! * `play` plays a move in place, and `after` returns the state after it. Illegal moves are an [`IllegalMove`] error,
//!   and no method builds a position that legal play cannot reach.
//! * [`notation`] turns text into these types and back. Files with tags, many games or other formats (PGN, FEN, JSON)
//!   are read and written by the `tictac-archive` crate.
//!
//! This crate does no I/O, reads no clock, starts no thread and draws no random number: the same input always gives the
//! same answer. It needs `alloc` and no standard library.
//!
//! The values of positions, best moves, levels of play, hints and lessons are in the crate `tictac-solver`; proofs that can be
//! checked without a solver are in `tictac-proof`.
//!
//! The feature `serde` adds `Serialize` and `Deserialize` for [`Rules`], [`Mark`], [`Player`], [`Position`], [`Boards`],
//! [`State`] and [`Game`], as the text of [`notation`].

#![cfg_attr(not(test), no_std)]

extern crate alloc;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod bag;
mod board;
mod dead;
mod game;
mod grid;
mod line;
mod mark;
mod moves;
mod notakto;
pub mod notation;
mod perft;
mod playout;
mod position;
mod reach;
mod rules;
#[cfg(feature = "serde")]
mod serialize;
mod shape;
mod square;
mod state;
mod symmetry;
mod value;

pub use board::Board;
pub use dead::Dead;
pub use game::Game;
pub use grid::Grid;
pub use line::{BoardEdges, Direction, Line, Lines, RunLength};
pub use mark::{Mark, Player};
pub use moves::{IllegalMove, Move};
pub use notakto::Boards;
pub use perft::perft;
pub use playout::{Playouts, Tally};
pub use position::{ImpossiblePosition, Outcome, Position, Status};
pub use rules::{Goal, InvalidRules, Marks, Placement, Rules};
pub use shape::LineShape;
pub use square::{Square, SquareSet, Squares};
pub use state::State;
pub use symmetry::Symmetry;
pub use value::Value;
