//! One question with all resources: several threads, a memory limit, and progress that can be read and saved meanwhile.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::answer::{Answer, Question};
use crate::meter::Meter;
use crate::one_board::solver::Solver;
use crate::oracle::Oracle;
use crate::proof::{NoProof, ProofLimits, ProofSource, prove_value};
use crate::several_boards::boards_solver::BoardsSolver;
use crate::several_boards::quotient::NoQuotient;
use crate::tables::search_tables::SearchTables;
use tictac::{Boards, Move, Position, State, Status, Value};
use tictac_proof::{BlockingAnswers, BlockingPosition, Certificate};

/// A function that every thread of a search calls regularly; once it returns true, the search ends with what it has proved.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// One question about a state of play, answered by several threads that share what they prove.
///
/// For many questions about small boards, an [`Oracle`] is simpler and keeps what it has proved from one to the next.
///
/// ```
/// use tictac::{Rules, State, Value};
/// use tictac_solver::{Question, Search, SearchLimits};
///
/// let state = State::start(&"5,4,4".parse::<Rules>()?);
/// let search = Search::new(&state, Question::Weak, SearchLimits { max_bytes: 1 << 24, n_threads: 2 });
/// assert_eq!(search.run(&|| false, &|| false)?.answer.value(), Some(Value::Draw));
/// assert!(search.prove(Value::Draw, 10_000, &|| false)?.verify().is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search {
    state: State,
    question: Question,
    max_bytes: usize,
    /// The tables of one board; several boards and finished games need none.
    tables: Option<SearchTables>,
    meter: Arc<Meter>,
    record: SearchRecord,
    /// Solvers that are no longer needed. Freeing their tables can take longer than a stop may, so they are kept until the search
    /// is dropped.
    spent: Mutex<Vec<Box<dyn Any + Send>>>,
}

/// The resources of a [`Search`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// The number of bytes that the tables of all threads together use at most, about.
    pub max_bytes: usize,
    /// The number of threads. Boards of up to 12 squares are always solved by one.
    pub n_threads: usize,
}

/// What a [`Search`] has found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// What is proved about the state of play.
    pub answer: Answer,
    /// What is proved about every legal move, in the order of squares; empty for [`Question::Weak`].
    pub moves: Vec<(Move, Answer)>,
    /// Best play to the end; empty for [`Question::Weak`], or if it was not found.
    pub line: Vec<Move>,
    /// A short reason for the value of several boards, if their method gives one.
    pub why: Option<String>,
    /// A short description of the method.
    pub method: &'static str,
    /// The number of positions searched.
    pub nodes: u64,
}

impl Findings {
    /// Returns findings that hold only an answer.
    pub const fn of_answer(answer: Answer) -> Findings {
        Findings { answer, moves: Vec::new(), line: Vec::new(), why: None, method: "rules alone", nodes: 0 }
    }

    /// Returns whether everything that was asked is proved.
    pub fn are_proven(&self) -> bool {
        self.answer.proven && self.moves.iter().all(|(_, answer)| answer.proven)
    }
}

/// The answers that all threads of a search have proved so far; clones share them.
#[derive(Clone, Debug, Default)]
pub struct SearchRecord(Arc<Mutex<KnownAnswers>>);

/// What is proved about a position and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownAnswers {
    /// The answer about the position.
    pub root: Answer,
    /// The answers about the groups of moves that are alike by symmetry; empty until they are searched.
    pub groups: Vec<Answer>,
}

impl Default for KnownAnswers {
    fn default() -> KnownAnswers {
        KnownAnswers { root: Answer::UNKNOWN, groups: Vec::new() }
    }
}

impl SearchRecord {
    /// Replaces the answers by those of an earlier search for the same question.
    pub fn set(&self, known: KnownAnswers) {
        *self.lock() = known;
    }

    /// Returns all answers.
    pub fn known(&self) -> KnownAnswers {
        self.lock().clone()
    }

