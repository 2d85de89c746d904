//! The checker, which follows each strategy against every reply.
//!
//! # Symmetry
//!
//! An entry applies to its position and to every image under the symmetries of the grid (with several boards: of each board,
//! and any order of the boards). A symmetry preserves legal moves, lines and outcomes, so a position and its images have the
//! same value. The checker therefore transforms no moves: it looks up the entry by the canonical form of a position and
//! continues from the position as written in the entry.
//!
//! # Order
//!
//! Entries are followed in any order, also by several threads: an entry leads only to positions with more marks. If the start and
//! the entries together lead to every entry, then every entry can be reached from the start, because otherwise one with the
//! fewest marks of those that cannot be reached would have to be reached from one with fewer marks.
//!
//! # Cost
//!
//! Each entry is followed once, however often it is reached. That takes one look-up per reply, and one per legal move of a
//! reply without an entry. Memory holds the entries and an index of them.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::blocking_check::{BlockingBatch, BlockingProgress};
use crate::leaf::{is_safe, wins_at_once};
use crate::text::{heading, player_name};
use crate::{Aim, Certificate, State, StateMarks, Strategy, StrategyEntry, StrategyPlan};
use tictac::{Outcome, Player, Status};

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
        let checked = self
            .start_check(stop)
            .and_then(|check| check.follow_part(0, 1, stop).and_then(|()| check.finish()));
        // A check that was stopped may have missed entries, so what it found counts for nothing.
        if stop() { Ok(false) } else { checked.map(|()| true) }
    }

    /// Starts a check whose parts can be done by several threads, as [`verify`](Certificate::verify) does by one.
    ///
    /// `stop` is called for every entry; a check that was stopped must not be used any more.
    ///
    /// ```
    /// # use tictac_proof::Certificate;
    /// # let text = b"tictac certificate 1\nrules 1,4,2\nstart .... X\nvalue win\nstrategy first wins\n.... X move X A2\nend\n";
    /// let certificate = Certificate::read(text)?;
    /// let check = certificate.start_check(&|| false)?;
    /// std::thread::scope(|scope| {
    ///     let parts = [0, 1].map(|part| scope.spawn({
    ///         let check = &check;
    ///         move || check.follow_part(part, 2, &|| false)
    ///     }));
    ///     parts.into_iter().try_for_each(|part| part.join().expect("the check does not panic"))
    /// })?;
    /// check.finish()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a flaw that was found before any entry was followed.
    pub fn start_check(&self, stop: &dyn Fn() -> bool) -> Result<ProofCheck<'_>, Refuted> {
        let found: Vec<(Player, Aim)> =
            self.strategies.iter().map(|strategy| (strategy.owner, strategy.aim)).collect();
        let required = Certificate::required(&self.start, self.value);
        if found != required {
            let headings: Vec<String> =
                required.into_iter().map(|(owner, aim)| heading(owner, aim)).collect();
            let why = format!("the value requires exactly these strategies: {}", headings.join(", "));
            return Err(refuted(self.value_line, &self.start, why));
        }
        let mut check = ProofCheck { checks: vec![], blocking: vec![] };
        for strategy in &self.strategies {
            match &strategy.plan {
                StrategyPlan::Moves(entries) => {
                    check.checks.push(StrategyCheck::new(&self.start, strategy, entries, stop)?);
                }
                StrategyPlan::Blocks(_) => check.blocking.push((&self.start, strategy)),
                StrategyPlan::Copies => self.check_copies(strategy)?,
            }
        }
        Ok(check)
    }

    /// Checks that the first player can follow the second player's strategy after any first move.
    fn check_copies(&self, strategy: &Strategy) -> Result<(), Refuted> {
        let [.., last] = &self.strategies[..] else { return Ok(()) };
        let can_copy = strategy.owner == Player::First && matches!(last.plan, StrategyPlan::Blocks(_));
        if can_copy && self.start.n_moves() == 0 {
            return Ok(());
        }
        let why =
            "only the first player copies, from the empty board, a second player's strategy that blocks";
        Err(refuted(strategy.line, &self.start, why))
    }
}

/// A check of a certificate in parts, from [`Certificate::start_check`].
///
/// The proof is correct if [`follow_part`](ProofCheck::follow_part) succeeds for all parts, and then
/// [`finish`](ProofCheck::finish) does.
#[derive(Debug)]
pub struct ProofCheck<'a> {
    checks: Vec<StrategyCheck<'a>>,
    /// The strategies that block, each with the start.
    blocking: Vec<(&'a State, &'a Strategy)>,
}

