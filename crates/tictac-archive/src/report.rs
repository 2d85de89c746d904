//! The results: reports on games, and how often they ended in which way.

use std::ops::Range;

use tictac::notation::{Code, Fault};
use tictac::{Mark, Outcome, Player, State, Status};

use crate::tag::Tag;

/// The result of checking one game of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReport {
    /// The number of the game in its file, from 1.
    pub game: u64,
    /// The line in which the game starts, from 1.
    pub line: u64,
    /// The ending; [`Ending::Bad`] if there are faults.
    pub ending: Ending,
    /// The number of legal moves before the first fault.
    pub moves: u64,
    /// The tags in order.
    pub tags: Vec<Tag>,
    /// The faults by line: those of tags, and the first one of the moves.
    pub faults: Vec<PlacedFault>,
    /// The number of lines that were not checked because of a fault in an earlier line.
    pub unjudged_lines: u64,
}

impl GameReport {
    /// Returns the report on a game without tags and faults.
    pub const fn faultless(game: u64, line: u64, ending: Ending, moves: u64) -> GameReport {
        GameReport { game, line, ending, moves, tags: Vec::new(), faults: Vec::new(), unjudged_lines: 0 }
    }
}

/// A fault with its place in the file and the line that contains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedFault {
    /// The line in the file, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: u64,
    /// The fault itself.
    pub fault: Fault,
    /// The line, truncated if it is long.
    pub text: Vec<u8>,
    /// The number of bytes of the line before [`text`](PlacedFault::text); not 0 only if the fault is far from its start.
    pub n_cut: usize,
}

impl PlacedFault {
    /// Returns the range of [`text`](PlacedFault::text) to underline, or `None` if that part of the line was not kept.
    ///
    /// In a malformed line this is the first wrong character, otherwise the whole word.
    pub fn range(&self) -> Option<Range<usize>> {
        let start = usize::try_from(self.column - 1).ok()?.checked_sub(self.n_cut)?;
        let rest = self.text.get(start..)?;
        let length = if self.fault.code.is_syntax() {
            let character = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
            character.map_or(1, char::len_utf8)
        } else {
            rest.iter().position(|byte| b" \t\r\"]".contains(byte)).unwrap_or(rest.len()).max(1)
        };
        Some(start..start + length.min(rest.len()))
    }
}

/// A place in a text that is being read.
#[derive(Clone, Copy)]
pub(crate) struct TextPlace<'a> {
    /// The number of the line, from 1.
    pub(crate) line: u64,
    /// The offset in the line, in bytes.
    pub(crate) at: usize,
    /// The line, or its start.
    pub(crate) text: &'a [u8],
}

impl TextPlace<'_> {
    /// Returns the place `n_bytes` further on in the line.
    pub(crate) const fn plus(self, n_bytes: usize) -> Self {
        TextPlace { at: self.at + n_bytes, ..self }
    }

    /// Returns a fault at this place, with the part of the line around it.
    pub(crate) fn fault(self, fault: Fault) -> PlacedFault {
        let TextPlace { line, at, text } = self;
        let mut n_cut = if at + KEPT / 4 > KEPT { at.min(text.len()).saturating_sub(KEPT / 2) } else { 0 };
        // Not in the middle of a character.
        while text.get(n_cut).is_some_and(|byte| byte & 0xC0 == 0x80) {
            n_cut += 1;
        }
        PlacedFault { line, column: at as u64 + 1, fault, text: start_of(&text[n_cut..]), n_cut }
    }
}

/// A fault and its offset in the text that was parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineFault {
    pub(crate) at: usize,
    pub(crate) fault: Fault,
}

