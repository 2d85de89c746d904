//! The computer as a player of `tictactoe` and `notakto`.

use fastrand::Rng;
use tictac::{Move, Player};

/// The sides that the computer plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// No side: two people play.
    #[default]
    Neither,
    /// One side, against a person.
    One(Player),
    /// Both sides, against itself.
    Both,
}

impl Sides {
    /// Parses the value of `--computer`: one of the two players' names, or `both`.
    pub(crate) fn parse(text: &str, [first, second]: [&str; 2]) -> Result<Sides, lexopt::Error> {
        match text {
            "both" => Ok(Sides::Both),
            _ if text == first => Ok(Sides::One(Player::First)),
            _ if text == second => Ok(Sides::One(Player::Second)),
            _ => Err(format!("--computer must be {first}, {second} or both, not {text:?}").into()),
        }
    }
}

/// A computer opponent that chooses at random among the moves it is offered.
///
/// The library determines which moves are best.
#[derive(Clone, Debug)]
pub struct ComputerSides {
    sides: Sides,
    rng: Rng,
}

impl ComputerSides {
    /// Returns a computer that plays `sides` and chooses with `rng`.
    pub const fn new(sides: Sides, rng: Rng) -> ComputerSides {
        ComputerSides { sides, rng }
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
    /// Panics if `moves` is empty.
    pub fn choose(&mut self, moves: &[Move]) -> Move {
        *self.rng.choice(moves).expect("a game that is not over has a move")
    }
}

impl Default for ComputerSides {
    /// Returns a computer that plays no side.
    fn default() -> ComputerSides {
        ComputerSides::new(Sides::Neither, Rng::with_seed(0))
    }
}
