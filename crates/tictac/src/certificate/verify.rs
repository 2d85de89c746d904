//! The checker, which follows each strategy against every reply.
//!
//! # Symmetry
//!
//! An entry applies to its position and to every image under the symmetries of the grid (with several boards: of each board,
//! and any order of the boards). A symmetry preserves legal moves, lines and outcomes, so a position and its images have the
//! same value. The checker therefore transforms no moves: it looks up the entry by the canonical form of a position and
//! continues from the position as written in the entry.
//!
//! # Cost
//!
//! Each entry is followed once, however often it is reached. That takes one look-up per reply, and one per legal move of a
//! reply without an entry. Memory holds the entries and an index of them.

use std::collections::HashMap;
use std::fmt;

use super::leaf::{self, is_safe, wins_at_once};
use super::refuted::{Flaw, Refuted};
use super::text::{aim_name, player_name};
use super::{Aim, Certificate, State, StateMarks, Strategy, StrategyEntry, required_strategies};
use crate::mark::Player;
use crate::position::{Outcome, Status};
use crate::solve::Value;

/// The result of a verified certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The position whose value is proved.
    pub start: State,
    /// The value of the position for the player to move.
    pub value: Value,
    /// The strategies that prove the value.
    pub strategies: Vec<CheckedStrategy>,
}

/// A strategy that was found to reach its aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedStrategy {
    /// The player who follows the strategy.
    pub owner: Player,
    /// The result that the strategy guarantees its owner.
    pub aim: Aim,
    /// The number of entries, each for one position up to symmetry.
    pub n_positions: usize,
}

impl Certificate {
    /// Checks the proof.
    ///
    /// The check also fails if an entry is never reached.
    ///
    /// # Errors
    ///
    /// Returns the first flaw found.
    pub fn verify(&self) -> Result<Verified, Refuted> {
        let found: Vec<(Player, Aim)> =
            self.strategies.iter().map(|strategy| (strategy.owner, strategy.aim)).collect();
        if found != required_strategies(&self.start, self.value) {
            return Err(refuted(self.value_line, &self.start, Flaw::strategies(self)));
        }
        let checked =
            self.strategies.iter().map(|strategy| StrategyCheck::new(&self.start, strategy)?.check());
        Ok(Verified {
            start: self.start.clone(),
            value: self.value,
            strategies: checked.collect::<Result<_, _>>()?,
        })
    }
}

/// Returns whether an outcome reaches the aim of a strategy of `owner`.
pub(super) fn satisfies(outcome: Outcome, owner: Player, aim: Aim) -> bool {
    outcome == Outcome::Win(owner) || (aim == Aim::Hold && outcome == Outcome::Draw)
}

/// Returns whether the aim of `owner` is reached without an entry: the game has ended accordingly, the owner can win
/// immediately, or the owner cannot lose.
pub(super) fn needs_no_entry(state: &State, owner: Player, aim: Aim) -> bool {
    match state.status() {
        Status::Over(outcome) => satisfies(outcome, owner, aim),
        Status::ToMove(player) => {
            (player == owner && wins_at_once(state, owner)) || (aim == Aim::Hold && is_safe(state, owner))
        }
    }
}

/// The progress of checking a strategy.
struct StrategyCheck<'a> {
    start: &'a State,
    strategy: &'a Strategy,
    /// The index of each entry by the canonical form of its position.
    index: HashMap<StateMarks, usize>,
    is_reached: Vec<bool>,
    pending: Vec<usize>,
}

impl<'a> StrategyCheck<'a> {
    fn new(start: &'a State, strategy: &'a Strategy) -> Result<StrategyCheck<'a>, Refuted> {
        let mut index = HashMap::with_capacity(strategy.entries.len());
        for (number, entry) in strategy.entries.iter().enumerate() {
            let state = entry.marks.to_state(start);
            if let Some(earlier) = index.insert(StateMarks::new(&state.canonical()), number) {
                let line = strategy.entries[earlier].line;
                return Err(refuted(entry.line, &state, Flaw::Twice(line)));
            }
        }
        let is_reached = vec![false; strategy.entries.len()];
        Ok(StrategyCheck { start, strategy, index, is_reached, pending: Vec::new() })
    }

    fn check(mut self) -> Result<CheckedStrategy, Refuted> {
        self.reach(self.start, self.strategy.line)?;
        while let Some(number) = self.pending.pop() {
            let entry = &self.strategy.entries[number];
            let state = entry.marks.to_state(self.start);
            self.follow(entry, &state)?;
        }
        let entries = &self.strategy.entries;
        if let Some(number) = self.is_reached.iter().position(|&is_reached| !is_reached) {
            let state = entries[number].marks.to_state(self.start);
            return Err(refuted(entries[number].line, &state, Flaw::Unreached));
        }
        let Strategy { owner, aim, .. } = *self.strategy;
        Ok(CheckedStrategy { owner, aim, n_positions: entries.len() })
    }

    /// Records that the entry at `line` leads to `state`.
    fn reach(&mut self, state: &State, line: usize) -> Result<(), Refuted> {
        let Strategy { owner, aim, .. } = *self.strategy;
        if let Some(&number) = self.index.get(&StateMarks::new(&state.canonical())) {
            if !self.is_reached[number] {
                self.is_reached[number] = true;
                self.pending.push(number);
            }
            return Ok(());
        }
        if needs_no_entry(state, owner, aim) {
            return Ok(());
        }
        match state.status() {
            Status::Over(outcome) => Err(refuted(line, state, Flaw::Ends(outcome))),
            Status::ToMove(player) if player == owner => Err(refuted(line, state, Flaw::Missing(owner))),
            Status::ToMove(_) => state.moves().try_for_each(|mv| {
                let after =
                    state.after(mv).map_err(|illegal| refuted(line, state, Flaw::Illegal(illegal)))?;
                self.reach(&after, line)
            }),
        }
    }

    /// Follows an entry to all positions that it leads to.
    fn follow(&mut self, entry: &StrategyEntry, state: &State) -> Result<(), Refuted> {
        let Strategy { owner, aim, .. } = *self.strategy;
        let flaw = |why| refuted(entry.line, state, why);
        let (mv, leaf) = entry.action.move_and_leaf();
        let after = match (state.status(), mv) {
            (Status::Over(_), _) => return Err(flaw(Flaw::Over)),
            (Status::ToMove(player), Some(_)) if player != owner => {
                return Err(flaw(Flaw::NotOwnersTurn(owner)));
            }
            (Status::ToMove(_), Some(mv)) => {
                state.after(mv).map_err(|illegal| flaw(Flaw::Illegal(illegal)))?
            }
            (Status::ToMove(_), None) => state.clone(),
        };
        match leaf {
            None => self.reach(&after, entry.line),
            Some(_) if aim == Aim::Win => Err(flaw(Flaw::ProvesNoWin)),
            Some(leaf) => leaf::check(leaf, &after, owner).map_err(flaw),
        }
    }
}

fn refuted(line: usize, state: &State, why: Flaw) -> Refuted {
    Refuted { line, position: state.to_string(), why }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.start.rules())?;
        if self.start.n_moves() > 0 {
            write!(f, " from {}", self.start)?;
        }
        write!(f, ": {} (", self.value)?;
        for (number, checked) in self.strategies.iter().enumerate() {
            f.write_str(if number > 0 { "; " } else { "" })?;
            checked.fmt(f)?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for CheckedStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = if self.n_positions == 1 { "position" } else { "positions" };
        let (owner, aim) = (player_name(self.owner), aim_name(self.aim));
        write!(f, "{owner} player {aim}: {} {positions}", self.n_positions)
    }
}
