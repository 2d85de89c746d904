//! What is said of one game.

use tictac::notation::Fault;

use crate::tag::Tag;
use crate::totals::Ending;

/// What is said of one game of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReport {
    /// The number of the game in its file, from 1.
    pub game: u64,
    /// The line in which it starts, from 1.
    pub line: u64,
    /// How it ended.
    pub ending: Ending,
    /// How many of its moves were accepted.
    pub moves: u64,
    /// Its tags, in order.
    pub tags: Vec<Tag>,
    /// What is wrong with it: bad tags, then the first bad move.
    pub faults: Vec<PlacedFault>,
    /// How many of its lines come after the fault that ended the judging.
    pub unjudged_lines: u64,
}

/// A fault, its place, and the line it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedFault {
    /// The line in the file, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: u64,
    /// What is wrong.
    pub fault: Fault,
    /// The start of that line; a line may be longer than what is kept of it.
    pub text: Vec<u8>,
}

/// How much of a line is kept in order to show it.
pub(crate) const KEPT: usize = 200;
