//! Asking the oracle, with all threads and within the limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tictac::solve::{Answer, BoardsSolver, Question, Solver};
use tictac::{Boards, Move, Position, State, Status};

use super::findings::{Findings, best_moves, combined};
use super::limits::Limits;
use super::progress::Progress;

/// What is asked about what.
pub(super) struct Inquiry<'a> {
    pub(super) state: &'a State,
    pub(super) question: Question,
    pub(super) limits: &'a Limits,
}

/// Boards of more squares than this are worth more than one thread.
const SMALL_SQUARES: usize = 12;

/// How long a line of best play may be searched for when everything else is known.
const LINE_TIME: Duration = Duration::from_secs(2);

impl Inquiry<'_> {
    /// Asks, and returns what has been found when it is known or a limit is reached.
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
        let progress = (!is_small).then(|| Progress::start(&self.limits.meter));
        if let Status::Over(_) = position.status() {
            let answer = Solver::new(position.rules(), 0).solve(position, self.question, &|| false);
            return self.findings(answer);
        }
        if self.question == Question::Weak {
            let Raced { answer, method, nodes } = self.race(position, n_threads);
            return Findings { method, nodes, ..self.findings(answer) };
        }
        // Who wins is known long before every move is; whoever loses patience then has at least that.
        let known = if is_small { Raced::NOTHING } else { self.race(position, n_threads) };
        let Split { moves, mut solvers } = self.split(position, n_threads, progress.as_ref());
        let answer = combined(&moves, known.answer);
        let line = self.line(position, &answer, &moves, &mut solvers);
        let method = solvers.first().map_or(known.method, Solver::method);
        let nodes = known.nodes + solvers.iter().map(Solver::nodes).sum::<u64>();
        Findings { moves, line, method, nodes, ..self.findings(answer) }
    }

    /// Asks who wins; with two threads by two methods side by side, and the first to know ends the other.
    fn race(&self, position: &Position, n_threads: usize) -> Raced {
        let pair = Solver::racing_pair(position.rules(), self.limits.memory).filter(|_| n_threads > 1);
        let solvers = match pair {
            Some(pair) => pair.into(),
            None => vec![Solver::new(position.rules(), self.limits.memory)],
        };
        let decided = AtomicBool::new(false);
        let run = |solver: Solver| {
            let mut solver = solver.with_meter(Arc::clone(&self.limits.meter));
            let stop = || decided.load(Ordering::Relaxed) || self.limits.are_reached();
            let answer = solver.solve(position, Question::Weak, &stop);
            if answer.proven {
                decided.store(true, Ordering::Relaxed);
            }
            Raced { answer, method: solver.method(), nodes: solver.nodes() }
        };
        let results = side_by_side(solvers, run);
        results.into_iter().fold(Raced::NOTHING, |known, more| Raced {
            answer: known.answer.and(more.answer),
            method: more.method,
            nodes: known.nodes + more.nodes,
        })
    }

    /// Asks about every move, each thread about the next one that nobody has taken.
    fn split(&self, position: &Position, n_threads: usize, progress: Option<&Progress>) -> Split {
        let classes = Classes::of(position);
        let next = AtomicUsize::new(0);
        let memory = self.limits.memory / n_threads;
        let work = || {
            let mut solver = Solver::new(position.rules(), memory).with_meter(Arc::clone(&self.limits.meter));
            let mut answers = Vec::new();
            loop {
                let class = next.fetch_add(1, Ordering::Relaxed);
                let Some(after) = classes.representatives.get(class) else { return (solver, answers) };
                if self.limits.are_reached() {
                    return (solver, answers);
                }
                if let Some(progress) = progress {
                    progress.say(format!("move {} of {}", class + 1, classes.representatives.len()));
                }
                let stop = || self.limits.are_reached();
                answers.push((class, solver.solve(after, self.question, &stop).for_mover()));
            }
        };
        let done = side_by_side((0..n_threads).collect(), |_| work());
        let mut answers = vec![Answer::UNKNOWN; classes.representatives.len()];
        for &(class, answer) in done.iter().flat_map(|(_, answers)| answers) {
            answers[class] = answer;
        }
        Split {
            moves: classes.moves.iter().map(|&(mv, class)| (mv, answers[class])).collect(),
            solvers: done.into_iter().map(|(solver, _)| solver).collect(),
        }
    }

    /// Returns a line of best play, as far as it is found in a moment.
    fn line(
        &self,
        position: &Position,
        answer: &Answer,
        moves: &[(Move, Answer)],
        solvers: &mut [Solver],
    ) -> Vec<Move> {
        let (Some(first), true) = (best_moves(moves, answer).next(), answer.proven) else {
            return Vec::new();
        };
        let patience = self.limits.elapsed() + LINE_TIME;
        let stop = || self.limits.elapsed() >= patience || self.limits.are_reached();
        let after = position.after(first).expect("a move from `moves` is legal");
        // Any of the solvers may know most of what follows; the longest line is the best found.
        let rest = solvers.iter_mut().map(|solver| solver.principal_line(&after, &stop)).max_by_key(Vec::len);
        [vec![first], rest.unwrap_or_default()].concat()
    }

    fn many(&self, boards: &Boards) -> anyhow::Result<Findings> {
        let solver = BoardsSolver::new(boards.rules()).map_err(|reason| {
            anyhow::anyhow!("several boards of {} cannot be solved: {reason}", boards.rules())
        })?;
        let stop = || self.limits.are_reached();
        let answer = solver.solve(boards, self.question, &stop);
        let moves = match self.question {
            Question::Strong => solver.moves(boards, self.question, &stop),
            Question::Weak => Vec::new(),
        };
        let line = match self.question {
            Question::Strong => solver.principal_line(boards, &stop),
            Question::Weak => Vec::new(),
        };
        let why = solver.quotient().map(|quotient| quotient.explain(boards.boards()).to_string());
        Ok(Findings { moves, line, why, method: solver.method(), ..self.findings(answer) })
    }
}

/// Does each piece of work on a thread of its own; a single one needs none, which makes small questions quicker.
///
/// A thread that panics has met a bug of ours; what the others found still stands.
fn side_by_side<T: Send, R: Send>(mut pieces: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    if pieces.len() == 1 {
        return pieces.pop().map(work).into_iter().collect();
    }
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = pieces.into_iter().map(|piece| scope.spawn(move || work(piece))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

/// Who wins, and how that was found.
struct Raced {
    answer: Answer,
    method: &'static str,
    nodes: u64,
}

impl Raced {
    const NOTHING: Raced = Raced { answer: Answer::UNKNOWN, method: "rules alone", nodes: 0 };
}

/// The answers about all moves, and the solvers that gave them.
struct Split {
    moves: Vec<(Move, Answer)>,
    solvers: Vec<Solver>,
}

/// The moves of a position, and for each the class of equal positions that it leads to.
struct Classes {
    moves: Vec<(Move, usize)>,
    representatives: Vec<Position>,
}

impl Classes {
    fn of(position: &Position) -> Classes {
        let mut representatives: Vec<Position> = Vec::new();
        let mut moves = Vec::new();
        for mv in position.moves() {
            let after = position.after(mv).expect("a move from `moves` is legal").canonical();
            let class = representatives.iter().position(|known| *known == after).unwrap_or_else(|| {
                representatives.push(after);
                representatives.len() - 1
            });
            moves.push((mv, class));
        }
        Classes { moves, representatives }
    }
}
