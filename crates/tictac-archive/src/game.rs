//! A game of an archive while it is read, line by line.

use tictac::Rules;
use tictac::notation::{Code, Entry, Fault, LineReader, ParseError, Referee};

use crate::advice::{self, History};
use crate::claim;
use crate::letters::{ColumnReading, Letters};
use crate::report::{GameReport, PlacedFault, start_of};
use crate::tag::Tag;
use crate::totals::Ending;

pub(crate) const MAX_TAGS: usize = 64;
/// The maximum length of the line of a tag, in bytes.
pub(crate) const MAX_TAG_LINE: usize = 4096;

/// A game that has been read in part.
#[derive(Clone, Debug)]
pub(crate) struct OpenGame {
    line: u64,
    pub(crate) rules: Rules,
    letters: Letters,
    tags: Vec<Tag>,
    // The line, offset and text of the result tag. Its value is checked when the moves are known.
    result: Option<(u64, usize, Vec<u8>)>,
    stage: ReadingStage,
    reader: LineReader,
    pub(crate) referee: Referee,
    history: History,
    /// The game as if the letters named columns.
    pub(crate) column_reading: Option<ColumnReading>,
    pub(crate) faults: Vec<PlacedFault>,
    pub(crate) unjudged_lines: u64,
}

/// The kind of line that may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadingStage {
    Tags,
    Moves,
    /// After a bad move, or without known rules, the remaining lines cannot be checked.
    GivenUp,
}

impl OpenGame {
    /// Returns a game that starts in this line and is played by `rules`, unless a tag states other rules.
    pub(crate) fn new(line: u64, rules: &Rules, letters: Letters) -> OpenGame {
        OpenGame {
            line,
            rules: *rules,
            letters,
            tags: Vec::new(),
            result: None,
            stage: ReadingStage::Tags,
            reader: letters.line_reader(rules),
            referee: Referee::new(rules),
            history: History::default(),
            column_reading: ColumnReading::new(rules),
            faults: Vec::new(),
            unjudged_lines: 0,
        }
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.stage == ReadingStage::GivenUp
    }

    /// Reads part of the line of a move.
    pub(crate) fn push(&mut self, part: &[u8]) -> Result<(), ParseError> {
        for &byte in part {
            if self.reader.in_comment() {
                break;
            }
            self.reader.push(byte)?;
        }
        Ok(())
    }

    /// Ends the line of a move, of which `text` is the start; returns its entry if it is legal.
    pub(crate) fn finish_move(&mut self, line: u64, text: &[u8]) -> Option<Entry> {
        let entry = self.reader.finish();
        self.reader.restart();
        let entry = match entry {
            Ok(entry) => self.letters.convert_entry(entry, &self.rules),
            Err(error) => {
                self.give_up(line, error.at, error.into(), text);
                return None;
            }
        };
        self.stage = ReadingStage::Moves;
        match self.referee.judge(entry) {
            Ok(()) => {
                self.history.remember(entry, &self.rules);
                Some(entry)
            }
            Err(reason) => {
                let fault =
                    advice::for_illegal_move(reason, entry, &self.rules, &self.referee, &self.history);
                self.give_up(line, entry.offset_of(reason), fault, text);
                None
            }
        }
    }

