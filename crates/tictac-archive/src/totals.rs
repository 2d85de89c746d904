//! How games ended, and how many of each.

use serde::Serialize;
use tictac::notation::Referee;
use tictac::{Mark, Outcome, Player, Status};

/// How a game of an archive ended.
///
/// By mark, whoever began; where marks do not name players (wild, X-only), X stands for the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// X, or the first player, won.
    XWon,
    /// O, or the second player, won.
    OWon,
    /// Nobody won.
    Drawn,
    /// The record stops before the end.
    Unfinished,
    /// Something is wrong with the record.
    Bad,
}

impl Ending {
    /// All endings, in the order of reports.
    pub const ALL: [Ending; 5] = [Ending::XWon, Ending::OWon, Ending::Drawn, Ending::Unfinished, Ending::Bad];

    /// The name of the ending in reports for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::XWon => "x_won",
            Ending::OWon => "o_won",
            Ending::Drawn => "drawn",
            Ending::Unfinished => "unfinished",
            Ending::Bad => "bad",
        }
    }

    /// Returns how the game stands that `referee` has followed.
    pub(crate) fn of(referee: &Referee) -> Ending {
        match referee.status() {
            None | Some(Status::ToMove(_)) => Ending::Unfinished,
            Some(Status::Over(Outcome::Draw)) => Ending::Drawn,
            Some(Status::Over(Outcome::Win(player))) => {
                let mark = referee.position().and_then(|position| position.mark_of(player));
                match (mark, player) {
                    (Some(Mark::X), _) | (None, Player::First) => Ending::XWon,
                    (Some(Mark::O), _) | (None, Player::Second) => Ending::OWon,
                }
            }
        }
    }
}

/// How many games ended in which way, and how many moves were accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// The moves accepted, those of bad games before their fault included.
    pub moves: u64,
    /// Games that X, or the first player, won.
    pub x_won: u64,
    /// Games that O, or the second player, won.
    pub o_won: u64,
    /// Games that nobody won.
    pub drawn: u64,
    /// Games that stop before the end.
    pub unfinished: u64,
    /// Games with a fault.
    pub bad: u64,
}

impl Totals {
    /// All games.
    pub const fn games(&self) -> u64 {
        self.x_won + self.o_won + self.drawn + self.unfinished + self.bad
    }

    /// Returns how many games ended like this.
    pub const fn of(&self, ending: Ending) -> u64 {
        match ending {
            Ending::XWon => self.x_won,
            Ending::OWon => self.o_won,
            Ending::Drawn => self.drawn,
            Ending::Unfinished => self.unfinished,
            Ending::Bad => self.bad,
        }
    }

    /// Counts a game.
    pub(crate) const fn count(&mut self, ending: Ending, n_moves: u64) {
        self.count_many(ending, n_moves, 1);
    }

    /// Counts `n_games` of the same length.
    pub(crate) const fn count_many(&mut self, ending: Ending, n_moves: u64, n_games: u64) {
        self.moves += n_moves * n_games;
        *match ending {
            Ending::XWon => &mut self.x_won,
            Ending::OWon => &mut self.o_won,
            Ending::Drawn => &mut self.drawn,
            Ending::Unfinished => &mut self.unfinished,
            Ending::Bad => &mut self.bad,
        } += n_games;
    }

    /// Adds what was counted elsewhere.
    pub(crate) const fn add(&mut self, other: &Totals) {
        self.moves += other.moves;
        self.x_won += other.x_won;
        self.o_won += other.o_won;
        self.drawn += other.drawn;
        self.unfinished += other.unfinished;
        self.bad += other.bad;
    }
}
