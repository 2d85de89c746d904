//! Solving a position on several threads, within limits.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{bail, ensure};
use tictac::{Boards, Move, Position, State, Status};
use tictac_solver::{Answer, BoardsSolver, Question, SearchTables, Solver};

use super::checkpoint::Checkpoint;
use super::findings::Findings;
use super::limits::{PROGRAM_BYTES, SolveLimits};
use super::progress;
use super::proof::{Proof, prove_with};
use super::record::SearchRecord;
use crate::progress::DelayedBar;

pub(super) struct Search<'a> {
    pub(super) state: &'a State,
    pub(super) question: Question,
    pub(super) limits: &'a SolveLimits,
    pub(super) checkpoint: Option<Checkpoint>,
    /// Whether to construct a certificate with the tables of the search, if it finds the value of one board.
    pub(super) proves: bool,
}

/// The work on one position: the tables, the answers so far, and the progress line.
struct PositionSearch<'a> {
    position: &'a Position,
    question: Question,
    limits: &'a SolveLimits,
    tables: SearchTables,
    record: SearchRecord,
    progress: Option<DelayedBar>,
}

/// Boards of up to this many squares are solved on one thread, without a progress line.
const SMALL_SQUARES: usize = 12;

/// The memory of a quotient or of distances of several boards.
const BOARDS_BYTES: usize = 50_000_000;

/// Time limit for finding best play when all values are known.
const LINE_TIME: Duration = Duration::from_secs(2);

impl Search<'_> {
    /// Solves the position, or stops at a limit, and returns what was found.
    pub(super) fn run(mut self) -> anyhow::Result<(Findings, Proof)> {
        match self.state {
            State::One(position) => match position.status() {
                Status::Over(_) => {
                    let answer = Solver::new(position.rules(), 0).solve(position, self.question, &|| false);
                    Ok((Findings::of_answer(self.state.clone(), self.question, answer), None))
                }
                Status::ToMove(_) => self.one(position),
            },
            State::Many(boards) => Ok((self.many(boards)?, None)),
        }
    }

    fn one(&mut self, position: &Position) -> anyhow::Result<(Findings, Proof)> {
        let (question, limits) = (self.question, self.limits);
        let is_small = position.rules().grid().len() <= SMALL_SQUARES;
        let n_threads = if is_small { 1 } else { limits.n_threads };
        let tables = SearchTables::new(position.rules(), limits.memory, n_threads, question);
        let record = match &mut self.checkpoint {
            Some(checkpoint) => SearchRecord::new(checkpoint.load(&tables)?),
            None => SearchRecord::default(),
        };
        let progress = (!is_small).then(|| progress::start(&limits.meter, self.state, &record));
        let search = PositionSearch { position, question, limits, tables, record, progress };
        let progress = search.progress.as_deref();
        let mut proof = None;
        let mut work = || {
            let found = search.run(self.state);
            let value = found.answer.value().filter(|_| self.proves);
            proof = value.map(|value| prove_with(&search.tables, self.state, value, limits, progress));
            found
        };
        let found = match &self.checkpoint {
            Some(checkpoint) => checkpoint.keep(&search.tables, &search.record, limits, progress, work),
            None => work(),
        };
        keep_until_exit(search.tables);
        Ok((found, proof))
    }

    fn many(&self, boards: &Boards) -> anyhow::Result<Findings> {
        ensure!(
            self.limits.memory >= BOARDS_BYTES,
            "--memory must be at least {}MB for several boards",
            (BOARDS_BYTES + PROGRAM_BYTES) / 1_000_000
        );
        let stop = || self.limits.are_reached();
        let findings = |answer| {
            let findings = Findings::of_answer(self.state.clone(), self.question, answer);
            Findings { elapsed: self.limits.elapsed(), ..findings }
        };
        let solver = match BoardsSolver::prepare(boards.rules(), self.limits.memory - BOARDS_BYTES, &stop) {
            Ok(solver) => solver,
            Err(_) if stop() => return Ok(findings(Answer::UNKNOWN)),
            Err(reason) => bail!("several boards of {} cannot be solved: {reason}", boards.rules()),
        };
        let answer = solver.solve(boards, self.question, &stop);
        let (moves, line) = match self.question {
            Question::Strong => {
                (solver.moves(boards, self.question, &stop), solver.principal_line(boards, &stop))
            }
            Question::Weak => (Vec::new(), Vec::new()),
        };
        let why = solver.quotient().map(|quotient| quotient.explain(boards.boards()));
        let found = Findings { moves, line, why, method: solver.method(), ..findings(answer) };
        keep_until_exit(solver);
        Ok(found)
    }
}

