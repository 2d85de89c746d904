//! Checks, counts, formats and converts archives of tic-tac-toe games of any size.
//!
//! An archive is a text of records separated by blank lines. Tags such as `[Rules "4,4,4"]` or `[Result "X"]` may precede the
//! moves of each record. A bad game never affects the others, and nothing is skipped silently.
//!
//! ```
//! use tictac::notation::Code;
//! use tictac_archive::{CheckOptions, Ending, check_text};
//!
//! let archive = b"[Result \"X\"]\n1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n\n1 O B2\n2 X B2\n";
//! let (reports, totals) = check_text(archive, &CheckOptions::default());
//! assert_eq!(reports.iter().map(|report| report.ending).collect::<Vec<_>>(), [Ending::XWon, Ending::Bad]);
//! assert_eq!((totals.games(), totals.moves), (2, 6));
//! let fault = &reports[1].faults[0];
//! assert_eq!((fault.line, fault.column, fault.fault.code), (9, 5, Code::SquareTaken));
//! assert_eq!(fault.fault.message, "B2 is already taken (O played it at move 1)");
//! ```
//!
//! # Layout
//!
//! | module | contents |
//! |---|---|
//! | `input`, `decompress`, `compress` | files, folders and standard input; gzip and Zstandard |
//! | `source` | inputs split into pieces that end between two games, in a fixed amount of memory |
//! | `judge` | the only reader of archives, byte by byte |
//! | `canonical` | a fast check of games in canonical form |
//! | `game`, `tag`, `letters` | one game: its tags, moves, claimed result, and help for errors |
//! | `report` | the results |
//! | `check` | `tictac check`: several threads, with reports in the order of the input |
//! | `follow` | one game, read only as far as it is needed |
//! | `games`, `annotated` | whole games with their comments, one at a time |
//! | `fmt` | `tictac fmt`: archives in canonical form, files rewritten in place |
//! | `convert` | `tictac convert`: other notations, one file per notation |
//! | `stats` | `tictac stats`: results, lengths, openings, errors |
//! | `csv` | text that is no formula in a spreadsheet |

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod annotated;
mod canonical;
mod check;
mod compress;
mod convert;
mod csv;
mod decompress;
#[cfg(test)]
mod differential_tests;
mod fmt;
mod follow;
mod game;
mod games;
mod input;
mod judge;
mod letters;
mod platform;
mod report;
mod source;
mod stats;
mod tag;

pub use annotated::{AnnotatedGame, AnnotatedMove};
pub use check::{CheckEvent, CheckOptions, CheckSummary, ReportedGames, check, check_text, check_text_until};
pub use compress::ZstandardWriter;
pub use convert::{Conversion, Losses, Notation};
pub use csv::without_formula;
pub use decompress::decompress;
pub use fmt::{FmtEvent, Formatted, Rewrite, reformat, reformat_file, sort_tags};
pub use follow::{FollowedGame, follow_game};
pub use games::{FoundGame, Games, LineEnd, MAX_GAME, MAX_LINE, read_line};
pub use input::{Input, ReadMeter, inputs, io_reason};
pub use judge::Format;
pub use letters::Letters;
pub use report::{Ending, GameReport, PlacedFault, Totals};
pub use stats::{
    FirstError, Opening, Openings, Play, Results, RulesStats, SidePlay, Stats, StatsOptions, Symmetries,
    stats,
};
pub use tag::Tag;