    /// Returns the answer about the position.
    pub fn root(&self) -> Answer {
        self.lock().root
    }

    /// Adds an answer about the position.
    pub fn add_root(&self, answer: Answer) {
        let mut known = self.lock();
        known.root = known.root.and(answer);
    }

    fn group(&self, group: usize) -> Answer {
        self.lock().groups.get(group).copied().unwrap_or(Answer::UNKNOWN)
    }

    /// Adds an answer about one of `n_groups` groups of moves. The player to move gets at least what one of them gets.
    fn add_group(&self, group: usize, n_groups: usize, answer: Answer) {
        let mut known = self.lock();
        known.groups.resize(n_groups, Answer::UNKNOWN);
        known.groups[group] = answer;
        known.root.worst = known.root.worst.max(answer.worst);
    }

    fn lock(&self) -> MutexGuard<'_, KnownAnswers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Boards of up to this many squares are solved by one thread.
const SMALL_SQUARES: usize = 12;

impl Search {
    /// Prepares a search; [`run`](Search::run) starts it.
    pub fn new(state: &State, question: Question, limits: SearchLimits) -> Search {
        let SearchLimits { max_bytes, n_threads } = limits;
        let rules = state.rules();
        let n_threads = if rules.grid().len() <= SMALL_SQUARES { 1 } else { n_threads };
        let needs_tables = state.position().is_some() && matches!(state.status(), Status::ToMove(_));
        Search {
            state: state.clone(),
            question,
            max_bytes,
            tables: needs_tables.then(|| SearchTables::new(rules, max_bytes, n_threads, question)),
            meter: Arc::default(),
            record: SearchRecord::default(),
            spent: Mutex::default(),
        }
    }

    /// Returns the tables, which can be saved while the search runs, and loaded before.
    pub const fn tables(&self) -> Option<&SearchTables> {
        self.tables.as_ref()
    }

    /// Returns counters that the search updates.
    pub const fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }

    /// Returns what the search has proved so far.
    pub const fn record(&self) -> &SearchRecord {
        &self.record
    }

    /// Answers the question, or stops; `stop_line` ends the search for best play to the end, after all values are known.
    ///
    /// # Errors
    ///
    /// Returns the reason if no method can solve several boards of these rules.
    pub fn run(&self, stop: Stop<'_>, stop_line: Stop<'_>) -> Result<Findings, NoQuotient> {
        match (&self.state, &self.tables) {
            (State::One(position), Some(tables)) => {
                Ok(BoardSearch { search: self, position, tables, stop }.run(stop_line))
            }
            (State::One(position), None) => {
                let answer = Solver::new(position.rules(), 0).solve(position, self.question, &|| false);
                Ok(Findings::of_answer(answer))
            }
            (State::Many(boards), _) => self.solve_boards(boards, stop),
        }
    }

    fn solve_boards(&self, boards: &Boards, stop: Stop<'_>) -> Result<Findings, NoQuotient> {
        let solver = match BoardsSolver::prepare(boards.rules(), self.max_bytes, stop) {
            Err(_) if stop() => return Ok(Findings::of_answer(Answer::UNKNOWN)),
            prepared => prepared?,
        };
        let answer = solver.solve(boards, self.question, stop);
        let (moves, line) = match self.question {
            Question::Strong => {
                (solver.moves(boards, self.question, stop), solver.principal_line(boards, stop))
            }
            Question::Weak => (Vec::new(), Vec::new()),
        };
        let why = solver.quotient().map(|quotient| quotient.explain(boards.boards()));
        let found = Findings { moves, line, why, method: solver.method(), ..Findings::of_answer(answer) };
        self.keep([solver]);
        Ok(found)
    }

