//! Hints in words.

use crate::Answer;
use crate::hint::{Hint, Reason};
use tictac::{Grid, Rules, SquareSet, Value};

impl Hint {
    /// Returns the hint in words, such as `A1 threatens C3 and wins in 3 moves`.
    pub fn sentence(&self, rules: &Rules) -> String {
        let mut sentence = self.mv.name(rules).to_string();
        for (place, reason) in self.reasons.iter().enumerate() {
            let joint = if place == 0 { " " } else { " and " };
            sentence.extend([joint, &reason.phrase(rules.grid())]);
        }
        sentence
            + &match (self.proven, self.answer.value()) {
                (_, Some(Value::Win)) if self.reasons.is_empty() => format!(" {}", prospect(&self.answer)),
                (_, Some(Value::Win)) => format!(" and {}", prospect(&self.answer)),
                (true, _) => format!(": {}", best_prospect(&self.answer)),
                (false, _) => format!(" ({})", prospect(&self.answer)),
            }
    }
}

impl Reason {
    /// Returns the reason as a verb phrase, such as `threatens C3`.
    pub fn phrase(&self, grid: Grid) -> String {
        let squares =
            |squares: &SquareSet| joined(squares.iter().map(|square| grid.name(square).to_string()));
        match self {
            Reason::Completes(line) => format!("completes {}", grid.line_name(*line)),
            Reason::Blocks(lines) => {
                format!("blocks {}", joined(lines.iter().map(|&line| grid.line_name(line))))
            }
            Reason::Fork(forks) if forks.len() == 2 => format!("makes two threats ({})", squares(forks)),
            Reason::Fork(forks) => format!("makes {} threats ({})", forks.len(), squares(forks)),
            Reason::Threatens(threats) => format!("threatens {}", squares(threats)),
            Reason::OnlySafeMove => "is the only move that completes no line".to_owned(),
            Reason::LeavesNoSafeMove => "leaves no safe move".to_owned(),
        }
    }
}

fn joined(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" and ")
}

/// Returns the number of moves that the winner makes in `plies`, as `2 moves`.
pub(crate) fn counted_moves(plies: u32) -> String {
    match plies.div_ceil(2) {
        1 => "1 move".to_owned(),
        n => format!("{n} moves"),
    }
}

/// Returns what is known about the result of a move, regardless of other moves, such as `wins in 2 moves`.
pub fn prospect(answer: &Answer) -> String {
    let plies = match answer.distance {
        Some(1) => " at once".to_owned(),
        Some(plies) => format!(" in {}", counted_moves(plies)),
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
        (Some(Value::Loss), Some(plies)) => format!("every move loses, this one in {}", counted_moves(plies)),
        (Some(Value::Loss), None) => "every move loses".to_owned(),
        (Some(Value::Win) | None, _) => prospect(answer),
    }
}
