//! Making a certificate: an oracle says which moves keep a value, and the strategy is written down.
//!
//! Nothing here is trusted: whatever is made can be checked.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::error::Error;
use std::fmt;

use super::leaf::{self, Weight, has_leaves, open_lines, weight};
use super::state::Written;
use super::verify::{decides_itself, satisfies};
use super::{Aim, Certificate, Entry, Leaf, State, Step, Strategy, needed, pairing};
use crate::mark::Player;
use crate::moves::Move;
use crate::notakto::Boards;
use crate::position::{Position, Status};
use crate::rules::Goal;
use crate::solve::Value;

/// How far the making of a certificate may go.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The largest number of entries, of both strategies together.
    pub max_entries: usize,
    /// Asked before each entry; where it returns true, the work ends.
    pub stop: &'a dyn Fn() -> bool,
}

/// Why no certificate was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProof {
    /// It would have more entries than this.
    TooLarge(usize),
    /// It was stopped.
    Stopped,
    /// The oracle could not tell the value of this position, or of any move of it that keeps the value.
    Unknown(String),
    /// The oracle contradicts itself: no move in this position keeps the value that it gave.
    Contradiction(String),
}

impl Certificate {
    /// Returns a certificate of the value that `oracle` gives to `start`.
    ///
    /// The oracle says what perfect play brings the player to move, or `None` where it cannot tell; it is asked about
    /// positions that follow `start`, also about finished ones. The same oracle gives the same certificate.
    ///
    /// ```
    /// use tictac::certificate::{Certificate, Limits};
    /// use tictac::solve::{Question, Solver};
    /// use tictac::{Position, Rules};
    ///
    /// let mut solver = Solver::new(&Rules::CLASSIC, 1 << 20);
    /// let limits = Limits { max_entries: 1000, stop: &|| false };
    /// let certificate = Certificate::prove(
    ///     &Position::default(),
    ///     |position| solver.solve(position, Question::Weak, &|| false).value(),
    ///     limits,
    /// )?;
    /// assert!(certificate.verify().is_ok());
    /// # Ok::<(), tictac::certificate::NoProof>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the reason, and no part of a proof, where a limit is reached or the oracle does not help.
    pub fn prove(
        start: &Position,
        mut oracle: impl FnMut(&Position) -> Option<Value>,
        limits: Limits<'_>,
    ) -> Result<Certificate, NoProof> {
        let mut ask = |state: &State| match state {
            State::One(position) => oracle(position),
            State::Many(_) => None,
        };
        prove(&State::One(*start), &mut ask, limits)
    }

    /// Returns a certificate of the value that `oracle` gives to several boards.
    ///
    /// It lists multisets of boards, so it is small only for few boards.
    ///
    /// # Errors
    ///
    /// Returns the reason, and no part of a proof, where a limit is reached or the oracle does not help.
    pub fn prove_boards(
        start: &Boards,
        mut oracle: impl FnMut(&Boards) -> Option<Value>,
        limits: Limits<'_>,
    ) -> Result<Certificate, NoProof> {
        // The text of one board is that of a position.
        let one = |boards: &Boards| Position::parse(&boards.to_string(), boards.rules()).ok();
        if let (1, Some(position)) = (start.boards().len(), one(start)) {
            let several = |position: &Position| Boards::parse(&position.to_string(), start.rules()).ok();
            return Certificate::prove(&position, |position| oracle(&several(position)?), limits);
        }
        let mut ask = |state: &State| match state {
            State::Many(boards) => oracle(boards),
            State::One(_) => None,
        };
        prove(&State::Many(start.clone()), &mut ask, limits)
    }
}

/// The lines of a certificate before its first strategy.
const HEADING_LINES: usize = 4;

