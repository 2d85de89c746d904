//! The check of a blocking strategy, in bounded memory.
//!
//! Entries are listed by their number of empty squares, most first, and an entry leads only to positions with fewer. So when an
//! entry is read, all that lead to it have been read: the check remembers only the positions that were reached and have no
//! entry yet.

use std::collections::HashSet;
use std::sync::Arc;

use crate::blocking::{BlockingAnswers, BlockingGrid, BlockingPosition};
use crate::verify::{Refuted, refuted};
use crate::{State, Strategy, StrategyPlan};
use tictac::{Mark, Rules, Square, SquareSet, Status};

/// The answers in a position of a blocking strategy and in all its symmetric images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockingEntry {
    pub(crate) line: usize,
    pub(crate) position: BlockingPosition,
    pub(crate) answers: BlockingAnswers,
}

/// Entries of a blocking strategy, which can be checked on any thread.
#[derive(Clone, Debug)]
pub struct BlockingBatch {
    pub(crate) board: BlockingBoard,
    pub(crate) entries: Vec<BlockingEntry>,
}

/// The lines of an opponent on a grid, as the entries of a blocking strategy see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockingBoard {
    rules: Rules,
    opponent: Mark,
    grid: Arc<BlockingGrid>,
}

/// Entries that hold if those do to which they lead.
#[derive(Clone, Debug)]
pub struct CheckedBatch(Vec<CheckedEntry>);

#[derive(Clone, Debug)]
struct CheckedEntry {
    line: usize,
    /// The position of the entry, up to symmetry.
    position: BlockingPosition,
    /// The positions that it leads to, up to symmetry.
    reached: Vec<BlockingPosition>,
}

impl BlockingBatch {
    /// Returns the number of entries.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the batch has no entries.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Splits the batch into about `n` batches of equal length, in the same order.
    pub fn split(mut self, n: usize) -> Vec<BlockingBatch> {
        let length = self.len().div_ceil(n.max(1)).max(1);
        let mut parts = Vec::new();
        while self.len() > length {
            let rest = self.entries.split_off(length);
            parts.push(BlockingBatch {
                entries: std::mem::replace(&mut self.entries, rest),
                board: self.board.clone(),
            });
        }
        parts.push(self);
        parts
    }

    /// Checks every entry on its own.
    ///
    /// # Errors
    ///
    /// Returns the first flaw.
    pub fn check(&self) -> Result<CheckedBatch, Refuted> {
        self.entries.iter().map(|entry| self.board.check(entry)).collect::<Result<_, _>>().map(CheckedBatch)
    }
}

impl BlockingBoard {
    /// Returns the board on which `opponent` is prevented from completing a line.
    pub fn new(rules: &Rules, opponent: Mark) -> BlockingBoard {
        BlockingBoard { rules: *rules, opponent, grid: Arc::new(BlockingGrid::new(rules)) }
    }

    /// Returns a position as one of its images under the symmetries, without what does not matter in it.
    pub fn normal(&self, position: BlockingPosition) -> BlockingPosition {
        self.grid.canonical(self.grid.reduced(position))
    }

    /// Returns the number of edges through a square.
    pub fn n_edges_through(&self, position: BlockingPosition, square: Square) -> usize {
        self.grid.edges(position).n_through(square)
    }

    fn refuted(&self, line: usize, position: BlockingPosition, why: impl Into<String>) -> Refuted {
        Refuted { line, position: position.text(&self.rules, self.opponent), why: why.into() }
    }

