//! Finds the best moves, on one board and on several.

#![allow(clippy::print_stdout, reason = "an example prints what it does")]

use std::error::Error;

use tictac::{Game, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    for (rules, moves) in [("3,3,3", ["B2", "A2"]), ("notakto boards=2", ["1.B2", "2.A1"])] {
        let rules: Rules = rules.parse()?;
        let mut game = Game::new(&rules);
        for text in moves {
            game.play(game.state().parse_move(text)?)?;
        }
        let best = tictac_solver::best_moves(game.state());
        let names: Vec<String> = best.iter().map(|mv| mv.name(&rules).to_string()).collect();
        println!("{rules}, {}: {}", game.state(), names.join(" "));
    }
    Ok(())
}
