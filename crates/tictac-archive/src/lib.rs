//! Records by the gigabyte: archives of games, read, judged and counted.
//!
//! An archive is a text of records, separated by lines of white space only, each optionally headed by tags such as
//! `[Rules "4,4,4"]` or `[Result "X"]`. A bad game never costs the others, and nothing is skipped silently.
//!
//! ```
//! use tictac::notation::Code;
//! use tictac_archive::{Ending, Options, check_text};
//!
//! let archive = b"[Result \"X\"]\n1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n\n1 O B2\n2 X B2\n";
//! let (reports, totals) = check_text(archive, &Options::default());
//! assert_eq!(reports.iter().map(|report| report.ending).collect::<Vec<_>>(), [Ending::XWon, Ending::Bad]);
//! assert_eq!((totals.games(), totals.moves), (2, 6));
//! let fault = &reports[1].faults[0];
//! assert_eq!((fault.line, fault.column, fault.fault.code), (9, 5, Code::SquareTaken));
//! assert_eq!(fault.fault.message, "B2 is already taken (O played it at move 1)");
//! ```
//!
//! # Layout
//!
//! | module | what it knows |
//! |---|---|
//! | `input`, `decode` | files, folders, standard input; gzip and Zstandard, decoded on their own thread |
//! | `source` | pieces of an input that end between two games, in a fixed amount of memory |
//! | `judge` | the games of a piece, byte by byte, whatever the split |
//! | `canonical` | the same answer for games in canonical form, many times faster |
//! | `game`, `tag`, `claim`, `advice` | one game: its tags, its moves, what its result tag claims, words of help |
//! | `totals`, `report` | what came out |
//! | `games`, `annotated` | whole games with their comments, one at a time |
//! | `fmt` | archives in canonical form; files rewritten in place |
//! | `convert` | games from one notation into another, one file a notation |
//! | `stats` | what the games have in common: results, lengths, openings, errors |
//! | `check` | several threads, one order |

mod advice;
mod annotated;
mod canonical;
mod check;
mod claim;
mod convert;
mod decode;
#[cfg(test)]
mod differential;
mod fmt;
mod game;
mod games;
mod input;
mod judge;
mod report;
mod source;
mod stats;
mod tag;
mod totals;
mod turns;

pub use annotated::{AnnotatedGame, AnnotatedMove, RawTag};
pub use check::{Event, Meter, Options, Summary, Wanted, check, check_text};
pub use convert::{Conversion, GameReader, Losses, Notation};
pub use decode::decoded;
pub use fmt::{FmtEvent, Formatted, Rewrite, Rewritten, reformat, reformat_file, sort_tags, write_game};
pub use games::{FoundGame, Games, Letters, MAX_GAME, MAX_LINE};
pub use input::{Input, decompressed, inputs, stdin};
pub use judge::Format;
pub use report::{GameReport, PlacedFault};
pub use stats::{
    FirstError, Opening, Openings, Play, Results, RulesStats, SidePlay, Stats, StatsOptions, Symmetries,
    stats,
};
pub use tag::Tag;
pub use totals::{Ending, Totals};
