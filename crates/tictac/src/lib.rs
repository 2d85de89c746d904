//! The tic-tac-toe family: rules, notation and exact answers.
//!
//! One rule engine for every variant: any grid of up to 64 squares, any line length, lines that win or lose
//! (misère), own marks, either mark (wild) or X only, one board or many (Notakto).
//!
//! ```
//! use tictac::{Game, Outcome, Player, Position, Rules, Status};
//!
//! let rules: Rules = "4,4,3 misere".parse()?;
//! let mut game = Game::new(Position::start(rules));
//! for mv in ["X B2", "O A1", "X B3", "O D4", "X B4"] {
//!     game.play(rules.parse_move(mv)?)?;
//! }
//! // X completed three in a row, and that loses here.
//! assert_eq!(game.status(), Status::Over(Outcome::Win(Player::Second)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layout
//!
//! | module | what it knows |
//! |---|---|
//! | `square`, `grid`, `line` | places, sets of places, and which of them lie in a row |
//! | `mark`, `board` | what is written, who writes, and what stands where |
//! | `rules`, `moves`, `position` | a variant as data, a move, where one board stands; legality |
//! | `notakto`, `state` | several boards at once; one board or several |
//! | `game`, `playable` | a start and the moves since; the trait behind one board and many |
//! | `symmetry`, `dead`, `perft`, `playout` | turning boards, hopeless positions, counting, random games |
//! | [`solve`] | the value of a position under perfect play |
//! | `judge`, `hint` | how good a move was, and why one is best |
//! | [`level`] | play below perfection, and perfect play within a time |
//! | [`certificate`] | proofs of values, and a checker that knows no search |
//! | [`notation`] | everything that is text: records, positions, rules, diagrams, faults |
//!
//! This crate does no I/O, reads no clock and draws no random number: the same input gives the same answer for ever.

mod bag;
mod board;
pub mod certificate;
mod dead;
mod game;
mod grid;
mod hint;
mod judge;
pub mod level;
mod line;
mod mark;
mod moves;
mod notakto;
pub mod notation;
mod perft;
mod playable;
mod playout;
mod position;
mod rules;
pub mod solve;
mod square;
mod state;
mod symmetry;

pub use board::Board;
pub use dead::Dead;
pub use game::Game;
pub use grid::Grid;
pub use hint::{Hint, Reason, reasons};
pub use judge::{JudgedMove, Verdict, judge};
pub use line::{Direction, Line, Lines};
pub use mark::{Mark, Player};
pub use moves::{IllegalMove, Move};
pub use notakto::Boards;
pub use perft::{Census, perft};
pub use playable::Playable;
pub use playout::{Playouts, Tally};
pub use position::{ImpossiblePosition, Outcome, Position, Status};
pub use rules::{Goal, InvalidRules, Marks, Rules};
pub use square::{Square, SquareSet, Squares};
pub use state::State;
pub use symmetry::Symmetry;
