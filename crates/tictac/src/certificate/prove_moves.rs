//! Construction of a strategy of moves from the values of positions.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::leaf::{self, Weight, open_lines, weight};
use super::prove::{NoProof, ProofLimits, ProofSource};
use super::verify::{needs_no_entry, satisfies};
use super::{Aim, EntryAction, Leaf, State, StateMarks, StrategyEntry};
use crate::mark::Player;
use crate::moves::Move;
use crate::position::{Position, Status};
use crate::rules::Goal;
use crate::solve::{Value, find_pairing};
use crate::square::{Square, SquareSet};

/// Returns the entries of a strategy with a move in every position.
pub(super) fn prove_moves(
    start: &State,
    (owner, aim): (Player, Aim),
    source: &mut dyn ProofSource,
    limits: ProofLimits<'_>,
) -> Result<Vec<StrategyEntry>, NoProof> {
    let mut builder = StrategyBuilder {
        owner,
        aim,
        source,
        limits,
        known: HashSet::new(),
        pending: vec![],
        actions: vec![],
    };
    builder.build(start)?;
    let entry = |(marks, action)| StrategyEntry { line: 0, marks, action };
    Ok(builder.actions.into_iter().map(entry).collect())
}

/// A strategy under construction.
struct StrategyBuilder<'a> {
    owner: Player,
    aim: Aim,
    source: &'a mut dyn ProofSource,
    limits: ProofLimits<'a>,
    /// The canonical positions that have an entry or will get one.
    known: HashSet<StateMarks>,
    pending: Vec<State>,
    actions: Vec<(StateMarks, EntryAction)>,
}

/// A move, and the position after it.
type CandidateMove = (Move, State);

/// The number of value-keeping moves that are compared by cost; comparing more takes more time than it saves entries.
const MAX_COMPARED: usize = 8;

/// The numbers of nodes that are searched for a move that keeps the value, if fewer were not enough for any move.
const EFFORTS: [u64; 6] = [0, COMPARING_EFFORT, 256, 8192, 262_144, u64::MAX];

/// The number of nodes that are searched for moves to compare with those that are looked up. Without them, the certificate of
/// 7,4,4 has 53,123 entries, because the tables hold one reply of each position and not the best one for a short proof.
const COMPARING_EFFORT: u64 = 255;

