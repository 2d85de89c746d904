//! Verdicts in words.

use crate::hint::{best_prospect, counted_moves, prospect, reasons};
use crate::judge::{JudgedMove, Refutation, Verdict};
use crate::{Reason, level::look_ahead::balance};
use tictac::{Move, State, Value};

impl JudgedMove {
    /// Returns the verdict, its reason and, if there is a better move, that move and why.
    pub fn sentence(&self) -> String {
        let rules = self.state.rules();
        let name = self.mv.name(rules);
        let better = self.better.as_ref().filter(|hint| hint.mv != self.mv);
        let better = better.map(|hint| format!(" Better: {}.", hint.sentence(rules))).unwrap_or_default();
        let reason = self.reason().map(|reason| format!(": {reason}")).unwrap_or_default();
        match (self.verdict, self.estimate) {
            (Some(Verdict::Best), _) => format!("{name}: {}{reason}.", best_prospect(&self.after)),
            (Some(Verdict::Ok), _) => format!("{name}: ok, it {}.{better}", prospect(&self.after)),
            (Some(verdict), _) => format!("{name}: {verdict}, it {}{reason}.{better}", self.outcome()),
            (None, Some(verdict)) => {
                format!("{name}: probably a {verdict} (not proven), it {}{reason}.{better}", self.outcome())
            }
            (None, None) => format!("{name}: {}.", self.outlook()),
        }
    }

    /// Returns the result of the move with best play after it, such as `only draws` or `loses in 2 moves`.
    pub fn outcome(&self) -> String {
        match (self.before.value(), self.after.value()) {
            (Some(Value::Win), Some(Value::Draw)) => "only draws".to_owned(),
            (Some(Value::Win), None) => match self.before.distance {
                Some(plies) => format!("misses a win in {}", counted_moves(plies)),
                None => "misses a win".to_owned(),
            },
            _ => prospect(&self.after),
        }
    }

    /// Returns why the move was wrong, or what the algebra of Notakto says, as a clause such as `X replies B2, which makes two
    /// threats (A1 and C3)`.
    pub fn reason(&self) -> Option<String> {
        if !self.is_error() && !self.is_doubtful() {
            return self.algebra.clone();
        }
        let rules = self.state.rules();
        let winner = |state: &State, mv: Move| {
            reasons(state, mv).into_iter().find_map(|reason| match reason {
                Reason::Completes(line) => Some(rules.grid().line_name(line)),
                _ => None,
            })
        };
        if let Some((mv, completed)) =
            self.state.moves().find_map(|mv| winner(&self.state, mv).map(|line| (mv, line)))
        {
            return Some(format!("{} completes {completed}", mv.name(rules)));
        }
        let after = self.state.after(self.mv).ok()?;
        let first = match self.refutation.as_ref() {
            None => return self.algebra.clone(),
            Some(Refutation::Punishes(moves)) => (after, *moves.first()?, "replies"),
            Some(Refutation::Keeps(moves)) => (self.state.clone(), *moves.first()?, "could play"),
        };
        let (state, mv, verb) = first;
        let player = state.name(state.next_player());
        let phrases: Vec<String> =
            reasons(&state, mv).iter().map(|reason| reason.phrase(rules.grid())).collect();
        let which =
            if phrases.is_empty() { String::new() } else { format!(", which {}", phrases.join(" and ")) };
        let algebra = self.algebra.as_ref().map(|algebra| format!("; {algebra}")).unwrap_or_default();
        Some(format!("{player} {verb} {}{which}{algebra}", mv.name(rules)))
    }

    /// Returns what can be said about a move on which there is no verdict.
    fn outlook(&self) -> String {
        let known = match (self.before.value(), self.after.value()) {
            (Some(Value::Win), Some(Value::Win)) => return "keeps the win".to_owned(),
            (_, Some(_)) => prospect(&self.after),
            _ => "nothing is decided".to_owned(),
        };
        let after = self.state.after(self.mv).ok();
        let estimate = match after.as_ref().and_then(balance).map(|balance| -balance) {
            Some(BETTER..) => "; estimate: better open lines",
            Some(..=WORSE) => "; estimate: the opponent has better open lines",
            Some(_) => "; estimate: even",
            None => "",
        };
        format!("{known}{estimate}")
    }
}

/// The balance of open lines from which on one side is said to be better.
const BETTER: i32 = 30;
const WORSE: i32 = -30;
