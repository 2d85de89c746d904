//! Outputs that mean the right thing in other words, where a document prescribes the wording.

use super::required_text::lab3_text;
use super::{Attempt, Behaviour, KnownFaults, Mismatch, prompts};
use crate::assignment::{Assignment, CourseProgram};
use crate::case::Case;

/// Only this many lines of an output are compared; no correct output is longer.
const MAX_LINES: usize = 1000;

/// Returns the mismatch of an output whose wording differs from all expected ones. Of several lines that differ, one
/// whose requirement is not known to be broken is reported.
pub(super) fn mismatch(attempt: Attempt<'_>, known: &KnownFaults) -> Mismatch {
    let Attempt { assignment, case, expected, output } = attempt;
    let topic = |line: &str| match assignment.course() {
        Some(CourseProgram::Tictactoe) => "text",
        Some(CourseProgram::Notakto) => notakto_line_topic(case, line),
        _ => lab3_line_topic(line),
    };
    let found = String::from_utf8_lossy(&output.stdout);
    let differences = expected.iter().map(|each| {
        let wanted = String::from_utf8_lossy(&each.output.stdout);
        let mut topics: Vec<&str> =
            missing_lines(assignment, &wanted, &found).into_iter().map(topic).collect();
        let n_missing = topics.len();
        if topics.is_empty() {
            topics.push(topic(first_different_line(&wanted, &found)));
        }
        (n_missing, topics)
    });
    let nearest = differences.min_by_key(|(n_missing, _)| *n_missing);
    let (_, topics) = nearest.expect("there is at least one expected output");
    let is_new = |about: &&&str| !known.is_broken(assignment.requirement(about).id);
    let about = topics.iter().find(is_new).unwrap_or(&topics[0]);
    Mismatch::new(assignment.requirement(about), Behaviour::new("wording differs from the document"))
}

fn first_different_line<'a>(wanted: &'a str, found: &str) -> &'a str {
    let mut lines = wanted.split('\n').zip(found.split('\n').map(Some).chain(std::iter::repeat(None)));
    lines.find(|(wanted, found)| Some(*wanted) != *found).map_or("", |(wanted, _)| wanted)
}

/// Returns the lines of the expected output that are not in the actual one, given that the others are in their order.
fn missing_lines<'a>(assignment: Assignment, wanted: &'a str, found: &str) -> Vec<&'a str> {
    let (wanted, mut found) = (prompts::split(assignment, wanted), prompts::split(assignment, found));
    found.truncate(MAX_LINES);
    // The length of the longest common subsequence of what is left after each pair of lines.
    let mut lengths = vec![vec![0usize; found.len() + 1]; wanted.len() + 1];
    for at in (0..wanted.len()).rev() {
        for other in (0..found.len()).rev() {
            lengths[at][other] = if wanted[at] == found[other] {
                lengths[at + 1][other + 1] + 1
            } else {
                lengths[at + 1][other].max(lengths[at][other + 1])
            };
        }
    }
    let (mut at, mut other) = (0, 0);
    let mut missing = Vec::new();
    while at < wanted.len() {
        if other < found.len() && wanted[at] == found[other] {
            (at, other) = (at + 1, other + 1);
        } else if other < found.len() && lengths[at][other + 1] >= lengths[at + 1][other] {
            other += 1;
        } else {
            missing.push(wanted[at]);
            at += 1;
        }
    }
    missing
}

fn notakto_line_topic(case: &Case, line: &str) -> &'static str {
    match line {
        _ if line.contains("turn") => "prompt",
        _ if line.contains("wins") => "winner",
        _ if line.starts_with("Location") && case.about.short_id() == "taken" => "taken",
        _ if line.starts_with("Location") => "invalid",
        "" => "ending",
        _ => "board",
    }
}

fn lab3_line_topic(line: &str) -> &'static str {
    match line {
        _ if line.contains("turn...") => "turns",
        _ if line.contains("requires") => "arguments",
        _ if line.starts_with("Won!") => "win-row",
        _ if line.starts_with("Draw!") => "draw",
        _ if line.starts_with("someone") => "quit",
        _ => lab3_text(line, "").map_or("board", |text| text.about),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_differ_are_missing() {
        let missing = |wanted, found| missing_lines(CourseProgram::Notakto.assignment(), wanted, found);
        assert_eq!(missing("a\nb\nc\n", "a\nx\nc\n"), ["b"]);
        assert_eq!(missing("a\nb\nc\n", "a\nc\n"), ["b"]);
        assert_eq!(missing("a\nb\n", "a\nz\nb\n"), [""; 0]);
        assert_eq!(missing("a\n", ""), ["a"]);
    }
}
