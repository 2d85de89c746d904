//! Results of games by player.

use tictac::{Outcome, Player};

/// The results of games by player, whichever mark moved first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Games won by the first player.
    pub first_won: u64,
    /// Games won by the second player.
    pub second_won: u64,
    /// Number of drawn games.
    pub drawn: u64,
    /// Games that stop before their end.
    pub unfinished: u64,
}

impl Results {
    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.finished() + self.unfinished
    }

    /// Returns the number of finished games.
    pub const fn finished(&self) -> u64 {
        self.first_won + self.second_won + self.drawn
    }

    /// Returns the first player's share of the points, where a draw is half a point; `None` without a finished game.
    pub fn first_score(&self) -> Option<f64> {
        let points = self.first_won as f64 + self.drawn as f64 / 2.0;
        (self.finished() > 0).then(|| points / self.finished() as f64)
    }

    /// Counts `n_games` with this outcome; `None` for unfinished games.
    pub(super) const fn count(&mut self, outcome: Option<Outcome>, n_games: u64) {
        *match outcome {
            Some(Outcome::Win(Player::First)) => &mut self.first_won,
            Some(Outcome::Win(Player::Second)) => &mut self.second_won,
            Some(Outcome::Draw) => &mut self.drawn,
            None => &mut self.unfinished,
        } += n_games;
    }

    /// Adds the results of other games.
    pub const fn add(&mut self, other: &Results) {
        self.first_won += other.first_won;
        self.second_won += other.second_won;
        self.drawn += other.drawn;
        self.unfinished += other.unfinished;
    }
}
