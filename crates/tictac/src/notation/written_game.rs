//! Games written as records.

use std::fmt;

use super::record_line::WrittenEntry;
use crate::game::Game;
use crate::rules::Rules;

/// The record of a game, after a tag with its rules unless they are 3,3,3.
///
/// ```
/// use tictac::notation::WrittenGame;
/// use tictac::{Game, Rules};
///
/// let mut game = Game::new(&"4,4,3 misere".parse::<Rules>()?);
/// game.play(game.parse_move("B2")?)?;
/// assert_eq!(WrittenGame(&game).to_string(), "[Rules \"4,4,3 misere\"]\n1 X B2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WrittenGame<'a>(pub &'a Game);

impl fmt::Display for WrittenGame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = *self.0.rules();
        if rules != Rules::CLASSIC {
            writeln!(f, "[Rules \"{rules}\"]")?;
        }
        for (number, &mv) in (1..).zip(self.0.moves()) {
            writeln!(f, "{}", WrittenEntry { rules, number, mv })?;
        }
        Ok(())
    }
}