impl StrategyBuilder<'_> {
    fn build(&mut self, start: &State) -> Result<(), NoProof> {
        self.reach(start)?;
        while let Some(state) = self.pending.pop() {
            let action = self.choose(&state)?;
            if let EntryAction::Move(mv) = action {
                let after = state.after(mv).expect("a chosen move is legal");
                self.reach_all(&after)?;
            }
            self.add(&state, action)?;
        }
        Ok(())
    }

    fn add(&mut self, state: &State, action: EntryAction) -> Result<(), NoProof> {
        if self.actions.len() >= self.limits.max_entries {
            return Err(NoProof::TooLarge(self.limits.max_entries));
        }
        if (self.limits.stop)() {
            return Err(NoProof::Stopped);
        }
        self.actions.push((StateMarks::new(state), action));
        Ok(())
    }

    /// Ensures that a position has an entry if it needs one.
    fn reach(&mut self, state: &State) -> Result<(), NoProof> {
        let state = state.canonical();
        if self.is_settled(&state) {
            return Ok(());
        }
        match state.status() {
            Status::Over(_) => Err(NoProof::Contradiction(state.to_string())),
            Status::ToMove(player) if player == self.owner => {
                self.known.insert(StateMarks::new(&state));
                self.pending.push(state);
                Ok(())
            }
            Status::ToMove(_) => match self.leaf(&state) {
                Some(leaf) => self.add(&state, EntryAction::Close(None, leaf)),
                None => self.reach_all(&state),
            },
        }
    }

    /// Ensures that every reply has an entry if it needs one; the first reply is processed next.
    fn reach_all(&mut self, state: &State) -> Result<(), NoProof> {
        let replies: Vec<CandidateMove> = candidates(state);
        replies.iter().rev().try_for_each(|(_, reply)| self.reach(reply))
    }

    fn is_settled(&self, canonical: &State) -> bool {
        self.known.contains(&StateMarks::new(canonical)) || needs_no_entry(canonical, self.owner, self.aim)
    }

    /// Chooses the owner's action in a position that needs an entry.
    fn choose(&mut self, state: &State) -> Result<EntryAction, NoProof> {
        let mut candidates = candidates(state);
        if self.allows_leaves(state) {
            candidates
                .sort_by_cached_key(|(_, after)| after.position().map(|after| weight(after, self.owner)));
            let closing = candidates.iter().find_map(|(mv, after)| Some((*mv, self.leaf(after)?)));
            if let Some((mv, leaf)) = closing {
                return Ok(EntryAction::Close(Some(mv), leaf));
            }
        } else {
            candidates.sort_by_cached_key(|(_, after)| self.cost(after));
        }
        let kept = self.moves_that_keep(state, candidates).ok_or_else(|| {
            if (self.limits.stop)() { NoProof::Stopped } else { NoProof::Unknown(state.to_string()) }
        })?;
        match kept.iter().min_by_key(|(_, after)| self.cost(after)) {
            Some(&(mv, _)) => Ok(EntryAction::Move(mv)),
            None => Err(NoProof::Contradiction(state.to_string())),
        }
    }

    /// Returns some of the moves that keep the value, or `None` if none is known to and some are unknown.
    fn moves_that_keep(
        &mut self,
        state: &State,
        mut candidates: Vec<CandidateMove>,
    ) -> Option<Vec<CandidateMove>> {
        // If the candidates are sorted by cost, the first that keeps the value is the best.
        let n_compared = if candidates.first().is_some_and(|(_, after)| self.allows_leaves(after)) {
            MAX_COMPARED
        } else {
            1
        };
        let mut kept: Vec<CandidateMove> = Vec::new();
        for max_nodes in EFFORTS {
            for effort in self.efforts_for_moves(state, max_nodes) {
                let mut unknown = Vec::new();
                for candidate in candidates {
                    if kept.len() == n_compared || !kept.is_empty() && effort > COMPARING_EFFORT {
                        break;
                    }
                    match self.keeps(&candidate.1, effort) {
                        Some(true) => kept.push(candidate),
                        Some(false) => {}
                        None => unknown.push(candidate),
                    }
                }
                if kept.len() == n_compared || !kept.is_empty() && effort > 0 || unknown.is_empty() {
                    return Some(kept);
                }
                candidates = unknown;
            }
        }
        None
    }

    /// Returns the numbers of nodes to search for each move of a position in which the owner is to move.
    ///
    /// If the owner holds, a search of the position itself chooses among the moves better than one search per move: the move that
    /// it found is then looked up. The empty board is an exception, because it is known to hold without a search.
    fn efforts_for_moves(&mut self, state: &State, max_nodes: u64) -> Vec<u64> {
        match (self.aim, max_nodes) {
            // A win that is only looked up may be a long one: with it, 6,5,4 takes 81 s instead of 0.2 s.
            (Aim::Win, ..=COMPARING_EFFORT) => return vec![],
            (Aim::Win, _) | (Aim::Hold, ..=COMPARING_EFFORT) => return vec![max_nodes],
            _ if state.n_moves() == 0 => return vec![max_nodes],
            _ => {}
        }
        match self.source.has_value(state, Value::Loss, max_nodes) {
            Some(_) => vec![0, max_nodes],
            None => vec![],
        }
    }

    /// Returns whether the owner's aim can still be reached after a move of the owner.
    fn keeps(&mut self, after: &State, max_nodes: u64) -> Option<bool> {
        if let Status::Over(outcome) = after.status() {
            return Some(satisfies(outcome, self.owner, self.aim));
        }
        match self.aim {
            Aim::Win => self.source.has_value(after, Value::Loss, max_nodes),
            Aim::Hold => Some(!self.source.has_value(after, Value::Win, max_nodes)?),
        }
    }

    fn allows_leaves(&self, state: &State) -> bool {
        self.aim == Aim::Hold && state.rules().is_mnk()
    }

    /// Returns a leaf for a position in which the opponent is to move.
    fn leaf(&self, state: &State) -> Option<Leaf> {
        let position = state.position().filter(|_| self.allows_leaves(state))?;
        if leaf::check(&Leaf::Weight, state, self.owner).is_ok() {
            return Some(Leaf::Weight);
        }
        let leaf = Leaf::Pairs(pairs(position, self.owner)?);
        leaf::check(&leaf, state, self.owner).is_ok().then_some(leaf)
    }

    /// Estimates the number of entries needed after a move of the owner: one for each reply that a weight closes, and more for
    /// each other reply that needs an entry.
    ///
    /// If lines win, ties are broken in favour of heavy lines of the owner. Without this, the certificate of 6,6,4 has 52,528
    /// entries instead of 2,003, because quiet moves make no progress.
    fn cost(&self, after: &State) -> (usize, Reverse<Option<Weight>>) {
        let wants_lines = |position: &&Position| position.rules().goal() == Goal::Complete;
        let own_weight = after.position().filter(wants_lines).map(|position| weight(position, !self.owner));
        let mut seen = HashSet::new();
        let open = after.moves().filter_map(|mv| after.after(mv).ok()).filter_map(|reply| {
            // Most replies need no entry; checking this first avoids computing their canonical forms.
            let needs_entry = !needs_no_entry(&reply, self.owner, self.aim);
            let canonical = needs_entry.then(|| reply.canonical())?;
            let marks = StateMarks::new(&canonical);
            let is_new = !self.known.contains(&marks) && seen.insert(marks);
            is_new.then_some(canonical)
        });
        (open.map(|reply| self.cost_of_reply(&reply)).sum(), Reverse(own_weight))
    }

    fn cost_of_reply(&self, reply: &State) -> usize {
        const OPEN: usize = 8;
        let Some(position) = reply.position().filter(|_| self.allows_leaves(reply)) else { return OPEN };
        let is_light = |mv| position.after(mv).is_ok_and(|after| weight(&after, self.owner).is_light());
        if position.moves().any(is_light) { 1 } else { OPEN }
    }
}

/// Returns pairs by which `owner` holds, or `None` if none are found.
pub(super) fn pairs(position: &Position, owner: Player) -> Option<Box<[[Square; 2]]>> {
    /// Most pairings are found after a few tries.
    const MAX_TRIES: u32 = 400;
    let lines: Vec<u64> = open_lines(position, !owner).map(|(_, empty)| empty.bits()).collect();
    let as_squares = |pair: u64| {
        let mut squares = SquareSet::from_bits(pair).iter();
        Some([squares.next()?, squares.next()?])
    };
    find_pairing(&lines, MAX_TRIES)?.into_iter().map(as_squares).collect()
}

/// Returns the moves that lead to positions different up to symmetry, each with its position.
fn candidates(state: &State) -> Vec<CandidateMove> {
    let mut seen = HashSet::new();
    let after = |mv| Some((mv, state.after(mv).ok()?));
    let is_new = |(_, after): &CandidateMove| seen.insert(StateMarks::new(&after.canonical()));
    state.moves().filter_map(after).filter(is_new).collect()
}