impl LineFault {
    pub(crate) fn new(at: usize, code: Code, message: impl Into<String>) -> LineFault {
        LineFault { at, fault: Fault::new(code, message) }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> LineFault {
        LineFault { fault: self.fault.with_help(help), ..self }
    }
}

impl From<Fault> for LineFault {
    fn from(fault: Fault) -> LineFault {
        LineFault { at: 0, fault }
    }
}

/// The maximum number of bytes of a line that are kept, so that it can be shown.
const KEPT: usize = 200;

/// Returns the part of a line that is kept to show it.
pub(crate) fn start_of(line: &[u8]) -> Vec<u8> {
    line[..line.len().min(KEPT)].to_owned()
}

/// The ending of a game in an archive.
///
/// By mark, whichever player moved first. In wild and X-only games X stands for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// X, or the first player, won.
    XWon,
    /// O, or the second player, won.
    OWon,
    /// The game was drawn.
    Drawn,
    /// The record stops before the end of the game.
    Unfinished,
    /// The record has a fault.
    Bad,
}

impl Ending {
    /// All endings, in the order of reports.
    pub const ALL: [Ending; 5] = [Ending::XWon, Ending::OWon, Ending::Drawn, Ending::Unfinished, Ending::Bad];

    /// Returns the name of the ending in JSON, such as `x_won`.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::XWon => "x_won",
            Ending::OWon => "o_won",
            Ending::Drawn => "drawn",
            Ending::Unfinished => "unfinished",
            Ending::Bad => "bad",
        }
    }

    /// Returns the ending of a legal game that has reached `state`.
    pub(crate) fn of_state(state: &State) -> Ending {
        match state.status() {
            Status::ToMove(_) => Ending::Unfinished,
            Status::Over(Outcome::Draw) => Ending::Drawn,
            Status::Over(Outcome::Win(player)) => match (state.mark_of(player), player) {
                (Some(Mark::X), _) | (None, Player::First) => Ending::XWon,
                (Some(Mark::O), _) | (None, Player::Second) => Ending::OWon,
            },
        }
    }
}

/// The number of games with each ending, and of all moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The legal moves, including those of bad games before their first fault.
    pub moves: u64,
    /// Games won by X, or by the first player.
    pub x_won: u64,
    /// Games won by O, or by the second player.
    pub o_won: u64,
    /// Number of drawn games.
    pub drawn: u64,
    /// Games that stop before their end.
    pub unfinished: u64,
    /// Games with a fault.
    pub bad: u64,
}

impl Totals {
    /// Returns the number of all games.
    pub const fn games(&self) -> u64 {
        self.x_won + self.o_won + self.drawn + self.unfinished + self.bad
    }

    /// Returns the number of games with this ending.
    pub const fn of(mut self, ending: Ending) -> u64 {
        *self.counter(ending)
    }

    const fn counter(&mut self, ending: Ending) -> &mut u64 {
        match ending {
            Ending::XWon => &mut self.x_won,
            Ending::OWon => &mut self.o_won,
            Ending::Drawn => &mut self.drawn,
            Ending::Unfinished => &mut self.unfinished,
            Ending::Bad => &mut self.bad,
        }
    }

    /// Counts `n_games` of `n_moves` moves each.
    pub(crate) const fn count(&mut self, ending: Ending, n_moves: u64, n_games: u64) {
        self.moves += n_moves * n_games;
        *self.counter(ending) += n_games;
    }

    pub(crate) fn add(&mut self, other: &Totals) {
        self.moves += other.moves;
        for ending in Ending::ALL {
            *self.counter(ending) += other.of(ending);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_character_or_the_whole_word_is_underlined() {
        let range = |code: Code, at: usize, text: &str| {
            TextPlace { line: 1, at, text: text.as_bytes() }.fault(Fault::new(code, "")).range()
        };
        assert_eq!(range(Code::NotAMark, 4, "1 X ä1"), Some(4..6));
        assert_eq!(range(Code::SquareTaken, 4, "1 X A1 # x"), Some(4..6));
        assert_eq!(range(Code::NotAMark, 6, "1 X A1"), Some(6..6));
        assert_eq!(range(Code::NotAMark, 7, "1 X A1"), None);
    }
}
