//! Parsing of a certificate, line by line.

use std::error::Error;
use std::fmt;

use crate::text::{BLOCKS, COPIES, FIRST_LINES, aim_name, player_name};
use crate::{
    Aim, BlockingPlan, Certificate, EntryAction, Leaf, State, StateMarks, Strategy, StrategyEntry,
    StrategyPlan,
};
use tictac::Value;
use tictac::notation::{Found, ParseError, PositionError, RulesError};
use tictac::{Mark, Move, Player, Rules, Square};

impl Certificate {
    /// Parses a whole certificate.
    ///
    /// # Errors
    ///
    /// Returns the first fault and its place.
    pub fn read(text: &[u8]) -> Result<Certificate, ReadError> {
        let mut reader = CertificateReader::default();
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.split(|&byte| byte == b'\n').try_for_each(|line| reader.push(line))?;
        reader.finish()
    }
}

/// The first fault in the text of a certificate, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line number, from 1.
    pub line: usize,
    /// The column, in bytes from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

impl Error for ReadError {}

/// A parser of certificates that takes one line at a time.
#[derive(Clone, Debug, Default)]
pub struct CertificateReader {
    n_lines: usize,
    n_comments: usize,
    n_entries: usize,
    /// Whether the version has strategies that block.
    may_block: bool,
    pub(crate) stage: ReadStage,
}

/// The part of the certificate that has been read.
#[derive(Clone, Debug, Default)]
pub(crate) enum ReadStage {
    #[default]
    Nothing,
    Version,
    Rules(Box<Rules>),
    Start(Box<State>),
    Claim(Box<Certificate>),
    End(Box<Certificate>),
}

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// A column, in bytes from 0, and the fault there; the caller adds the line.
pub(crate) type FaultAt = (usize, String);

impl CertificateReader {
    /// The maximum length of a line in bytes.
    pub const MAX_LINE: usize = 4096;

    /// The maximum number of entries; each takes about a hundred bytes of memory.
    pub const MAX_ENTRIES: usize = 50_000_000;

    /// The maximum number of comments; a small compressed file could hold hundreds of millions, which take a minute to read.
    pub const MAX_COMMENTS: usize = 1_000_000;

    /// Parses the next line, without its newline; a carriage return at its end is ignored.
    ///
    /// # Errors
    ///
    /// Returns the first fault, after which the reader should not be used any more.
    pub fn push(&mut self, line: &[u8]) -> Result<(), ReadError> {
        self.n_lines += 1;
        // Some editors put a byte order mark before the first line.
        let line = if self.n_lines == 1 { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line) } else { line };
        let read = decode_line(line).and_then(|text| self.read_line(text));
        read.map_err(|(at, fault)| ReadError { line: self.n_lines, column: at + 1, fault })
    }

    /// Returns the certificate at the end of the text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is incomplete.
    pub fn finish(self) -> Result<Certificate, ReadError> {
        match self.stage {
            ReadStage::End(certificate) => Ok(*certificate),
            _ => Err(ReadError {
                line: self.n_lines + 1,
                column: 1,
                fault: "expected more lines and a final \"end\", found the end of the text".to_owned(),
            }),
        }
    }

    fn read_line(&mut self, text: &str) -> Result<(), FaultAt> {
        let mut words = LineWords { text, at: 0 };
        if text.starts_with('#') && !matches!(self.stage, ReadStage::Nothing | ReadStage::End(_)) {
            self.n_comments += 1;
            let max = CertificateReader::MAX_COMMENTS;
            return if self.n_comments > max {
                Err((0, format!("expected at most {max} comments")))
            } else {
                Ok(())
            };
        }
        self.stage = match std::mem::take(&mut self.stage) {
            ReadStage::Nothing if FIRST_LINES.contains(&text) => {
                self.may_block = text != FIRST_LINES[0];
                ReadStage::Version
            }
            ReadStage::Nothing => return Err(words.expected("\"tictac certificate\" and version 1 or 2")),
            ReadStage::Version => {
                words.keyword("rules", "\"rules\" and the rules")?;
                ReadStage::Rules(Box::new(words.rules()?))
            }
            ReadStage::Rules(rules) => {
                words.keyword("start", "\"start\" and a position")?;
                let (at, text) = (words.at, words.rest());
                ReadStage::Start(Box::new(parse_state(&rules, at, text)?))
            }
            ReadStage::Start(start) => {
                let value = words.value()?;
                let value_line = self.n_lines;
                ReadStage::Claim(Box::new(Certificate {
                    start: *start,
                    value,
                    value_line,
                    strategies: vec![],
                }))
            }
            ReadStage::Claim(certificate) if text == "end" => ReadStage::End(certificate),
            ReadStage::Claim(mut certificate) => {
                self.read_claim(&mut certificate, words)?;
                ReadStage::Claim(certificate)
            }
            ReadStage::End(_) => return Err(words.expected("nothing after \"end\"")),
        };
        Ok(())
    }

    /// Parses the heading of a strategy, or an entry of the last strategy.
    fn read_claim(&mut self, certificate: &mut Certificate, mut words: LineWords<'_>) -> Result<(), FaultAt> {
        let line = self.n_lines;
        let is_heading = words.text.starts_with("strategy");
        match certificate.strategies.last_mut() {
            Some(strategy) if !is_heading => match &mut strategy.plan {
                StrategyPlan::Moves(entries) => {
                    self.count_entry()?;
                    entries.push(words.entry(&certificate.start, line)?);
                }
                StrategyPlan::Blocks(plan) => {
                    if words.blocking_line(&certificate.start, strategy.owner, line, &mut plan.entries)? {
                        self.count_entry()?;
                    }
                }
                StrategyPlan::Copies => return Err(words.expected("\"strategy\" or \"end\"")),
            },
            _ => {
                let strategy = words.heading(certificate.start.rules(), self.may_block, line)?;
                certificate.strategies.push(strategy);
            }
        }
        Ok(())
    }

    fn count_entry(&mut self) -> Result<(), FaultAt> {
        if self.n_entries == CertificateReader::MAX_ENTRIES {
            return Err((0, format!("expected at most {} entries", CertificateReader::MAX_ENTRIES)));
        }
        self.n_entries += 1;
        Ok(())
    }
}

