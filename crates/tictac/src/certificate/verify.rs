//! The checker: follows each strategy against every reply.
//!
//! # Symmetry
//!
//! An entry speaks of its position as it is written, and of every position that a symmetry of the grid makes of it (with
//! several boards: of each board, and of their order). A symmetry takes legal moves to legal moves, lines to lines and
//! outcomes to outcomes, so whatever the written position is worth, its images are worth too. The checker therefore
//! carries no move from one position to another: it looks up the canonical form and goes on from the position as written.
//!
//! # Cost
//!
//! Each entry is followed once, however often it is reached: one look-up for each reply, and a look at the legal moves
//! where there is no entry. Memory holds the entries and an index of them.

use std::collections::HashMap;
use std::fmt;

use super::leaf::{self, is_safe, wins_at_once};
use super::refuted::{Flaw, Refuted};
use super::state::Written;
use super::text::{aim_name, player_name, value_name};
use super::{Aim, Certificate, Entry, State, Step, Strategy, needed};
use crate::mark::Player;
use crate::position::{Outcome, Status};
use crate::solve::Value;

/// What a certificate has proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The position.
    pub start: State,
    /// Its value, for the player to move.
    pub value: Value,
    /// The strategies that prove it.
    pub strategies: Vec<Checked>,
}

/// A strategy that does what it claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The player who follows it.
    pub owner: Player,
    /// What it brings him.
    pub aim: Aim,
    /// How many positions it has entries for, up to symmetry.
    pub n_positions: usize,
    /// How many of the entries are closed by pairs or weight.
    pub n_leaves: usize,
}

impl Certificate {
    /// Checks the proof.
    ///
    /// Whatever is not needed is refused too: every entry must be reached.
    ///
    /// # Errors
    ///
    /// Returns the first flaw found.
    pub fn verify(&self) -> Result<Verified, Refuted> {
        let found: Vec<(Player, Aim)> =
            self.strategies.iter().map(|strategy| (strategy.owner, strategy.aim)).collect();
        if found != needed(&self.start, self.value) {
            return Err(refuted(self.value_line, &self.start, Flaw::strategies(self)));
        }
        let checked = self.strategies.iter().map(|strategy| Walk::new(&self.start, strategy)?.check());
        Ok(Verified {
            start: self.start.clone(),
            value: self.value,
            strategies: checked.collect::<Result<_, _>>()?,
        })
    }
}

/// Returns whether an outcome is what a strategy of `owner` aims at.
pub(super) fn satisfies(outcome: Outcome, owner: Player, aim: Aim) -> bool {
    outcome == Outcome::Win(owner) || (aim == Aim::Hold && outcome == Outcome::Draw)
}

/// Returns whether `owner` reaches his aim without anything being said: whether the game has ended so, or he can win at
/// once, or he cannot lose any more.
pub(super) fn decides_itself(state: &State, owner: Player, aim: Aim) -> bool {
    match state.status() {
        Status::Over(outcome) => satisfies(outcome, owner, aim),
        Status::ToMove(player) => {
            (player == owner && wins_at_once(state, owner)) || (aim == Aim::Hold && is_safe(state, owner))
        }
    }
}

/// A strategy, as far as it has been followed.
struct Walk<'a> {
    start: &'a State,
    strategy: &'a Strategy,
    /// The entries by the canonical forms of their positions.
    index: HashMap<Written, usize>,
    is_reached: Vec<bool>,
    to_follow: Vec<usize>,
}

impl<'a> Walk<'a> {
    fn new(start: &'a State, strategy: &'a Strategy) -> Result<Walk<'a>, Refuted> {
        let mut index = HashMap::with_capacity(strategy.entries.len());
        for (number, entry) in strategy.entries.iter().enumerate() {
            let state = start.with(&entry.written).expect("an entry was read or made as a legal position");
            if let Some(earlier) = index.insert(state.canonical().written(), number) {
                let line = strategy.entries[earlier].line;
                return Err(refuted(entry.line, &state, Flaw::Twice(line)));
            }
        }
        let is_reached = vec![false; strategy.entries.len()];
        Ok(Walk { start, strategy, index, is_reached, to_follow: Vec::new() })
    }

    fn check(mut self) -> Result<Checked, Refuted> {
        self.reach(self.start, self.strategy.line)?;
        while let Some(number) = self.to_follow.pop() {
            let entry = &self.strategy.entries[number];
            let state = self.start.with(&entry.written).expect("the index was made of such states");
            self.follow(entry, &state)?;
        }
        let entries = &self.strategy.entries;
        if let Some(number) = self.is_reached.iter().position(|&is_reached| !is_reached) {
            let state = self.start.with(&entries[number].written).expect("the index was made of such states");
            return Err(refuted(entries[number].line, &state, Flaw::Unreached));
        }
        let n_leaves = entries.iter().filter(|entry| matches!(entry.step, Step::Close(..))).count();
        let Strategy { owner, aim, .. } = *self.strategy;
        Ok(Checked { owner, aim, n_positions: entries.len(), n_leaves })
    }

    /// Notes that play leads to `state`, to which `line` of the certificate has led.
    fn reach(&mut self, state: &State, line: usize) -> Result<(), Refuted> {
        let Strategy { owner, aim, .. } = *self.strategy;
        if let Some(&number) = self.index.get(&state.canonical().written()) {
            if !self.is_reached[number] {
                self.is_reached[number] = true;
                self.to_follow.push(number);
            }
            return Ok(());
        }
        if decides_itself(state, owner, aim) {
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

    /// Does what an entry says.
    fn follow(&mut self, entry: &Entry, state: &State) -> Result<(), Refuted> {
        let Strategy { owner, aim, .. } = *self.strategy;
        let flaw = |why| refuted(entry.line, state, why);
        let (mv, leaf) = match &entry.step {
            Step::Move(mv) => (Some(*mv), None),
            Step::Close(mv, leaf) => (*mv, Some(leaf)),
        };
        let after = match (state.status(), mv) {
            (Status::Over(_), _) => return Err(flaw(Flaw::Over)),
            (Status::ToMove(player), Some(_)) if player != owner => {
                return Err(flaw(Flaw::NotHisTurn(owner)));
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
        if !self.start.is_empty() {
            write!(f, " from {}", self.start)?;
        }
        write!(f, ": {} (", value_name(self.value))?;
        for (number, checked) in self.strategies.iter().enumerate() {
            f.write_str(if number > 0 { "; " } else { "" })?;
            checked.fmt(f)?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = if self.n_positions == 1 { "position" } else { "positions" };
        let (owner, aim) = (player_name(self.owner), aim_name(self.aim));
        write!(f, "{owner} player {aim}: {} {positions}", self.n_positions)
    }
}
