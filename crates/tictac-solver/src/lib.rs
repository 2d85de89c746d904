//! Exact answers about the tic-tac-toe family: the result of perfect play, best moves, and advice for players.
//!
//! Use [`Oracle`] to ask many questions about states of play, [`Search`] for one hard question with several threads, or
//! [`best_moves`] for an easy one. [`Solver`] is the part of both for one board, and [`PositionTable`] for programs that look up millions of positions of a small board. [`prove`] writes proofs that
//! `tictac-proof` checks without any code of this crate.
//!
//! An [`Analyst`] chooses moves at a [`level`] and judges those of games, [`Hint`] and [`JudgedMove`] explain them, [`lessons`] teach them, and [`Census`] counts
//! positions and games.
//!
//! Rules, positions and notation are in the crate `tictac`, which this one builds on.
//!
//! # A first program
//!
//! `cargo run -p tictac-solver --example best_moves` runs it:
//!
//! ```
#![doc = include_str!("../examples/best_moves.rs")]
//! ```
//!
//! # Layout
//!
//! | module | contents |
//! |---|---|
//! | `oracle`, `search`, `answer`, `meter` | the two entries, questions and answers, and the progress of a search |
//! | `one_board` | one board under any rules: search, and tables of all positions |
//! | `plain` | one board on which each player has a mark and a line wins: provers |
//! | `drop` | games in which marks drop to the lowest empty square of a column |
//! | `several_boards` | several boards: nimbers, misère quotients, and sums |
//! | `tables` | what searches store, share between threads, and save |
//! | `proof` | writing certificates |
//! | `analyst`, `level`, `hint`, `judge`, `lessons` | advice for players |
//! | `geometry`, `bit_position`, `byte_symmetry`, `score` | boards as bit sets, and value with distance as one number |

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// Implements `Debug` for types whose tables are too large to print: only their rules are shown.
macro_rules! debug_by_rules {
    ($type:ident, $($rules:ident).+) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($type)).field("rules", &self.$($rules).+.to_string()).finish_non_exhaustive()
            }
        }
    };
}

mod analyst;
mod answer;
mod bit_position;
mod byte_symmetry;
mod census;
mod drop;
mod geometry;
mod hint;
mod judge;
pub mod lessons;
pub mod level;
#[cfg(any(test, feature = "measure"))]
mod measure;
mod meter;
mod one_board;
mod oracle;
mod plain;
mod proof;
mod score;
mod search;
mod several_boards;
mod tables;
mod tuning;

pub use analyst::{Advice, Analyst, Rng, Survey, TimeLeft};
pub use answer::{Answer, Question};
pub use census::Census;
pub use hint::{Hint, Reason, best_prospect, prospect, reasons};
pub use judge::{JudgedMove, Refutation, Verdict};
pub use level::look_ahead::balance;
#[cfg(any(test, feature = "measure"))]
#[doc(hidden)]
pub use measure::MeasuredSolver;
pub use meter::Meter;
pub use one_board::position_table::PositionTable;
pub use one_board::solver::Solver;
pub use oracle::Oracle;
pub use proof::{NoProof, ProofLimits, ProofSource, prove, prove_value};
pub use search::{Findings, KnownAnswers, Search, SearchLimits, SearchRecord, Stop};
pub use several_boards::boards_solver::BoardsSolver;
pub use several_boards::quotient::{Element, NoQuotient, Quotient};
pub use tables::search_tables::{DamagedTables, SearchTables};
#[cfg(any(test, feature = "measure"))]
#[doc(hidden)]
pub use tuning::{SearchTuning, Technique};

use tictac::{Move, State};

/// Returns the best moves: the quickest wins, else the draws, else the slowest losses; none when the game is over.
///
/// The answer is exact, and quick on small boards: 3×3 takes less than a millisecond in every variant, and so does
/// Notakto on any number of boards. Larger boards may take very long; an [`Oracle`] can be stopped. On several boards the
/// distance to the end counts only where it can be searched, and where no method applies all legal moves are returned.
///
/// ```
/// use tictac::{Rules, State};
/// use tictac_solver::best_moves;
///
/// let rules: Rules = "notakto boards=2".parse()?;
/// let state = State::parse("XXX/.../...+.../.../... 2", &rules)?;
/// let best = best_moves(&state);
/// assert_eq!(best.iter().map(|mv| mv.name(&rules).to_string()).collect::<Vec<_>>(), ["2.B2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_moves(state: &State) -> Vec<Move> {
    /// The memory limit of the search; 3×3 needs 100 kB.
    const MAX_BYTES: usize = 1 << 28;
    let answers = Oracle::new(state.rules(), MAX_BYTES).moves(state, Question::Strong, &|| false);
    match Answer::best_moves(&answers) {
        none if none.is_empty() => state.moves().collect(),
        best => best,
    }
}
