//! The values of all positions of a small variant, for callers that look up many of them.

use crate::bit_position::BitPosition;
use crate::geometry::Geometry;
use crate::one_board::score_table::ScoreTable;
use tictac::{Board, Mark, Player, Rules, Value};

/// The value and the distance of every position of a variant on one board in which X moves first.
///
/// ```
/// use tictac::{Board, Rules, Value};
/// use tictac_solver::PositionTable;
///
/// let table = PositionTable::new(&Rules::CLASSIC, 1 << 20, &|| false).unwrap();
/// assert_eq!(table.look_up(Board::EMPTY), (Value::Draw, None));
/// ```
pub struct PositionTable {
    rules: Rules,
    scores: ScoreTable,
}

debug_by_rules!(PositionTable, rules);

impl PositionTable {
    /// Solves every position of `rules`, or returns `None` if they have several boards, the table would take more than
    /// `max_bytes`, or `stop` returns true.
    ///
    /// The table takes a byte for each way to fill the board: `3^squares`, or `2^squares` if only X is written.
    pub fn new(rules: &Rules, max_bytes: usize, stop: &dyn Fn() -> bool) -> Option<PositionTable> {
        let n_bytes = ScoreTable::n_bytes(rules.marks(), rules.grid().len() as u32)?;
        if rules.n_boards() > 1 || n_bytes > max_bytes || !rules.is_ordinary() {
            return None;
        }
        let scores = ScoreTable::from_root(*rules, &Geometry::new(*rules), BitPosition::EMPTY, stop)?;
        Some(PositionTable { rules: *rules, scores })
    }

    /// Returns the value for the player to move and the number of plies to the end, which is `None` for a draw.
    ///
    /// The answer is meaningless for a board that play cannot reach.
    ///
    /// # Panics
    ///
    /// Panics if a mark lies outside the grid.
    #[inline]
    pub fn look_up(&self, board: Board) -> (Value, Option<u32>) {
        let ply = board.occupied().len();
        let first = self.rules.marks_of(Player::after_moves(ply), Mark::X)[0];
        let sets = [first, !first].map(|mark| board.squares(mark).bits());
        let score = self.scores.score(BitPosition { sets });
        (score.value(), score.distance(ply as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Question, Solver};
    use tictac::Position;

    fn agrees_below(position: &Position, table: &PositionTable, solver: &mut Solver) {
        let answer = solver.solve(position, Question::Strong, &|| false);
        let found = table.look_up(position.board());
        assert_eq!((Some(found.0), found.1), (answer.value(), answer.distance), "{position}");
        for mv in position.moves() {
            agrees_below(&position.after(mv).unwrap(), table, solver);
        }
    }

    #[test]
    fn the_table_agrees_with_the_solver_in_every_position() {
        for rules in Rules::new(tictac::Grid::new(2, 3).unwrap(), 2).unwrap().variants() {
            let table = PositionTable::new(&rules, 1 << 20, &|| false).unwrap();
            agrees_below(&Position::start(&rules).unwrap(), &table, &mut Solver::new(&rules, 1 << 20));
        }
    }

    #[test]
    fn several_boards_and_large_boards_have_no_table() {
        for text in ["notakto boards=2", "8,8,5", "4,4,4"] {
            assert!(PositionTable::new(&text.parse().unwrap(), 1 << 20, &|| false).is_none(), "{text}");
        }
        assert!(PositionTable::new(&"4,4,3".parse().unwrap(), 1 << 30, &|| true).is_none());
    }
}
