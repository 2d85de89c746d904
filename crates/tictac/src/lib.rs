//! The tic-tac-toe family: rules, notation and exact answers.
//!
//! One engine plays every variant: grids of up to 64 squares, lines of any length, lines that win or lose (misère),
//! players with their own mark, with a free choice of mark (wild) or with one mark for both (Notakto), on one board or
//! many.
//!
//! # A first program
//!
//! Play a game, check a record, find the best moves, and print the results. `cargo run --example first_game` runs it:
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
//! * [`solve`] finds the value of a state and its best moves, [`level`] plays at a chosen strength, [`judge`] and
//!   [`Hint`] explain moves, [`lessons`] teach them, and [`certificate`] writes proofs that can be checked without the solver.
//!
//! This crate does no I/O, reads no clock, starts no thread and draws no random number: the same input always gives the
//! same answer.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `std` | yes | [`solve`], [`level`], [`judge`], [`Hint`], [`lessons`], [`certificate`] and [`Census`], which need hash tables |
//! | `serde` | no | `Serialize` and `Deserialize` for [`Rules`], [`Mark`], [`Player`], [`Position`], [`Boards`], [`State`] and [`Game`], as the text of [`notation`] |
//!
//! Without `std` the crate needs only `alloc`: rules, positions, games, all of [`notation`], [`perft`](perft()) and [`Playouts`].

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod bag;
mod board;
#[cfg(feature = "std")]
mod census;
#[cfg(feature = "std")]
pub mod certificate;
mod dead;
mod game;
mod grid;
#[cfg(feature = "std")]
mod hint;
#[cfg(feature = "std")]
mod judge;
#[cfg(feature = "std")]
pub mod lessons;
#[cfg(feature = "std")]
pub mod level;
mod line;
mod mark;
mod moves;
mod notakto;
pub mod notation;
mod perft;
mod playout;
mod position;
mod rules;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(feature = "std")]
pub mod solve;
mod square;
mod state;
mod symmetry;

pub use board::Board;
#[cfg(feature = "std")]
pub use census::Census;
pub use dead::Dead;
pub use game::Game;
pub use grid::Grid;
#[cfg(feature = "std")]
pub use hint::{Hint, Reason, reasons};
#[cfg(feature = "std")]
pub use judge::{JudgedMove, Verdict, judge};
pub use line::{Direction, Line, Lines};
pub use mark::{Mark, Player};
pub use moves::{IllegalMove, Move};
pub use notakto::Boards;
pub use perft::perft;
pub use playout::{Playouts, Tally};
pub use position::{ImpossiblePosition, Outcome, Position, Status};
pub use rules::{Goal, InvalidRules, Marks, Rules};
pub use square::{Square, SquareSet, Squares};
pub use state::State;
pub use symmetry::Symmetry;
