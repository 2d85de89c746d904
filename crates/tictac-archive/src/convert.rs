//! Games from one notation into another.
//!
//! `docs/formats.md` says what each notation can hold. What a notation cannot hold is never dropped silently: it is an
//! error, unless losses were accepted. Only a position without the way that led to it, which is what FEN and pictures are
//! for, is no loss.

mod at3;
mod column_letters;
mod fen;
mod json;
mod lines;
mod movetext;
mod pgn;
mod recognise;
mod svg;
mod ttt;
mod unfit;
mod xfen;

use std::io::{self, BufRead, BufReader, Read};

use tictac::Rules;
use tictac::notation::Fault;

pub use self::unfit::Losses;
use self::unfit::Unfit;
use crate::annotated::AnnotatedGame;
use crate::games::{FoundGame, Letters};
use crate::report::PlacedFault;

/// A way to write games or positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// The course's records, and archives of them.
    Ttt,
    /// Portable game notation with drop moves, as Fairy-Stockfish and cutechess write them.
    Pgn,
    /// Algebraic tic-tac-toe notation.
    At3,
    /// A position of the UXI protocol and the moves since, on 3×3 squares.
    Xfen,
    /// A position in Forsyth-Edwards notation with pieces in hand.
    Fen,
    /// One object a game.
    Json,
    /// A picture, which cannot be read back.
    Svg,
}

impl Notation {
    /// All of them.
    pub const ALL: [Notation; 7] = [
        Notation::Ttt,
        Notation::Pgn,
        Notation::At3,
        Notation::Xfen,
        Notation::Fen,
        Notation::Json,
        Notation::Svg,
    ];

    /// Its name, which is also the extension of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Ttt => "ttt",
            Notation::Pgn => "pgn",
            Notation::At3 => "at3",
            Notation::Xfen => "xfen",
            Notation::Fen => "fen",
            Notation::Json => "json",
            Notation::Svg => "svg",
        }
    }

    /// What stands between two games.
    pub const fn separator(self) -> &'static str {
        match self {
            Notation::Ttt | Notation::Pgn | Notation::At3 => "\n",
            Notation::Xfen | Notation::Fen | Notation::Json | Notation::Svg => "",
        }
    }

    const fn writer(self) -> &'static dyn GameWriter {
        match self {
            Notation::Ttt => &ttt::Ttt,
            Notation::Pgn => &pgn::Pgn,
            Notation::At3 => &at3::At3,
            Notation::Xfen => &xfen::Xfen,
            Notation::Fen => &fen::Fen,
            Notation::Json => &json::Json,
            Notation::Svg => &svg::Svg,
        }
    }
}

/// How games are to be read and written.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// The notation of the input; `None` to recognise it by its content.
    pub from: Option<Notation>,
    /// The notation of the output.
    pub to: Notation,
    /// The rules of games that do not say theirs, on either side.
    pub rules: Rules,
    /// What letters of squares mean in the input, unless what is usual in its notation.
    pub letters: Option<Letters>,
    /// What to do with what the output cannot hold.
    pub losses: Losses,
}

/// Reads the games of a text, one after the other.
pub trait GameReader {
    /// Returns the next game, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns why the input could not be read on.
    fn next_game(&mut self) -> io::Result<Option<FoundGame>>;
}

/// Writes games in one notation.
trait GameWriter {
    /// Adds a game to `out`.
    fn write(&self, game: &AnnotatedGame, conversion: &Conversion, out: &mut Vec<u8>) -> Result<(), Unfit>;
}

impl Conversion {
    /// Returns a reader of the games of `input`.
    ///
    /// # Errors
    ///
    /// Returns why the start of the input could not be read, or that its notation cannot be read.
    pub fn reader<'a>(&self, mut input: impl Read + 'a) -> io::Result<Box<dyn GameReader + 'a>> {
        let mut start = Vec::new();
        if self.from.is_none() {
            input.by_ref().take(recognise::ENOUGH as u64).read_to_end(&mut start)?;
        }
        let from = self.from.unwrap_or_else(|| recognise::notation_of(&start));
        let input = BufReader::with_capacity(64 * 1024, io::Cursor::new(start).chain(input));
        self.reader_of(from, input)
    }

    fn reader_of<'a>(
        &self,
        from: Notation,
        input: impl BufRead + 'a,
    ) -> io::Result<Box<dyn GameReader + 'a>> {
        let may_choose = matches!(from, Notation::Ttt | Notation::At3);
        if self.letters.is_some() && !may_choose {
            let name = from.name();
            return Err(io::Error::other(format!(
                "what letters mean can be chosen for ttt and at3, not for {name}"
            )));
        }
        Ok(match from {
            Notation::Ttt => Box::new(ttt::reader(input, self)),
            Notation::Pgn => Box::new(movetext::MovetextReader::new(input, pgn::Pgn, self)),
            Notation::At3 => Box::new(movetext::MovetextReader::new(input, at3::At3, self)),
            Notation::Xfen => Box::new(lines::LineGames::new(input, xfen::parse, self)),
            Notation::Fen => Box::new(lines::LineGames::new(input, fen::parse, self)),
            Notation::Json => Box::new(lines::LineGames::new(input, json::parse, self)),
            Notation::Svg => return Err(io::Error::other("a picture cannot be read")),
        })
    }

    /// Writes a game that was found.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the game, or why the notation cannot hold it.
    pub fn write(&self, found: &FoundGame, out: &mut Vec<u8>) -> Result<(), Vec<PlacedFault>> {
        let Some(game) = &found.game else { return Err(found.report.faults.clone()) };
        let n_before = out.len();
        self.to.writer().write(game, self, out).map_err(|unfit| {
            out.truncate(n_before);
            let fault: Fault = unfit.fault(found.report.game, self.to);
            vec![PlacedFault { line: found.report.line, column: 1, fault, text: found.first_line.clone() }]
        })
    }
}
