//! The five classroom programs as dialogues without I/O.
//!
//! | program | module | what it does |
//! |---|---|---|
//! | `move-check` | [`move_check`] | reads one line of a record and prints the move |
//! | `game-check` | [`game_check`] | reads a record and prints how the game stands |
//! | `lab3` | [`lab3`] | tic-tac-toe for two on a 5×5 board with a border |
//! | `tictactoe` | [`tictactoe`] | tic-tac-toe for two, or against the computer |
//! | `notakto` | [`notakto`] | Notakto for two, or against the computer, on one board or many |
//!
//! Each is a [`Dialogue`]: it hears bytes and says bytes. [`perform`] connects it with real streams, [`converse`] with a
//! buffer, so that a test or a grader asks the very code that the program runs; [`run`] is all that a `main` adds. Even
//! the command line is part of it: `invocation` of each module turns arguments into a dialogue.
//!
//! ```
//! use tictac_programs::{converse, game_check::GameCheck};
//!
//! let transcript = converse(GameCheck::default(), b"1 X B2\n2 O A1\n");
//! assert_eq!(transcript.stdout, b"Game in progress: X's turn.\n");
//! assert_eq!(transcript.ending.status, 0);
//! ```

pub mod arguments;
pub mod checker;
pub mod computer;
mod dialogue;
pub mod game_check;
pub mod lab3;
pub mod move_check;
pub mod notakto;
mod process;
mod speech;
mod stage;
pub mod tictactoe;

pub use dialogue::{Dialogue, Ending, Progress, Transcript, converse};
pub use process::{conclude, run};
pub use stage::{Performed, perform};
