//! The messages that an output must contain, in whatever words.

use super::parsed_output::{OutputLine, ParsedOutput, numbers};
use crate::assignment::{Assignment, CourseProgram};

/// A message that a requirement asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RequiredText {
    /// The short id of the requirement.
    pub(super) about: &'static str,
    pub(super) pattern: TextPattern,
}

/// What a line must look like to count as the required message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TextPattern {
    /// A message of any wording: no board, no prompt, no echo.
    Message,
    /// A message of any wording that does not refuse the entry for the other reason.
    Refusal(RefusalReason),
    /// A line that contains one word of each group, ignoring case.
    Words(Vec<Vec<String>>),
    /// A line with a number of moves: no prompt, no echo, no list of moves. It may also state the largest number, 9, and
    /// must if it announces it.
    Count(u32),
    /// A line with exactly these numbers.
    OnlyNumbers(Vec<u32>),
    /// A request for input.
    Prompt,
    /// A request for input that names the player, or that asks to try again.
    TurnAgain,
    /// A closing message.
    Closing,
    /// No message that contains one of these words.
    Absent(&'static [&'static str]),
}

impl RequiredText {
    /// Returns whether the text belongs to an entry that must be refused.
    pub(super) fn is_about_refusal(&self) -> bool {
        self.pattern.is_absent()
            || matches!(self.about, "range" | "taken" | "bounds" | "invalid" | "not-a-number")
    }

    /// Returns whether a diagonal is required, and a line names one by a number.
    pub(super) fn is_other_diagonal(&self, lines: &[OutputLine]) -> bool {
        let is_diagonal = |line: &OutputLine| line.text.to_lowercase().contains("diag");
        let has_number = |line: &OutputLine| numbers(&line.text).iter().any(|n| [1, 2].contains(n));
        let TextPattern::Words(groups) = &self.pattern else { return false };
        groups[0].contains(&"diag".to_owned())
            && lines.iter().any(|line| is_diagonal(line) && has_number(line))
    }
}

impl TextPattern {
    pub(super) const fn is_absent(&self) -> bool {
        matches!(self, TextPattern::Absent(_))
    }

    pub(super) const fn is_refusal(&self) -> bool {
        matches!(self, TextPattern::Refusal(_) | TextPattern::Message)
    }
}

/// Why a move is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusalReason {
    /// A number is too small or too large.
    Bounds,
    /// The square is not empty.
    Taken,
}

impl RefusalReason {
    /// Returns words that only a message about this reason contains.
    const fn words(self) -> &'static [&'static str] {
        match self {
            RefusalReason::Bounds => &["bound", "range", "outside", "from 1 to 3", "between 1 and 3", "1-3"],
            RefusalReason::Taken => &["not empty", "taken", "occupied", "already"],
        }
    }

    const fn other(self) -> RefusalReason {
        match self {
            RefusalReason::Bounds => RefusalReason::Taken,
            RefusalReason::Taken => RefusalReason::Bounds,
        }
    }
}

/// Words of either message.
const REFUSAL_WORDS: &[&str] = &["out of bound", "out of range", "not empty", "taken", "occupied"];
/// Words of a closing message, which may be part of the line with the result.
const CLOSING_WORDS: &[&str] = &["bye", "thank", "game over", "game is over", "the end", "see you"];

/// The lines of an output in which required texts are looked for.
#[derive(Clone, Copy)]
pub(super) struct TextScope<'a> {
    pub(super) assignment: Assignment,
    pub(super) lines: &'a [OutputLine],
    /// Lines that the program prints in every turn; they are no messages about a particular entry.
    pub(super) usual: &'a [&'a str],
}

