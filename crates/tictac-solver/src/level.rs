//! The computer player: perfect play, or human play at a chosen strength.

pub(crate) mod look_ahead;
pub(crate) mod perfect;

use std::fmt;
use std::str::FromStr;

use crate::Answer;
use crate::analyst::Rng;
use tictac::Move;
use tictac::notation::nearest;

/// How well the computer plays.
///
/// A level below [`Level::Perfect`] looks a number of plies ahead and overlooks each square, at each ply, with a stated
/// probability, drawn again for every move. That is how people err: they do not see a square, rather than choose badly
/// among those they see. `docs/play.md` has the measured results of each level against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Looks at its own move only and overlooks half of the squares.
    Beginner,
    /// Looks at the reply too and overlooks a quarter of the squares.
    Casual,
    /// Looks three plies ahead, counts open lines and overlooks every tenth square.
    Club,
    /// Looks six plies ahead and overlooks hardly anything.
    Expert,
    /// Never loses what can be held and wins in the fewest moves, wherever the oracle answers in time.
    Perfect,
}

/// A move chosen by the computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The chosen move.
    pub mv: Move,
    /// What is proved about the move, for the player who makes it.
    pub answer: Answer,
    /// Whether it is proved that no other move is better.
    pub proven: bool,
}

/// How a search without proof looks at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strength {
    /// The number of plies to look ahead, the player's own move included.
    plies: u32,
    /// How many of a hundred squares are overlooked.
    percent_overlooked: u64,
    /// Whether open lines are counted where no end is in sight.
    counts_lines: bool,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 5] = [Level::Beginner, Level::Casual, Level::Club, Level::Expert, Level::Perfect];

    /// Returns the name of the level, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Casual => "casual",
            Level::Club => "club",
            Level::Expert => "expert",
            Level::Perfect => "perfect",
        }
    }

    /// Returns how many plies the level looks ahead and what percentage of squares it overlooks; `None` for
    /// [`Level::Perfect`].
    pub fn look_ahead(self) -> Option<(u32, u64)> {
        self.strength().map(|strength| (strength.plies, strength.percent_overlooked))
    }

    pub(crate) const fn strength(self) -> Option<Strength> {
        match self {
            Level::Beginner => Some(Strength { plies: 1, percent_overlooked: 50, counts_lines: false }),
            Level::Casual => Some(Strength { plies: 2, percent_overlooked: 25, counts_lines: false }),
            Level::Club => Some(Strength { plies: 3, percent_overlooked: 10, counts_lines: true }),
            Level::Expert => Some(Strength { plies: 6, percent_overlooked: 2, counts_lines: true }),
            Level::Perfect => None,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for an unknown name of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevel(pub String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Level::ALL.map(Level::name).join(", ");
        match nearest(&self.0, Level::ALL.map(Level::name)) {
            Some(name) => write!(f, "there is no level {:?}; did you mean {name}?", self.0),
            None => write!(f, "there is no level {:?}; there are {names}", self.0),
        }
    }
}

impl std::error::Error for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Level, UnknownLevel> {
        Level::ALL
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}

/// Returns a random one of `moves`, or `None` if there are none.
pub(crate) fn pick(moves: &[Move], rng: Rng<'_>) -> Option<Move> {
    let n = moves.len() as u64;
    (n > 0).then(|| moves[(rng() % n) as usize])
}
