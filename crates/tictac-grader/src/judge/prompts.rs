//! Separates prompts from what is printed after them: no newline ends a prompt such as `X's turn: `.

use std::collections::HashMap;

use crate::assignment::{Assignment, CourseProgram};

/// How many prompts may follow each other on a line, such as `Row: Column: `.
const MAX_PROMPTS: usize = 4;

/// Splits an output into lines, and each line after every prompt that no newline ends.
pub(super) fn split(assignment: Assignment, text: &str) -> Vec<&str> {
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    match assignment.course() {
        Some(CourseProgram::Tictactoe) => {
            let mut lines: Vec<&str> = lines.collect();
            for _ in 0..MAX_PROMPTS {
                lines = split_repeated(lines);
            }
            lines.into_iter().flat_map(split_turns).collect()
        }
        Some(CourseProgram::Notakto) => lines.flat_map(split_turns).collect(),
        _ => lines.flat_map(split_echo).collect(),
    }
}

/// Returns the line up to the first sign that ends a prompt, and the rest of it. One space belongs to the prompt.
fn first_prompt(line: &str) -> Option<(&str, &str)> {
    let end = line.find([':', '>', '?'])?;
    let rest = &line[end + 1..];
    Some((&line[..=end], rest.strip_prefix(' ').unwrap_or(rest)))
}

/// Splits lines after what several of them start with: a program asks in the same words every time.
fn split_repeated(lines: Vec<&str>) -> Vec<&str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (prompt, _) in lines.iter().filter_map(|line| first_prompt(line)) {
        *counts.entry(prompt).or_default() += 1;
    }
    let split = |line| match first_prompt(line) {
        Some((prompt, rest)) if counts[prompt] > 1 && !rest.is_empty() => vec![prompt, rest],
        _ => vec![line],
    };
    lines.into_iter().flat_map(split).collect()
}

/// Splits a line that mentions a turn after each prompt.
fn split_turns(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    if line.to_ascii_lowercase().contains("turn") {
        while let Some((prompt, after)) = first_prompt(rest) {
            parts.push(prompt);
            rest = after;
        }
    }
    if parts.is_empty() || !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

/// Splits a line of `lab3` before the repetition of the input.
fn split_echo(line: &str) -> Vec<&str> {
    match line.to_ascii_lowercase().find("you entered").filter(|&at| at > 0) {
        Some(at) => vec![&line[..at], &line[at..]],
        None => vec![line],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(assignment: Assignment, text: &str, expected: &[&str]) {
        assert_eq!(split(assignment, text), expected, "{text:?}");
    }

    #[test]
    fn a_prompt_without_a_newline_is_a_line_of_its_own() {
        check(
            CourseProgram::Tictactoe.assignment(),
            "X's turn:   1  2  3\n",
            &["X's turn:", "  1  2  3", ""],
        );
        check(
            CourseProgram::Notakto.assignment(),
            "Player 1's turn (X):-----\n",
            &["Player 1's turn (X):", "-----", ""],
        );
        check(CourseProgram::Lab3.assignment(), "Enter: You entered: 1,1", &["Enter: ", "You entered: 1,1"]);
    }

    #[test]
    fn a_prompt_is_recognised_by_its_repetition() {
        check(
            CourseProgram::Tictactoe.assignment(),
            "Row: Column: Taken!\nRow: Column: Bad!\nDone: yes\n",
            &["Row:", "Column:", "Taken!", "Row:", "Column:", "Bad!", "Done: yes", ""],
        );
    }

    #[test]
    fn an_echo_at_the_start_of_a_line_stays_whole() {
        check(
            CourseProgram::Lab3.assignment(),
            "You entered: a\nIn [1:3,1:3]",
            &["You entered: a", "In [1:3,1:3]"],
        );
    }
}
