//! Why a certificate proves nothing.

use std::error::Error;
use std::fmt;

use super::text::{aim_name, player_name};
use super::{Aim, Certificate, needed};
use crate::mark::Player;
use crate::moves::IllegalMove;
use crate::notation::{LineName, SquareName};
use crate::position::Outcome;

/// The first flaw of a certificate.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The line of the certificate, from 1: that of the entry, or of the strategy or value that needs what is missing.
    pub line: usize,
    /// The position in question, as text.
    pub position: String,
    /// What is wrong there.
    pub why: Flaw,
}

/// What is wrong with a certificate.
#[derive(Clone, Debug)]
pub enum Flaw {
    /// The value needs other strategies; these, as the certificate should write them.
    Strategies(Vec<String>),
    /// Nothing says what the owner does in the position, and it does not decide itself.
    Missing(Player),
    /// No play of the owner leads to the position of the entry.
    Unreached,
    /// An earlier line has an entry for the same position or its mirror image.
    Twice(usize),
    /// The game is over in the position of the entry.
    Over,
    /// The owner is not to move in the position, so the entry may not name a move.
    NotHisTurn(Player),
    /// The move is illegal.
    Illegal(IllegalMove),
    /// The game ends like this, which is less than was claimed.
    Ends(Outcome),
    /// Pairs and weights prove that their owner does not lose, and not that he wins.
    ProvesNoWin,
    /// Pairs and weights are for one board, own marks and lines that win.
    NoLeaves,
    /// The game is over after the move, so there is nothing left to hold.
    NothingLeft,
    /// A square of a pair holds a mark or is in another pair.
    SquareNotFree(SquareName),
    /// This line contains no whole pair.
    Unpaired(LineName),
    /// The lines weigh 1 or more.
    TooHeavy,
}

impl Flaw {
    /// Returns the flaw of a certificate that has other strategies than its value needs.
    pub(super) fn strategies(certificate: &Certificate) -> Flaw {
        let heading =
            |(owner, aim): (Player, Aim)| format!("strategy {} {}", player_name(owner), aim_name(aim));
        Flaw::Strategies(needed(&certificate.start, certificate.value).into_iter().map(heading).collect())
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Strategies(needed) => {
                write!(f, "the value is proved by exactly these: {}", needed.join(", "))
            }
            Flaw::Missing(owner) => {
                write!(f, "nothing says what the {} player does here", player_name(*owner))
            }
            Flaw::Unreached => f.write_str("no play by this strategy leads here: drop the entry"),
            Flaw::Twice(line) => write!(f, "line {line} has the same position or a mirror image of it"),
            Flaw::Over => f.write_str("the game is over here: an entry needs a player to move"),
            Flaw::NotHisTurn(owner) => {
                write!(f, "it is not the turn of the {} player, who cannot move here", player_name(*owner))
            }
            Flaw::Illegal(illegal) => illegal.fmt(f),
            Flaw::Ends(Outcome::Draw) => f.write_str("the game ends here in a draw, and a win was claimed"),
            Flaw::Ends(Outcome::Win(winner)) => {
                write!(f, "the game ends here with a win of the {} player", player_name(*winner))
            }
            Flaw::ProvesNoWin => {
                f.write_str("pairs and weight prove that a player holds, and not that he wins")
            }
            Flaw::NoLeaves => f.write_str(
                "pairs and weight need one board, a mark of his own for each player, and lines that win",
            ),
            Flaw::NothingLeft => f.write_str("the game is over after this move: nothing is left to hold"),
            Flaw::SquareNotFree(square) => {
                write!(f, "{square} holds a mark or stands in a pair before: pairs are disjoint and empty")
            }
            Flaw::Unpaired(line) => {
                write!(f, "the line {line} can still be completed and contains no whole pair")
            }
            Flaw::TooHeavy => f.write_str("the lines that can still be completed weigh 1 or more"),
        }
    }
}

impl fmt::Display for Refuted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: in {}: {}", self.line, self.position, self.why)
    }
}

impl Error for Refuted {}
