//! The solver for several boards.

use crate::answer::{Answer, Question};
use crate::several_boards::distances::Distances;
use crate::several_boards::nimbers::Nimbers;
use crate::several_boards::quotient::sum_search::SumSearch;
use crate::several_boards::quotient::{NoQuotient, Quotient};
use tictac::{Boards, Goal, Move, Outcome, Rules, SquareSet, Status, Value};

/// A solver for several boards on which both players write X.
///
/// ```
/// use tictac::{Boards, Rules, Value};
/// use tictac_solver::{BoardsSolver, Question};
///
/// let rules: Rules = "notakto boards=100".parse().unwrap();
/// let solver = BoardsSolver::new(&rules).unwrap();
/// let answer = solver.solve(&Boards::start(&rules).unwrap(), Question::Weak, &|| false);
/// assert_eq!(answer.value(), Some(Value::Loss));
/// ```
pub struct BoardsSolver {
    rules: Rules,
    method: SumMethod,
    distances: Option<Distances>,
}

/// The method by which sums of boards are solved; it depends on the rules.
enum SumMethod {
    /// The misère quotient, if lines lose and the quotient is finite.
    Quotient(Box<Quotient>),
    /// The nimbers of Sprague and Grundy, if lines win.
    Nimbers(Nimbers),
    /// A search of sums, if lines lose and no quotient was found within limits.
    Search(SumSearch),
}

/// Boards of up to this many squares are prepared in a few milliseconds, however little time the caller has.
const MAX_TINY_SQUARES: usize = 9;

debug_by_rules!(BoardsSolver, rules);

impl BoardsSolver {
    /// Returns a solver for any number of boards of `rules`.
    ///
    /// # Errors
    ///
    /// Returns an error if no method can solve the boards: with more than 25 squares if lines win, more than 20 if lines
    /// lose, or if they are not [ordinary](Rules::is_ordinary).
    pub fn new(rules: &Rules) -> Result<BoardsSolver, NoQuotient> {
        BoardsSolver::prepare(rules, usize::MAX, &|| false)
    }

    /// Returns a solver as [`BoardsSolver::new`] does, unless `stop` returns true: preparing boards of 16 squares or more takes a
    /// noticeable time. A search of sums, which is the method where no quotient is found, stores at most about `max_bytes`.
    ///
    /// # Errors
    ///
    /// Returns an error if no method can solve the boards, or if stopped.
    pub fn prepare(
        rules: &Rules,
        max_bytes: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<BoardsSolver, NoQuotient> {
        if !rules.is_ordinary() {
            return Err(NoQuotient::NOT_ORDINARY);
        }
        let never = || false;
        let stop = if rules.grid().len() <= MAX_TINY_SQUARES { &never } else { stop };
        let method = match rules.goal() {
            Goal::Complete => SumMethod::Nimbers(Nimbers::derive(rules, stop)?),
            Goal::Avoid => match Quotient::derive_until(rules, stop) {
                Ok(quotient) => SumMethod::Quotient(Box::new(quotient)),
                Err(NoQuotient::STOPPED) => return Err(NoQuotient::STOPPED),
                Err(_) => SumMethod::Search(SumSearch::new(rules, max_bytes, stop)?),
            },
        };
        Ok(BoardsSolver { rules: *rules, method, distances: Distances::new(rules) })
    }

    /// Returns a short description of the method.
    pub const fn method(&self) -> &'static str {
        match self.method {
            SumMethod::Quotient(_) => "misère quotient",
            SumMethod::Nimbers(_) => "nimbers",
            SumMethod::Search(_) => "search of sums",
        }
    }

    /// Returns the misère quotient, if that is the method for these boards.
    pub fn quotient(&self) -> Option<&Quotient> {
        match &self.method {
            SumMethod::Quotient(quotient) => Some(quotient),
            SumMethod::Nimbers(_) | SumMethod::Search(_) => None,
        }
    }

    /// Returns whether every question about a value is answered without a search.
    pub(crate) const fn is_quick(&self) -> bool {
        !matches!(self.method, SumMethod::Search(_))
    }

