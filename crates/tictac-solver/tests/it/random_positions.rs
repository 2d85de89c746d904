//! The oracle compared with a plain alpha-beta search, on random positions of larger boards in every variant.

use tictac::{Mark, Outcome, Player, Position, Rules, Status, Symmetry, Value};
use tictac_solver::{Question, Solver};

use crate::corpus::variants;

/// A random number generator with a fixed seed.
struct SeededRandom(u64);

impl SeededRandom {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A position with `n_empty` empty squares in which the game is not over, reached by random moves.
fn random_position(rules: Rules, n_empty: usize, random: &mut SeededRandom) -> Option<Position> {
    let opener = Mark::BOTH[random.below(2)];
    let mut position = Position::start_with(&rules, opener).unwrap();
    while position.empty_squares().len() > n_empty {
        let moves: Vec<_> = position.moves().collect();
        position.play(moves[random.below(moves.len())]).unwrap();
        if let Status::Over(_) = position.status() {
            return None;
        }
    }
    Some(position)
}

/// A score for the player to move: a win in n plies is 100 - n, a loss the negative, a draw 0.
fn alpha_beta(position: &Position, next: Player, mut alpha: i32, beta: i32, ply: i32) -> i32 {
    match position.status() {
        Status::Over(Outcome::Draw) => return 0,
        Status::Over(Outcome::Win(winner)) => return if winner == next { 100 - ply } else { ply - 100 },
        Status::ToMove(_) => {}
    }
    for mv in position.moves() {
        let score = -alpha_beta(&position.after(mv).unwrap(), !next, -beta, -alpha, ply + 1);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

fn expected(position: &Position) -> (Value, Option<u32>) {
    let score = alpha_beta(position, position.next_player(), -100, 100, 0);
    match score {
        0 => (Value::Draw, None),
        1.. => (Value::Win, Some(score.abs_diff(100))),
        _ => (Value::Loss, Some(score.abs_diff(-100))),
    }
}

#[test]
fn the_oracle_agrees_with_alpha_beta_on_random_positions() {
    let mut random = SeededRandom(3);
    let mut n_checked = 0;
    for (size, n_empty) in
        [("4,3,3", 8), ("4,4,3", 7), ("4,4,4", 8), ("5,4,4", 8), ("5,4,3", 7), ("2,8,3", 8), ("5,5,4", 8)]
    {
        for rules in variants(size) {
            let mut solver = Solver::new(&rules, 1 << 24);
            let n_empty =
                if size.starts_with("4,3") || !rules.marks_name_players() { n_empty - 1 } else { n_empty };
            for _ in 0..60 {
                let Some(position) = random_position(rules, n_empty, &mut random) else { continue };
                let (value, distance) = expected(&position);
                let strong = solver.solve(&position, Question::Strong, &|| false);
                assert!(strong.proven, "{rules}: {position}");
                assert_eq!((strong.value(), strong.distance), (Some(value), distance), "{rules}: {position}");
                let weak = Solver::new(&rules, 1 << 22).solve(&position, Question::Weak, &|| false);
                assert_eq!(weak.value(), Some(value), "{rules}: {position}");
                n_checked += 1;
            }
        }
    }
    assert!(n_checked > 800, "{n_checked}");
}

#[test]
fn symmetric_positions_have_the_same_answers() {
    let mut random = SeededRandom(4);
    for size in ["4,4,3", "5,4,4"] {
        for rules in variants(size) {
            let mut solver = Solver::new(&rules, 1 << 24);
            let positions =
                (0..20).filter_map(|_| random_position(rules, 9, &mut random)).collect::<Vec<_>>();
            for position in positions {
                let answer = solver.solve(&position, Question::Strong, &|| false);
                for symmetry in Symmetry::of(&rules) {
                    let board = symmetry.image_of_board(rules.grid(), position.board());
                    let image = Position::set_up(board, position.opener(), &rules).unwrap();
                    let same = Solver::new(&rules, 1 << 24).solve(&image, Question::Strong, &|| false);
                    assert_eq!(
                        (same.worst, same.distance),
                        (answer.worst, answer.distance),
                        "{rules}: {image}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_answer_of_a_stopped_search_is_correct() {
    use std::cell::Cell;
    let rules: Rules = "4,4,4 misere".parse().unwrap();
    let truth =
        Solver::new(&rules, 1 << 26).solve(&Position::start(&rules).unwrap(), Question::Strong, &|| false);
    for max_polls in [0, 1, 2, 5, 20, 100] {
        let polls = Cell::new(0);
        let stop = || {
            polls.set(polls.get() + 1);
            polls.get() > max_polls
        };
        let answer =
            Solver::new(&rules, 1 << 22).solve(&Position::start(&rules).unwrap(), Question::Strong, &stop);
        assert!(answer.worst <= truth.worst && truth.best <= answer.best, "{max_polls}: {answer:?}");
        assert!(!answer.proven || answer == truth);
    }
    for rules in ["8,8,5", "9,4,4", "7,7,5"] {
        let rules: Rules = rules.parse().unwrap();
        let answer =
            Solver::new(&rules, 1 << 22).solve(&Position::start(&rules).unwrap(), Question::Weak, &|| true);
        assert_eq!(
            (answer.worst, answer.proven),
            (Value::Draw, false),
            "{rules}: no player loses from the start"
        );
    }
}
