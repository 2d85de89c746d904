//! What a line of text states, by the words in it.

use crate::assignment::Assignment;

use super::scene::Hard;

/// Splits a line after a prompt that no newline ends: `X's turn:   1  2  3`.
pub(super) fn split_prompt(assignment: Assignment, line: &str) -> Vec<&str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if assignment != Assignment::Tictactoe || !line.to_ascii_lowercase().contains("turn") {
        return vec![line];
    }
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some(end) = rest.find([':', '>', '?']) {
        parts.push(&rest[..=end]);
        rest = &rest[end + 1..];
        // What follows a prompt after one blank begins a line of its own.
        rest = rest.strip_prefix(' ').unwrap_or(rest);
    }
    parts.push(rest);
    parts
}

/// Returns the hard fact that a line states, if any.
pub(super) fn fact(assignment: Assignment, line: &str) -> Option<Hard> {
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |wanted: &[&str]| wanted.iter().any(|word| words.contains(word));
    let side = side(assignment, &words);
    if has(&["you"]) && has(&["entered"]) {
        return None;
    }
    if let (true, Some(side)) = (has(&["won", "win", "wins", "winner"]), side) {
        return Some(Hard::Win(side));
    }
    if side.is_some() && has(&["quit", "quits", "quitted"]) && !has(&["enter", "type"]) {
        return Some(Hard::Quit);
    }
    if has(&["tie", "tied", "draw"]) && !line.contains('?') && side.is_none() {
        return Some(Hard::Tie);
    }
    has(&["turn", "turns", "move"]).then_some(())?;
    side.map(Hard::Turn)
}

/// Returns the player that a line names.
fn side(assignment: Assignment, words: &[&str]) -> Option<u8> {
    let after_player = words.iter().position(|&word| word == "player").and_then(|at| words.get(at + 1));
    if assignment == Assignment::Notakto {
        return after_player.and_then(|word| match *word {
            "1" | "2" => Some(word.as_bytes()[0]),
            _ => None,
        });
    }
    words.iter().chain(after_player).find_map(|&word| match word {
        "x" => Some(b'X'),
        "o" | "y" => Some(b'O'),
        _ => None,
    })
}

/// Returns the numbers in a line, in order.
pub(super) fn numbers(line: &str) -> Vec<u32> {
    line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}
