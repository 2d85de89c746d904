//! What must be said in whatever words, and whether it was.

use super::scene::{Scene, Text};
use super::words::numbers;
use crate::assignment::Assignment;

/// Something that must be said in whatever words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Soft {
    /// The short id of the requirement that asks for it.
    pub(super) about: &'static str,
    pub(super) need: Need,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// A line of text that is nothing else: no board, no prompt, no echo, and none of these words in it.
    Text(&'static [&'static str]),
    /// A line with all of these, in either case.
    Words(Vec<String>),
    /// A line whose numbers include these, in this order.
    Numbers(Vec<u32>),
    /// A line with these numbers and no others.
    OnlyNumbers(Vec<u32>),
    /// A request for input.
    Prompt,
    /// Nothing: the program must stay as it is, and complain of none of these. The input that calls for it is only named.
    Nothing(&'static [&'static str]),
}

impl Need {
    pub(super) const fn is_nothing(&self) -> bool {
        matches!(self, Need::Nothing(_))
    }
}

/// Words that speak of the wrong mistake.
const OF_BOUNDS: &[&str] = &["bound", "range"];
const OF_TAKEN: &[&str] = &["empty", "taken", "occupied"];
const OF_BOTH: &[&str] = &["bound", "range", "not empty", "taken", "occupied"];

/// Returns whether the lines hold what is needed, as often as it is needed.
pub(super) fn is_met(soft: &Soft, all: &[Soft], texts: &[Text]) -> bool {
    let n_needed = all.iter().filter(|each| *each == soft).count();
    let is_fine = |text: &&Text| {
        let line = text.line.to_lowercase();
        let has_any = |words: &[&str]| words.iter().any(|word| line.contains(word));
        match &soft.need {
            Need::Text(wrong) => {
                !text.is_fact && !is_prompt(&line) && !line.starts_with("you entered") && !has_any(wrong)
            }
            Need::Words(words) => words.iter().all(|word| line.contains(&word.to_lowercase())),
            Need::Numbers(wanted) => is_subsequence(wanted, &numbers(&line)),
            Need::OnlyNumbers(wanted) => *wanted == numbers(&line),
            Need::Prompt => is_prompt(&line),
            Need::Nothing(wrong) => !text.is_fact && !is_prompt(&line) && has_any(wrong),
        }
    };
    let n_found = texts.iter().filter(is_fine).count();
    if soft.need.is_nothing() {
        // A complaint that belongs to another line of the same turn may be there.
        let is_alone = !all.iter().any(|each| matches!(each.need, Need::Text(_)));
        return n_found == 0 || !is_alone;
    }
    n_found >= n_needed
}

/// Returns whether a line tells how to enter a move; a greeting alone does not.
pub(super) fn is_instruction(text: &Text) -> bool {
    let line = text.line.to_lowercase();
    let speaks = ["row", "col", "enter", "number", "type", "input"].iter().any(|word| line.contains(word));
    speaks && !text.is_fact
}

pub(super) fn is_prompt(line: &str) -> bool {
    let asks = ["enter ", "coordinate", "type ", "input", "your move"].iter().any(|word| line.contains(word));
    asks && !line.contains("entered")
}

fn is_subsequence(wanted: &[u32], found: &[u32]) -> bool {
    let mut found = found.iter();
    wanted.iter().all(|number| found.any(|other| other == number))
}

/// Returns what must be said in a gap, read off the expected answer, whose words are our own.
pub(super) fn softs(assignment: Assignment, wanted: &Scene, place: usize) -> Vec<Soft> {
    let texts = &wanted.texts[place];
    let lines: Vec<&str> = texts.iter().map(|text| text.line.as_str()).collect();
    let of_line = |(at, line): (usize, &&str)| match assignment {
        Assignment::Tictactoe => soft_of_tictactoe(line),
        // Which of the two it was, the case tells.
        Assignment::Notakto => {
            line.starts_with("Location").then_some(Soft { about: "invalid", need: Need::Text(&[]) })
        }
        _ => soft_of_lab3(line, lines.get(at + 1).copied().unwrap_or("")),
    };
    let mut softs: Vec<Soft> = lines.iter().enumerate().filter_map(of_line).collect();
    // A move that is not written as plainly as could be stands before the board that shows it.
    let last = lines.last().and_then(|line| line.strip_prefix("You entered:")).map(str::trim);
    if last.is_some_and(|echo| !matches!(echo.as_bytes(), [b'1'..=b'3', b',', b'1'..=b'3'])) {
        softs.push(Soft { about: "rest", need: Need::Nothing(&[]) });
    }
    softs
}

fn soft_of_tictactoe(line: &str) -> Option<Soft> {
    let soft = |about, need| Some(Soft { about, need });
    if let Some((_, via)) = line.split_once(" wins via ") {
        // "Col" is enough of "Column".
        return soft(
            "via",
            Need::Words(via.split(' ').map(|word| word[..word.len().min(3)].to_owned()).collect()),
        );
    }
    match line {
        "Goodbye!" => soft("goodbye", Need::Text(&[])),
        _ if line.starts_with("Enter a move") => soft("opening", Need::Text(&[])),
        _ if line.starts_with("Row and column") => soft("range", Need::Text(&["taken", "occupied"])),
        _ if line.ends_with("already taken.") => soft("taken", Need::Text(&[])),
        _ if line.starts_with("Please enter") => soft("not-a-number", Need::Nothing(&[])),
        _ => None,
    }
}

fn soft_of_lab3(line: &str, next: &str) -> Option<Soft> {
    let soft = |about, need| Some(Soft { about, need });
    if let Some(echo) = line.strip_prefix("You entered:") {
        let echo = echo.trim();
        // A line that is asked for again without a word was not understood, and must not be.
        return if next.starts_with("Please enter") {
            soft("unreadable", Need::Nothing(OF_BOTH))
        } else {
            soft("echo", Need::Words(vec![echo.to_owned()]))
        };
    }
    match line {
        _ if line.starts_with("Please enter") => soft("prompt", Need::Prompt),
        _ if line.starts_with("usage") => soft("arguments", Need::Words(vec!["usage".to_owned()])),
        _ if line.starts_with("Careful") => soft("bounds", Need::Text(OF_TAKEN)),
        _ if line.starts_with("Sorry") => soft("taken", Need::Text(OF_BOUNDS)),
        _ if line.starts_with("is it draw") => soft("count", Need::Numbers(numbers(line)[..1].to_vec())),
        _ if line.contains(" quits! ") => soft("quit", Need::Numbers(numbers(line))),
        _ if line.starts_with("Player ") && line.ends_with(';') => {
            soft("moves", Need::OnlyNumbers(numbers(line)))
        }
        _ => None,
    }
}
