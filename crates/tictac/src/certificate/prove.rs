//! Construction of certificates from the values of positions, given by an oracle.
//!
//! The checker does not rely on this module: it verifies every certificate from its text.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::error::Error;
use std::fmt;

use super::leaf::{self, Weight, open_lines, weight};
use super::verify::{needs_no_entry, satisfies};
use super::{
    Aim, Certificate, EntryAction, Leaf, State, StateMarks, Strategy, StrategyEntry, required_strategies,
};
use crate::mark::Player;
use crate::moves::Move;
use crate::position::{Position, Status};
use crate::rules::Goal;
use crate::solve::{Value, find_pairing};
use crate::square::{Square, SquareSet};

/// Limits of the construction of a certificate.
#[derive(Clone, Copy)]
pub struct ProofLimits<'a> {
    /// The largest number of entries of all strategies together.
    pub max_entries: usize,
    /// Called before each entry; returns true to stop the construction.
    pub stop: &'a dyn Fn() -> bool,
}

/// The reason why no certificate was constructed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProof {
    /// The certificate would have more entries than this number.
    TooLarge(usize),
    /// The construction was stopped.
    Stopped,
    /// The oracle does not know the value of this position, or of a move that keeps the value.
    Unknown(String),
    /// The oracle contradicts itself: no move in this position keeps the value that it returned.
    Contradiction(String),
}

impl Certificate {
    /// Returns a certificate of the value that `oracle` gives to `start`.
    ///
    /// The oracle returns the value for the player to move, or `None` if it does not know the value. It is called for `start`
    /// and states that follow, including finished ones. The same oracle gives the same certificate. The certificate of
    /// several boards lists multisets of boards, so it is small only for a few boards.
    ///
    /// ```
    /// use tictac::certificate::{Certificate, ProofLimits};
    /// use tictac::solve::{Oracle, Question};
    /// use tictac::{Rules, State};
    ///
    /// let mut oracle = Oracle::new(&Rules::CLASSIC, 1 << 20);
    /// let certificate = Certificate::prove(
    ///     &State::start(&Rules::CLASSIC),
    ///     |state| oracle.solve(state, Question::Weak, &|| false).value(),
    ///     ProofLimits { max_entries: 1000, stop: &|| false },
    /// )?;
    /// assert!(certificate.verify().is_ok());
    /// # Ok::<(), tictac::certificate::NoProof>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached, or if the oracle does not know a value or contradicts itself.
    pub fn prove(
        start: &State,
        mut oracle: impl FnMut(&State) -> Option<Value>,
        limits: ProofLimits<'_>,
    ) -> Result<Certificate, NoProof> {
        let start = &with_single_board_as_position(start);
        let value = oracle(start).ok_or_else(|| NoProof::Unknown(start.to_string()))?;
        Certificate::prove_value(start, value, |state, value, _| Some(oracle(state)? == value), limits)
    }

    /// Returns a certificate of `value`, the value of `start`.
    ///
    /// `has_value` returns whether a state in which the game is not over has a value for the player to move, or `None` if it does
    /// not know; its last argument is the number of nodes that it may search before it gives up, 0 for none. The construction asks for
    /// moves that keep the value with small numbers first: [`Oracle::with_tables`](crate::solve::Oracle::with_tables), which
    /// has proved the value of `start`, finds most of them in its tables.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached, or if `has_value` does not know a value or contradicts itself.
    pub fn prove_value(
        start: &State,
        value: Value,
        mut has_value: impl FnMut(&State, Value, u64) -> Option<bool>,
        limits: ProofLimits<'_>,
    ) -> Result<Certificate, NoProof> {
        let start = &with_single_board_as_position(start);
        let mut strategies: Vec<Strategy> = Vec::new();
        for (owner, aim) in required_strategies(start, value) {
            let n_entries: usize = strategies.iter().map(Strategy::n_entries).sum();
            let line = HEADING_LINES + strategies.len() + n_entries + 1;
            let mut builder = StrategyBuilder {
                owner,
                aim,
                has_value: &mut has_value,
                limits,
                n_entries,
                known: HashSet::new(),
                pending: vec![],
                actions: vec![],
            };
            builder.build(start)?;
            let entry = |(line, (marks, action))| StrategyEntry { line, marks, action };
            let entries = (line + 1..).zip(builder.actions).map(entry).collect();
            strategies.push(Strategy { owner, aim, line, entries });
        }
        Ok(Certificate { start: start.clone(), value, value_line: HEADING_LINES, strategies })
    }
}

/// Returns the state that the text of a certificate is parsed into, in which a single board is a position.
fn with_single_board_as_position(state: &State) -> State {
    match state {
        State::Many(boards) if boards.boards().len() == 1 => {
            State::parse(&boards.to_string(), boards.rules()).expect("the text of a state can be parsed")
        }
        _ => state.clone(),
    }
}

/// The number of lines of a certificate before its first strategy.
const HEADING_LINES: usize = 4;

/// A strategy under construction.
struct StrategyBuilder<'a> {
    owner: Player,
    aim: Aim,
    has_value: &'a mut dyn FnMut(&State, Value, u64) -> Option<bool>,
    limits: ProofLimits<'a>,
    /// The number of entries of earlier strategies.
    n_entries: usize,
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
        if self.n_entries + self.actions.len() >= self.limits.max_entries {
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
        match (self.has_value)(state, Value::Loss, max_nodes) {
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
            Aim::Win => (self.has_value)(after, Value::Loss, max_nodes),
            Aim::Hold => Some(!(self.has_value)(after, Value::Win, max_nodes)?),
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

impl fmt::Display for NoProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoProof::TooLarge(max) => {
                write!(f, "the certificate needs more than {max} entries")
            }
            NoProof::Stopped => f.write_str("the construction of the certificate was stopped"),
            NoProof::Unknown(position) => write!(f, "the value of {position} or of its moves is not known"),
            NoProof::Contradiction(position) => {
                write!(f, "contradictory values: no move of {position} keeps its value")
            }
        }
    }
}

impl Error for NoProof {}
