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
use std::error::Error;
use std::fmt;

use super::leaf::{self, is_safe, wins_at_once};
use super::text::{heading, player_name};
use super::{Aim, Certificate, State, StateMarks, Strategy, StrategyEntry, required_strategies};
use crate::mark::Player;
use crate::position::{Outcome, Status};

/// The first flaw of a certificate, with its place.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The line number, from 1, of the entry, or of the strategy or value for which something is missing.
    pub line: usize,
    /// The position with the flaw, as text.
    pub position: String,
    /// The flaw in the proof.
    pub why: String,
}

impl fmt::Display for Refuted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: in {}: {}", self.line, self.position, self.why)
    }
}

impl Error for Refuted {}

impl Certificate {
    /// Checks the proof.
    ///
    /// The check also fails if an entry is never reached.
    ///
    /// # Errors
    ///
    /// Returns the first flaw found.
    pub fn verify(&self) -> Result<(), Refuted> {
        self.verify_until(&|| false).map(|_| ())
    }

    /// Checks the proof as [`verify`](Certificate::verify) does; returns `false` if `stop` ended the check.
    ///
    /// `stop` is called for every entry. Once it returns `true`, it must continue to.
    ///
    /// # Errors
    ///
    /// Returns the first flaw found.
    pub fn verify_until(&self, stop: &dyn Fn() -> bool) -> Result<bool, Refuted> {
        let found: Vec<(Player, Aim)> =
            self.strategies.iter().map(|strategy| (strategy.owner, strategy.aim)).collect();
        let required = required_strategies(&self.start, self.value);
        if found != required {
            let headings: Vec<String> =
                required.into_iter().map(|(owner, aim)| heading(owner, aim)).collect();
            let why = format!("the value requires exactly these strategies: {}", headings.join(", "));
            return Err(refuted(self.value_line, &self.start, why));
        }
        for strategy in &self.strategies {
            let checked = StrategyCheck::new(&self.start, strategy, stop).and_then(|check| check.check(stop));
            // A check that was stopped may have missed entries, so what it found counts for nothing.
            if stop() {
                return Ok(false);
            }
            checked?;
        }
        Ok(true)
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
    fn new(
        start: &'a State,
        strategy: &'a Strategy,
        stop: &dyn Fn() -> bool,
    ) -> Result<StrategyCheck<'a>, Refuted> {
        let mut index = HashMap::with_capacity(strategy.entries.len());
        for (number, entry) in strategy.entries.iter().enumerate().take_while(|_| !stop()) {
            let state = entry.marks.to_state(start);
            if let Some(earlier) = index.insert(StateMarks::new(&state.canonical()), number) {
                let line = strategy.entries[earlier].line;
                let why = format!("line {line} has the same position or a symmetric image of it");
                return Err(refuted(entry.line, &state, why));
            }
        }
        let is_reached = vec![false; strategy.entries.len()];
        Ok(StrategyCheck { start, strategy, index, is_reached, pending: Vec::new() })
    }

    fn check(mut self, stop: &dyn Fn() -> bool) -> Result<(), Refuted> {
        self.reach(self.start, self.strategy.line)?;
        while let Some(number) = self.pending.pop()
            && !stop()
        {
            let entry = &self.strategy.entries[number];
            let state = entry.marks.to_state(self.start);
            self.follow(entry, &state)?;
        }
        let entries = &self.strategy.entries;
        if let Some(number) = self.is_reached.iter().position(|&is_reached| !is_reached) {
            let state = entries[number].marks.to_state(self.start);
            let why = "the strategy never reaches this position: remove the entry";
            return Err(refuted(entries[number].line, &state, why));
        }
        Ok(())
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
            Status::Over(Outcome::Draw) => {
                Err(refuted(line, state, "the game ends in a draw, but a win is claimed"))
            }
            Status::Over(Outcome::Win(winner)) => {
                let why = format!("the game ends with a win of the {} player", player_name(winner));
                Err(refuted(line, state, why))
            }
            Status::ToMove(player) if player == owner => {
                let why = format!("no entry for the {} player to move", player_name(owner));
                Err(refuted(line, state, why))
            }
            Status::ToMove(_) => state.moves().try_for_each(|mv| {
                let after = state.after(mv).map_err(|illegal| refuted(line, state, illegal.to_string()))?;
                self.reach(&after, line)
            }),
        }
    }

    /// Follows an entry to all positions that it leads to.
    fn follow(&mut self, entry: &StrategyEntry, state: &State) -> Result<(), Refuted> {
        let Strategy { owner, aim, .. } = *self.strategy;
        let flaw = |why: String| refuted(entry.line, state, why);
        let (mv, leaf) = entry.action.move_and_leaf();
        let after = match (state.status(), mv) {
            (Status::Over(_), _) => {
                return Err(flaw("the game is over: an entry needs a player to move".into()));
            }
            (Status::ToMove(player), Some(_)) if player != owner => {
                return Err(flaw(format!("the {} player is not to move", player_name(owner))));
            }
            (Status::ToMove(_), Some(mv)) => state.after(mv).map_err(|illegal| flaw(illegal.to_string()))?,
            (Status::ToMove(_), None) => state.clone(),
        };
        match leaf {
            None => self.reach(&after, entry.line),
            Some(_) if aim == Aim::Win => Err(flaw(
                "pairs and weight prove that a player does not lose, not that the player wins".into(),
            )),
            Some(leaf) => leaf::check(leaf, &after, owner).map_err(flaw),
        }
    }
}

fn refuted(line: usize, state: &State, why: impl Into<String>) -> Refuted {
    Refuted { line, position: state.to_string(), why: why.into() }
}
