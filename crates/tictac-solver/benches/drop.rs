//! Scores of Connect Four positions: `cargo xtask bench drop` runs it as a process.
//!
//! Arguments: the number of megabytes and of threads. Each line of the input is a position on seven columns and six rows: the columns played, from 1 to 7. It prints
//! the score of each and the number of nodes: how many stones the winner has left at the end, one more if they win with the last, negative if the
//! player to move loses.

use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, io, thread};

use tictac::{Position, Rules, Value};
use tictac_solver::{Question, SearchTables, Solver};

#[expect(clippy::print_stdout, reason = "a program that prints its result")]
fn main() {
    // Cargo adds `--bench` when it runs this itself.
    let words: Vec<usize> = env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [megabytes, n_threads] = words[..] else { return };
    let rules = Rules::CONNECT_FOUR;
    let mut team = SearchTables::new(&rules, megabytes << 20, n_threads, Question::Strong).solvers();
    for line in io::stdin().lines() {
        let moves = line.expect("the input is text");
        let position = position(&moves).unwrap_or_else(|| panic!("{moves} is not a sequence of legal moves"));
        let before: u64 = team.iter().map(Solver::nodes).sum();
        let score = score(&mut team, &position);
        println!("{score} {}", team.iter().map(Solver::nodes).sum::<u64>() - before);
    }
}

/// Solves a position on all threads; the first to succeed stops the others.
fn score(team: &mut [Solver], position: &Position) -> i64 {
    let is_solved = AtomicBool::new(false);
    let solve = |solver: &mut Solver| {
        let answer = solver.solve(position, Question::Strong, &|| is_solved.load(Ordering::Relaxed));
        is_solved.fetch_or(answer.proven, Ordering::Relaxed);
        answer
    };
    let answers: Vec<_> = match team {
        [solver] => vec![solve(solver)],
        team => thread::scope(|scope| {
            let threads: Vec<_> = team.iter_mut().map(|solver| scope.spawn(|| solve(solver))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a search does not panic")).collect()
        }),
    };
    let answer =
        answers.iter().find(|answer| answer.proven).expect("no search is stopped before one has the answer");
    let ply = i64::try_from(position.board().occupied().len()).expect("a board has at most 64 squares");
    let at_end = (44 - ply - i64::from(answer.distance.unwrap_or(0))) / 2;
    match answer.worst {
        Value::Win => at_end,
        Value::Draw => 0,
        Value::Loss => -at_end,
    }
}

/// Returns the position after moves in these columns, if all of them are legal.
fn position(columns: &str) -> Option<Position> {
    columns.bytes().try_fold(Position::start(&Rules::CONNECT_FOUR)?, |position, digit| {
        let column = usize::from(digit.checked_sub(b'1')?);
        let grid = position.rules().grid();
        let mv = position.moves().find(|mv| grid.column(mv.square) == column)?;
        position.after(mv).ok()
    })
}
