//! Notations with one game per line.

use std::io::{self, BufRead};

use tictac::notation::{Code, Fault};

use super::{Conversion, GameReader};
use crate::annotated::AnnotatedGame;
use crate::games::{FoundGame, LineEnd, MAX_GAME, read_line, too_long};
use crate::report::{GameReport, PlacedFault, start_of};
use crate::totals::Ending;

/// A fault with its offset in the line, in bytes from 0.
pub(super) type LineFault = (usize, Fault);

/// Parses a line into a game whose moves have not been played yet.
pub(super) type ParseLine = fn(&str, &Conversion) -> Result<AnnotatedGame, LineFault>;

/// Reads games of one line each and skips blank lines.
pub(super) struct LineGames<R> {
    input: R,
    parse: ParseLine,
    conversion: Conversion,
    line: Vec<u8>,
    n_lines: u64,
    n_found: u64,
}

impl<R: BufRead> LineGames<R> {
    pub(super) const fn new(input: R, parse: ParseLine, conversion: &Conversion) -> LineGames<R> {
        LineGames { input, parse, conversion: *conversion, line: Vec::new(), n_lines: 0, n_found: 0 }
    }

    fn parse_line(&self) -> Result<AnnotatedGame, LineFault> {
        let text =
            str::from_utf8(&self.line).map_err(|error| (error.valid_up_to(), malformed("expected UTF-8")))?;
        let start = text.len() - text.trim_start().len();
        let game = (self.parse)(text.trim(), &self.conversion).map_err(|(at, fault)| (at + start, fault))?;
        match game.play() {
            Ok(_) => Ok(game.normalised()),
            Err((number, reason)) => {
                let fault = Fault::from(reason);
                Err((start, Fault { message: format!("move {number}: {}", fault.message), ..fault }))
            }
        }
    }
}

impl<R: BufRead> GameReader for LineGames<R> {
    fn next_game(&mut self) -> io::Result<Option<FoundGame>> {
        loop {
            let line_end = read_line(&mut self.input, &mut self.line, MAX_GAME)?;
            let Some(line_end) = line_end else { return Ok(None) };
            self.n_lines += 1;
            let game = match line_end {
                LineEnd::TooLong => Err((0, too_long("game", MAX_GAME))),
                _ if self.line.trim_ascii().is_empty() => continue,
                LineEnd::Newline | LineEnd::EndOfText => self.parse_line(),
            };
            self.n_found += 1;
            let (line, text) = (self.n_lines, self.line.trim_ascii_end());
            let game = game.map_err(|(at, fault)| PlacedFault::near(line, at, fault, text));
            return Ok(Some(found(self.n_found, line, start_of(text), game, &self.conversion)));
        }
    }
}

/// Returns a game in a foreign notation with its report.
pub(super) fn found(
    number: u64,
    line: u64,
    first_line: Vec<u8>,
    game: Result<AnnotatedGame, PlacedFault>,
    conversion: &Conversion,
) -> FoundGame {
    let (legal_part, ending, faults) = match game {
        Ok(game) => {
            let ending = game.ending();
            (game, ending, Vec::new())
        }
        Err(fault) => (AnnotatedGame::new(conversion.rules), Ending::Bad, vec![fault]),
    };
    let report = GameReport::faultless(number, line, ending, legal_part.moves.len() as u64);
    FoundGame { report: GameReport { faults, ..report }, first_line, legal_part }
}

/// Returns the fault of a text that does not follow its notation.
pub(super) fn malformed(message: impl Into<String>) -> Fault {
    Fault::new(Code::MalformedNotation, message)
}
