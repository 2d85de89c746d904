//! The messages that an output must contain, in whatever words.

use super::parsed_output::{OutputLine, ParsedOutput, numbers};
use crate::assignment::Assignment;

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
    /// A message of any wording: no board, no prompt, no echo, and without these words.
    Message(&'static [&'static str]),
    /// A line that contains all of these words, ignoring case.
    Words(Vec<String>),
    /// A line whose numbers include these, in this order: no prompt, no echo, no list of moves.
    Numbers(Vec<u32>),
    /// A line with exactly these numbers.
    OnlyNumbers(Vec<u32>),
    /// A request for input.
    Prompt,
    /// No message that contains one of these words.
    Absent(&'static [&'static str]),
}

impl TextPattern {
    pub(super) const fn is_absent(&self) -> bool {
        matches!(self, TextPattern::Absent(_))
    }
}

/// Words of a message about coordinates out of bounds.
const BOUNDS_WORDS: &[&str] = &["bound", "range"];
/// Words of a message about a taken square.
const TAKEN_WORDS: &[&str] = &["empty", "taken", "occupied"];
/// Words of either message.
const REFUSAL_WORDS: &[&str] = &["bound", "range", "not empty", "taken", "occupied"];

/// Returns whether the lines contain a required text as often as `all` asks for it.
pub(super) fn is_met(required: &RequiredText, all: &[RequiredText], lines: &[OutputLine]) -> bool {
    let n_required = all.iter().filter(|each| *each == required).count();
    let matches = |line: &&OutputLine| {
        let text = line.text.to_lowercase();
        let has_any = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let (is_message, is_echo) = (!line.is_event && !is_prompt(&text), text.starts_with("you entered"));
        match &required.pattern {
            TextPattern::Message(wrong) => is_message && !is_echo && !has_any(wrong),
            TextPattern::Words(words) => words.iter().all(|word| text.contains(&word.to_lowercase())),
            TextPattern::Numbers(wanted) => {
                let found = numbers(&text);
                let is_list = |each: &RequiredText| each.pattern == TextPattern::OnlyNumbers(found.clone());
                let is_other = is_prompt(&text) || is_echo || all.iter().any(is_list);
                !is_other && is_subsequence(wanted, &found)
            }
            TextPattern::OnlyNumbers(wanted) => *wanted == numbers(&text),
            TextPattern::Prompt => is_prompt(&text),
            TextPattern::Absent(wrong) => is_message && has_any(wrong),
        }
    };
    let n_found = lines.iter().filter(matches).count();
    if required.pattern.is_absent() {
        // A message that another line of the same turn asks for may be there.
        return n_found == 0 || all.iter().any(|each| matches!(each.pattern, TextPattern::Message(_)));
    }
    n_found >= n_required
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

fn is_subsequence(wanted: &[u32], found: &[u32]) -> bool {
    let mut found = found.iter();
    wanted.iter().all(|number| found.any(|other| other == number))
}

/// Returns the texts that are required before the event with this index, as the expected output has them.
pub(super) fn required_texts(
    assignment: Assignment,
    wanted: &ParsedOutput,
    index: usize,
) -> Vec<RequiredText> {
    let lines: Vec<&str> = wanted.texts[index].iter().map(|line| line.text.as_str()).collect();
    let of_line = |(at, line): (usize, &&str)| match assignment {
        Assignment::Tictactoe => tictactoe_text(line),
        // The message is the same for an invalid and for a taken location; the case determines which it is.
        Assignment::Notakto => line
            .starts_with("Location")
            .then_some(RequiredText { about: "invalid", pattern: TextPattern::Message(&[]) }),
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
        // "Col" is enough of "Column".
        let words = via.split(' ').map(|word| word[..word.len().min(3)].to_owned());
        return required("via", TextPattern::Words(words.collect()));
    }
    match line {
        "Goodbye!" => required("goodbye", TextPattern::Message(&[])),
        _ if line.starts_with("Enter a move") => required("opening", TextPattern::Message(&[])),
        _ if line.starts_with("Row and column") => {
            required("range", TextPattern::Message(&["taken", "occupied"]))
        }
        _ if line.ends_with("already taken.") => required("taken", TextPattern::Message(&[])),
        _ if line.starts_with("Please enter") => required("not-a-number", TextPattern::Absent(&[])),
        _ => None,
    }
}

/// Returns the text that a line of `lab3` requires; `next` is the line after it.
pub(super) fn lab3_text(line: &str, next: &str) -> Option<RequiredText> {
    let required = |about, pattern| Some(RequiredText { about, pattern });
    if let Some(echo) = line.strip_prefix("You entered:") {
        // If only a prompt follows, the line was unreadable, and no other message may claim otherwise.
        return if next.starts_with("Please enter") {
            required("unreadable", TextPattern::Absent(REFUSAL_WORDS))
        } else {
            required("echo", TextPattern::Words(vec![echo.trim().to_owned()]))
        };
    }
    match line {
        _ if line.starts_with("Please enter") => required("prompt", TextPattern::Prompt),
        _ if line.starts_with("usage") => required("arguments", TextPattern::Words(vec!["usage".to_owned()])),
        _ if line.starts_with("Careful") => required("bounds", TextPattern::Message(TAKEN_WORDS)),
        _ if line.starts_with("Sorry") => required("taken", TextPattern::Message(BOUNDS_WORDS)),
        _ if line.starts_with("is it draw") => {
            required("count", TextPattern::Numbers(numbers(line)[..1].to_vec()))
        }
        _ if line.contains(" quits! ") => required("quit", TextPattern::Numbers(numbers(line))),
        _ if line.starts_with("Player ") && line.ends_with(';') => {
            required("moves", TextPattern::OnlyNumbers(numbers(line)))
        }
        _ => None,
    }
}
