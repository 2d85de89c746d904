//! Conversion of games from one notation into another.
//!
//! `docs/formats.md` describes the notations. A game that the output notation cannot represent, or only with a loss, is an
//! error unless losses were accepted. FEN and SVG represent a position: leaving out the moves before it is not a loss.

mod at3;
mod column_letters;
mod fen;
mod json;
mod lines;
mod movetext;
mod pgn;
mod ttt;
mod xfen;

use std::io::{self, BufReader, Read};

use tictac::Rules;
use tictac::notation::{Code, Fault, Picture};

use self::lines::line_games;
use self::movetext::MovetextReader;
use crate::annotated::AnnotatedGame;
use crate::fmt::blank_lines_between;
use crate::games::FoundGame;
use crate::letters::Letters;
use crate::report::{PlacedFault, TextPlace};

/// A notation for games or positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
            Notation::Svg => ("svg", "", write_picture),
        }
    }
}

/// Returns the text of a game, or why it cannot be written.
type GameWriter = fn(&AnnotatedGame, &Conversion) -> Result<Vec<u8>, Fault>;

/// How to read and write games. By default the notation of the input is detected, and records of ordinary tic-tac-toe are written.
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

/// Whether information may be lost in a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Losses {
    /// A loss is an error.
    #[default]
    Refused,
    /// Information that the output cannot represent is left out.
    Accepted,
}

impl Default for Conversion {
    fn default() -> Conversion {
        Conversion {
            from: None,
            to: Notation::Ttt,
            rules: Rules::CLASSIC,
            letters: None,
            losses: Losses::Refused,
        }
    }
}

impl Conversion {
    /// Returns the games of `input`, one by one.
    ///
    /// # Errors
    ///
    /// Fails if the start of the input cannot be read, or if its notation can only be written.
    pub fn games<'a>(
        &self,
        mut input: impl Read + 'a,
    ) -> io::Result<Box<dyn Iterator<Item = io::Result<FoundGame>> + 'a>> {
        let mut start = Vec::new();
        if self.from.is_none() {
            input.by_ref().take(N_DETECTED as u64).read_to_end(&mut start)?;
        }
        let from = self.from.unwrap_or_else(|| detect(&start));
        let input = BufReader::with_capacity(64 * 1024, io::Cursor::new(start).chain(input));
        if self.letters.is_some() && !matches!(from, Notation::Ttt | Notation::At3) {
            let name = from.name();
            return Err(io::Error::other(format!(
                "the meaning of letters can be chosen for ttt and at3, not for {name}"
            )));
        }
        Ok(match from {
            Notation::Ttt => Box::new(ttt::games(input, self)),
            Notation::Pgn => Box::new(MovetextReader::new(input, pgn::Pgn, self)),
            Notation::At3 => Box::new(MovetextReader::new(input, at3::At3, self)),
            Notation::Xfen => Box::new(line_games(input, xfen::parse, *self)),
            Notation::Fen => Box::new(line_games(input, fen::parse, *self)),
            Notation::Json => Box::new(line_games(input, json::parse, *self)),
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
        let text = write(game, self).map_err(|fault| {
            let message = format!("game {} {}", found.report.game, fault.message);
            let place = TextPlace { line: found.report.line, at: 0, text: &found.first_line };
            vec![place.fault(Fault { message, ..fault })]
        })?;
        out.extend(text);
        Ok(())
    }

    /// Reports the loss of `what`, unless losses are accepted.
    fn report_loss(&self, what: impl std::fmt::Display, alternative: &str) -> Result<(), Fault> {
        match self.losses {
            Losses::Accepted => Ok(()),
            Losses::Refused => {
                Err(Fault::new(Code::WouldLose, format!("would lose {what} in {}", self.to.name()))
                    .with_help(format!("{alternative}; --lossy leaves it out")))
            }
        }
    }

    /// Returns the fault of a game that cannot be written at all.
    fn unfit(&self, reason: impl std::fmt::Display, alternative: &str) -> Fault {
        Fault::new(Code::Unrepresentable, format!("cannot be written as {}: {reason}", self.to.name()))
            .with_help(alternative)
    }
}

/// The largest number of boards in a picture.
const MAX_BOARDS: usize = 1000;

/// Returns a picture of the last position.
fn write_picture(game: &AnnotatedGame, conversion: &Conversion) -> Result<Vec<u8>, Fault> {
    fen::check_annotations(game, conversion)?;
    let state = game.last_state();
    if state.n_boards() > MAX_BOARDS {
        let reason = format!("it has more than {MAX_BOARDS} boards");
        return Err(conversion.unfit(reason, "json and ttt represent any number of boards"));
    }
    Ok(Picture::new(&game.rules, state.boards()).to_string().into_bytes())
}

/// The number of bytes by which the notation of a text is detected.
const N_DETECTED: usize = 8 * 1024;

/// Tags that only AT3 has.
const AT3_TAGS: [&str; 4] = ["[Player1Choice ", "[PlacementRule ", "[WinCount ", "[Grid "];
/// Tags that only PGN has.
const PGN_TAGS: [&str; 5] = ["[Variant ", "[White ", "[Black ", "[FEN ", "[SetUp "];

/// Returns the notation of a text with this start; `ttt` if nothing indicates another one.
fn detect(start: &[u8]) -> Notation {
    let text = String::from_utf8_lossy(start);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let has_tag = |names: &[&str]| lines().any(|line| names.iter().any(|name| line.starts_with(name)));
    // Our PGN may contain AT3's Player1Choice tag, so tags of PGN take precedence.
    if lines().next().is_some_and(|line| line.starts_with('[')) && has_tag(&PGN_TAGS) {
        return Notation::Pgn;
    }
    if has_tag(&AT3_TAGS) {
        return Notation::At3;
    }
    let first = lines().find(|line| !line.starts_with('[')).unwrap_or_default();
    let word = first.split_whitespace().next().unwrap_or_default();
    let is_numbered =
        word.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.') && !word.starts_with('.');
    match word {
        "xfen" | "position" => Notation::Xfen,
        _ if word.starts_with('{') => Notation::Json,
        _ if is_numbered && first.contains('@') => Notation::Pgn,
        _ if is_numbered => Notation::At3,
        _ if word.contains(['/', '[']) => Notation::Fen,
        _ => Notation::Ttt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_are_detected_by_the_start_of_a_text() {
        let check = |text: &str, expected| assert_eq!(detect(text.as_bytes()), expected, "{text:?}");
        check("", Notation::Ttt);
        check("\n1 X B2\n", Notation::Ttt);
        check("[Rules \"4,4,4\"]\n[Event \"@ home\"]\n1 X B2 # P@b2 1. a1\n", Notation::Ttt);
        check("[Event \"?\"]\n\n1. P@b2 P@a1 *\n", Notation::Pgn);
        check("[Variant \"tictactoe\"]\n[Player1Choice \"O\"]\n\n*\n", Notation::Pgn);
        check("[Event \"?\"]\n[Player1Choice \"X\"]\n\n1. a1 2. b2\n", Notation::At3);
        check("1. a1 2. b2\n", Notation::At3);
        check("xfen 3/3/3 o moves 5\n", Notation::Xfen);
        check("position xfen 3/3/3 o\n", Notation::Xfen);
        check("3/3/3[PPPPPpppp] w - - 0 1\n", Notation::Fen);
        check(" {\"rules\":\"3,3,3\",\"moves\":[]}\n", Notation::Json);
    }
}