impl TextScope<'_> {
    /// Returns whether the lines contain a required text as often as `all` asks for it.
    pub(super) fn meets(self, required: &RequiredText, all: &[RequiredText]) -> bool {
        let n_required = all.iter().filter(|each| *each == required).count();
        let n_found = self.lines.iter().filter(|line| self.matches(line, required, all)).count();
        if required.pattern.is_absent() {
            // A message that another line of the same turn asks for may be there.
            return n_found == 0 || all.iter().any(|each| each.pattern.is_refusal());
        }
        n_found >= n_required
    }

    fn matches(self, line: &OutputLine, required: &RequiredText, all: &[RequiredText]) -> bool {
        let text = line.text.to_lowercase();
        let has_any = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let is_echo = text.starts_with("you entered");
        // In tictactoe every case is a whole game, so that its prompts are known as usual lines. Elsewhere they are
        // known by their words.
        let is_only_prompt =
            self.assignment != CourseProgram::Tictactoe && is_prompt(&text) && !is_refusal(&text);
        let is_message = !line.is_event && !is_echo && !self.is_usual(line) && !is_only_prompt;
        match &required.pattern {
            TextPattern::Message => is_message,
            TextPattern::Refusal(reason) => {
                is_message && (has_any(reason.words()) || !has_any(reason.other().words()))
            }
            TextPattern::Words(groups) => {
                groups.iter().all(|words| words.iter().any(|word| text.contains(&word.to_lowercase())))
            }
            TextPattern::Count(wanted) => {
                let found = numbers(&text);
                let is_list = |each: &RequiredText| each.pattern == TextPattern::OnlyNumbers(found.clone());
                let is_other = is_prompt(&text) || is_echo || all.iter().any(is_list);
                let has_largest = !text.contains("max") || found.contains(&9);
                let has_others = found.iter().any(|n| n != wanted && *n != 9);
                !is_other && found.contains(wanted) && !has_others && has_largest
            }
            TextPattern::OnlyNumbers(wanted) => *wanted == numbers(&text),
            TextPattern::Prompt => is_prompt(&text),
            TextPattern::TurnAgain => {
                line.is_event || is_prompt(&text) || text.contains("again") || self.is_usual(line)
            }
            TextPattern::Closing => (!line.is_event && !is_echo) || has_any(CLOSING_WORDS),
            TextPattern::Absent(wrong) => is_message && !is_prompt(&text) && has_any(wrong),
        }
    }

    fn is_usual(self, line: &OutputLine) -> bool {
        self.usual.contains(&line.text.as_str())
    }

    /// Returns the reason of the first message that refuses an entry and states one.
    pub(super) fn refusal(self) -> Option<RefusalReason> {
        let messages = self.lines.iter().filter(|line| !line.is_event && !self.is_usual(line));
        let refusals =
            messages.map(|line| line.text.to_lowercase()).filter(|text| is_refusal(text) && !is_prompt(text));
        let has_words = |text: &String, reason: RefusalReason| {
            !text.starts_with("you entered") && reason.words().iter().any(|word| text.contains(word))
        };
        refusals.into_iter().find_map(|text| {
            [RefusalReason::Taken, RefusalReason::Bounds].into_iter().find(|&reason| has_words(&text, reason))
        })
    }
}

/// Returns whether a line in lower case refuses an entry.
pub(super) fn is_refusal(text: &str) -> bool {
    REFUSAL_WORDS.iter().chain(&["invalid", "illegal"]).any(|word| text.contains(word))
}

/// Returns whether a line explains how to enter a move.
pub(super) fn is_instruction(line: &OutputLine) -> bool {
    let text = line.text.to_lowercase();
    !line.is_event
        && ["row", "col", "enter", "number", "type", "input"].iter().any(|word| text.contains(word))
}

/// Returns whether a line in lower case asks for input.
pub(super) fn is_prompt(text: &str) -> bool {
    let words = ["enter ", "coordinate", "type ", "input", "your move"];
    words.iter().any(|word| text.contains(word)) && !text.contains("entered")
}

/// Returns whether a line states a range of rows or columns that is not 1 to 3, such as `[0:2,0:2]` or `from 1 to 4`.
pub(super) fn has_wrong_range(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_range = |between: &str| match between.trim() {
        ":" | "-" | "–" | ".." | "..." | "to" | "through" => true,
        "and" => lower.contains("between"),
        _ => false,
    };
    let mut words: Vec<(&str, u32)> = Vec::new();
    let mut rest = lower.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = &rest[start..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        words.push((&rest[..start], digits[..end].parse().unwrap_or(u32::MAX)));
        rest = &digits[end..];
    }
    words.windows(2).any(|pair| is_range(pair[1].0) && (pair[0].1, pair[1].1) != (1, 3))
}