    /// Returns a proof of a value that was found, with at most `max_entries` entries.
    ///
    /// The tables of a weak search hold most of it already.
    ///
    /// # Errors
    ///
    /// Returns an error if the proof is too large or stopped, or if the value is wrong.
    pub fn prove(&self, value: Value, max_entries: usize, stop: Stop<'_>) -> Result<Certificate, NoProof> {
        let limits = ProofLimits { max_entries, stop };
        let Some(tables) = &self.tables else {
            return Oracle::new(self.state.rules(), self.max_bytes)
                .with_tables(stop, |source| prove_value(&self.state, value, source, limits));
        };
        let mut team = tables.team();
        let mut first = team.remove(0);
        let proof = first.with_tables(stop, |source| {
            let mut team = TeamSource { source, others: team, meter: &self.meter, stop };
            prove_value(&self.state, value, &mut team, limits)
        });
        self.keep([first]);
        proof
    }

    fn keep<T: Any + Send>(&self, solvers: impl IntoIterator<Item = T>) {
        let solvers = solvers.into_iter().map(|solver| Box::new(solver) as Box<dyn Any + Send>);
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).extend(solvers);
    }
}

/// The search of one position.
struct BoardSearch<'a> {
    search: &'a Search,
    position: &'a Position,
    tables: &'a SearchTables,
    stop: Stop<'a>,
}

impl BoardSearch<'_> {
    fn run(&self, stop_line: Stop<'_>) -> Findings {
        let Search { question, record, .. } = self.search;
        let is_small = self.position.rules().grid().len() <= SMALL_SQUARES;
        let mut found = Findings::of_answer(Answer::UNKNOWN);
        // Who wins is known long before the values of all moves; find it first in case of a stop.
        if *question == Question::Weak || !is_small {
            (found.method, found.nodes) = self.find_winner();
        }
        found.answer = record.root();
        if *question == Question::Strong {
            let (moves, mut solvers) = self.solve_moves();
            found.answer = combined(&moves, found.answer);
            found.line = self.line(&found.answer, &moves, &mut solvers, stop_line);
            found.moves = moves;
            found.method = solvers.first().map_or(found.method, Solver::method);
            found.nodes += solvers.iter().map(Solver::nodes).sum::<u64>();
            self.search.keep(solvers);
        }
        found
    }

    /// Finds who wins, with solvers on all threads that share what they prove; the first to succeed stops the others. Returns
    /// the method and the number of nodes.
    fn find_winner(&self) -> (&'static str, u64) {
        let Search { question, record, meter, .. } = self.search;
        let team = self.tables.team();
        let method = team[0].method();
        if record.root().value().is_some() {
            return (method, 0);
        }
        let decided = AtomicBool::new(false);
        let run = |solver: Solver| {
            let mut solver = solver.with_meter(Arc::clone(meter));
            let stop = || decided.load(Ordering::Relaxed) || (self.stop)();
            let answer = solver.solve(self.position, Question::Weak, &stop);
            record.add_root(Answer { proven: answer.proven && *question == Question::Weak, ..answer });
            if answer.proven {
                decided.store(true, Ordering::Relaxed);
            }
            solver
        };
        let team = in_parallel(team, run);
        let nodes = team.iter().map(Solver::nodes).sum();
        if *question == Question::Weak || (self.stop)() {
            self.search.keep(team);
        }
        (method, nodes)
    }

    /// Solves the position after every move, and returns the values and the solvers that found them; each thread takes the next
    /// move that is not yet taken.
    fn solve_moves(&self) -> (Vec<(Move, Answer)>, Vec<Solver>) {
        let Search { question, record, meter, .. } = self.search;
        let (moves, groups) = move_groups(self.position);
        let next = AtomicUsize::new(0);
        let work = |solver: Solver| {
            let mut solver = solver.with_meter(Arc::clone(meter));
            loop {
                let group = next.fetch_add(1, Ordering::Relaxed);
                let Some(after) = groups.get(group) else { return solver };
                if (self.stop)() {
                    return solver;
                }
                meter.set_move(group + 1, groups.len());
                if !record.group(group).proven {
                    let answer = solver.solve(after, *question, self.stop).for_mover();
                    record.add_group(group, groups.len(), answer);
                }
            }
        };
        let solvers = in_parallel(self.tables.solvers(), work);
        let moves = moves.into_iter().map(|(mv, group)| (mv, record.group(group))).collect();
        (moves, solvers)
    }

    /// Returns best play to the end, as far as it is found before `stop_line`.
    fn line(
        &self,
        answer: &Answer,
        moves: &[(Move, Answer)],
        solvers: &mut [Solver],
        stop_line: Stop<'_>,
    ) -> Vec<Move> {
        let is_best = |reply: &Answer| reply.worst == answer.worst && reply.distance == answer.distance;
        let best = moves.iter().find(|(_, reply)| is_best(reply)).filter(|_| answer.proven);
        let Some(&(first, _)) = best else { return Vec::new() };
        let stop = || stop_line() || (self.stop)();
        let after = self.position.after(first).expect("a move from `moves` is legal");
        // Each solver may have filled another table of positions, so each may find another part of the line.
        let rest = solvers.iter_mut().map(|solver| solver.principal_line(&after, &stop)).max_by_key(Vec::len);
        [vec![first], rest.unwrap_or_default()].concat()
    }
}