impl ProofCheck<'_> {
    /// Follows the start (in part 0) and the entries of one of `n_parts` parts, counted from 0.
    ///
    /// `stop` is called for every entry; once it returns `true`, the result counts for nothing.
    ///
    /// # Errors
    ///
    /// Returns the first flaw of the part.
    pub fn follow_part(&self, part: usize, n_parts: usize, stop: &dyn Fn() -> bool) -> Result<(), Refuted> {
        if part == 0 {
            self.blocking.iter().try_for_each(|(start, strategy)| check_blocking(start, strategy, stop))?;
        }
        self.checks.iter().try_for_each(|check| check.follow_part(part, n_parts, stop))
    }

    /// Checks that every entry has been reached, after all parts have been followed.
    ///
    /// # Errors
    ///
    /// Returns the first entry that has not been reached.
    pub fn finish(&self) -> Result<(), Refuted> {
        self.checks.iter().try_for_each(StrategyCheck::finish)
    }
}

/// Checks the entries of a strategy that blocks, those that were checked while they were read excepted.
fn check_blocking(start: &State, strategy: &Strategy, stop: &dyn Fn() -> bool) -> Result<(), Refuted> {
    let StrategyPlan::Blocks(plan) = &strategy.plan else { return Ok(()) };
    let mut progress = match &plan.progress {
        Some(progress) => progress.as_ref().clone(),
        None => BlockingProgress::new(start, strategy)?,
    };
    for entry in plan.entries.iter().take_while(|_| !stop()) {
        let batch = BlockingBatch { board: progress.board.clone(), entries: vec![entry.clone()] };
        progress.accept(batch.check()?)?;
    }
    progress.finish()
}

/// Returns whether the aim of `owner` is reached without an entry: the game has ended accordingly, the owner can win
/// immediately, or the owner cannot lose.
pub fn needs_no_entry(state: &State, owner: Player, aim: Aim) -> bool {
    match state.status() {
        Status::Over(outcome) => aim.is_reached_by(outcome, owner),
        Status::ToMove(player) => {
            (player == owner && wins_at_once(state, owner)) || (aim == Aim::Hold && is_safe(state, owner))
        }
    }
}

/// The progress of checking a strategy.
#[derive(Debug)]
struct StrategyCheck<'a> {
    start: &'a State,
    strategy: &'a Strategy,
    entries: &'a [StrategyEntry],
    /// The index of each entry by the canonical form of its position.
    index: HashMap<StateMarks, u32>,
    is_reached: Vec<AtomicBool>,
}

impl<'a> StrategyCheck<'a> {
    fn new(
        start: &'a State,
        strategy: &'a Strategy,
        entries: &'a [StrategyEntry],
        stop: &dyn Fn() -> bool,
    ) -> Result<StrategyCheck<'a>, Refuted> {
        let mut index = HashMap::with_capacity(entries.len());
        for (number, entry) in (0..).zip(entries).take_while(|_| !stop()) {
            let state = entry.marks.to_state(start);
            if let Some(earlier) = index.insert(StateMarks::new(&state.canonical()), number) {
                let line = entries[earlier as usize].line;
                let why = format!("line {line} has the same position or a symmetric image of it");
                return Err(refuted(entry.line, &state, why));
            }
        }
        let is_reached = entries.iter().map(|_| AtomicBool::new(false)).collect();
        Ok(StrategyCheck { start, strategy, entries, index, is_reached })
    }

    fn follow_part(&self, part: usize, n_parts: usize, stop: &dyn Fn() -> bool) -> Result<(), Refuted> {
        if part == 0 {
            self.reach(self.start, self.strategy.line)?;
        }
        // Neighbouring entries take similar times, so each part gets every n-th entry.
        let entries = self.entries.iter().skip(part).step_by(n_parts).take_while(|_| !stop());
        entries.into_iter().try_for_each(|entry| self.follow(entry, &entry.marks.to_state(self.start)))
    }

    fn finish(&self) -> Result<(), Refuted> {
        let mut entries = self.entries.iter().zip(&self.is_reached);
        match entries.find(|(_, is_reached)| !is_reached.load(Ordering::Relaxed)) {
            Some((entry, _)) => {
                let state = entry.marks.to_state(self.start);
                Err(refuted(entry.line, &state, "the strategy never reaches this position: remove the entry"))
            }
            None => Ok(()),
        }
    }

    /// Records that the entry at `line` leads to `state`.
    fn reach(&self, state: &State, line: usize) -> Result<(), Refuted> {
        let Strategy { owner, aim, .. } = *self.strategy;
        if let Some(&number) = self.index.get(&StateMarks::new(&state.canonical())) {
            self.is_reached[number as usize].store(true, Ordering::Relaxed);
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
    fn follow(&self, entry: &StrategyEntry, state: &State) -> Result<(), Refuted> {
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
            Some(leaf) => leaf.check(&after, owner).map_err(flaw),
        }
    }
}

pub(crate) fn refuted(line: usize, state: &State, why: impl Into<String>) -> Refuted {
    Refuted { line, position: state.to_string(), why: why.into() }
}