/// Returns the texts that are required before the event with this index, as the expected output has them.
pub(super) fn required_texts(
    assignment: Assignment,
    wanted: &ParsedOutput,
    index: usize,
) -> Vec<RequiredText> {
    let lines: Vec<&str> = wanted.texts[index].iter().map(|line| line.text.as_str()).collect();
    let is_turn = |line: &str| line.ends_with("'s turn:");
    // A second prompt for the same player is a repetition after a refused move.
    let has_repetition = lines.iter().filter(|line| is_turn(line)).count() > 1;
    let of_line = |(at, line): (usize, &&str)| match assignment.course() {
        Some(CourseProgram::Tictactoe) if has_repetition && is_turn(line) => {
            Some(RequiredText { about: "turn-kept", pattern: TextPattern::TurnAgain })
        }
        Some(CourseProgram::Tictactoe) => tictactoe_text(line),
        // The message is the same for an invalid and for a taken location; the case determines which it is.
        Some(CourseProgram::Notakto) => line
            .starts_with("Location")
            .then_some(RequiredText { about: "invalid", pattern: TextPattern::Message }),
        _ => lab3_text(line, lines.get(at + 1).copied().unwrap_or("")),
    };
    let mut texts: Vec<RequiredText> = lines.iter().enumerate().filter_map(of_line).collect();
    // A move with extra characters is followed directly by its board.
    let last = lines.last().and_then(|line| line.strip_prefix("You entered:")).map(str::trim);
    if last.is_some_and(|echo| !matches!(echo.as_bytes(), [b'1'..=b'3', b',', b'1'..=b'3'])) {
        texts.push(RequiredText { about: "rest", pattern: TextPattern::Absent(&[]) });
    }
    texts
}

fn tictactoe_text(line: &str) -> Option<RequiredText> {
    let required = |about, pattern| Some(RequiredText { about, pattern });
    if let Some((_, via)) = line.split_once(" wins via ") {
        return required("via", TextPattern::Words(via.split(' ').map(line_words).collect()));
    }
    match line {
        "Goodbye!" => required("goodbye", TextPattern::Closing),
        _ if line.starts_with("Enter a move") => required("opening", TextPattern::Message),
        _ if line.starts_with("Row and column") => {
            required("range", TextPattern::Refusal(RefusalReason::Bounds))
        }
        _ if line.ends_with("already taken.") => {
            required("taken", TextPattern::Refusal(RefusalReason::Taken))
        }
        _ if line.starts_with("Please enter") => required("not-a-number", TextPattern::Absent(&[])),
        _ => None,
    }
}

/// Returns the words that may be used in place of one word in the name of a line.
fn line_words(word: &str) -> Vec<String> {
    let words: &[&str] = match word {
        "Row" => &["row", "horizontal"],
        "Column" => &["col", "vertical"],
        "Diagonal" => &["diag"],
        "1" => &["1", "first", "one", "top", "left", "main"],
        "2" => &["2", "second", "two", "middle", "center", "centre", "mid", "right", "anti"],
        "3" => &["3", "third", "three", "bottom", "right"],
        word => return vec![word.to_owned()],
    };
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Returns the text that a line of `lab3` requires; `next` is the line after it.
pub(super) fn lab3_text(line: &str, next: &str) -> Option<RequiredText> {
    let required = |about, pattern| Some(RequiredText { about, pattern });
    if let Some(echo) = line.strip_prefix("You entered:") {
        // If only a prompt follows, the line was unreadable, and no other message may claim otherwise.
        return if next.starts_with("Please enter") {
            required("unreadable", TextPattern::Absent(REFUSAL_WORDS))
        } else {
            required("echo", TextPattern::Words(vec![vec![echo.trim().to_owned()]]))
        };
    }
    match line {
        _ if line.starts_with("Please enter") => required("prompt", TextPattern::Prompt),
        _ if line.starts_with("usage") => {
            required("arguments", TextPattern::Words(vec![vec!["usage".to_owned()]]))
        }
        _ if line.starts_with("Careful") => required("bounds", TextPattern::Refusal(RefusalReason::Bounds)),
        _ if line.starts_with("Sorry") => required("taken", TextPattern::Refusal(RefusalReason::Taken)),
        _ if line.starts_with("is it draw") => {
            numbers(line).first().and_then(|&n| required("count", TextPattern::Count(n)))
        }
        _ if line.contains(" quits! ") => {
            numbers(line).first().and_then(|&n| required("quit", TextPattern::Count(n)))
        }
        _ if line.starts_with("Draw!") => required("draw", TextPattern::Count(9)),
        _ if line.starts_with("Player ") && line.ends_with(';') => {
            required("moves", TextPattern::OnlyNumbers(numbers(line)))
        }
        _ => None,
    }
}