    /// Checks the line of a tag; `text` is the whole line, or more than a tag may have.
    pub(crate) fn finish_tag(&mut self, line: u64, text: &[u8]) {
        let fault = |code, message: String, help: &str| Fault::new(code, message).with_help(help);
        if self.stage == ReadingStage::Moves {
            let message = "tag after the first move".to_owned();
            let help =
                "tags come before the first move; if another game starts here, put a blank line before it";
            return self.give_up(line, 0, fault(Code::TagAfterMove, message, help), text);
        }
        if text.len() > MAX_TAG_LINE {
            let message = format!("tag of more than {MAX_TAG_LINE} bytes");
            let help = "put a long text into a comment after a move";
            return self.give_up(line, 0, fault(Code::TagLimit, message, help), text);
        }
        if self.tags.len() == MAX_TAGS {
            let message = format!("more than {MAX_TAGS} tags");
            let help = "a blank line ends a game; is one missing here?";
            return self.give_up(line, 0, fault(Code::TagLimit, message, help), text);
        }
        match Tag::parse(text) {
            Err((at, message)) => {
                let help = "a tag looks like [Result \"X\"]";
                self.add_fault(line, at, fault(Code::MalformedTag, message, help), text);
            }
            Ok((tag, _)) if self.tags.iter().any(|earlier| earlier.name == tag.name) => {
                self.add_fault(line, 1, duplicate_tag(&tag.name), text);
            }
            Ok((tag, value_at)) => self.accept_tag(tag, line, value_at, text),
        }
    }

    fn accept_tag(&mut self, tag: Tag, line: u64, value_at: usize, text: &[u8]) {
        match tag.name.as_str() {
            "Rules" => match tag.text().parse() {
                Ok(rules) => self.set_rules(rules),
                Err(error) => {
                    let fault = Fault::new(Code::UnknownRules, error.to_string())
                        .with_help("without known rules the moves of the game cannot be checked");
                    self.give_up(line, value_at, fault, text);
                }
            },
            "Result" => self.result = Some((line, value_at, start_of(text))),
            _ => {}
        }
        self.tags.push(tag);
    }

    fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.reader = self.letters.line_reader(&rules);
        self.referee = Referee::new(&rules);
        self.column_reading = ColumnReading::new(&rules);
    }

    /// Adds a fault after which the remaining lines are not checked.
    pub(crate) fn give_up(&mut self, line: u64, at: usize, fault: Fault, text: &[u8]) {
        self.add_fault(line, at, fault, text);
        self.stage = ReadingStage::GivenUp;
    }

    fn add_fault(&mut self, line: u64, at: usize, fault: Fault, text: &[u8]) {
        self.faults.push(PlacedFault::near(line, at, fault, text));
    }

    /// Ends the game; returns the report on it as game number `game`.
    pub(crate) fn finish(&mut self, game: u64) -> GameReport {
        self.check_result();
        self.suggest_column_reading();
        let mut faults = std::mem::take(&mut self.faults);
        faults.sort_by_key(|fault| (fault.line, fault.column));
        let ending = self.referee.state().map_or(Ending::Unfinished, Ending::of_state);
        GameReport {
            game,
            line: self.line,
            ending: if faults.is_empty() { ending } else { Ending::Bad },
            moves: u64::from(self.referee.n_accepted()),
            tags: std::mem::take(&mut self.tags),
            faults,
            unjudged_lines: self.unjudged_lines,
        }
    }

    fn check_result(&mut self) {
        let Some((line, at, text)) = self.result.take() else { return };
        let Some(tag) = self.tags.iter().find(|tag| tag.name == "Result") else { return };
        let referee = (!self.is_given_up()).then_some(&self.referee);
        if let Some(fault) = claim::fault_of(&tag.text(), &self.rules, referee) {
            self.add_fault(line, at, fault, &text);
        }
    }

    fn suggest_column_reading(&mut self) {
        let help = self.column_reading.as_ref().and_then(ColumnReading::help);
        // These faults may come from exchanging the letter and the digit of a square.
        let is_swapped = |code| matches!(code, Code::NotARow | Code::NotAColumn | Code::TextAfterSquare);
        let last = self.faults.last_mut().filter(|fault| is_swapped(fault.fault.code));
        if let (Some(fault), Some(help)) = (last, help) {
            fault.fault.help = Some(help);
        }
    }
}

/// Returns the fault for a second tag with this name.
pub(crate) fn duplicate_tag(name: &str) -> Fault {
    Fault::new(Code::DuplicateTag, format!("duplicate tag {name}"))
        .with_help("a game has each tag at most once")
}
