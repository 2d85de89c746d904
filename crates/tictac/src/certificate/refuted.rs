//! Flaws of certificates.

use std::error::Error;
use std::fmt;

use super::text::{aim_name, player_name};
use super::{Aim, Certificate, required_strategies};
use crate::mark::Player;
use crate::moves::IllegalMove;
use crate::notation::{LineName, SquareName};
use crate::position::Outcome;

/// The first flaw of a certificate, with its place.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The line number, from 1, of the entry, or of the strategy or value for which something is missing.
    pub line: usize,
    /// The position with the flaw, as text.
    pub position: String,
    /// The flaw in the proof.
    pub why: Flaw,
}

/// A flaw of a certificate.
#[derive(Clone, Debug)]
pub enum Flaw {
    /// The value requires these strategies instead, given as the headings in the certificate.
    Strategies(Vec<String>),
    /// The position requires an entry and has none.
    Missing(Player),
    /// The strategy never reaches the position of the entry.
    Unreached,
    /// This earlier line has an entry for the same position or a symmetric image of it.
    Twice(usize),
    /// The game is over in the position of the entry.
    Over,
    /// The entry contains a move, but the owner is not to move.
    NotOwnersTurn(Player),
    /// The move is illegal.
    Illegal(IllegalMove),
    /// The game ends with an outcome worse than claimed.
    Ends(Outcome),
    /// Pairs and weight prove only that a player does not lose, but the strategy claims a win.
    ProvesNoWin,
    /// Pairs and weight apply only to one board, if each player has a mark and lines win.
    NoLeaves,
    /// The game is over after the move, so pairs and weight do not apply.
    NothingLeft,
    /// This square of a pair holds a mark or belongs to another pair.
    SquareNotFree(SquareName),
    /// This line contains no pair.
    Unpaired(LineName),
    /// The weight of the lines is 1 or more.
    TooHeavy,
}

impl Flaw {
    /// Returns the flaw of a certificate whose strategies do not match its value.
    pub(super) fn strategies(certificate: &Certificate) -> Flaw {
        let heading =
            |(owner, aim): (Player, Aim)| format!("strategy {} {}", player_name(owner), aim_name(aim));
        let required = required_strategies(&certificate.start, certificate.value);
        Flaw::Strategies(required.into_iter().map(heading).collect())
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Strategies(required) => {
                write!(f, "the value requires exactly these strategies: {}", required.join(", "))
            }
            Flaw::Missing(owner) => {
                write!(f, "no entry for the {} player to move", player_name(*owner))
            }
            Flaw::Unreached => f.write_str("the strategy never reaches this position: remove the entry"),
            Flaw::Twice(line) => write!(f, "line {line} has the same position or a symmetric image of it"),
            Flaw::Over => f.write_str("the game is over: an entry needs a player to move"),
            Flaw::NotOwnersTurn(owner) => {
                write!(f, "the {} player is not to move", player_name(*owner))
            }
            Flaw::Illegal(illegal) => illegal.fmt(f),
            Flaw::Ends(Outcome::Draw) => f.write_str("the game ends in a draw, but a win is claimed"),
            Flaw::Ends(Outcome::Win(winner)) => {
                write!(f, "the game ends with a win of the {} player", player_name(*winner))
            }
            Flaw::ProvesNoWin => {
                f.write_str("pairs and weight prove that a player does not lose, not that the player wins")
            }
            Flaw::NoLeaves => f.write_str(
                "pairs and weight require one board, a different mark for each player, and lines that win",
            ),
            Flaw::NothingLeft => f.write_str("the game is over after this move: remove pairs or weight"),
            Flaw::SquareNotFree(square) => {
                write!(
                    f,
                    "{square} holds a mark or belongs to an earlier pair: pairs must be empty and disjoint"
                )
            }
            Flaw::Unpaired(line) => {
                write!(f, "the line {line} can still be completed and contains no pair")
            }
            Flaw::TooHeavy => f.write_str("the weight of the lines that can still be completed is 1 or more"),
        }
    }
}

impl fmt::Display for Refuted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: in {}: {}", self.line, self.position, self.why)
    }
}

impl Error for Refuted {}
