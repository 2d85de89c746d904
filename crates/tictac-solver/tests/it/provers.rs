//! The provers of plain games, compared with a simple alpha-beta search.

use std::thread;

use tictac::{Move, Outcome, Position, Rules, Status, Value};
use tictac_solver::{Answer, Question, Solver};

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

/// Returns the answers of all solvers of a team, which work at the same time.
fn solve_together(team: &mut [Solver], position: &Position) -> Vec<Answer> {
    thread::scope(|scope| {
        let threads: Vec<_> = team
            .iter_mut()
            .map(|solver| scope.spawn(|| solver.solve(position, Question::Weak, &|| false)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[track_caller]
fn check(rules: &str, plies: std::ops::Range<usize>, samples: usize) {
    let rules: Rules = rules.parse().unwrap();
    let mut rng = XorShift(0x1234_5678_9ABC_DEF1);
    let mut alone = Solver::new(&rules, 1 << 20);
    let mut team = Solver::team(&rules, 1 << 21, 2);
    assert_eq!(team.len(), 2);
    for sample in 0..samples {
        let position = rng.position(rules, plies.start + sample % plies.len());
        let truth = alpha_beta(&position, Value::Loss, Value::Win);
        let answer = alone.solve(&position, Question::Weak, &|| false);
        assert_eq!(answer.value(), Some(truth), "{rules}: {position}");
        // Starting threads takes longer than solving, so most positions are solved by one member after the other.
        let answers = match sample % 32 {
            0 => solve_together(&mut team, &position),
            _ => team.iter_mut().map(|solver| solver.solve(&position, Question::Weak, &|| false)).collect(),
        };
        for answer in answers {
            assert_eq!(answer.value(), Some(truth), "{rules} in a team: {position}");
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

#[test]
fn a_team_of_any_size_finds_the_same_value() {
    for (rules, value) in
        [("5,5,4", Value::Draw), ("6,6,4", Value::Win), ("7,4,4", Value::Draw), ("6,5,4", Value::Win)]
    {
        let rules: Rules = rules.parse().unwrap();
        let start = Position::start(&rules).unwrap();
        for n_solvers in [1, 2, 3, 8] {
            let mut team = Solver::team(&rules, 1 << 24, n_solvers);
            assert_eq!(team.len(), n_solvers);
            for answer in solve_together(&mut team, &start) {
                assert_eq!(answer.value(), Some(value), "{rules} by {n_solvers}");
            }
        }
    }
}
