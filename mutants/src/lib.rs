//! How good is the examiner? Programs with one known mistake each, and right ones in different styles.
//!
//! A **wrong** program is the right one with a single mistake switched on, of the kind students make. The right
//! behaviour of an assignment is written once, in the plainest way, and every mistake is one visible
//! `if mistake == "…"` in it:
//!
//! ```console
//! $ printf ' 1 X A1\n' | mutants --assignment move-check --mistake skips-leading-blanks
//! 1 X A1
//! ```
//!
//! A **right** program answers as its document asks, but is written by somebody else: with a table, by recursion, all
//! input at once, byte by byte, in C or for the shell. Where a document leaves something free, one of them uses that
//! freedom. None shares code with the others or with `tictac-programs`; that all of them agree is tested.
//!
//! ```console
//! $ printf '1 X A1\n' | mutants --assignment game-check --style sums-to-fifteen
//! Game in progress: O's turn.
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`wrong`] | the mistakes, one file an assignment |
//! | [`right`] | the other styles, one file an assignment |
//! | [`score`] | how the examiner does on all of them |
//! | [`process`] | running a program without the examiner |
//! | [`Mutant`], [`Style`] | an entry of each |
//! | [`Assignment`], [`Console`] | the five assignments; the streams of a program |

#![allow(
    clippy::cast_sign_loss,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::match_same_arms,
    clippy::single_match_else,
    reason = "these programs are small, and written as different people write"
)]

mod assignment;
mod console;
pub mod process;
pub mod right;
pub mod score;
pub mod wrong;

pub use assignment::Assignment;
pub use console::Console;
pub use right::Style;
pub use wrong::Mutant;