fn prove(start: &State, oracle: Oracle<'_>, limits: Limits<'_>) -> Result<Certificate, NoProof> {
    let value = oracle(start).ok_or_else(|| NoProof::Unknown(start.to_string()))?;
    let mut strategies: Vec<Strategy> = Vec::new();
    for (owner, aim) in needed(start, value) {
        let n_entries: usize = strategies.iter().map(Strategy::n_entries).sum();
        let line = HEADING_LINES + strategies.len() + n_entries + 1;
        let mut plan = Plan {
            owner,
            aim,
            oracle,
            limits,
            n_entries,
            known: HashSet::new(),
            to_choose: vec![],
            steps: vec![],
        };
        plan.make(start)?;
        let entry = |(line, (written, step))| Entry { line, written, step };
        let entries = (line + 1..).zip(plan.steps).map(entry).collect();
        strategies.push(Strategy { owner, aim, line, entries });
    }
    Ok(Certificate { start: start.clone(), value, value_line: HEADING_LINES, strategies })
}

type Oracle<'a> = &'a mut dyn FnMut(&State) -> Option<Value>;

/// A strategy in the making.
struct Plan<'a> {
    owner: Player,
    aim: Aim,
    oracle: Oracle<'a>,
    limits: Limits<'a>,
    /// How many entries the strategies before this one have.
    n_entries: usize,
    /// The canonical positions that have an entry or will have one.
    known: HashSet<Written>,
    to_choose: Vec<State>,
    steps: Vec<(Written, Step)>,
}

/// A move, and the position after it.
type Candidate = (Move, State);

/// Of so many moves that keep the value the one with the least to write down is chosen; more would cost more time than
/// they save lines.
const MAX_COMPARED: usize = 8;

