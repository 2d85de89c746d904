//! Endings of games, and how often each occurs.

use serde::Serialize;
use tictac::{Mark, Outcome, Player, State, Status};

/// The ending of a game in an archive.
///
/// By mark, whichever player moved first. In wild and X-only games X stands for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// X, or the first player, won.
    XWon,
    /// O, or the second player, won.
    OWon,
    /// The game was drawn.
    Drawn,
    /// The record stops before the end of the game.
    Unfinished,
    /// The record has a fault.
    Bad,
}

impl Ending {
    /// All endings, in the order of reports.
    pub const ALL: [Ending; 5] = [Ending::XWon, Ending::OWon, Ending::Drawn, Ending::Unfinished, Ending::Bad];

    /// Returns the name of the ending in JSON, such as `x_won`.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::XWon => "x_won",
            Ending::OWon => "o_won",
            Ending::Drawn => "drawn",
            Ending::Unfinished => "unfinished",
            Ending::Bad => "bad",
        }
    }

    /// Returns the ending of a legal game that has reached `state`.
    pub(crate) fn of_state(state: &State) -> Ending {
        match state.status() {
            Status::ToMove(_) => Ending::Unfinished,
            Status::Over(Outcome::Draw) => Ending::Drawn,
            Status::Over(Outcome::Win(player)) => match (state.mark_of(player), player) {
                (Some(Mark::X), _) | (None, Player::First) => Ending::XWon,
                (Some(Mark::O), _) | (None, Player::Second) => Ending::OWon,
            },
        }
    }
}

/// The number of games with each ending, and of all moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// The legal moves, including those of bad games before their first fault.
    pub moves: u64,
    /// Games won by X, or by the first player.
    pub x_won: u64,
    /// Games won by O, or by the second player.
    pub o_won: u64,
    /// Number of drawn games.
    pub drawn: u64,
    /// Games that stop before their end.
    pub unfinished: u64,
    /// Games with a fault.
    pub bad: u64,
}

impl Totals {
    /// Returns the number of all games.
    pub const fn games(&self) -> u64 {
        self.x_won + self.o_won + self.drawn + self.unfinished + self.bad
    }

    /// Returns the number of games with this ending.
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

    /// Counts `n_games` of `n_moves` moves each.
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

    /// Adds other totals.
    pub(crate) const fn add(&mut self, other: &Totals) {
        self.moves += other.moves;
        self.x_won += other.x_won;
        self.o_won += other.o_won;
        self.drawn += other.drawn;
        self.unfinished += other.unfinished;
        self.bad += other.bad;
    }
}