/// Checks the length and encoding of a line.
fn decode_line(line: &[u8]) -> Result<&str, FaultAt> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > CertificateReader::MAX_LINE {
        let max = CertificateReader::MAX_LINE;
        return Err((max, format!("expected a line of at most {max} bytes")));
    }
    std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to();
        (at, format!("expected text, found byte 0x{:02X}", line[at]))
    })
}

/// Parses a position that starts at column `at`.
fn parse_state(rules: &Rules, at: usize, text: &str) -> Result<State, FaultAt> {
    let state = State::parse(text, rules).map_err(|error| match error {
        // The error's own column is relative to the position.
        PositionError::Syntax { at: inside, found, expected } => {
            (at + inside, format!("expected {expected}, found {}", Found(found)))
        }
        other => (at, other.to_string()),
    })?;
    // The parser of positions accepts any white space, and where marks do not name players, no side to move.
    let is_word = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
    if !text.split_once(' ').is_some_and(|(boards, side)| is_word(boards) && is_word(side)) {
        return Err((at, "expected a position, one space and the side to move".to_owned()));
    }
    let (expected, found) = (rules.n_boards() as usize, state.boards().count());
    if expected == found {
        Ok(state)
    } else {
        Err((at, format!("expected {expected} boards as in the rules, found {found}")))
    }
}

/// Returns the fault of a move or square that starts at column `at`.
fn fault_in_move(at: usize, error: ParseError) -> FaultAt {
    (at + error.at, error.to_string())
}

/// A line of words separated by single spaces, parsed up to `at`.
pub(crate) struct LineWords<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

