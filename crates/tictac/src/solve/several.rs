//! The oracle for several boards.

use super::answer::{Answer, Question};
use super::distances::Distances;
use super::nimbers::Nimbers;
use super::quotient::search::Boards as SearchedBoards;
use super::quotient::{NoQuotient, Quotient};
use super::score::Value;
use crate::moves::Move;
use crate::notakto::Boards;
use crate::position::{Outcome, Status};
use crate::rules::{Goal, Rules};
use crate::square::SquareSet;

/// The exact truth about several boards on which both players write X.
///
/// ```
/// use tictac::solve::{BoardsSolver, Question, Value};
/// use tictac::{Boards, Rules};
///
/// let rules: Rules = "notakto boards=100".parse().unwrap();
/// let solver = BoardsSolver::new(&rules).unwrap();
/// let answer = solver.solve(&Boards::start(&rules).unwrap(), Question::Weak, &|| false);
/// assert_eq!(answer.value(), Some(Value::Loss));
/// ```
pub struct BoardsSolver {
    rules: Rules,
    method: Method,
    distances: Option<Distances>,
}

/// How sums of boards are judged; what is exact and quick depends on the rules.
enum Method {
    /// A line loses, and the boards have a finite misère quotient.
    Quotient(Box<Quotient>),
    /// A line wins: Sprague and Grundy.
    Nimbers(Nimbers),
    /// A line loses, and no quotient was found within limits.
    Search(SearchedBoards),
}

/// How many sums a search may remember, of about a hundred bytes each.
const MAX_SUMS: usize = 4_000_000;

impl BoardsSolver {
    /// Returns a solver for any number of boards of `rules`.
    ///
    /// # Errors
    ///
    /// Returns why the boards are beyond every method: more than 25 squares where a line wins, more than 20 where it
    /// loses.
    pub fn new(rules: &Rules) -> Result<BoardsSolver, NoQuotient> {
        let method = match rules.goal() {
            Goal::Complete => Method::Nimbers(Nimbers::derive(rules).ok_or(NoQuotient::GridTooLarge)?),
            Goal::Avoid => match Quotient::derive(rules) {
                Ok(quotient) => Method::Quotient(Box::new(quotient)),
                Err(reason) => Method::Search(SearchedBoards::derive(rules).ok_or(reason)?),
            },
        };
        Ok(BoardsSolver { rules: *rules, method, distances: Distances::new(rules) })
    }

    /// How sums of these boards are judged, in a few words.
    pub const fn method(&self) -> &'static str {
        match self.method {
            Method::Quotient(_) => "misère quotient",
            Method::Nimbers(_) => "nimbers",
            Method::Search(_) => "search of sums",
        }
    }

    /// The misère quotient, if that is how these boards are judged.
    pub fn quotient(&self) -> Option<&Quotient> {
        match &self.method {
            Method::Quotient(quotient) => Some(quotient),
            Method::Nimbers(_) | Method::Search(_) => None,
        }
    }

    /// The nimbers, if that is how these boards are judged.
    pub fn nimbers(&self) -> Option<&Nimbers> {
        match &self.method {
            Method::Nimbers(nimbers) => Some(nimbers),
            Method::Quotient(_) | Method::Search(_) => None,
        }
    }

    /// Answers a question about a position.
    ///
    /// Distances are searched for only among so few positions that it takes no time; where there are more, the answer is
    /// the value alone, and proven all the same.
    pub fn solve(&self, boards: &Boards, question: Question, stop: &dyn Fn() -> bool) -> Answer {
        let value = match boards.status() {
            Status::Over(Outcome::Win(winner)) if winner == boards.next_player() => Some(Value::Win),
            Status::Over(_) => Some(Value::Loss),
            Status::ToMove(_) => self.value(boards.boards(), stop),
        };
        match value {
            None => Answer::UNKNOWN,
            Some(value) if question == Question::Strong => {
                Answer { distance: self.distance(boards.boards()), ..Answer::proving(value) }
            }
            Some(value) => Answer::proving(value),
        }
    }

    /// Answers a question about every legal move; a value is the mover's, a distance includes the move.
    ///
    /// Looks at every board once, so that a million of them are no matter.
    pub fn moves(&self, boards: &Boards, question: Question, stop: &dyn Fn() -> bool) -> Vec<(Move, Answer)> {
        let Some(winning) = self.winning_moves(boards, stop) else {
            return boards.moves().map(|mv| (mv, Answer::UNKNOWN)).collect();
        };
        // Both lists go through the boards in the same order.
        let mut winning = winning.into_iter().peekable();
        let answer = |mv: Move| {
            let wins = winning.next_if_eq(&mv).is_some();
            let distance = match question {
                Question::Strong => self.distance_after(boards, mv),
                Question::Weak => None,
            };
            (mv, Answer { distance, ..Answer::proving(if wins { Value::Win } else { Value::Loss }) })
        };
        boards.moves().map(answer).collect()
    }

    /// Returns the moves that win; none where every move loses, and `None` where a search came to its limit.
    pub fn winning_moves(&self, boards: &Boards, stop: &dyn Fn() -> bool) -> Option<Vec<Move>> {
        match &self.method {
            Method::Quotient(quotient) => Some(quotient.winning_moves(boards.boards()).collect()),
            Method::Nimbers(nimbers) => Some(nimbers.winning_moves(boards.boards()).collect()),
            Method::Search(searched) => {
                searched.search(MAX_SUMS).until(stop).winning_moves(boards.boards()).ok()
            }
        }
    }

    /// Returns a line of best play to the end, or none where the distances are beyond search.
    pub fn principal_line(&self, boards: &Boards, stop: &dyn Fn() -> bool) -> Vec<Move> {
        let mut now = boards.clone();
        let mut line = Vec::new();
        let Some(mut distance) = self.solve(&now, Question::Strong, stop).distance else { return line };
        while distance > 0 {
            let answer = self.solve(&now, Question::Strong, stop);
            let keeps = |&(_, reply): &(Move, Answer)| {
                reply.worst == answer.worst && reply.distance == Some(distance)
            };
            let Some((mv, _)) = self.moves(&now, Question::Strong, stop).into_iter().find(keeps) else {
                break;
            };
            now = now.after(mv).expect("a move from `moves` is legal");
            line.push(mv);
            distance -= 1;
        }
        line
    }

    fn value(&self, boards: &[SquareSet], stop: &dyn Fn() -> bool) -> Option<Value> {
        let is_loss = match &self.method {
            Method::Quotient(quotient) => quotient.is_loss(quotient.total(boards)),
            Method::Nimbers(nimbers) => nimbers.total(boards) == 0,
            Method::Search(searched) => searched.search(MAX_SUMS).until(stop).is_loss(boards).ok()?,
        };
        Some(if is_loss { Value::Loss } else { Value::Win })
    }

    /// Returns the distance of a move, if distances of so many boards can be searched.
    fn distance_after(&self, boards: &Boards, mv: Move) -> Option<u32> {
        if boards.boards().len() > Distances::MAX_BOARDS {
            return None;
        }
        let after = boards.after(mv).expect("a move from `moves` is legal");
        self.distance(after.boards()).map(|plies| plies + 1)
    }

    fn distance(&self, boards: &[SquareSet]) -> Option<u32> {
        self.distances.as_ref()?.distance(self.rules.goal(), boards)
    }
}
