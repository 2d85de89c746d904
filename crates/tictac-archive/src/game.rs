//! A game of an archive while it is read, line by line.

use tictac::notation::{Code, Entry, Fault, LineReader, ParseError, Referee};
use tictac::{IllegalMove, Mark, Outcome, Player, Rules, SquareSet, State, Status};

use crate::letters::{ColumnReading, Letters};
use crate::report::{Ending, GameReport, PlacedFault, TextPlace, start_of};
use crate::tag::Tag;

pub(crate) const MAX_TAGS: usize = 64;
/// The maximum length of the line of a tag, in bytes.
pub(crate) const MAX_TAG_LINE: usize = 4096;

/// A game that has been read in part.
#[derive(Clone, Debug)]
pub(crate) struct OpenGame {
    line: u64,
    pub(crate) rules: Rules,
    letters: Letters,
    // The rules by whose grid squares are named.
    naming: Rules,
    tags: Vec<Tag>,
    // The line, offset and text of the result tag. Its value is checked when the moves are known.
    result: Option<(u64, usize, Vec<u8>)>,
    stage: ReadingStage,
    reader: LineReader,
    pub(crate) referee: Referee,
    history: History,
    // The game as if the letters named columns, as long as that may explain a fault.
    column_reading: Option<ColumnReading>,
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
        let naming = letters.naming_rules(rules);
        OpenGame {
            line,
            rules: *rules,
            letters,
            naming,
            tags: Vec::new(),
            result: None,
            stage: ReadingStage::Tags,
            reader: LineReader::new(&naming),
            referee: Referee::new(rules),
            history: History::default(),
            column_reading: ColumnReading::new(rules).filter(|_| letters == Letters::Rows),
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

    /// Ends the line of a move, which starts at `place`; returns its entry if it is legal.
    pub(crate) fn finish_move(&mut self, place: TextPlace<'_>) -> Option<Entry> {
        let entry = self.reader.finish();
        self.reader.restart();
        let entry = match entry {
            Ok(entry) => Entry { mv: self.letters.convert(entry.mv, &self.naming, &self.rules), ..entry },
            Err(error) => {
                self.refuse_line(place, error);
                return None;
            }
        };
        self.stage = ReadingStage::Moves;
        if let Some(reading) = &mut self.column_reading {
            reading.follow(entry);
        }
        match self.referee.judge(entry) {
            Ok(()) => {
                self.history.remember(entry, &self.rules);
                Some(entry)
            }
            Err(reason) => {
                let fault = self.illegal_move(reason, entry);
                self.give_up(place.plus(entry.offset_of(reason)), fault);
                None
            }
        }
    }

    /// Ends a line that is not a move, which starts at `place`.
    pub(crate) fn refuse_line(&mut self, place: TextPlace<'_>, error: ParseError) {
        self.give_up(place.plus(error.at), error.into());
        self.read_as_columns(place.text);
    }

    /// Counts a line of a game that has been given up.
    pub(crate) fn skip_line(&mut self, text: &[u8]) {
        self.unjudged_lines += 1;
        self.read_as_columns(text);
    }

    fn read_as_columns(&mut self, text: &[u8]) {
        if let Some(reading) = &mut self.column_reading {
            reading.read_line(text);
        }
    }

    /// Checks the line of a tag, which starts at `place`; the text is the whole line, or more than a tag may have.
    pub(crate) fn finish_tag(&mut self, place: TextPlace<'_>) {
        let fault = |code, message: String, help: &str| Fault::new(code, message).with_help(help);
        if self.stage == ReadingStage::Moves {
            let help =
                "tags come before the first move; if another game starts here, put a blank line before it";
            return self
                .give_up(place, fault(Code::TagAfterMove, "tag after the first move".to_owned(), help));
        }
        if place.text.len() > MAX_TAG_LINE {
            let message = format!("tag of more than {MAX_TAG_LINE} bytes");
            let help = "put a long text into a comment after a move";
            return self.give_up(place, fault(Code::TagLimit, message, help));
        }
        if self.tags.len() == MAX_TAGS {
            let message = format!("more than {MAX_TAGS} tags");
            let help = "a blank line ends a game; is one missing here?";
            return self.give_up(place, fault(Code::TagLimit, message, help));
        }
        match Tag::parse(place.text) {
            Err(error) => self.faults.push(place.plus(error.at).fault(error.fault)),
            Ok((tag, _)) if self.tags.iter().any(|earlier| earlier.name == tag.name) => {
                self.faults.push(place.plus(1).fault(duplicate_tag(&tag.name)));
            }
            Ok((tag, value_at)) => self.accept_tag(tag, place.plus(value_at)),
        }
    }

    /// Adds a tag whose value is at `place`.
    fn accept_tag(&mut self, tag: Tag, place: TextPlace<'_>) {
        match tag.name.as_str() {
            "Rules" => match tag.text().parse() {
                Ok(rules) => self.set_rules(rules),
                Err(error) => {
                    let fault = Fault::new(Code::UnknownRules, error.to_string())
                        .with_help("without known rules the moves of the game cannot be checked");
                    self.give_up(place, fault);
                }
            },
            "Result" => self.result = Some((place.line, place.at, start_of(place.text))),
            _ => {}
        }
        self.tags.push(tag);
    }

    fn set_rules(&mut self, rules: Rules) {
        let played = OpenGame::new(self.line, &rules, self.letters);
        let OpenGame { rules, naming, reader, referee, column_reading, .. } = played;
        (self.rules, self.naming, self.reader, self.referee) = (rules, naming, reader, referee);
        self.column_reading = column_reading;
    }

    /// Adds a fault after which the remaining lines are not checked.
    pub(crate) fn give_up(&mut self, place: TextPlace<'_>, fault: Fault) {
        // These faults may come from exchanging the letter and the digit of a square.
        if !matches!(fault.code, Code::NotARow | Code::NotAColumn | Code::TextAfterSquare) {
            self.column_reading = None;
        }
        self.faults.push(place.fault(fault));
        self.stage = ReadingStage::GivenUp;
    }

    /// Ends the game; returns the report on it as game number `game`.
    pub(crate) fn finish(&mut self, game: u64) -> GameReport {
        let reading = self.column_reading.as_ref().filter(|_| self.is_given_up());
        if let (Some(help), Some(last)) = (reading.and_then(ColumnReading::help), self.faults.last_mut()) {
            last.fault.help = Some(help);
        }
        self.check_result();
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
        if let Some(fault) = result_fault(&tag.text(), &self.rules, referee) {
            self.faults.push(TextPlace { line, at, text: &text }.fault(fault));
        }
    }

    /// Returns the fault for an illegal move, with help that refers to the rest of the game.
    fn illegal_move(&self, reason: IllegalMove, entry: Entry) -> Fault {
        let OpenGame { rules, referee, history, .. } = self;
        let fault = Fault::from(reason);
        match reason {
            IllegalMove::Occupied { square, .. } => {
                let board = referee.state().and_then(|state| state.boards().nth(entry.mv.board as usize));
                let board = board.unwrap_or_default();
                let mark = board.mark(square).unwrap_or(Mark::X);
                let free = rules.playable_squares(board.occupied());
                let message = match history.number(entry, rules) {
                    Some(number) => format!("{} ({mark} played it at move {number})", fault.message),
                    None => fault.message,
                };
                Fault::new(fault.code, message).with_help(format!("free squares: {}", names(rules, free)))
            }
            IllegalMove::GameOver { .. } => {
                let number = referee.n_accepted();
                let lines: Vec<String> = match referee.state() {
                    Some(State::One(position)) => {
                        position.lines().map(|line| rules.grid().line_name(line)).collect()
                    }
                    _ => Vec::new(),
                };
                let end = if lines.is_empty() {
                    format!("move {number} was the last one")
                } else {
                    format!("move {number} completed {}", lines.join(" and "))
                };
                fault.with_help(format!("{end}; put a blank line here to start another game"))
            }
            IllegalMove::WrongNumber { expected, found } if found < expected => fault.with_help(format!(
                "there is a move {found} above; if another game starts here, put a blank line before it"
            )),
            IllegalMove::WrongMark { expected } if rules.marks_name_players() => {
                fault.with_help(format!("{} made the previous move, and the players take turns", !expected))
            }
            _ => fault,
        }
    }
}

/// Returns the fault for a second tag with this name.
pub(crate) fn duplicate_tag(name: &str) -> Fault {
    Fault::new(Code::DuplicateTag, format!("duplicate tag {name}"))
        .with_help("a game has each tag at most once")
}

const MAX_NAMES: usize = 12;
/// Boards with more squares in total have no history: a million boards would take too much memory.
const MAX_REMEMBERED: usize = 65_536;

/// The number of the move that took each square.
#[derive(Clone, Debug, Default)]
struct History {
    // By board and square; 0 for a free square. Empty if there are too many squares.
    numbers: Vec<u32>,
}

impl History {
    fn remember(&mut self, entry: Entry, rules: &Rules) {
        if self.numbers.is_empty() && rules.max_moves() <= MAX_REMEMBERED {
            self.numbers.resize(rules.max_moves(), 0);
        }
        if let Some(number) = self.numbers.get_mut(index_of(entry, rules)) {
            *number = entry.number;
        }
    }