impl PositionSearch<'_> {
    fn run(&self, state: &State) -> Findings {
        let is_small = self.progress.is_none();
        let mut found = Findings::of_answer(state.clone(), self.question, Answer::UNKNOWN);
        // Who wins is known long before the values of all moves; find it first in case a limit is reached.
        if self.question == Question::Weak || !is_small {
            (found.method, found.nodes) = self.find_winner();
        }
        found.answer = self.record.root();
        if self.question == Question::Strong {
            let (moves, mut solvers) = self.split();
            found.answer = combined(&moves, found.answer);
            found.line = self.line(&found.answer, &moves, &mut solvers);
            found.moves = moves;
            found.method = solvers.first().map_or(found.method, Solver::method);
            found.nodes += solvers.iter().map(Solver::nodes).sum::<u64>();
            keep_until_exit(solvers);
        }
        Findings { elapsed: self.limits.elapsed(), ..found }
    }

    /// Finds who wins, with solvers on all threads that share what they prove; the first to succeed stops the others. Returns
    /// the method and the number of nodes.
    fn find_winner(&self) -> (&'static str, u64) {
        let team = self.tables.team();
        let method = team[0].method();
        if self.record.root().value().is_some() {
            return (method, 0);
        }
        let decided = AtomicBool::new(false);
        let run = |solver: Solver| {
            let mut solver = solver.with_meter(Arc::clone(&self.limits.meter));
            let stop = || decided.load(Ordering::Relaxed) || self.limits.are_reached();
            let answer = solver.solve(self.position, Question::Weak, &stop);
            self.record
                .add_root(Answer { proven: answer.proven && self.question == Question::Weak, ..answer });
            if answer.proven {
                decided.store(true, Ordering::Relaxed);
            }
            solver
        };
        let team = in_parallel(team, run);
        let nodes = team.iter().map(Solver::nodes).sum();
        if self.question == Question::Weak || self.limits.are_reached() {
            keep_until_exit(team);
        }
        (method, nodes)
    }

    /// Solves the position after every move, and returns the values and the solvers that found them; each thread takes the next one that is not yet taken.
    fn split(&self) -> (Vec<(Move, Answer)>, Vec<Solver>) {
        let (moves, groups) = move_groups(self.position);
        let next = AtomicUsize::new(0);
        let work = |solver: Solver| {
            let mut solver = solver.with_meter(Arc::clone(&self.limits.meter));
            loop {
                let group = next.fetch_add(1, Ordering::Relaxed);
                let Some(after) = groups.get(group) else { return solver };
                if self.limits.are_reached() {
                    return solver;
                }
                if let Some(progress) = &self.progress {
                    progress.set_prefix(format!("move {} of {}", group + 1, groups.len()));
                }
                if !self.record.move_group(group).proven {
                    let stop = || self.limits.are_reached();
                    let answer = solver.solve(after, self.question, &stop).for_mover();
                    self.record.add_move_group(group, groups.len(), answer);
                }
            }
        };
        let solvers = in_parallel(self.tables.solvers(), work);
        let moves = moves.into_iter().map(|(mv, group)| (mv, self.record.move_group(group))).collect();
        (moves, solvers)
    }

    /// Returns best play to the end, as far as it is found within `LINE_TIME`.
    fn line(&self, answer: &Answer, moves: &[(Move, Answer)], solvers: &mut [Solver]) -> Vec<Move> {
        let is_best = |reply: &Answer| reply.worst == answer.worst && reply.distance == answer.distance;
        let best = moves.iter().find(|(_, reply)| is_best(reply)).filter(|_| answer.proven);
        let Some(&(first, _)) = best else { return Vec::new() };
        let deadline = self.limits.elapsed() + LINE_TIME;
        let stop = || self.limits.elapsed() >= deadline || self.limits.are_reached();
        let after = self.position.after(first).expect("a move from `moves` is legal");
        // Each solver may have filled another table of positions, so each may find another part of the line.
        let rest = solvers.iter_mut().map(|solver| solver.principal_line(&after, &stop)).max_by_key(Vec::len);
        [vec![first], rest.unwrap_or_default()].concat()
    }
}

/// Does each piece of work on its own thread; a single piece on the current thread, which is faster for small boards.
///
/// The result of a thread that panics is missing; those of the others are still valid.
fn in_parallel<T: Send, R: Send>(mut pieces: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    if pieces.len() == 1 {
        return pieces.pop().map(work).into_iter().collect();
    }
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = pieces.into_iter().map(|piece| scope.spawn(move || work(piece))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

/// Leaves it to the end of the process to free memory: freeing a gigabyte takes a hundred milliseconds, and a stop ten.
pub(super) fn keep_until_exit<T>(memory: T) {
    mem::forget(memory);
}

/// Groups the moves of a position by the position up to symmetry that they lead to; returns the index of each move's group,
/// and the groups.
fn move_groups(position: &Position) -> (Vec<(Move, usize)>, Vec<Position>) {
    let mut groups: Vec<Position> = Vec::new();
    let mut moves = Vec::new();
    for mv in position.moves() {
        let after = position.after(mv).expect("a move from `moves` is legal").canonical();
        let group = groups.iter().position(|known| *known == after).unwrap_or_else(|| {
            groups.push(after);
            groups.len() - 1
        });
        moves.push((mv, group));
    }
    (moves, groups)
}

/// Returns the value of a position from those of all its moves and from bounds that were known before.
fn combined(moves: &[(Move, Answer)], known: Answer) -> Answer {
    let found = Answer::from_moves(moves);
    let (worst, best) = (found.worst.max(known.worst), found.best.min(known.best));
    // The known bounds may settle the value, but only the moves give the distance.
    Answer { worst, best, ..found }
}

#[cfg(test)]
mod tests {
    use tictac::Value;

    use super::*;

    #[test]
    fn known_bounds_narrow_the_value() {
        let known = Answer { worst: Value::Draw, ..Answer::UNKNOWN };
        let combined = combined(&[], known);
        assert_eq!(combined.worst, Value::Draw);
    }
}