    fn check(&self, entry: &BlockingEntry) -> Result<CheckedEntry, Refuted> {
        let &BlockingEntry { line, position, ref answers } = entry;
        let flaw = |why: String| self.refuted(line, position, why);
        let name = |square: Square| self.rules.grid().name(square);
        let reduced = self.grid.reduced(position);
        if reduced != position {
            let reduced = reduced.text(&self.rules, self.opponent);
            return Err(flaw(format!("some of its squares do not matter: write {reduced}")));
        }
        let edges = self.grid.edges(position);
        let mut answered = SquareSet::EMPTY;
        for pairing in &answers.pairings {
            let mut free = position.empty;
            for &square in [pairing.square].iter().chain(pairing.pairs.iter().flatten()) {
                if !free.contains(square) {
                    let square = name(square);
                    return Err(flaw(format!(
                        "{square} is not empty or named before: an answer and its pairs must be empty and disjoint"
                    )));
                }
                free = free.without(square);
            }
            answered |= edges.answered_by(pairing, position.empty);
        }
        let mut reached = Vec::with_capacity(answers.moves.len());
        let mut moves = SquareSet::EMPTY;
        for &[reply, answer] in &answers.moves {
            if reply == answer || ![reply, answer].iter().all(|&square| position.empty.contains(square)) {
                let [reply, answer] = [reply, answer].map(name);
                return Err(flaw(format!("{reply} and {answer} must be two empty squares")));
            }
            if moves.contains(reply) {
                return Err(flaw(format!("the move {} is named twice", name(reply))));
            }
            moves = moves.with(reply);
            let after = position.after([reply, answer]);
            if self.grid.edges(after).have_line() {
                return Err(flaw(format!("{} completes a line", name(reply))));
            }
            reached.push(self.normal(after));
        }
        match (edges.moves_to_answer() - answered - moves).first() {
            Some(square) => Err(flaw(format!("there is no answer to {}", name(square)))),
            None => Ok(CheckedEntry { line, position: self.grid.canonical(position), reached }),
        }
    }
}

/// The progress of checking a blocking strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockingProgress {
    pub(crate) board: BlockingBoard,
    /// The line of the strategy's heading.
    line: usize,
    /// The positions that were reached and have no entry yet, up to symmetry.
    pending: HashSet<BlockingPosition>,
    /// The largest number of empty squares of the next entry.
    max_empty: usize,
}

impl BlockingProgress {
    /// Starts the check of a strategy, which must block.
    pub(crate) fn new(start: &State, strategy: &Strategy) -> Result<BlockingProgress, Refuted> {
        let Strategy { owner, line, ref plan, .. } = *strategy;
        let flaw = |why: &str| refuted(line, start, why);
        let position = start.position().filter(|position| position.rules().is_mnk());
        let (Some(position), Some(opponent)) = (position, start.mark_of(!owner)) else {
            return Err(flaw(
                "blocking requires one board, a different mark for each player, and lines that win",
            ));
        };
        let first = match plan {
            StrategyPlan::Blocks(plan) => plan.first,
            StrategyPlan::Moves(_) | StrategyPlan::Copies => None,
        };
        let mut blocking =
            BlockingPosition { marks: position.board().squares(opponent), empty: position.empty_squares() };
        match (position.status(), first) {
            (Status::Over(_), _) => return Err(flaw("the game is over: there is nothing to block")),
            (Status::ToMove(player), None) if player == owner => {
                return Err(flaw("the owner is to move: the heading needs a square"));
            }
            (Status::ToMove(player), Some(_)) if player != owner => {
                return Err(flaw("the owner is not to move: the heading needs no square"));
            }
            (Status::ToMove(_), Some(square)) if !blocking.empty.contains(square) => {
                return Err(flaw("the square of the heading is not empty"));
            }
            (Status::ToMove(_), first) => {
                blocking.empty = first.map_or(blocking.empty, |square| blocking.empty.without(square));
            }
        }
        let board = BlockingBoard::new(position.rules(), opponent);
        let pending = HashSet::new();
        let mut progress = BlockingProgress { board, line, pending, max_empty: SquareSet::CAPACITY };
        progress.reach(progress.board.normal(blocking));
        Ok(progress)
    }

    fn reach(&mut self, position: BlockingPosition) {
        // A position without edges holds.
        if !position.empty.is_empty() {
            self.pending.insert(position);
        }
    }

    /// Records entries that have been checked, in the order of their lines.
    pub(crate) fn accept(&mut self, batch: CheckedBatch) -> Result<(), Refuted> {
        for CheckedEntry { line, position, reached } in batch.0 {
            if position.empty.len() > self.max_empty {
                return Err(self.board.refuted(
                    line,
                    position,
                    "entries must be listed by their number of empty squares, most first",
                ));
            }
            self.max_empty = position.empty.len();
            if !self.pending.remove(&position) {
                return Err(self.board.refuted(
                    line,
                    position,
                    "no entry before leads to this position, or it has an entry already",
                ));
            }
            for position in reached {
                self.reach(position);
            }
        }
        Ok(())
    }

    /// Checks that every position that was reached has an entry.
    pub(crate) fn finish(&self) -> Result<(), Refuted> {
        match self.pending.iter().min() {
            Some(&missing) => {
                Err(self.board.refuted(self.line, missing, "no entry for this position or an image of it"))
            }
            None => Ok(()),
        }
    }
}