    fn number(&self, entry: Entry, rules: &Rules) -> Option<u32> {
        self.numbers.get(index_of(entry, rules)).copied().filter(|&number| number > 0)
    }
}

fn index_of(entry: Entry, rules: &Rules) -> usize {
    entry.mv.board as usize * rules.grid().len() + entry.mv.square.index()
}

fn names(rules: &Rules, squares: SquareSet) -> String {
    let shown: Vec<String> =
        squares.iter().take(MAX_NAMES).map(|square| rules.grid().name(square).to_string()).collect();
    let n_more = squares.len().saturating_sub(MAX_NAMES);
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    shown.join(", ") + &more
}

/// The values that have a meaning under all rules.
const RESULTS: [&str; 7] = ["1", "1-0", "2", "0-1", "draw", "1/2-1/2", "*"];

/// Returns the fault in the value of a `Result` tag, if any; without `referee` it is not compared with the moves.
fn result_fault(value: &str, rules: &Rules, referee: Option<&Referee>) -> Option<Fault> {
    let is_mark = rules.marks_name_players() && ["X", "O"].contains(&value);
    if !is_mark && !RESULTS.contains(&value) {
        return Some(unknown_result(value, rules));
    }
    let referee = referee?;
    // The values that agree with the moves, the preferred one first.
    let right = match referee.status() {
        None | Some(Status::ToMove(_)) => ["*"; 3],
        Some(Status::Over(Outcome::Draw)) => ["draw", "draw", "1/2-1/2"],
        Some(Status::Over(Outcome::Win(player))) => {
            let (number, score) = if player == Player::First { ("1", "1-0") } else { ("2", "0-1") };
            let mark = referee.state().and_then(|state| state.mark_of(player));
            [mark.map_or(number, |mark| if mark == Mark::X { "X" } else { "O" }), number, score]
        }
    };
    if right.contains(&value) {
        return None;
    }
    let standing = match right[0] {
        "*" => "is unfinished".to_owned(),
        "draw" => "was drawn".to_owned(),
        mark @ ("X" | "O") => format!("was won by {mark}"),
        number => format!("was won by player {number}"),
    };
    let help = if referee.n_accepted() == 0 {
        "no moves follow; at most one blank line may stand between the tags and the moves".to_owned()
    } else {
        format!("under the rules {rules} the moves give [Result \"{}\"]", right[0])
    };
    let message = format!("the tag says {value:?}, but the game {standing}");
    Some(Fault::new(Code::WrongResult, message).with_help(help))
}

fn unknown_result(value: &str, rules: &Rules) -> Fault {
    let help = if rules.marks_name_players() {
        "a result is \"X\", \"O\", \"draw\" or \"*\" (unfinished); \"1-0\" means that the first player won, \"0-1\" \
         the second, \"1/2-1/2\" a draw"
    } else {
        "by these rules a result is \"1\" or \"2\" (that player won), \"draw\" or \"*\" (unfinished)"
    };
    Fault::new(Code::UnknownResult, format!("{value:?} is not a result")).with_help(help)
}
