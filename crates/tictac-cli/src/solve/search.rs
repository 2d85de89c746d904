//! Solving a position on several threads, within limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;
use tictac::solve::{Answer, BoardsSolver, Question, Solver};
use tictac::{Boards, Move, Position, State, Status};

use super::findings::Findings;
use super::limits::SolveLimits;
use super::progress;

pub(super) struct Search<'a> {
    pub(super) state: &'a State,
    pub(super) question: Question,
    pub(super) limits: &'a SolveLimits,
}

/// Boards of up to this many squares are solved on one thread, without a progress line.
const SMALL_SQUARES: usize = 12;

/// Time limit for finding best play when all values are known.
const LINE_TIME: Duration = Duration::from_secs(2);

impl Search<'_> {
    /// Solves the position, or stops at a limit, and returns what was found.
    pub(super) fn run(&self) -> anyhow::Result<Findings> {
        match self.state {
            State::One(position) => Ok(self.one(position)),
            State::Many(boards) => self.many(boards),
        }
    }

    fn findings(&self, answer: Answer) -> Findings {
        let findings = Findings::of_answer(self.state.clone(), self.question, answer);
        Findings { elapsed: self.limits.elapsed(), ..findings }
    }

    fn one(&self, position: &Position) -> Findings {
        let is_small = position.rules().grid().len() <= SMALL_SQUARES;
        let n_threads = if is_small { 1 } else { self.limits.n_threads };
        let progress = (!is_small).then(|| progress::start(&self.limits.meter));
        if let Status::Over(_) = position.status() {
            let answer = Solver::new(position.rules(), 0).solve(position, self.question, &|| false);
            return self.findings(answer);
        }
        if self.question == Question::Weak {
            return self.find_winner(position, n_threads);
        }
        // Who wins is known long before the values of all moves; find it first in case a limit is reached.
        let known =
            if is_small { self.findings(Answer::UNKNOWN) } else { self.find_winner(position, n_threads) };
        let (moves, mut solvers) = self.split(position, n_threads, progress.as_ref());
        let answer = combined(&moves, known.answer);
        let line = self.line(position, &answer, &moves, &mut solvers);
        let method = solvers.first().map_or(known.method, Solver::method);
        let nodes = known.nodes + solvers.iter().map(Solver::nodes).sum::<u64>();
        Findings { moves, line, method, nodes, ..self.findings(answer) }
    }

    /// Finds who wins, with solvers on all threads that share what they prove; the first to succeed stops the others.
    fn find_winner(&self, position: &Position, n_threads: usize) -> Findings {
        let solvers = Solver::team(position.rules(), self.limits.memory, n_threads);
        let decided = AtomicBool::new(false);
        let run = |solver: Solver| {
            let mut solver = solver.with_meter(Arc::clone(&self.limits.meter));
            let stop = || decided.load(Ordering::Relaxed) || self.limits.are_reached();
            let answer = solver.solve(position, Question::Weak, &stop);
            if answer.proven {
                decided.store(true, Ordering::Relaxed);
            }
            (answer, solver.method(), solver.nodes())
        };
        let nothing = self.findings(Answer::UNKNOWN);
        let known = in_parallel(solvers, run).into_iter().fold(nothing, |known, (answer, method, nodes)| {
            Findings { answer: known.answer.and(answer), method, nodes: known.nodes + nodes, ..known }
        });
        Findings { elapsed: self.limits.elapsed(), ..known }
    }

    /// Solves the position after every move, and returns the values and the solvers that found them; each thread takes the next one that is not yet taken.
    fn split(
        &self,
        position: &Position,
        n_threads: usize,
        progress: Option<&ProgressBar>,
    ) -> (Vec<(Move, Answer)>, Vec<Solver>) {
        let (moves, classes) = move_classes(position);
        let next = AtomicUsize::new(0);
        let memory = self.limits.memory / n_threads;
        let work = || {
            let mut solver = Solver::new(position.rules(), memory).with_meter(Arc::clone(&self.limits.meter));
            let mut answers = Vec::new();
            loop {
                let class = next.fetch_add(1, Ordering::Relaxed);
                let Some(after) = classes.get(class) else { return (solver, answers) };
                if self.limits.are_reached() {
                    return (solver, answers);
                }
                if let Some(progress) = progress {
                    progress.set_message(format!("move {} of {}", class + 1, classes.len()));
                }
                let stop = || self.limits.are_reached();
                answers.push((class, solver.solve(after, self.question, &stop).for_mover()));
            }
        };
        let done = in_parallel((0..n_threads).collect(), |_| work());
        let mut answers = vec![Answer::UNKNOWN; classes.len()];
        for &(class, answer) in done.iter().flat_map(|(_, answers)| answers) {
            answers[class] = answer;
        }
        let moves = moves.into_iter().map(|(mv, class)| (mv, answers[class])).collect();
        (moves, done.into_iter().map(|(solver, _)| solver).collect())
    }

    /// Returns best play to the end, as far as it is found within `LINE_TIME`.
    fn line(
        &self,
        position: &Position,
        answer: &Answer,
        moves: &[(Move, Answer)],
        solvers: &mut [Solver],
    ) -> Vec<Move> {
        let is_best = |reply: &Answer| reply.worst == answer.worst && reply.distance == answer.distance;
        let best = moves.iter().find(|(_, reply)| is_best(reply)).filter(|_| answer.proven);
        let Some(&(first, _)) = best else { return Vec::new() };
        let deadline = self.limits.elapsed() + LINE_TIME;
        let stop = || self.limits.elapsed() >= deadline || self.limits.are_reached();
        let after = position.after(first).expect("a move from `moves` is legal");
        // Each solver remembers other positions, so each may find another part of the line.
        let rest = solvers.iter_mut().map(|solver| solver.principal_line(&after, &stop)).max_by_key(Vec::len);
        [vec![first], rest.unwrap_or_default()].concat()
    }

    fn many(&self, boards: &Boards) -> anyhow::Result<Findings> {
        let solver = BoardsSolver::new(boards.rules()).map_err(|reason| {
            anyhow::anyhow!("several boards of {} cannot be solved: {reason}", boards.rules())
        })?;
        let stop = || self.limits.are_reached();
        let answer = solver.solve(boards, self.question, &stop);
        let (moves, line) = match self.question {
            Question::Strong => {
                (solver.moves(boards, self.question, &stop), solver.principal_line(boards, &stop))
            }
            Question::Weak => (Vec::new(), Vec::new()),
        };
        let why = solver.quotient().map(|quotient| quotient.explain(boards.boards()));
        Ok(Findings { moves, line, why, method: solver.method(), ..self.findings(answer) })
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

/// Groups the moves of a position by the position up to symmetry that they lead to; returns the index of each move's group,
/// and the groups.
fn move_classes(position: &Position) -> (Vec<(Move, usize)>, Vec<Position>) {
    let mut classes: Vec<Position> = Vec::new();
    let mut moves = Vec::new();
    for mv in position.moves() {
        let after = position.after(mv).expect("a move from `moves` is legal").canonical();
        let class = classes.iter().position(|known| *known == after).unwrap_or_else(|| {
            classes.push(after);
            classes.len() - 1
        });
        moves.push((mv, class));
    }
    (moves, classes)
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
    use tictac::solve::Value;

    use super::*;

    #[test]
    fn known_bounds_narrow_the_value() {
        let known = Answer { worst: Value::Draw, ..Answer::UNKNOWN };
        let combined = combined(&[], known);
        assert_eq!(combined.worst, Value::Draw);
    }
}
