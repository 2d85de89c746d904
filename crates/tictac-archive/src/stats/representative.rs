//! One representative of all games, or moves, that differ only by a symmetry.

use std::collections::HashMap;

use tictac::{Boards, Move, Position, Rules, State, Symmetry};

/// Whether games that differ only by a symmetry count as the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetries {
    /// Symmetric games count as the same: boards may be rotated, mirrored and exchanged.
    #[default]
    Merged,
    /// Every game counts separately.
    Apart,
}

/// Replaces the moves of a game, one by one, with those of the smallest symmetric game.
pub(super) struct GameSymmetry {
    symmetries: Symmetries,
    rules: Rules,
    // By board: its new number, and the symmetries that are consistent with the moves so far.
    boards: HashMap<u32, (u32, Vec<Symmetry>)>,
}

impl GameSymmetry {
    pub(super) fn new(rules: &Rules, symmetries: Symmetries) -> GameSymmetry {
        GameSymmetry { symmetries, rules: *rules, boards: HashMap::new() }
    }

    /// Returns the representative of the next move.
    pub(super) fn next(&mut self, mv: Move) -> Move {
        if self.symmetries == Symmetries::Apart {
            return mv;
        }
        let (rules, n_boards) = (self.rules, self.boards.len() as u32);
        let grid = rules.grid();
        let (board, left) = self.boards.entry(mv.board).or_insert_with(|| (n_boards, Symmetry::of(&rules)));
        let images = left.iter().map(|symmetry| symmetry.image(grid, mv.square));
        // Choosing the smallest square at each move, within earlier choices, gives the smallest game.
        let square = images.min().unwrap_or(mv.square);
        left.retain(|symmetry| symmetry.image(grid, mv.square) == square);
        Move { board: *board, square, mark: mv.mark }
    }
}

/// Returns the representative of a state and a move in it.
pub(super) fn canonical_move(state: &State, mv: Move) -> (State, Move) {
    match state {
        State::One(position) => canonical_on_one_board(position, mv),
        State::Many(boards) => canonical_on_several_boards(boards, mv),
    }
}

fn canonical_on_one_board(position: &Position, mv: Move) -> (State, Move) {
    let (rules, grid) = (*position.rules(), position.rules().grid());
    let images = Symmetry::of(&rules)
        .into_iter()
        .map(|symmetry| (symmetry.image_of_board(grid, position.board()), symmetry.image(grid, mv.square)));
    let (board, square) = images.min().expect("the identity is a symmetry");
    let position = Position::set_up(board, position.opener(), &rules);
    (State::One(position.expect("a symmetry keeps a position legal")), Move { square, ..mv })
}

fn canonical_on_several_boards(boards: &Boards, mv: Move) -> (State, Move) {
    let (grid, canonical) = (boards.rules().grid(), boards.canonical());
    let squares = boards.boards().get(mv.board as usize).copied().unwrap_or_default();
    let images = Symmetry::of(boards.rules())
        .into_iter()
        .map(|symmetry| (symmetry.image_of_set(grid, squares), symmetry.image(grid, mv.square)));
    let (squares, square) = images.min().expect("the identity is a symmetry");
    // Equal boards are interchangeable, so the first one can be used.
    let board = canonical.boards().iter().position(|&other| other == squares).unwrap_or_default();
    (State::Many(canonical), Move { board: board as u32, square, ..mv })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(rules: &str, moves: &str) -> String {
        let rules: Rules = rules.parse().unwrap();
        let mut symmetry = GameSymmetry::new(&rules, Symmetries::Merged);
        let names = moves.split(", ").map(|text| {
            let mv = symmetry.next(rules.parse_move(text).unwrap());
            mv.display(&rules).to_string()
        });
        names.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn symmetric_openings_have_one_representative() {
        assert_eq!(renamed("3,3,3", "X C3, O C2, X A1"), "X A1, O A2, X C3");
        assert_eq!(renamed("3,3,3", "X C3, O B3, X A1"), "X A1, O A2, X C3");
        assert_eq!(renamed("3,3,3", "X B2, O C2, X C1"), "X B2, O A2, X A1");
        assert_eq!(renamed("3,4,3", "X C4, O A4"), "X A1, O C1");
        assert_eq!(renamed("notakto boards=3", "X 3.C3, X 1.B2, X 3.A3"), "X 1.A1, X 2.B2, X 1.A3");
    }

    #[test]
    fn a_move_and_its_state_are_transformed_together() {
        let rules: Rules = "notakto boards=3".parse().unwrap();
        let state = State::parse(".../.../...+.../..X/...+X../.../... 1", &rules).unwrap();
        let turned = canonical_move(&state, rules.parse_move("X 2.A1").unwrap());
        let other = State::parse("..X/.../...+.../.../...+.X./.../... 1", &rules).unwrap();
        assert_eq!(turned, canonical_move(&other, rules.parse_move("X 3.C3").unwrap()));
        assert!(turned.0.after(turned.1).is_ok());
    }
}
