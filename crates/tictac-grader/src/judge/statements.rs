//! What a line of text states, judged by the words in it.

use super::parsed_output::OutputEvent;
use crate::assignment::Assignment;

/// Splits a line after each prompt that no newline ends, such as `X's turn:   1  2  3`.
pub(super) fn split_prompts(assignment: Assignment, line: &str) -> Vec<&str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if assignment != Assignment::Tictactoe || !line.to_ascii_lowercase().contains("turn") {
        return vec![line];
    }
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some(end) = rest.find([':', '>', '?']) {
        parts.push(&rest[..=end]);
        rest = &rest[end + 1..];
        // One space belongs to the prompt; what follows it is the next line.
        rest = rest.strip_prefix(' ').unwrap_or(rest);
    }
    parts.push(rest);
    parts
}

/// Returns the event that a line states, if any.
pub(super) fn event(assignment: Assignment, line: &str) -> Option<OutputEvent> {
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |wanted: &[&str]| wanted.iter().any(|word| words.contains(word));
    let player = player(assignment, &words);
    if has(&["you"]) && has(&["entered"]) {
        return None;
    }
    if let (true, Some(player)) = (has(&["won", "win", "wins", "winner"]), player) {
        return Some(OutputEvent::Win(player));
    }
    if player.is_some() && has(&["quit", "quits", "quitted"]) && !has(&["enter", "type"]) {
        return Some(OutputEvent::Quit);
    }
    if has(&["tie", "tied", "draw"]) && !line.contains('?') && player.is_none() {
        return Some(OutputEvent::Draw);
    }
    player.filter(|_| has(&["turn", "turns", "move"])).map(OutputEvent::Turn)
}

/// Returns the player that a line names.
fn player(assignment: Assignment, words: &[&str]) -> Option<u8> {
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
