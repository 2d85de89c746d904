//! The provers of plain games, compared with a simple alpha-beta search.

use tictac::solve::{Question, Solver, Value};
use tictac::{Move, Outcome, Position, Rules, Status};

/// Returns the value for the player to move by plain alpha-beta search.
fn alpha_beta(position: &Position, mut alpha: Value, beta: Value) -> Value {
    match position.status() {
        Status::Over(Outcome::Draw) => return Value::Draw,
        // Only the player who has just moved completes a line.
        Status::Over(Outcome::Win(_)) => return Value::Loss,
        Status::ToMove(_) => {}
    }
    for mv in position.moves() {
        let reply = alpha_beta(&position.after(mv).unwrap(), beta.for_other(), alpha.for_other());
        alpha = alpha.max(reply.for_other());
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// A xorshift random number generator.
struct XorShift(u64);

impl XorShift {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    /// Returns a position after `plies` random moves in which the game is not over.
    fn position(&mut self, rules: Rules, plies: usize) -> Position {
        loop {
            let mut position = Position::start(&rules).unwrap();
            while position.n_moves() < plies && matches!(position.status(), Status::ToMove(_)) {
                let moves: Vec<Move> = position.moves().collect();
                position.play(moves[self.below(moves.len())]).unwrap();
            }
            if matches!(position.status(), Status::ToMove(_)) {
                return position;
            }
        }
    }
}

#[track_caller]
fn check(rules: &str, plies: std::ops::Range<usize>, samples: usize) {
    let rules: Rules = rules.parse().unwrap();
    let mut rng = XorShift(0x1234_5678_9ABC_DEF1);
    let mut both = Solver::new(&rules, 1 << 20);
    let [mut draws, mut wins] = Solver::racing_pair(&rules, 1 << 21).expect("a board too large for a table");
    for sample in 0..samples {
        let position = rng.position(rules, plies.start + sample % plies.len());
        let truth = alpha_beta(&position, Value::Loss, Value::Win);
        for solver in [&mut both, &mut draws, &mut wins] {
            let answer = solver.solve(&position, Question::Weak, &|| false);
            assert_eq!(answer.value(), Some(truth), "{rules}: {position}");
        }
    }
}

#[test]
fn the_provers_agree_with_alpha_beta_on_4x4() {
    check("4,4,3", 5..12, 2000);
    check("4,4,4", 6..16, 2000);
}

#[test]
fn the_provers_agree_with_alpha_beta_on_5x4() {
    check("5,4,3", 9..14, 1000);
    check("5,4,4", 11..20, 1500);
    check("5,4,5", 11..20, 300);
}

#[test]
fn the_provers_agree_with_alpha_beta_on_wider_grids() {
    check("5,5,4", 16..24, 1600);
    check("7,4,4", 19..27, 1600);
}
