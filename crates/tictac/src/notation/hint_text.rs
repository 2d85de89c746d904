//! A hint in words.

use std::fmt;

use super::move_text::LineName;
use crate::grid::Grid;
use crate::hint::{Hint, Reason};
use crate::judge::Verdict;
use crate::line::Line;
use crate::rules::Rules;
use crate::solve::{Answer, Value};
use crate::square::SquareSet;

/// A hint as it is said: `B2: blocks A2-B2-C2; drawn with best play`.
#[derive(Clone, Copy, Debug)]
pub struct SpokenHint<'a> {
    /// The rules.
    pub rules: Rules,
    /// The hint.
    pub hint: &'a Hint,
}

impl fmt::Display for SpokenHint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.hint.mv.name(&self.rules))?;
        for reason in &self.hint.reasons {
            write!(f, "{}; ", SpokenReason { grid: self.rules.grid(), reason })?;
        }
        let Hint { answer, proven, .. } = self.hint;
        f.write_str(&if *proven { best_prospect(answer) } else { prospect(answer) })
    }
}

/// A reason as it is said.
#[derive(Clone, Copy, Debug)]
pub struct SpokenReason<'a> {
    /// The grid.
    pub grid: Grid,
    /// The reason.
    pub reason: &'a Reason,
}

impl fmt::Display for SpokenReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Completes(line) => write!(f, "completes {}", self.lines(&[*line])),
            Reason::Blocks(lines) => write!(f, "blocks {}", self.lines(lines)),
            Reason::Fork(squares) => {
                let number = match squares.len() {
                    2 => "two".to_owned(),
                    n => n.to_string(),
                };
                write!(f, "makes {number} threats ({})", self.squares(*squares))
            }
            Reason::Threatens(squares) => write!(f, "threatens {}", self.squares(*squares)),
            Reason::OnlySafeMove => f.write_str("the only move that completes no line"),
            Reason::LeavesNoSafeMove => f.write_str("leaves no move that completes no line"),
        }
    }
}

impl SpokenReason<'_> {
    fn lines(&self, lines: &[Line]) -> String {
        let names: Vec<String> =
            lines.iter().map(|&line| LineName { grid: self.grid, line }.to_string()).collect();
        names.join(" and ")
    }

    fn squares(&self, squares: SquareSet) -> String {
        let names: Vec<String> = squares.iter().map(|square| self.grid.name(square).to_string()).collect();
        names.join(" and ")
    }
}

/// Returns what a move brings, in words that say nothing of other moves: `wins in 3 plies`, `loses in 4 plies`.
pub fn prospect(answer: &Answer) -> String {
    let plies = match answer.distance {
        Some(1) => " at once".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
        None => String::new(),
    };
    match (answer.value(), answer.worst, answer.best) {
        (Some(Value::Win), ..) => format!("wins{plies}"),
        (Some(Value::Draw), ..) => "drawn with best play; more is not known".to_owned(),
        (Some(Value::Loss), ..) => format!("loses{plies}"),
        (None, Value::Draw, _) => "does not lose; more is not known".to_owned(),
        (None, _, Value::Draw) => "does not win; more is not known".to_owned(),
        _ => "looks best; nothing is proved".to_owned(),
    }
}

/// Returns what a move brings where it is proved that no other brings more: `nothing better: drawn with best play`.
pub fn best_prospect(answer: &Answer) -> String {
    match (answer.value(), answer.distance) {
        (Some(Value::Draw), _) => "nothing better: drawn with best play".to_owned(),
        (Some(Value::Loss), Some(1)) => "loses at once, as every move does".to_owned(),
        (Some(Value::Loss), Some(plies)) => format!("every move loses; this one holds out for {plies} plies"),
        (Some(Value::Loss), None) => "every move loses".to_owned(),
        (Some(Value::Win) | None, _) => prospect(answer),
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Best => "best",
            Verdict::Ok => "ok",
            Verdict::Mistake => "mistake",
            Verdict::Blunder => "blunder",
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Win => "win",
            Value::Draw => "draw",
            Value::Loss => "loss",
        })
    }
}