    /// Answers a question about a position.
    ///
    /// Distances are computed only for small positions, where that takes little time. For larger positions the answer is
    /// the proved value without a distance.
    ///
    /// # Panics
    ///
    /// This and every other question panics if the boards have another grid, line length or goal than those of the solver. Their
    /// number does not matter.
    pub fn solve(&self, boards: &Boards, question: Question, stop: &dyn Fn() -> bool) -> Answer {
        self.check(boards);
        let value = match boards.status() {
            Status::Over(Outcome::Win(winner)) if winner == boards.next_player() => Some(Value::Win),
            Status::Over(_) => Some(Value::Loss),
            Status::ToMove(_) => self.value(boards.boards(), stop),
        };
        match value {
            None => Answer::UNKNOWN,
            Some(value) if question == Question::Strong => {
                Answer { distance: self.distance(boards.boards(), stop), ..Answer::proving(value) }
            }
            Some(value) => Answer::proving(value),
        }
    }

    /// Answers a question about every legal move.
    ///
    /// Values are those of the player who makes the move, and distances include the move. The time is linear in the number
    /// of boards.
    pub fn moves(&self, boards: &Boards, question: Question, stop: &dyn Fn() -> bool) -> Vec<(Move, Answer)> {
        let Some(winning) = self.winning_moves(boards, stop) else {
            return boards.moves().map(|mv| (mv, Answer::UNKNOWN)).collect();
        };
        // Both lists are ordered by board and square.
        let mut winning = winning.into_iter().peekable();
        let mut wants_distance = question == Question::Strong;
        let answer = |mv: Move| {
            let wins = winning.next_if_eq(&mv).is_some();
            let distance = if wants_distance { self.distance_after(boards, mv, stop) } else { None };
            wants_distance = wants_distance && (distance.is_some() || !stop());
            (mv, Answer { distance, ..Answer::proving(if wins { Value::Win } else { Value::Loss }) })
        };
        boards.moves().map(answer).collect()
    }

    /// Returns the moves that win, or `None` if a search was stopped or reached its limit.
    pub fn winning_moves(&self, boards: &Boards, stop: &dyn Fn() -> bool) -> Option<Vec<Move>> {
        self.check(boards);
        match &self.method {
            SumMethod::Quotient(quotient) => Some(quotient.winning_moves(boards.boards()).collect()),
            SumMethod::Nimbers(nimbers) => Some(nimbers.winning_moves(boards.boards()).collect()),
            SumMethod::Search(search) => search.winning_moves(boards.boards(), stop),
        }
    }

    /// Returns a line of best play to the end, or an empty one if the distances are too expensive to search.
    pub fn principal_line(&self, boards: &Boards, stop: &dyn Fn() -> bool) -> Vec<Move> {
        let mut now = boards.clone();
        let mut line = Vec::new();
        let mut answer = self.solve(&now, Question::Strong, stop);
        while answer.distance.is_some() {
            let keeps = |(_, other): &(Move, Answer)| *other == answer;
            let Some((mv, _)) = self.moves(&now, Question::Strong, stop).into_iter().find(keeps) else {
                break;
            };
            now.play(mv).expect("a move from `moves` is legal");
            line.push(mv);
            answer = self.solve(&now, Question::Strong, stop);
        }
        line
    }

    /// Panics if the boards are not of the solver's kind, because their answer would be about another game.
    fn check(&self, boards: &Boards) {
        let on_one = |rules: &Rules| rules.with_boards(1);
        assert_eq!(on_one(boards.rules()), on_one(&self.rules), "a solver answers for its own rules only");
    }

    fn value(&self, boards: &[SquareSet], stop: &dyn Fn() -> bool) -> Option<Value> {
        let is_loss = match &self.method {
            SumMethod::Quotient(quotient) => quotient.is_loss(quotient.total(boards)),
            SumMethod::Nimbers(nimbers) => nimbers.total(boards) == 0,
            SumMethod::Search(search) => search.is_loss(boards, stop)?,
        };
        Some(if is_loss { Value::Loss } else { Value::Win })
    }

    /// Returns the distance of a move, if there are few enough boards.
    fn distance_after(&self, boards: &Boards, mv: Move, stop: &dyn Fn() -> bool) -> Option<u32> {
        if boards.boards().len() > Distances::MAX_BOARDS {
            return None;
        }
        let after = boards.after(mv).expect("a move from `moves` is legal");
        self.distance(after.boards(), stop).map(|plies| plies + 1)
    }

    fn distance(&self, boards: &[SquareSet], stop: &dyn Fn() -> bool) -> Option<u32> {
        self.distances.as_ref()?.distance(self.rules.goal(), boards, stop)
    }
}
