//! Programs that test the grader: wrong ones with one known mistake each, and right ones in different styles.
//!
//! A **wrong** program is the C program of its assignment with a single typical mistake, which is written as a change of its
//! text, in `programs/wrong/`:
//!
//! ```text
//! knows-only-capital-players: player
//! Compares the player with X and O only.
//! - player = (char)toupper((unsigned char)*s);
//! + player = *s;
//! ```
//!
//! A **right** program fulfils its document, but is written differently: with a table, by recursion, with all input at
//! once, byte by byte, in C or for the shell. Where a document leaves a choice, one of them chooses differently. None
//! shares code with the others or with `tictac-programs`; tests check that all of them agree.
//!
//! ```console
//! $ printf '1 X A1\n' | mutants --assignment game-check --style sums-to-fifteen
//! Game in progress: O's turn.
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`wrong`] | the wrong programs |
//! | [`right`] | the right programs, one file per assignment |
//! | [`score`] | how the grader does on all of them |
//! | [`generated`] | mutants that are made by changing the text of right programs |
//! | [`inputs`] | random inputs |
//! | [`source`] | building a program from its text |
//! | [`process`] | running a program without the grader |
//! | [`Console`] | the streams of a program |

#![allow(
    clippy::cast_sign_loss,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::match_same_arms,
    clippy::single_match_else,
    reason = "these programs are small, and written as students write"
)]

mod console;
pub mod generated;
pub mod inputs;
pub mod process;
pub mod right;
pub mod score;
pub mod source;
pub mod wrong;

pub use console::Console;
pub use right::RightProgram;
/// The assignments that these programs are written for.
pub use tictac_grader::CourseProgram as Assignment;
pub use wrong::Mutant;
