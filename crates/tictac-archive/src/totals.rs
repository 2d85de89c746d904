//! Endings of games, and how often each occurs.

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    pub const fn of(mut self, ending: Ending) -> u64 {
        *self.counter(ending)
    }

    const fn counter(&mut self, ending: Ending) -> &mut u64 {
        match ending {
            Ending::XWon => &mut self.x_won,
            Ending::OWon => &mut self.o_won,
            Ending::Drawn => &mut self.drawn,
            Ending::Unfinished => &mut self.unfinished,
            Ending::Bad => &mut self.bad,
        }
    }

    /// Counts `n_games` of `n_moves` moves each.
    pub(crate) const fn count(&mut self, ending: Ending, n_moves: u64, n_games: u64) {
        self.moves += n_moves * n_games;
        *self.counter(ending) += n_games;
    }

    pub(crate) fn add(&mut self, other: &Totals) {
        self.moves += other.moves;
        for ending in Ending::ALL {
            *self.counter(ending) += other.of(ending);
        }
    }
}
