//! The five classroom programs, written as dialogues without I/O.
//!
//! | program | module | purpose |
//! |---|---|---|
//! | `move-check` | [`move_check`] | parses one line of a record and prints the move |
//! | `game-check` | [`game_check`] | checks a record and prints the state of the game |
//! | `lab3` | [`lab3`] | tic-tac-toe for two players on a 5×5 board with a border |
//! | `tictactoe` | [`tictactoe`] | tic-tac-toe for two players, or against the computer |
//! | `notakto` | [`notakto`] | Notakto for two players, or against the computer, on one board or several |
//!
//! Each program is a [`Dialogue`]: bytes in, bytes out. [`run_on_streams`] connects it to real streams and
//! [`run_on_bytes`] to a buffer, so that tests and the grader exercise the code that the program runs. [`run`] is all
//! that a `main` function adds. The command line is part of the dialogue: `invocation` in each module turns arguments
//! into one.
//!
//! ```
//! use tictac_programs::{game_check::GameCheck, run_on_bytes};
//!
//! let transcript = run_on_bytes(GameCheck::default(), b"1 X B2\n2 O A1\n");
//! assert_eq!(transcript.stdout, b"Game in progress: X's turn.\n");
//! assert_eq!(transcript.exit.status, 0);
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub mod arguments;
pub mod checker;
pub mod computer;
mod dialogue;
pub mod game_check;
pub mod lab3;
pub mod move_check;
pub mod notakto;
mod platform;
mod run;
pub mod tictactoe;

pub use dialogue::{Dialogue, ProgramExit, Progress};
pub use run::{RunResult, Transcript, report_exit, run, run_on_bytes, run_on_streams};
