//! How games ended, by player.

use serde::Serialize;
use tictac::{Outcome, Player};

/// How many games ended in which way, by who began and not by mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// Games that the first player won.
    pub first_won: u64,
    /// Games that the second player won.
    pub second_won: u64,
    /// Games that nobody won.
    pub drawn: u64,
    /// Games that stop before the end.
    pub unfinished: u64,
}

impl Results {
    /// All games.
    pub const fn games(&self) -> u64 {
        self.finished() + self.unfinished
    }

    /// The games that came to an end.
    pub const fn finished(&self) -> u64 {
        self.first_won + self.second_won + self.drawn
    }

    /// Returns what share of the points the first player got, a draw being half a point; none without a finished game.
    pub fn first_score(&self) -> Option<f64> {
        let points = self.first_won as f64 + self.drawn as f64 / 2.0;
        (self.finished() > 0).then(|| points / self.finished() as f64)
    }

    /// Counts `n_games` that ended like this, or have not ended.
    pub(super) const fn count(&mut self, outcome: Option<Outcome>, n_games: u64) {
        *match outcome {
            Some(Outcome::Win(Player::First)) => &mut self.first_won,
            Some(Outcome::Win(Player::Second)) => &mut self.second_won,
            Some(Outcome::Draw) => &mut self.drawn,
            None => &mut self.unfinished,
        } += n_games;
    }

    /// Adds what was counted elsewhere.
    pub(super) const fn add(&mut self, other: &Results) {
        self.first_won += other.first_won;
        self.second_won += other.second_won;
        self.drawn += other.drawn;
        self.unfinished += other.unfinished;
    }
}
