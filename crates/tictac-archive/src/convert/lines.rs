//! Notations with one game per line.

use std::io::{self, BufRead};

use tictac::notation::{Code, Fault};

use super::Conversion;
use crate::annotated::AnnotatedGame;
use crate::games::{FoundGame, LineEnd, MAX_GAME, read_line, too_long};
use crate::report::{Ending, GameReport, LineFault, PlacedFault, TextPlace, start_of};

/// Parses a line into a game whose moves have not been played yet.
type ParseLine = fn(&str, &Conversion) -> Result<AnnotatedGame, LineFault>;

/// Returns the games of a text with one game per line, without blank lines.
pub(super) fn line_games(
    mut input: impl BufRead,
    parse: ParseLine,
    conversion: Conversion,
) -> impl Iterator<Item = io::Result<FoundGame>> {
    let (mut text, mut line, mut number) = (Vec::new(), 0, 0);
    std::iter::from_fn(move || {
        loop {
            let line_end = match read_line(&mut input, &mut text, MAX_GAME).transpose()? {
                Ok(line_end) => line_end,
                Err(error) => return Some(Err(error)),
            };
            line += 1;
            let game = match line_end {
                LineEnd::TooLong => Err(LineFault { at: 0, fault: too_long("game", MAX_GAME) }),
                _ if text.trim_ascii().is_empty() => continue,
                LineEnd::Newline | LineEnd::EndOfText => parse_line(&text, parse, &conversion),
            };
            number += 1;
            let place = TextPlace { line, at: 0, text: text.trim_ascii_end() };
            let game = game.map_err(|error| place.plus(error.at).fault(error.fault));
            return Some(Ok(found(number, line, start_of(place.text), game, &conversion)));
        }
    })
}

fn parse_line(line: &[u8], parse: ParseLine, conversion: &Conversion) -> Result<AnnotatedGame, LineFault> {
    let text = str::from_utf8(line).map_err(|error| malformed(error.valid_up_to(), "expected UTF-8"))?;
    let start = text.len() - text.trim_start().len();
    let game = parse(text.trim(), conversion).map_err(|error| LineFault { at: error.at + start, ..error })?;
    match game.play() {
        Ok(_) => Ok(game.normalised()),
        Err((number, reason)) => {
            let fault = Fault::from(reason);
            let message = format!("move {number}: {}", fault.message);
            Err(LineFault { at: start, fault: Fault { message, ..fault } })
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
pub(super) fn malformed(at: usize, message: impl Into<String>) -> LineFault {
    LineFault::new(at, Code::MalformedNotation, message)
}
