//! Plays a game and checks a record.

#![allow(clippy::print_stdout, reason = "an example prints what it does")]

use std::error::Error;

use tictac::notation::{Diagram, Record, Style};
use tictac::{Game, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    // Play a game. Rows are letters from the top, columns are numbers from the left.
    let rules: Rules = "3,3,3".parse()?;
    let mut game = Game::new(&rules);
    for text in ["B2", "A2", "A1", "C3", "B1", "C1", "B3"] {
        game.play(game.state().parse_move(text)?)?;
    }
    for board in game.state().boards() {
        print!("{}", Diagram::new(rules.grid(), board, Style::Plain));
    }
    println!("{}; {}", game.state().status_line(), game.status());

    // Check a record: first its syntax, then its moves.
    let record = Record::parse("1 X B2\n2 O A2 # a mistake\n3 X A2\n", &rules)?;
    match record.game() {
        Ok(game) => println!("valid: {}", game.status()),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