impl Plan<'_> {
    fn make(&mut self, start: &State) -> Result<(), NoProof> {
        self.reach(start)?;
        while let Some(state) = self.to_choose.pop() {
            let step = self.choose(&state)?;
            if let Step::Move(mv) = step {
                let after = state.after(mv).expect("a chosen move is legal");
                self.reach_all(&after)?;
            }
            self.add(state.written(), step)?;
        }
        Ok(())
    }

    fn add(&mut self, written: Written, step: Step) -> Result<(), NoProof> {
        if self.n_entries + self.steps.len() >= self.limits.max_entries {
            return Err(NoProof::TooLarge(self.limits.max_entries));
        }
        if (self.limits.stop)() {
            return Err(NoProof::Stopped);
        }
        self.steps.push((written, step));
        Ok(())
    }

    /// Sees to it that a position has an entry, if it needs one.
    fn reach(&mut self, state: &State) -> Result<(), NoProof> {
        let state = state.canonical();
        if self.is_settled(&state) {
            return Ok(());
        }
        match state.status() {
            Status::Over(_) => Err(NoProof::Contradiction(state.to_string())),
            Status::ToMove(player) if player == self.owner => {
                self.known.insert(state.written());
                self.to_choose.push(state);
                Ok(())
            }
            Status::ToMove(_) => match self.leaf(&state) {
                Some(leaf) => self.add(state.written(), Step::Close(None, leaf)),
                None => self.reach_all(&state),
            },
        }
    }

    /// Sees to it that every reply has an entry; the first reply is the next one to be looked at.
    fn reach_all(&mut self, state: &State) -> Result<(), NoProof> {
        let replies: Vec<Candidate> = candidates(state);
        replies.iter().rev().try_for_each(|(_, reply)| self.reach(reply))
    }

    fn is_settled(&self, canonical: &State) -> bool {
        self.known.contains(&canonical.written()) || decides_itself(canonical, self.owner, self.aim)
    }

    /// Returns what to do in a position of the owner's that does not decide itself.
    fn choose(&mut self, state: &State) -> Result<Step, NoProof> {
        let mut candidates = candidates(state);
        if self.has_leaves(state) {
            candidates
                .sort_by_cached_key(|(_, after)| one_board(after).map(|after| weight(after, self.owner)));
            let closing = candidates.iter().find_map(|(mv, after)| Some((*mv, self.leaf(after)?)));
            if let Some((mv, leaf)) = closing {
                return Ok(Step::Close(Some(mv), leaf));
            }
        } else {
            candidates.sort_by_cached_key(|(_, after)| self.cost(after));
        }
        let mut kept: Vec<Candidate> = Vec::new();
        let mut is_unknown = false;
        // Where candidates are sorted by their cost, the first is the best.
        let n_compared = if self.has_leaves(state) { MAX_COMPARED } else { 1 };
        for candidate in candidates {
            match self.keeps(&candidate.1) {
                Some(true) => kept.push(candidate),
                Some(false) => {}
                None => is_unknown = true,
            }
            if kept.len() == n_compared {
                break;
            }
        }
        match kept.iter().min_by_key(|(_, after)| self.cost(after)) {
            Some(&(mv, _)) => Ok(Step::Move(mv)),
            None if is_unknown => Err(NoProof::Unknown(state.to_string())),
            None => Err(NoProof::Contradiction(state.to_string())),
        }
    }

    /// Returns whether the owner's aim can still be reached in a position that he has moved to.
    fn keeps(&mut self, after: &State) -> Option<bool> {
        if let Status::Over(outcome) = after.status() {
            return Some(satisfies(outcome, self.owner, self.aim));
        }
        let value = (self.oracle)(after)?;
        Some(match self.aim {
            Aim::Win => value == Value::Loss,
            Aim::Hold => value != Value::Win,
        })
    }

    fn has_leaves(&self, state: &State) -> bool {
        self.aim == Aim::Hold && one_board(state).is_some_and(has_leaves)
    }

    /// Returns a leaf that closes a position in which the other player is to move.
    fn leaf(&self, state: &State) -> Option<Leaf> {
        let position = one_board(state).filter(|_| self.has_leaves(state))?;
        if leaf::check(&Leaf::Weight, state, self.owner).is_ok() {
            return Some(Leaf::Weight);
        }
        let lines: Vec<_> = open_lines(position, !self.owner).map(|(_, empty)| empty).collect();
        let leaf = Leaf::Pairs(pairing::find(&lines)?.into());
        leaf::check(&leaf, state, self.owner).is_ok().then_some(leaf)
    }

    /// Estimates how much there is to write down after a move of the owner's: the replies that need an entry, and much
    /// more for each that no weight closes. Between equals heavy lines of his own are better, where a line wins: without
    /// them quiet moves drift, and the certificate of 6,6,4 has 52,528 entries instead of 2,003.
    fn cost(&self, after: &State) -> (usize, Reverse<Option<Weight>>) {
        let wants_lines = |position: &&Position| position.rules().goal() == Goal::Complete;
        let chances = one_board(after).filter(wants_lines).map(|position| weight(position, !self.owner));
        let mut seen = HashSet::new();
        let open = after.moves().filter_map(|mv| after.after(mv).ok()).filter_map(|reply| {
            // Most replies decide themselves, and that is seen before the costly look at symmetries.
            let needs_entry = !decides_itself(&reply, self.owner, self.aim);
            let canonical = needs_entry.then(|| reply.canonical())?;
            let is_new = seen.insert(canonical.written()) && !self.known.contains(&canonical.written());
            is_new.then_some(canonical)
        });
        (open.map(|reply| self.cost_of_reply(&reply)).sum(), Reverse(chances))
    }

    fn cost_of_reply(&self, reply: &State) -> usize {
        const OPEN: usize = 8;
        let Some(position) = one_board(reply).filter(|_| self.has_leaves(reply)) else { return OPEN };
        let is_light = |mv| position.after(mv).is_ok_and(|after| weight(&after, self.owner).is_light());
        if position.moves().any(is_light) { 1 } else { OPEN }
    }
}

/// The moves that lead to positions which differ by more than a symmetry, each with the position it leads to.
fn candidates(state: &State) -> Vec<Candidate> {
    let mut seen = HashSet::new();
    let after = |mv| Some((mv, state.after(mv).ok()?));
    let is_new = |(_, after): &Candidate| seen.insert(after.canonical().written());
    state.moves().filter_map(after).filter(is_new).collect()
}

const fn one_board(state: &State) -> Option<&Position> {
    match state {
        State::One(position) => Some(position),
        State::Many(_) => None,
    }
}

impl fmt::Display for NoProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoProof::TooLarge(max) => {
                write!(f, "the certificate is too large: it needs more than {max} entries")
            }
            NoProof::Stopped => f.write_str("the making of the certificate was stopped"),
            NoProof::Unknown(position) => write!(f, "the value of {position} or of its moves is not known"),
            NoProof::Contradiction(position) => {
                write!(f, "the values given contradict each other: no move of {position} keeps its value")
            }
        }
    }
}

impl Error for NoProof {}
