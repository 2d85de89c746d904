//! Reading a certificate, line by line.

use super::read_error::{Fault, ReadError};
use super::text::FIRST_LINE;
use super::{Aim, Certificate, Entry, Leaf, State, Step, Strategy};
use crate::mark::{Mark, Player};
use crate::moves::Move;
use crate::notation::PositionError;
use crate::rules::Rules;
use crate::solve::Value;
use crate::square::Square;

impl Certificate {
    /// Reads a whole certificate.
    ///
    /// # Errors
    ///
    /// Returns the place of the first fault, and what would be right there.
    pub fn read(text: &[u8]) -> Result<Certificate, ReadError> {
        let mut reader = Reader::default();
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.split(|&byte| byte == b'\n').try_for_each(|line| reader.push(line))?;
        reader.finish()
    }
}

/// Reads a certificate one line at a time.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    n_lines: usize,
    n_entries: usize,
    stage: Stage,
}

/// How far the text has been read.
#[derive(Clone, Debug, Default)]
enum Stage {
    #[default]
    Nothing,
    Version,
    Rules(Box<Rules>),
    Start(Box<State>),
    Claim(Box<Certificate>),
    End(Box<Certificate>),
}

/// A fault and its column, in bytes from 0; the line is added outside.
type Misread = (usize, Fault);

impl Reader {
    /// The longest line that is read, in bytes.
    pub const MAX_LINE: usize = 4096;

    /// The largest number of entries that is read; each takes about a hundred bytes of memory.
    pub const MAX_ENTRIES: usize = 50_000_000;

    /// Reads the next line, without its newline; a carriage return at its end is ignored.
    ///
    /// # Errors
    ///
    /// Returns the first fault; a reader that has failed should not be used any more.
    pub fn push(&mut self, line: &[u8]) -> Result<(), ReadError> {
        self.n_lines += 1;
        let read = text_of(line).and_then(|text| self.read_line(text));
        read.map_err(|misread| self.error(misread))
    }

    /// Returns the certificate when the text ends here.
    ///
    /// # Errors
    ///
    /// Returns an error where something is missing.
    pub fn finish(self) -> Result<Certificate, ReadError> {
        match self.stage {
            Stage::End(certificate) => Ok(*certificate),
            _ => Err(ReadError { line: self.n_lines + 1, column: 1, fault: Fault::EndsTooEarly }),
        }
    }

    fn error(&self, (at, fault): Misread) -> ReadError {
        ReadError { line: self.n_lines, column: at + 1, fault }
    }

    fn read_line(&mut self, text: &str) -> Result<(), Misread> {
        let mut words = Words { text, at: 0 };
        if text.starts_with('#') && !matches!(self.stage, Stage::Nothing) {
            return Ok(());
        }
        self.stage = match std::mem::take(&mut self.stage) {
            Stage::Nothing if text == FIRST_LINE => Stage::Version,
            Stage::Nothing => return Err(words.expected("\"tictac certificate 1\"")),
            Stage::Version => {
                words.keyword("rules", "\"rules\" and the rules")?;
                let rules = words.rest().parse().map_err(|error| (words.at, Fault::Rules(error)))?;
                Stage::Rules(Box::new(rules))
            }
            Stage::Rules(rules) => {
                words.keyword("start", "\"start\" and a position")?;
                let (at, text) = (words.at, words.rest());
                Stage::Start(Box::new(state(&rules, at, text)?))
            }
            Stage::Start(start) => {
                let value = words.value()?;
                let value_line = self.n_lines;
                Stage::Claim(Box::new(Certificate { start: *start, value, value_line, strategies: vec![] }))
            }
            Stage::Claim(certificate) if text == "end" => Stage::End(certificate),
            Stage::Claim(mut certificate) => {
                self.read_claim(&mut certificate, words)?;
                Stage::Claim(certificate)
            }
            Stage::End(_) => return Err(words.expected("nothing after \"end\"")),
        };
        Ok(())
    }

    /// Reads the heading of a strategy, or an entry of the last one.
    fn read_claim(&mut self, certificate: &mut Certificate, mut words: Words<'_>) -> Result<(), Misread> {
        let line = self.n_lines;
        let is_heading = words.text.starts_with("strategy");
        match certificate.strategies.last_mut() {
            Some(strategy) if !is_heading => {
                if self.n_entries == Reader::MAX_ENTRIES {
                    return Err((0, Fault::TooManyEntries(Reader::MAX_ENTRIES)));
                }
                self.n_entries += 1;
                strategy.entries.push(words.entry(&certificate.start, line)?);
            }
            _ => {
                let (owner, aim) = words.heading()?;
                certificate.strategies.push(Strategy { owner, aim, line, entries: Vec::new() });
            }
        }
        Ok(())
    }
}

fn text_of(line: &[u8]) -> Result<&str, Misread> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > Reader::MAX_LINE {
        return Err((Reader::MAX_LINE, Fault::LineTooLong(Reader::MAX_LINE)));
    }
    std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to();
        (at, Fault::NotText(line[at]))
    })
}

