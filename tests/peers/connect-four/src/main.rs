//! Prints the score of each position of the input, and the number of nodes, by the solver of the crate `connect-four-ai` without its book.
//!
//! The input and the output are those of `crates/tictac-solver/benches/drop.rs`. What is stored for one position stays for the next, as there.

use std::io;

use connect_four_ai::{Position, Solver};

fn main() {
    let mut solver = Solver::empty();
    for line in io::stdin().lines() {
        let moves = line.expect("the input is text");
        let position = Position::from_moves(&moves).expect("the moves are legal");
        let score = solver.solve(&position);
        println!("{score} {}", solver.explored_positions);
    }
}
