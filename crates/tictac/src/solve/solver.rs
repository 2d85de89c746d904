//! The oracle for one board.

use super::answer::{Answer, Question};
use super::general::General;
use super::standing::Standing;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;

/// The exact truth about positions of one set of rules; remembers what it has proved.
///
/// ```
/// use tictac::solve::{Question, Solver, Value};
/// use tictac::{Position, Rules};
///
/// let mut solver = Solver::new(Rules::CLASSIC, 1 << 20);
/// let position = Position::parse(&Rules::CLASSIC, "XX./OO./... X").unwrap();
/// let answer = solver.solve(&position, Question::Strong, &|| false);
/// assert_eq!((answer.value(), answer.distance), (Some(Value::Win), Some(1)));
/// ```
pub struct Solver {
    general: General,
}

impl Solver {
    /// Returns a solver for `rules` on one board that uses at most about `max_bytes` of memory.
    pub fn new(rules: Rules, max_bytes: usize) -> Solver {
        Solver { general: General::new(rules, max_bytes) }
    }

    /// How many positions have been searched so far; filling a table of all positions counts none.
    pub const fn nodes(&self) -> u64 {
        self.general.nodes()
    }

    /// Answers a question about a position of the solver's rules.
    ///
    /// If `stop`, which is asked now and then, returns true, the answer is what has been proved until then.
    pub fn solve(&mut self, position: &Position, question: Question, stop: &dyn Fn() -> bool) -> Answer {
        self.general.solve(Standing::of(position), question, stop)
    }

    /// Answers a question about every legal move; a value is the mover's, a distance includes the move.
    pub fn moves(
        &mut self,
        position: &Position,
        question: Question,
        stop: &dyn Fn() -> bool,
    ) -> Vec<(Move, Answer)> {
        let answers = self.general.moves(Standing::of(position), question, stop);
        answers.into_iter().map(|(step, answer)| (step.to_move(position), answer)).collect()
    }

    /// Returns a line of best play to the end: the winner shortens and the loser lengthens. Shorter if stopped.
    pub fn principal_line(&mut self, position: &Position, stop: &dyn Fn() -> bool) -> Vec<Move> {
        let mut now = *position;
        let mut line = Vec::new();
        for step in self.general.principal_line(Standing::of(position), stop) {
            let mv = step.to_move(&now);
            now = now.play(mv).expect("the solver's moves are legal");
            line.push(mv);
        }
        line
    }
}
