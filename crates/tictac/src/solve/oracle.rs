//! The oracle for any rules: one board or several.

use super::answer::{Answer, Question};
use super::score::Value;
use super::several::BoardsSolver;
use super::solver::Solver;
use crate::moves::Move;
use crate::position::Status;
use crate::rules::Rules;
use crate::state::State;

/// The exact truth about states of play of one set of rules; remembers what it has proved.
///
/// ```
/// use tictac::solve::{Oracle, Question, Value};
/// use tictac::{Rules, State};
///
/// let rules: Rules = "notakto boards=3".parse().unwrap();
/// let mut oracle = Oracle::new(&rules, 1 << 20);
/// let answer = oracle.solve(&State::start(&rules), Question::Weak, &|| false);
/// assert_eq!(answer.value(), Some(Value::Win));
/// ```
pub struct Oracle {
    rules: Rules,
    method: Method,
}

enum Method {
    One(Box<Solver>),
    Many(Box<BoardsSolver>),
    // Several boards that are beyond every method.
    None,
}

/// On boards of up to so many squares every question is answered at once.
const MAX_QUICK_SQUARES: usize = 12;

impl Oracle {
    /// Returns an oracle for `rules` that uses at most about `max_bytes` of memory.
    pub fn new(rules: &Rules, max_bytes: usize) -> Oracle {
        let method = if rules.n_boards() == 1 {
            Method::One(Box::new(Solver::new(rules, max_bytes)))
        } else {
            BoardsSolver::new(rules).map_or(Method::None, |solver| Method::Many(Box::new(solver)))
        };
        Oracle { rules: *rules, method }
    }

    /// The rules that it knows.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns whether every question is answered without search worth a wait.
    pub fn is_quick(&self) -> bool {
        match &self.method {
            Method::One(_) => self.rules.grid().len() <= MAX_QUICK_SQUARES,
            Method::Many(solver) => solver.quotient().is_some() || solver.nimbers().is_some(),
            Method::None => true,
        }
    }

    /// Answers a question about a state of play; if `stop` returns true, with what has been proved until then.
    pub fn solve(&mut self, state: &State, question: Question, stop: &dyn Fn() -> bool) -> Answer {
        match (&mut self.method, state) {
            (Method::One(solver), State::One(position)) => solver.solve(position, question, stop),
            (Method::Many(solver), State::Many(boards)) => solver.solve(boards, question, stop),
            _ => Answer::UNKNOWN,
        }
    }

    /// Returns whether the player to move wins, or `None` if stopped before it is known; quicker than the whole question.
    pub fn wins(&mut self, state: &State, stop: &dyn Fn() -> bool) -> Option<bool> {
        match (&mut self.method, state) {
            (Method::One(solver), State::One(position)) => solver.wins(position, stop),
            _ => Some(self.solve(state, Question::Weak, stop).value()? == Value::Win),
        }
    }

    /// Returns whether the player to move loses, or `None` if stopped before it is known.
    pub fn loses(&mut self, state: &State, stop: &dyn Fn() -> bool) -> Option<bool> {
        match (&mut self.method, state) {
            (Method::One(solver), State::One(position)) => solver.loses(position, stop),
            _ => Some(self.solve(state, Question::Weak, stop).value()? == Value::Loss),
        }
    }

    /// Answers a question about every legal move; a value is the mover's, a distance includes the move.
    pub fn moves(
        &mut self,
        state: &State,
        question: Question,
        stop: &dyn Fn() -> bool,
    ) -> Vec<(Move, Answer)> {
        match (&mut self.method, state) {
            (Method::One(solver), State::One(position)) => solver.moves(position, question, stop),
            (Method::Many(solver), State::Many(boards)) => solver.moves(boards, question, stop),
            _ => state.moves().map(|mv| (mv, Answer::UNKNOWN)).collect(),
        }
    }

    /// Returns a line of best play to the end; shorter if stopped, none where distances are beyond search.
    pub fn principal_line(&mut self, state: &State, stop: &dyn Fn() -> bool) -> Vec<Move> {
        match (&mut self.method, state) {
            (Method::One(solver), State::One(position)) => solver.principal_line(position, stop),
            (Method::Many(solver), State::Many(boards)) => solver.principal_line(boards, stop),
            _ => Vec::new(),
        }
    }

    /// Returns why the value of several boards is what it is, in a line of the algebra behind it, where there is one.
    pub fn explanation(&self, state: &State) -> Option<String> {
        match (&self.method, state) {
            (Method::Many(solver), State::Many(boards)) if matches!(boards.status(), Status::ToMove(_)) => {
                Some(solver.quotient()?.explain(boards.boards()).to_string())
            }
            _ => None,
        }
    }
}

impl Answer {
    /// Returns what the answers about all moves of a position say of it; of none, nothing.
    ///
    /// The player prefers quick wins and late losses.
    pub fn of_moves(moves: &[(Move, Answer)]) -> Answer {
        let (Some(worst), Some(best)) = (
            moves.iter().map(|(_, answer)| answer.worst).max(),
            moves.iter().map(|(_, answer)| answer.best).max(),
        ) else {
            return Answer::UNKNOWN;
        };
        let proven = worst == best && moves.iter().all(|(_, answer)| answer.proven);
        let alike = moves.iter().filter(|(_, answer)| answer.worst == worst);
        let distances = alike.filter_map(|(_, answer)| answer.distance);
        let distance = match worst {
            _ if !proven => None,
            Value::Win => distances.min(),
            Value::Draw => None,
            Value::Loss => distances.max(),
        };
        Answer { worst, best, distance, proven }
    }

    /// How good a move with this answer is: quick wins first, then slow ones, draws, slow losses, quick ones.
    ///
    /// What is not proved ranks by what is sure; of two equal moves neither is the greater.
    pub fn rank(&self) -> (Value, i64) {
        let distance = self.distance.map_or(0, i64::from);
        match self.worst {
            Value::Win => (Value::Win, -distance),
            Value::Draw => (Value::Draw, 0),
            Value::Loss => (Value::Loss, distance),
        }
    }
}
