//! The computer as a player.

use fastrand::Rng;
use tictac::{Move, Player};

/// Which sides the computer plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// Neither: two people play.
    #[default]
    Neither,
    /// One, against a person.
    One(Player),
    /// Both, against itself.
    Both,
}

/// A player that never errs, and among equally good moves is not always the same.
///
/// What is good it asks the library; only the choice among equals is its own.
#[derive(Clone, Debug)]
pub struct Computer {
    sides: Sides,
    chance: Rng,
}

impl Computer {
    /// Returns a computer that plays these sides and draws its choices from `chance`.
    pub const fn new(sides: Sides, chance: Rng) -> Computer {
        Computer { sides, chance }
    }

    /// Returns whether the computer moves when `player` is to move.
    pub fn plays(&self, player: Player) -> bool {
        match self.sides {
            Sides::Neither => false,
            Sides::One(side) => side == player,
            Sides::Both => true,
        }
    }

    /// Returns one of `moves`.
    ///
    /// # Panics
    ///
    /// Panics where there is none: a game that goes on has a move.
    pub fn choose(&mut self, moves: &[Move]) -> Move {
        *self.chance.choice(moves).expect("a game that goes on has a move")
    }
}

impl Default for Computer {
    /// A computer that plays no side.
    fn default() -> Computer {
        Computer::new(Sides::Neither, Rng::with_seed(0))
    }
}
