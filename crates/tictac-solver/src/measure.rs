//! A solver whose search is measured, with the feature `measure`: `cargo xtask bench solve` and `bench ablation`.

use crate::answer::{Answer, Question};
use crate::one_board::solver::Solver;
use crate::tables::search_tables::SearchTables;
use crate::tuning::{SearchTuning, Technique};
use tictac::{Position, Rules};

/// A solver with settings that only measurements use; it answers the weak question about the empty board.
#[derive(Debug)]
pub struct MeasuredSolver {
    start: Position,
    solver: Solver,
}

impl MeasuredSolver {
    /// Returns a [`Solver::team`] with these settings, or `None` if the rules have several boards.
    pub fn team(
        rules: &Rules,
        max_bytes: usize,
        n_solvers: usize,
        tuning: SearchTuning,
    ) -> Option<Vec<MeasuredSolver>> {
        let start = Position::start(rules)?;
        let mut tables = SearchTables::new(rules, max_bytes, n_solvers, Question::Weak);
        tables.tuning = tuning;
        Some(tables.team().into_iter().map(|solver| MeasuredSolver { start, solver }).collect())
    }

    /// Finds the value of the empty board, or stops when `stop`, which is called regularly, returns true.
    pub fn solve(&mut self, stop: &dyn Fn() -> bool) -> Answer {
        self.solver.solve(&self.start, Question::Weak, stop)
    }

    /// Returns the number of positions searched so far.
    pub const fn nodes(&self) -> u64 {
        self.solver.nodes()
    }
}

impl Technique {
    /// The techniques of the provers of plain games, with the names that measurements use for them.
    pub const OF_PROVERS: [(&'static str, Technique); 11] = [
        ("weak-prover", Technique::WeakProver),
        ("draw-prover", Technique::DrawProver),
        ("draw-share", Technique::DrawShare),
        ("win-prover", Technique::WinProver),
        ("proof-numbers", Technique::ProofNumbers),
        ("missing-squares", Technique::MissingSquares),
        ("pairings", Technique::Pairings),
        ("domination", Technique::Domination),
        ("symmetry", Technique::Symmetry),
        ("weak-game", Technique::WeakGame),
        ("estimates", Technique::Estimates),
    ];

    /// The techniques of the general search, with the names that measurements use for them.
    pub const OF_SEARCH: [(&'static str, Technique); 9] = [
        ("symmetry", Technique::Symmetry),
        ("weights", Technique::Weights),
        ("mirror", Technique::Mirror),
        ("dead-squares", Technique::DeadSquares),
        ("domination", Technique::Domination),
        ("order", Technique::Order),
        ("memory", Technique::Memory),
        ("edges", Technique::Edges),
        ("parts", Technique::Parts),
    ];

    /// Returns the technique with a name.
    pub fn named(name: &str) -> Option<Technique> {
        let all = || Technique::OF_PROVERS.into_iter().chain(Technique::OF_SEARCH);
        all().find(|&(known, _)| known == name).map(|(_, technique)| technique)
    }
}

impl SearchTuning {
    /// Returns settings that number the squares of the grid in an order that depends on `seed`, or as usual if it is 0.
    ///
    /// Where several moves seem equally good, the search then tries another one first; everything else is the same.
    #[must_use]
    pub const fn with_seed(self, seed: u64) -> SearchTuning {
        SearchTuning { seed, ..self }
    }

    /// Returns these settings with a technique switched off.
    #[must_use]
    pub const fn without(self, technique: Technique) -> SearchTuning {
        SearchTuning { without: self.without | 1 << technique as u8, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tictac::Value;

    fn value(rules: &str, tuning: SearchTuning) -> Option<Value> {
        let rules: Rules = rules.parse().expect("rules");
        let mut team = MeasuredSolver::team(&rules, 1 << 24, 1, tuning).expect("one board");
        team[0].solve(&|| false).value()
    }

    #[test]
    fn settings_never_change_a_value() {
        for (rules, expected) in [
            ("5,4,4", Value::Draw),
            ("6,5,4", Value::Win),
            ("6,3,3 misere", Value::Loss),
            ("6,3,4 wild misere", Value::Draw),
        ] {
            for seed in 0..4 {
                assert_eq!(value(rules, SearchTuning::default().with_seed(seed)), Some(expected), "{rules}");
            }
            for (name, technique) in Technique::OF_PROVERS.into_iter().chain(Technique::OF_SEARCH) {
                let tuning = SearchTuning::default().without(technique);
                assert_eq!(value(rules, tuning), Some(expected), "{rules} without {name}");
            }
        }
    }
}