/// Solvers that share their tables; many positions are answered by all of them, and a single question by the first.
struct TeamSource<'a> {
    source: &'a mut dyn ProofSource,
    others: Vec<Solver>,
    meter: &'a Meter,
    stop: Stop<'a>,
}

impl ProofSource for TeamSource<'_> {
    fn has_value(&mut self, state: &State, value: Value, max_nodes: u64) -> Option<bool> {
        self.source.has_value(state, value, max_nodes)
    }

    fn blocking_answers(
        &mut self,
        positions: &[BlockingPosition],
        max_nodes: u64,
    ) -> Option<Vec<BlockingAnswers>> {
        self.meter.add_proof_positions(positions.len());
        let stop = self.stop;
        let length = positions.len().div_ceil(self.others.len() + 1).max(1);
        let (mine, rest) = positions.split_at(length.min(positions.len()));
        thread::scope(|scope| {
            let mut others = Vec::new();
            for (solver, positions) in self.others.iter_mut().zip(rest.chunks(length)) {
                let answer =
                    move || solver.with_tables(stop, |source| source.blocking_answers(positions, max_nodes));
                others.push(scope.spawn(answer));
            }
            let mut answers = self.source.blocking_answers(mine, max_nodes);
            for other in others {
                let more = other.join().ok().flatten();
                answers = answers.zip(more).map(|(answers, more)| [answers, more].concat());
            }
            answers
        })
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
    use super::*;

    #[test]
    fn known_bounds_narrow_the_value() {
        let known = Answer { worst: Value::Draw, ..Answer::UNKNOWN };
        let combined = combined(&[], known);
        assert_eq!(combined.worst, Value::Draw);
    }

    #[test]
    fn answers_of_moves_narrow_the_answer_about_the_position() {
        let record = SearchRecord::default();
        record.add_group(1, 3, Answer::proving(Value::Draw));
        assert_eq!((record.root().worst, record.root().best), (Value::Draw, Value::Win));
        assert_eq!(record.group(1), Answer::proving(Value::Draw));
        assert_eq!(record.group(0), Answer::UNKNOWN);
        record.add_root(Answer { best: Value::Draw, ..Answer::UNKNOWN });
        assert_eq!(record.root().value(), Some(Value::Draw));
    }

    #[test]
    fn one_thread_and_several_find_the_same() {
        for rules in ["4,4,3", "5,3,4", "4,4,4 misere", "4,4,3 wild", "notakto boards=2"] {
            let state = State::start(&rules.parse().unwrap());
            let found = [1, 2].map(|n_threads| {
                let limits = SearchLimits { max_bytes: 1 << 26, n_threads };
                let found = Search::new(&state, Question::Strong, limits).run(&|| false, &|| false).unwrap();
                assert!(found.are_proven(), "{rules}");
                (found.answer, found.moves)
            });
            assert_eq!(found[0], found[1], "{rules}");
        }
    }
}