impl<'a> LineWords<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn expected(&self, what: &'static str) -> FaultAt {
        let found = self.text.as_bytes().get(self.at).copied();
        (self.at, format!("expected {what}, found {}", Found(found)))
    }

    /// Returns the start and text of the next `n` words, or fewer at the end of the line.
    pub(crate) fn next(&mut self, n: usize) -> (usize, &'a str) {
        let (at, rest) = (self.at, self.rest());
        let end = rest.match_indices(' ').nth(n - 1).map(|(end, _)| end);
        self.at = end.map_or(self.text.len(), |end| at + end + 1);
        (at, &rest[..end.unwrap_or(rest.len())])
    }

    /// Parses this word, which must be followed by another.
    fn keyword(&mut self, keyword: &str, what: &'static str) -> Result<(), FaultAt> {
        let before = LineWords { ..*self };
        if self.skip(keyword) && self.at < self.text.len() { Ok(()) } else { Err(before.expected(what)) }
    }

    /// Returns whether the whole line has been parsed; a space at its end separates no words.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.text.len() && !self.text.ends_with(' ')
    }

    fn rules(&self) -> Result<Rules, FaultAt> {
        let text = self.rest();
        // The parser of rules accepts any white space between words, and a certificate only single spaces.
        let at = text.split(|c: char| c.is_whitespace()).try_fold(0, |at, word| {
            let end = at + word.len();
            let is_last = end == text.len();
            if word.is_empty() || !is_last && !text[end..].starts_with(' ') { Err(end) } else { Ok(end + 1) }
        });
        if let Err(at) = at {
            return Err((self.at + at, "expected single spaces between words".to_owned()));
        }
        let rules: Rules = text.parse().map_err(|error: RulesError| (self.at, error.to_string()))?;
        if !rules.is_ordinary() {
            return Err((
                self.at,
                "expected rules of an ordinary board: certificates have no others yet".to_owned(),
            ));
        }
        Ok(rules)
    }

    fn value(&mut self) -> Result<Value, FaultAt> {
        self.keyword("value", "\"value\" and win, draw or loss")?;
        let values = [Value::Win, Value::Draw, Value::Loss];
        let value = values.into_iter().find(|value| value.to_string() == self.rest());
        value.ok_or_else(|| self.expected("win, draw or loss"))
    }

    fn heading(&mut self, rules: &Rules, may_block: bool, line: usize) -> Result<Strategy, FaultAt> {
        self.keyword("strategy", "\"strategy\", its player and \"wins\" or \"holds\"")?;
        let owner = Player::BOTH.into_iter().find(|&player| self.skip(player_name(player)));
        let owner = owner.ok_or_else(|| self.expected("first or second"))?;
        let strategy = |aim, plan| Strategy { owner, aim, line, plan };
        if may_block && self.rest() == COPIES {
            return Ok(strategy(Aim::Hold, StrategyPlan::Copies));
        }
        if may_block && self.skip(BLOCKS) {
            let first = if self.is_at_end() { None } else { Some(self.square(rules)?) };
            let plan = BlockingPlan { first, ..BlockingPlan::default() };
            return Ok(strategy(Aim::Hold, StrategyPlan::Blocks(plan)));
        }
        let aim = [Aim::Win, Aim::Hold].into_iter().find(|&aim| aim_name(aim) == self.rest());
        let claims = if may_block { "wins, holds, blocks or copies" } else { "wins or holds" };
        Ok(strategy(aim.ok_or_else(|| self.expected(claims))?, StrategyPlan::Moves(vec![])))
    }

    /// Parses the square at the end of the line.
    fn square(&mut self, rules: &Rules) -> Result<Square, FaultAt> {
        let (at, text) = (self.at, self.rest());
        self.at = self.text.len();
        parse_square(rules, at, text)
    }

    fn entry(&mut self, start: &State, line: usize) -> Result<StrategyEntry, FaultAt> {
        let (at, text) = self.next(2);
        let state = parse_state(start.rules(), at, text)?;
        match start.mark_of(Player::First) {
            Some(opener) if state.mark_of(Player::First) != Some(opener) => {
                return Err((
                    at,
                    format!("expected a position of a game opened by {opener}, like the start"),
                ));
            }
            _ => {}
        }
        let action = self.action(start.rules())?;
        Ok(StrategyEntry { line, marks: StateMarks::new(&state), action })
    }

    fn action(&mut self, rules: &Rules) -> Result<EntryAction, FaultAt> {
        let mv = if self.skip("move") { Some(self.mv(rules)?) } else { None };
        match mv {
            Some(mv) if self.is_at_end() => Ok(EntryAction::Move(mv)),
            _ => Ok(EntryAction::Close(mv, self.leaf(rules)?)),
        }
    }

    fn leaf(&mut self, rules: &Rules) -> Result<Leaf, FaultAt> {
        if rules.n_boards() > 1 {
            return Err(self.expected("\"move\", a move and the end of the line"));
        }
        if self.skip("weight") {
            // At the end of the text, the fault is the space before it.
            let rest = LineWords { at: self.at.min(self.text.len() - 1), ..*self };
            return if self.is_at_end() {
                Ok(Leaf::Weight)
            } else {
                Err(rest.expected("the end of the line"))
            };
        }
        if !self.skip("pairs") {
            return Err(self.expected("\"move\", \"pairs\" or \"weight\""));
        }
        let mut pairs = Vec::new();
        while !self.is_at_end() {
            pairs.push(self.pair(rules, '-')?);
        }
        Ok(Leaf::Pairs(pairs.into()))
    }

    /// Parses this word if it is the next one, and returns whether it was.
    pub(crate) fn skip(&mut self, word: &str) -> bool {
        let mut ahead = LineWords { ..*self };
        let is_next = ahead.next(1).1 == word;
        if is_next {
            self.at = ahead.at;
        }
        is_next
    }

    fn mv(&mut self, rules: &Rules) -> Result<Move, FaultAt> {
        let (at, text) = self.next(2);
        rules.parse_move(text).map_err(|error| fault_in_move(at, error))
    }

    /// Parses two squares with `between` between them.
    pub(crate) fn pair(&mut self, rules: &Rules, between: char) -> Result<[Square; 2], FaultAt> {
        let before = LineWords { ..*self };
        let (at, text) = self.next(1);
        let unpaired = || {
            before.expected(if between == '-' {
                "a pair of squares, such as A1-B2"
            } else {
                "a move and its answer, such as A1:B2"
            })
        };
        let (one, other) = text.split_once(between).ok_or_else(unpaired)?;
        Ok([parse_square(rules, at, one)?, parse_square(rules, at + one.len() + 1, other)?])
    }
}

/// Parses a square that starts at column `at`.
pub(crate) fn parse_square(rules: &Rules, at: usize, text: &str) -> Result<Square, FaultAt> {
    rules.parse_square(text, Mark::X).map(|mv| mv.square).map_err(|error| fault_in_move(at, error))
}
