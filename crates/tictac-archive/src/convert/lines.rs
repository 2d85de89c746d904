//! Notations with one game per line.

use std::io::{self, BufRead, Read};

use tictac::notation::{Code, Fault};

use super::{Conversion, GameReader};
use crate::annotated::AnnotatedGame;
use crate::games::{FoundGame, MAX_GAME, too_long};
use crate::report::{GameReport, KEPT, PlacedFault};
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
        let text = str::from_utf8(&self.line)
            .map_err(|error| (error.valid_up_to(), malformed("expected UTF-8", None)))?;
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
            self.line.clear();
            let n_read = self.input.by_ref().take(MAX_GAME as u64 + 1).read_until(b'\n', &mut self.line)?;
            if n_read == 0 {
                return Ok(None);
            }
            self.n_lines += 1;
            let game = if n_read > MAX_GAME && self.line.last() != Some(&b'\n') {
                self.input.skip_until(b'\n')?;
                Err((0, too_long("game", MAX_GAME)))
            } else if self.line.trim_ascii().is_empty() {
                continue;
            } else {
                self.parse_line()
            };
            self.n_found += 1;
            let text = self.line.trim_ascii_end();
            let text = text[..text.len().min(KEPT)].to_owned();
            let line = self.n_lines;
            let game = game.map_err(|(at, fault)| PlacedFault {
                line,
                column: at as u64 + 1,
                fault,
                text: text.clone(),
            });
            return Ok(Some(found(self.n_found, line, text, game, &self.conversion)));
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
    match game {
        Ok(game) => {
            let report = GameReport::faultless(number, line, game.ending(), game.moves.len() as u64);
            FoundGame::new(report, game, first_line)
        }
        Err(fault) => {
            let report =
                GameReport { faults: vec![fault], ..GameReport::faultless(number, line, Ending::Bad, 0) };
            FoundGame::new(report, AnnotatedGame::new(conversion.rules), first_line)
        }
    }
}

/// Returns the fault for a text that does not follow its notation.
pub(super) fn malformed(message: impl Into<String>, help: Option<&str>) -> Fault {
    Fault { help: help.map(str::to_owned), ..Fault::new(Code::MalformedNotation, message) }
}
