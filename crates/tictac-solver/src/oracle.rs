//! The solver for any rules, on one board or several.

use crate::answer::{Answer, Question};
use crate::one_board::solver::Solver;
use crate::proof::ProofSource;
use crate::several_boards::boards_solver::BoardsSolver;
use crate::several_boards::nimbers;
use crate::several_boards::quotient::{NoQuotient, Quotient};
use tictac::{Goal, Move, Rules, State, Value};

/// A solver for states of play of one set of rules, which stores what it has proved.
///
/// ```
/// use tictac::{Rules, State, Value};
/// use tictac_solver::{Oracle, Question};
///
/// let rules: Rules = "notakto boards=3".parse().unwrap();
/// let mut oracle = Oracle::new(&rules, 1 << 20);
/// let answer = oracle.solve(&State::start(&rules), Question::Weak, &|| false);
/// assert_eq!(answer.value(), Some(Value::Win));
/// ```
pub struct Oracle {
    rules: Rules,
    method: OracleMethod,
}

enum OracleMethod {
    One(Box<Solver>),
    // Prepared by the first question, which can be stopped.
    Many(Option<Box<BoardsSolver>>),
    // No method can solve these boards.
    None,
}

/// Boards of up to this many squares are solved by table look-up; of several boards, larger ones take too long to prepare.
const MAX_QUICK_SQUARES: usize = 12;
/// The maximum number of squares of all boards together if every move has to be searched.
const MAX_SQUARES: usize = 4096;

debug_by_rules!(Oracle, rules);

impl Oracle {
    /// Returns an oracle for `rules` that uses at most about `max_bytes` of memory.
    pub fn new(rules: &Rules, max_bytes: usize) -> Oracle {
        let method = if rules.n_boards() == 1 {
            OracleMethod::One(Box::new(Solver::new(rules, max_bytes)))
        } else {
            OracleMethod::Many(None)
        };
        Oracle { rules: *rules, method }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns whether the boards are too large to solve every position of a game, whatever the time limit.
    pub fn is_too_large(rules: &Rules) -> bool {
        let are_solved_together = rules.grid().len() <= MAX_QUICK_SQUARES && rules.is_ordinary();
        rules.max_moves() > MAX_SQUARES || rules.n_boards() > 1 && !are_solved_together
    }

    /// Returns whether every question is answered without a noticeable delay, but perhaps for the first.
    pub fn is_quick(&self) -> bool {
        let n_squares = self.rules.grid().len();
        match &self.method {
            OracleMethod::One(_) => n_squares <= MAX_QUICK_SQUARES && self.rules.is_ordinary(),
            OracleMethod::Many(Some(solver)) => solver.is_quick(),
            OracleMethod::Many(None) => match self.rules.goal() {
                Goal::Complete => n_squares <= nimbers::MAX_SQUARES as usize,
                Goal::Avoid => n_squares <= MAX_QUICK_SQUARES,
            },
            OracleMethod::None => true,
        }
    }

    /// Returns whether everything is answered by a table that takes a few milliseconds to fill.
    pub(crate) fn is_tiny(&self) -> bool {
        self.rules.n_boards() == 1 && self.is_quick()
    }

    /// Prepares the solver for several boards, unless `stop` returns true; then the next question tries again.
    fn prepare(&mut self, state: &State, stop: &dyn Fn() -> bool) {
        assert!(
            *state.rules() == self.rules,
            "an oracle for {} was asked about {}",
            self.rules,
            state.rules()
        );
        if let OracleMethod::Many(None) = self.method {
            match BoardsSolver::prepare(&self.rules, usize::MAX, stop) {
                Ok(solver) => self.method = OracleMethod::Many(Some(Box::new(solver))),
                Err(NoQuotient::STOPPED) => {}
                Err(_) => self.method = OracleMethod::None,
            }
        }
    }

    /// Returns the misère quotient, if that is how boards of these rules are solved and a question has prepared it.
    pub fn quotient(&self) -> Option<&Quotient> {
        match &self.method {
            OracleMethod::Many(Some(solver)) => solver.quotient(),
            _ => None,
        }
    }

    /// Answers a question about a state of play.
    ///
    /// If `stop`, which is called regularly, returns true, the answer is what has been proved until then.
    ///
    /// # Panics
    ///
    /// This and every other question panics if the state has other rules than the oracle.
    pub fn solve(&mut self, state: &State, question: Question, stop: &dyn Fn() -> bool) -> Answer {
        self.prepare(state, stop);
        match (&mut self.method, state) {
            (OracleMethod::One(solver), State::One(position)) => solver.solve(position, question, stop),
            (OracleMethod::Many(Some(solver)), State::Many(boards)) => solver.solve(boards, question, stop),
            _ => Answer::UNKNOWN,
        }
    }

    /// Returns whether the state has this value, or `None` if stopped before that is known.
    ///
    /// For a win or a loss this is often faster than [`solve`](Oracle::solve).
    pub fn has_value(&mut self, state: &State, value: Value, stop: &dyn Fn() -> bool) -> Option<bool> {
        match (&mut self.method, state) {
            (OracleMethod::One(solver), State::One(position)) => solver.has_value(position, value, stop),
            _ => Some(self.solve(state, Question::Weak, stop).value()? == value),
        }
    }

    /// Calls `work` with a source of proofs that stores what it has proved until `work` returns.
    pub fn with_tables<R>(
        &mut self,
        stop: &dyn Fn() -> bool,
        work: impl FnOnce(&mut dyn ProofSource) -> R,
    ) -> R {
        match &mut self.method {
            OracleMethod::One(solver) => solver.with_tables(stop, work),
            _ => work(&mut |state: &State, value, _| self.has_value(state, value, stop)),
        }
    }

    /// Answers a question about every legal move.
    ///
    /// Values are those of the player who makes the move, and distances include the move.
    pub fn moves(
        &mut self,
        state: &State,
        question: Question,
        stop: &dyn Fn() -> bool,
    ) -> Vec<(Move, Answer)> {
        self.prepare(state, stop);
        match (&mut self.method, state) {
            (OracleMethod::One(solver), State::One(position)) => solver.moves(position, question, stop),
            (OracleMethod::Many(Some(solver)), State::Many(boards)) => solver.moves(boards, question, stop),
            _ => state.moves().map(|mv| (mv, Answer::UNKNOWN)).collect(),
        }
    }

    /// Returns a line of best play to the end.
    ///
    /// The line is incomplete if the oracle is stopped, and empty if the distances are too expensive to search.
    pub fn principal_line(&mut self, state: &State, stop: &dyn Fn() -> bool) -> Vec<Move> {
        self.prepare(state, stop);
        match (&mut self.method, state) {
            (OracleMethod::One(solver), State::One(position)) => solver.principal_line(position, stop),
            (OracleMethod::Many(Some(solver)), State::Many(boards)) => solver.principal_line(boards, stop),
            _ => Vec::new(),
        }
    }
}
