//! Conversion of games from one notation into another.
//!
//! `docs/formats.md` describes the notations. A game that the output notation cannot represent, or only with a loss, is an
//! error unless losses were accepted. FEN and SVG represent a position: leaving out the moves before it is not a loss.

mod at3;
mod column_letters;
mod detect;
mod fen;
mod json;
mod lines;
mod movetext;
mod pgn;
mod svg;
mod ttt;
mod unfit;
mod xfen;

use std::io::{self, BufReader, Read};

use tictac::Rules;

pub use self::unfit::Losses;
use self::unfit::Unfit;
use crate::annotated::AnnotatedGame;
use crate::fmt::blank_lines_between;
use crate::games::{FoundGame, Games};
use crate::letters::Letters;
use crate::report::PlacedFault;

/// A notation for games or positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// The course's records, and archives of them.
    Ttt,
    /// Portable game notation with drop moves, as written by Fairy-Stockfish and cutechess.
    Pgn,
    /// Algebraic tic-tac-toe notation.
    At3,
    /// A position of the UXI protocol and the moves after it, on a 3×3 board.
    Xfen,
    /// A position in Forsyth-Edwards notation with pieces in hand.
    Fen,
    /// One JSON object per game.
    Json,
    /// A picture, which can only be written.
    Svg,
}

impl Notation {
    /// Every supported notation.
    pub const ALL: [Notation; 7] = [
        Notation::Ttt,
        Notation::Pgn,
        Notation::At3,
        Notation::Xfen,
        Notation::Fen,
        Notation::Json,
        Notation::Svg,
    ];

    /// Returns the name of the notation, which is also the extension of its files.
    pub const fn name(self) -> &'static str {
        self.parts().0
    }

    /// Returns whether games can be read in this notation, and not only written.
    pub fn is_readable(self) -> bool {
        self != Notation::Svg
    }

    /// Returns the text between two written games.
    pub fn separator(self, before: &[u8], after: &[u8]) -> &'static str {
        match self {
            Notation::Ttt => blank_lines_between(before, after),
            _ => self.parts().1,
        }
    }

    const fn parts(self) -> (&'static str, &'static str, GameWriter) {
        match self {
            Notation::Ttt => ("ttt", "\n", ttt::write),
            Notation::Pgn => ("pgn", "\n", pgn::write),
            Notation::At3 => ("at3", "\n", at3::write),
            Notation::Xfen => ("xfen", "", xfen::write),
            Notation::Fen => ("fen", "", fen::write),
            Notation::Json => ("json", "", json::write),
            Notation::Svg => ("svg", "", svg::write),
        }
    }
}

/// Returns the text of a game.
type GameWriter = fn(&AnnotatedGame, &Conversion) -> Result<Vec<u8>, Unfit>;

/// How to read and write games.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// The notation of the input, or `None` to detect it.
    pub from: Option<Notation>,
    /// The notation of the output.
    pub to: Notation,
    /// The rules of games that do not state theirs, in the input and in the output.
    pub rules: Rules,
    /// The meaning of letters in the input, or `None` for the usual one of its notation.
    pub letters: Option<Letters>,
    /// Whether information that the output cannot represent may be lost.
    pub losses: Losses,
}

/// Reads the games of a text one by one.
pub trait GameReader {
    /// Returns the next game, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns the first error of the input.
    fn next_game(&mut self) -> io::Result<Option<FoundGame>>;
}

impl Conversion {
    /// Returns a reader of the games of `input`.
    ///
    /// # Errors
    ///
    /// Fails if the start of the input cannot be read, or if its notation can only be written.
    pub fn reader<'a>(&self, mut input: impl Read + 'a) -> io::Result<Box<dyn GameReader + 'a>> {
        let mut start = Vec::new();
        if self.from.is_none() {
            input.by_ref().take(detect::N_BYTES as u64).read_to_end(&mut start)?;
        }
        let from = self.from.unwrap_or_else(|| detect::notation_of(&start));
        let input = BufReader::with_capacity(64 * 1024, io::Cursor::new(start).chain(input));
        if self.letters.is_some() && !matches!(from, Notation::Ttt | Notation::At3) {
            let name = from.name();
            return Err(io::Error::other(format!(
                "the meaning of letters can be chosen for ttt and at3, not for {name}"
            )));
        }
        Ok(match from {
            Notation::Ttt => {
                Box::new(Games::with_letters(input, &self.rules, self.letters.unwrap_or_default()))
            }
            Notation::Pgn => Box::new(movetext::MovetextReader::new(input, pgn::Pgn, self)),
            Notation::At3 => Box::new(movetext::MovetextReader::new(input, at3::At3, self)),
            Notation::Xfen => Box::new(lines::LineGames::new(input, xfen::parse, self)),
            Notation::Fen => Box::new(lines::LineGames::new(input, fen::parse, self)),
            Notation::Json => Box::new(lines::LineGames::new(input, json::parse, self)),
            Notation::Svg => return Err(io::Error::other("svg can only be written")),
        })
    }

    /// Writes a game.
    ///
    /// # Errors
    ///
    /// Returns the faults of the game, or why the output notation cannot represent it.
    pub fn write(&self, found: &FoundGame, out: &mut Vec<u8>) -> Result<(), Vec<PlacedFault>> {
        let Some(game) = found.game() else { return Err(found.report.faults.clone()) };
        let (.., write) = self.to.parts();
        let text = write(game, self).map_err(|unfit| {
            let fault = unfit.fault(found.report.game, self.to);
            vec![PlacedFault::new(found.report.line, 0, fault, &found.first_line)]
        })?;
        out.extend(text);
        Ok(())
    }
}
