//! Counting move sequences, positions and games.

use std::collections::HashMap;

use crate::board::Board;
use crate::mark::Player;
use crate::notakto::Boards;
use crate::position::{Outcome, Position, Status};
use crate::rules::Rules;
use crate::square::SquareSet;
use crate::state::State;
use crate::symmetry::Symmetry;

/// Returns the number of sequences of exactly `depth` legal moves from `state`.
///
/// ```
/// use tictac::{Rules, State, perft};
///
/// let start = State::start(&Rules::CLASSIC);
/// assert_eq!((1..=5).map(|depth| perft(&start, depth)).collect::<Vec<_>>(), [9, 72, 504, 3024, 15120]);
/// ```
pub fn perft(state: &State, depth: u32) -> u64 {
    match state {
        State::One(position) => perft_position(position, depth),
        State::Many(boards) => perft_boards(boards, depth),
    }
}

fn perft_position(position: &Position, depth: u32) -> u64 {
    let after = |mv| position.after(mv).expect("a move from `moves` is legal");
    match depth {
        0 => 1,
        1 => position.moves().count() as u64,
        _ => position.moves().map(|mv| perft_position(&after(mv), depth - 1)).sum(),
    }
}

fn perft_boards(boards: &Boards, depth: u32) -> u64 {
    let after = |mv| boards.after(mv).expect("a move from `moves` is legal");
    match depth {
        0 => 1,
        1 => boards.moves().count() as u64,
        _ => boards.moves().map(|mv| perft_boards(&after(mv), depth - 1)).sum(),
    }
}

/// The number of positions and games of a variant on one board.
///
/// "Up to symmetry" means up to the symmetries of the grid. For games, it means that moves which a symmetry of the
/// position maps to each other count once. Games are counted in 128 bits, enough for 34 squares; the positions of a
/// larger grid would not fit into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Reachable positions, including the start.
    pub positions: u64,
    /// Reachable positions up to symmetry.
    pub positions_up_to_symmetry: u64,
    /// Reachable positions in which the game is over.
    pub terminal: u64,
    /// The number of complete games.
    pub games: u128,
    /// Complete games that the first player wins.
    pub games_first_wins: u128,
    /// Complete games that the second player wins.
    pub games_second_wins: u128,
    /// Complete games that end in a draw.
    pub games_drawn: u128,
    /// Complete games up to symmetry.
    pub games_up_to_symmetry: u128,
}

/// The number of move sequences that reach a position.
#[derive(Clone, Copy, Default)]
struct Ways {
    games: u128,
    games_up_to_symmetry: u128,
}

impl Census {
    /// Counts the positions and games of `rules`, or returns `None` if they have several boards.
    ///
    /// Visits one position of each symmetry class, so time and memory grow with `positions_up_to_symmetry`; 4,4,4 has
    /// 1.2 million.
    pub fn new(rules: &Rules) -> Option<Census> {
        let mut census = Census::default();
        let mut layer =
            HashMap::from([(Position::start(rules)?, Ways { games: 1, games_up_to_symmetry: 1 })]);
        while !layer.is_empty() {
            let mut next: HashMap<Position, Ways> = HashMap::new();
            for (position, ways) in layer {
                let own = OwnSymmetries::of(&position);
                census.count(&position, ways, own.class_size);
                for mv in position.moves() {
                    let after = position.after(mv).expect("a move from `moves` is legal").canonical();
                    let ways_after = next.entry(after).or_default();
                    ways_after.games += ways.games;
                    if own.representatives.contains(mv.square) {
                        ways_after.games_up_to_symmetry += ways.games_up_to_symmetry;
                    }
                }
            }
            layer = next;
        }
        Some(census)
    }

    fn count(&mut self, position: &Position, ways: Ways, class_size: u64) {
        self.positions += class_size;
        self.positions_up_to_symmetry += 1;
        let Status::Over(outcome) = position.status() else { return };
        self.terminal += class_size;
        self.games += ways.games;
        self.games_up_to_symmetry += ways.games_up_to_symmetry;
        *match outcome {
            Outcome::Win(Player::First) => &mut self.games_first_wins,
            Outcome::Win(Player::Second) => &mut self.games_second_wins,
            Outcome::Draw => &mut self.games_drawn,
        } += ways.games;
    }
}

/// The symmetries that map a position to itself.
struct OwnSymmetries {
    // One square of each class of squares that these symmetries map to each other.
    representatives: SquareSet,
    // The number of different images of the position under the symmetries of the grid.
    class_size: u64,
}

impl OwnSymmetries {
    fn of(position: &Position) -> OwnSymmetries {
        let grid = position.rules().grid();
        let board: Board = position.board();
        let all = Symmetry::of(grid);
        let own: Vec<&Symmetry> =
            all.iter().filter(|symmetry| symmetry.image_of_board(grid, board) == board).collect();
        let is_first_of_its_class =
            |&square: &_| own.iter().all(|symmetry| symmetry.image(grid, square) >= square);
        OwnSymmetries {
            representatives: grid.squares().iter().filter(is_first_of_its_class).collect(),
            class_size: (all.len() / own.len()) as u64,
        }
    }
}
