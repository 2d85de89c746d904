//! Hints in words.

use std::fmt;

use super::move_text::LineName;
use crate::grid::Grid;
use crate::hint::{Hint, Reason};
use crate::judge::Verdict;
use crate::rules::Rules;
use crate::solve::{Answer, Value};
use crate::square::SquareSet;

/// A hint in words, such as `A1 threatens C3 and wins in 5 plies`.
#[derive(Clone, Copy, Debug)]
pub struct SpokenHint<'a> {
    /// The rules of the game.
    pub rules: Rules,
    /// The hint to display.
    pub hint: &'a Hint,
}

impl fmt::Display for SpokenHint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Hint { mv, answer, proven, reasons } = self.hint;
        write!(f, "{}", mv.name(&self.rules))?;
        for (place, reason) in reasons.iter().enumerate() {
            let joint = if place == 0 { " " } else { " and " };
            write!(f, "{joint}{}", SpokenReason { grid: self.rules.grid(), reason })?;
        }
        match (proven, answer.value()) {
            (_, Some(Value::Win)) if reasons.is_empty() => write!(f, " {}", prospect(answer)),
            (_, Some(Value::Win)) => write!(f, " and {}", prospect(answer)),
            (true, _) => write!(f, ": {}", best_prospect(answer)),
            (false, _) => write!(f, " ({})", prospect(answer)),
        }
    }
}

/// The reason for a hint as a verb phrase, such as `threatens C3`.
#[derive(Clone, Copy, Debug)]
pub struct SpokenReason<'a> {
    /// The grid that names the squares.
    pub grid: Grid,
    /// The reason to display.
    pub reason: &'a Reason,
}

impl fmt::Display for SpokenReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Completes(line) => write!(f, "completes {}", LineName { grid: self.grid, line: *line }),
            Reason::Blocks(lines) => {
                write!(f, "blocks {}", joined(lines.iter().map(|&line| LineName { grid: self.grid, line })))
            }
            Reason::Fork(squares) if squares.len() == 2 => {
                write!(f, "makes two threats ({})", self.squares(*squares))
            }
            Reason::Fork(squares) => {
                write!(f, "makes {} threats ({})", squares.len(), self.squares(*squares))
            }
            Reason::Threatens(squares) => write!(f, "threatens {}", self.squares(*squares)),
            Reason::OnlySafeMove => f.write_str("is the only move that completes no line"),
            Reason::LeavesNoSafeMove => f.write_str("leaves no safe move"),
        }
    }
}

impl SpokenReason<'_> {
    fn squares(&self, squares: SquareSet) -> String {
        joined(squares.iter().map(|square| self.grid.name(square)))
    }
}

fn joined(names: impl Iterator<Item: fmt::Display>) -> String {
    names.map(|name| name.to_string()).collect::<Vec<_>>().join(" and ")
}

/// Returns what is known about the result of a move, regardless of other moves, such as `wins in 3 plies`.
pub fn prospect(answer: &Answer) -> String {
    let plies = match answer.distance {
        Some(1) => " at once".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
        None => String::new(),
    };
    match (answer.value(), answer.worst, answer.best) {
        (Some(Value::Win), ..) => format!("wins{plies}"),
        (Some(Value::Draw), ..) => "draws with perfect play, perhaps not the best move".to_owned(),
        (Some(Value::Loss), ..) => format!("loses{plies}"),
        (None, Value::Draw, _) => "does not lose, perhaps not the best move".to_owned(),
        (None, _, Value::Draw) => "does not win, perhaps not the best move".to_owned(),
        _ => "best guess, not proven".to_owned(),
    }
}

/// Returns the result of a move that is proved to be a best one, such as `best move, a draw with perfect play`.
pub fn best_prospect(answer: &Answer) -> String {
    match (answer.value(), answer.distance) {
        (Some(Value::Draw), _) => "best move, a draw with perfect play".to_owned(),
        (Some(Value::Loss), Some(1)) => "every move loses at once".to_owned(),
        (Some(Value::Loss), Some(plies)) => format!("every move loses, this one in {plies} plies"),
        (Some(Value::Loss), None) => "every move loses".to_owned(),
        (Some(Value::Win) | None, _) => prospect(answer),
    }
}

display_names! { Verdict { Best => "best", Ok => "ok", Mistake => "mistake", Blunder => "blunder" } }

display_names! { Value { Win => "win", Draw => "draw", Loss => "loss" } }
