//! Notations with one game a line.

use std::io::{self, BufRead, Read};

use tictac::notation::{Code, Fault};

use super::{Conversion, GameReader};
use crate::annotated::AnnotatedGame;
use crate::games::{FoundGame, MAX_GAME};
use crate::report::{GameReport, KEPT, PlacedFault};
use crate::totals::Ending;

/// What is wrong with a line, and where, in bytes from 0.
pub(super) type LineFault = (usize, Fault);

/// Reads a line; what it returns has still to be played.
pub(super) type ParseLine = fn(&str, &Conversion) -> Result<AnnotatedGame, LineFault>;

/// Reads games that are a line each; white lines are passed over.
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

    fn judge(&self, is_too_long: bool) -> Result<AnnotatedGame, LineFault> {
        if is_too_long {
            let message = format!("a game of more than {MAX_GAME} bytes is too long to be kept");
            return Err((0, Fault::new(Code::TooLong, message)));
        }
        let text = str::from_utf8(&self.line).map_err(|error| {
            (error.valid_up_to(), malformed("what is not UTF-8 cannot be read here", None))
        })?;
        let start = text.len() - text.trim_start().len();
        let game = (self.parse)(text.trim(), &self.conversion).map_err(|(at, fault)| (at + start, fault))?;
        match game.first_illegal() {
            None => Ok(game.normalised()),
            Some((number, reason)) => {
                let mut fault = Fault::from(reason);
                fault.message = format!("move {number}: {}", fault.message);
                Err((start, fault))
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
            let is_too_long = n_read > MAX_GAME && self.line.last() != Some(&b'\n');
            if is_too_long {
                self.input.skip_until(b'\n')?;
            } else if self.line.trim_ascii().is_empty() {
                continue;
            }
            self.n_found += 1;
            let (number, line) = (self.n_found, self.n_lines);
            let kept = self.line.trim_ascii_end();
            let first_line = kept[..kept.len().min(KEPT)].to_owned();
            return Ok(Some(found(number, line, first_line, self.judge(is_too_long))));
        }
    }
}

/// Returns what is to be said of a game in a line.
fn found(number: u64, line: u64, text: Vec<u8>, game: Result<AnnotatedGame, LineFault>) -> FoundGame {
    let (game, faults) = match game {
        Ok(game) => (Some(game), Vec::new()),
        Err((at, fault)) => {
            (None, vec![PlacedFault { line, column: at as u64 + 1, fault, text: text.clone() }])
        }
    };
    FoundGame { report: report(number, line, game.as_ref(), faults), game, first_line: text }
}

/// Returns the report of a game in a foreign notation.
pub(super) fn report(
    number: u64,
    line: u64,
    game: Option<&AnnotatedGame>,
    faults: Vec<PlacedFault>,
) -> GameReport {
    GameReport {
        game: number,
        line,
        ending: game.map_or(Ending::Bad, AnnotatedGame::ending),
        moves: game.map_or(0, |game| game.moves.len() as u64),
        tags: Vec::new(),
        faults,
        unjudged_lines: 0,
    }
}

/// Returns the fault of a text that is not what its notation asks for.
pub(super) fn malformed(message: impl Into<String>, help: Option<&str>) -> Fault {
    Fault { help: help.map(str::to_owned), ..Fault::new(Code::MalformedNotation, message) }
}
