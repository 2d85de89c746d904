//! One game of an archive while it is read: tags, then moves.

use tictac::notation::{Code, Entry, Fault, LineReader, ParseError, Referee, Refused};
use tictac::{IllegalMove, Rules};

use crate::advice::{self, History, OtherReading};
use crate::claim;
use crate::report::{GameReport, KEPT, PlacedFault};
use crate::tag::{self, Tag};
use crate::totals::Ending;

/// How many tags a game may have.
pub(crate) const MAX_TAGS: usize = 64;
/// How long the line of a tag may be, in bytes.
pub(crate) const MAX_TAG_LINE: usize = 4096;

/// A game, read so far.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    line: u64,
    rules: Rules,
    tags: Vec<Tag>,
    // The line, column and text of the result tag, whose value is judged when the game is known.
    result: Option<(u64, usize, Vec<u8>)>,
    stage: Stage,
    pub(crate) reader: LineReader,
    referee: Referee,
    history: History,
    other_reading: Option<OtherReading>,
    faults: Vec<PlacedFault>,
    unjudged_lines: u64,
}

/// What the next line may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Tags,
    Moves,
    /// After a bad move, or without known rules, there is nothing to judge by.
    GivenUp,
}

impl Game {
    /// Returns a game that starts in this line and is played by these rules, unless a tag says others.
    pub(crate) fn new(line: u64, rules: &Rules) -> Game {
        Game {
            line,
            rules: *rules,
            tags: Vec::new(),
            result: None,
            stage: Stage::Tags,
            reader: LineReader::new(rules),
            referee: Referee::new(rules),
            history: History::default(),
            other_reading: OtherReading::new(rules),
            faults: Vec::new(),
            unjudged_lines: 0,
        }
    }

    /// The rules, as far as the tags have told them.
    pub(crate) const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns whether nothing more will be judged.
    pub(crate) fn is_given_up(&self) -> bool {
        self.stage == Stage::GivenUp
    }

    /// Counts a line that is not judged.
    pub(crate) fn pass_over(&mut self) {
        self.unjudged_lines += 1;
    }

    /// Reads a line as if the letters named the columns; of a very long one the start will do.
    pub(crate) fn read_otherwise(&mut self, text: &[u8]) {
        if let Some(other) = &mut self.other_reading {
            other.read_line(text);
        }
    }

    /// Judges a line that is not a well-formed move.
    pub(crate) fn refuse(&mut self, line: u64, error: ParseError, text: &[u8]) {
        self.give_up(line, error.at, advice::of_syntax(error), text);
    }

    /// Judges a well-formed move.
    pub(crate) fn judge(&mut self, line: u64, entry: Entry, text: &[u8]) {
        self.stage = Stage::Moves;
        match self.referee.judge(entry) {
            Ok(()) => self.history.remember(entry, &self.rules),
            Err(reason) => {
                let fault = advice::of_illegal(reason, entry, &self.rules, &self.referee, &self.history);
                self.give_up(line, place_of(reason, entry), fault, text);
            }
        }
    }

    /// Judges the line of a tag, of which `text` is all, or too much.
    pub(crate) fn judge_tag(&mut self, line: u64, text: &[u8]) {
        let fault = |code, message: String, help: &str| Fault::new(code, message).with_help(help);
        if self.stage == Stage::Moves {
            let help =
                "tags stand before the first move; if another game starts here, put a blank line before it";
            let message = "a tag after the first move".to_owned();
            return self.give_up(line, 0, fault(Code::TagAfterMove, message, help), text);
        }
        if text.len() > MAX_TAG_LINE || self.tags.len() == MAX_TAGS {
            let (message, help) = if text.len() > MAX_TAG_LINE {
                (
                    format!("a tag of more than {MAX_TAG_LINE} bytes"),
                    "a long text can be a comment after a move",
                )
            } else {
                (format!("more than {MAX_TAGS} tags"), "a blank line ends a game; is one missing here?")
            };
            return self.give_up(line, 0, fault(Code::TagLimit, message, help), text);
        }
        match tag::parse(text) {
            Err(error) => {
                let help = "a tag looks like [Result \"X\"]";
                self.add_fault(line, error.at, fault(Code::MalformedTag, error.message(), help), text);
            }
            Ok((tag, _)) if self.tags.iter().any(|earlier| earlier.name == tag.name) => {
                let message = format!("the tag {} stands here a second time", tag.name);
                self.add_fault(
                    line,
                    1,
                    fault(Code::DuplicateTag, message, "a game has each tag at most once"),
                    text,
                );
            }
            Ok((tag, value_at)) => self.accept_tag(tag, line, value_at, text),
        }
    }

    fn accept_tag(&mut self, tag: Tag, line: u64, value_at: usize, text: &[u8]) {
        match tag.name.as_str() {
            "Rules" => match tag.value.parse() {
                Ok(rules) => self.play_by(rules),
                Err(error) => {
                    let fault = Fault::new(Code::UnknownRules, error.to_string())
                        .with_help("without its rules the moves of the game cannot be judged");
                    self.give_up(line, value_at, fault, text);
                }
            },
            "Result" => self.result = Some((line, value_at, shortened(text))),
            _ => {}
        }
        self.tags.push(tag);
    }

    fn play_by(&mut self, rules: Rules) {
        self.rules = rules;
        self.reader = LineReader::new(&rules);
        self.referee = Referee::new(&rules);
        self.other_reading = OtherReading::new(&rules);
    }

    /// Adds a fault after which nothing more is judged.
    pub(crate) fn give_up(&mut self, line: u64, at: usize, fault: Fault, text: &[u8]) {
        self.add_fault(line, at, fault, text);
        self.stage = Stage::GivenUp;
    }

    fn add_fault(&mut self, line: u64, at: usize, fault: Fault, text: &[u8]) {
        self.faults.push(PlacedFault { line, column: at as u64 + 1, fault, text: shortened(text) });
    }

    /// Returns what is to be said of the game, which is the `game`th one, once it has ended.
    pub(crate) fn report(mut self, game: u64) -> GameReport {
        self.judge_result();
        self.consider_the_other_reading();
        self.faults.sort_by_key(|fault| (fault.line, fault.column));
        let ending = if self.faults.is_empty() { Ending::of(&self.referee) } else { Ending::Bad };
        GameReport {
            game,
            line: self.line,
            ending,
            moves: u64::from(self.referee.n_accepted()),
            tags: self.tags,
            faults: self.faults,
            unjudged_lines: self.unjudged_lines,
        }
    }

    fn judge_result(&mut self) {
        let Some((line, at, text)) = self.result.take() else { return };
        let value = self.tags.iter().find(|tag| tag.name == "Result").map_or("", |tag| &tag.value);
        let fault = if self.is_given_up() {
            claim::fault_in_itself(value, &self.rules)
        } else {
            claim::fault_of(value, &self.rules, &self.referee)
        };
        if let Some(fault) = fault {
            self.add_fault(line, at, fault, &text);
        }
    }

    fn consider_the_other_reading(&mut self) {
        let help = self.other_reading.as_ref().and_then(OtherReading::help);
        let last = self.faults.last_mut().filter(|fault| advice::may_be_the_other_reading(&fault.fault));
        if let (Some(fault), Some(help)) = (last, help) {
            fault.fault.help = Some(help);
        }
    }
}

fn place_of(reason: IllegalMove, entry: Entry) -> usize {
    Refused { line: 0, entry, reason }.at()
}

fn shortened(text: &[u8]) -> Vec<u8> {
    text[..text.len().min(KEPT)].to_owned()
}
