//! Scores of Connect Four positions: `cargo xtask bench drop` runs it as a process.
//!
//! Arguments: the number of megabytes and of threads. Each line of the input is a position on seven columns and six rows: the columns played, from 1 to 7. It prints
//! the score of each and the number of nodes: how many stones the winner has left at the end, one more if they win with the last, negative if the
//! player to move loses.

use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, io, thread};

use tictac::{Goal, Value};
use tictac_solver::{DropSize, DropSolver, Question};

const CONNECT_FOUR: DropSize = DropSize { columns: 7, rows: 6, k: 4, goal: Goal::Complete };

#[expect(clippy::print_stdout, reason = "a program that prints its result")]
fn main() {
    // Cargo adds `--bench` when it runs this itself.
    let words: Vec<usize> = env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [megabytes, n_threads] = words[..] else { return };
    let mut team = DropSolver::team(CONNECT_FOUR, megabytes << 20, n_threads);
    for line in io::stdin().lines() {
        let moves = line.expect("the input is text");
        let sets = position(&moves).unwrap_or_else(|| panic!("{moves} is not a sequence of legal moves"));
        let before: u64 = team.iter().map(DropSolver::nodes).sum();
        let score = score(&mut team, sets);
        println!("{score} {}", team.iter().map(DropSolver::nodes).sum::<u64>() - before);
    }
}

/// Solves a position on all threads; the first to succeed stops the others.
fn score(team: &mut [DropSolver], sets: [u64; 2]) -> i64 {
    let is_solved = AtomicBool::new(false);
    let solve = |solver: &mut DropSolver| {
        let answer = solver.solve(sets, Question::Strong, &|| is_solved.load(Ordering::Relaxed));
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
    let ply = i64::from((sets[0] | sets[1]).count_ones());
    let at_end = (44 - ply - i64::from(answer.distance.unwrap_or(0))) / 2;
    match answer.worst {
        Value::Win => at_end,
        Value::Draw => 0,
        Value::Loss => -at_end,
    }
}

/// Returns the squares of the player to move and of the other player, row by row from the top.
fn position(moves: &str) -> Option<[u64; 2]> {
    moves.bytes().try_fold([0, 0], |[mine, theirs]: [u64; 2], digit| {
        let column = digit.checked_sub(b'1').filter(|column| *column < 7)?;
        let squares = (0..6).rev().map(|row| 1 << (7 * row + column));
        let square = squares.into_iter().find(|square| (mine | theirs) & square == 0)?;
        Some([theirs, mine | square])
    })
}