/// Reads a position that starts at column `at`.
fn state(rules: &Rules, at: usize, text: &str) -> Result<State, Misread> {
    let state = State::parse(text, rules).map_err(|error| match error {
        PositionError::Syntax { at: inside, .. } => (at + inside, Fault::Position(error)),
        _ => (at, Fault::Position(error)),
    })?;
    let (expected, found) = (rules.n_boards() as usize, state.n_boards());
    if expected == found { Ok(state) } else { Err((at, Fault::OtherBoards { expected, found })) }
}

/// A line whose words are parted by single blanks, read up to a place.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn expected(&self, what: &'static str) -> Misread {
        let found = self.text.as_bytes().get(self.at).copied();
        (self.at, Fault::Expected { what, found })
    }

    /// Returns the next `n` words with the blanks between them, and where they start; fewer at the end of the line.
    fn next(&mut self, n: usize) -> (usize, &'a str) {
        let (at, rest) = (self.at, self.rest());
        let end = rest.match_indices(' ').nth(n - 1).map(|(end, _)| end);
        self.at = end.map_or(self.text.len(), |end| at + end + 1);
        (at, &rest[..end.unwrap_or(rest.len())])
    }

    /// Reads this word, after which another one must follow.
    fn keyword(&mut self, keyword: &str, what: &'static str) -> Result<(), Misread> {
        let before = self.expected(what);
        if self.skip(keyword) && self.at < self.text.len() { Ok(()) } else { Err(before) }
    }

    fn end(&self) -> Result<(), Misread> {
        // A blank at the very end parts nothing from nothing.
        let at_blank = self.text.ends_with(' ').then(|| self.text.len() - 1);
        let at = self.at.min(at_blank.unwrap_or(self.at));
        if at == self.text.len() {
            Ok(())
        } else {
            Err(Words { at, ..*self }.expected("the end of the line"))
        }
    }

    fn value(&mut self) -> Result<Value, Misread> {
        self.keyword("value", "\"value\" and win, draw or loss")?;
        match self.rest() {
            "win" => Ok(Value::Win),
            "draw" => Ok(Value::Draw),
            "loss" => Ok(Value::Loss),
            _ => Err(self.expected("win, draw or loss")),
        }
    }

    fn heading(&mut self) -> Result<(Player, Aim), Misread> {
        self.keyword("strategy", "\"strategy\", its player and \"wins\" or \"holds\"")?;
        let player = if self.skip("first") {
            Player::First
        } else if self.skip("second") {
            Player::Second
        } else {
            return Err(self.expected("first or second"));
        };
        match self.rest() {
            "wins" => Ok((player, Aim::Win)),
            "holds" => Ok((player, Aim::Hold)),
            _ => Err(self.expected("wins or holds")),
        }
    }

    fn entry(&mut self, start: &State, line: usize) -> Result<Entry, Misread> {
        let (at, text) = self.next(2);
        let state = state(start.rules(), at, text)?;
        match start.opener() {
            Some(opener) if state.opener() != Some(opener) => return Err((at, Fault::OtherOpener(opener))),
            _ => {}
        }
        let step = self.step(start.rules())?;
        Ok(Entry { line, written: state.written(), step })
    }

    fn step(&mut self, rules: &Rules) -> Result<Step, Misread> {
        let mv = if self.skip("move") { Some(self.mv(rules)?) } else { None };
        match mv {
            Some(mv) if self.end().is_ok() => Ok(Step::Move(mv)),
            _ => Ok(Step::Close(mv, self.leaf(rules)?)),
        }
    }

    fn leaf(&mut self, rules: &Rules) -> Result<Leaf, Misread> {
        if rules.n_boards() > 1 {
            return Err(self.expected("\"move\", a move and the end of the line"));
        }
        if self.skip("weight") {
            self.end()?;
            return Ok(Leaf::Weight);
        }
        if !self.skip("pairs") {
            return Err(self.expected("\"move\", \"pairs\" or \"weight\""));
        }
        let mut pairs = Vec::new();
        while self.end().is_err() {
            pairs.push(self.pair(rules)?);
        }
        Ok(Leaf::Pairs(pairs.into()))
    }

    /// Reads this word, if it is the next one.
    fn skip(&mut self, word: &str) -> bool {
        let mut ahead = Words { ..*self };
        let is_next = ahead.next(1).1 == word;
        if is_next {
            self.at = ahead.at;
        }
        is_next
    }

    fn mv(&mut self, rules: &Rules) -> Result<Move, Misread> {
        let (at, text) = self.next(2);
        rules.parse_move(text).map_err(|error| (at + error.at, Fault::Move(error)))
    }

    fn pair(&mut self, rules: &Rules) -> Result<[Square; 2], Misread> {
        let unpaired = self.expected("a pair of squares, such as A1-B2");
        let (at, text) = self.next(1);
        let (one, other) = text.split_once('-').ok_or(unpaired)?;
        let square = |at: usize, text: &str| {
            let read = rules.parse_square(text, Mark::X);
            read.map(|mv| mv.square).map_err(|error| (at + error.at, Fault::Move(error)))
        };
        Ok([square(at, one)?, square(at + one.len() + 1, other)?])
    }
}
