//! Checking the moves of a record one by one, without keeping them.

use super::record_line::Entry;
use crate::moves::IllegalMove;
use crate::position::Status;
use crate::rules::Rules;
use crate::state::State;

/// Follows the record of one game: checks that each entry is legal, and keeps the state after it.
///
/// With one board it allocates nothing.
#[derive(Clone, Debug)]
pub struct Referee {
    rules: Rules,
    n_accepted: u32,
    // `None` before the first move, whose mark is the first player's.
    state: Option<State>,
}

impl Referee {
    /// Returns a referee for a game of `rules` in which no move has been played.
    pub const fn new(rules: &Rules) -> Referee {
        Referee { rules: *rules, n_accepted: 0, state: None }
    }

    /// Checks the next entry and plays its move.
    ///
    /// # Errors
    ///
    /// Returns the first rule that it breaks, in the order of [`IllegalMove`]; the referee is then unchanged.
    pub fn judge(&mut self, entry: Entry) -> Result<(), IllegalMove> {
        let number = self.n_accepted + 1;
        let mut opening = None;
        let state = match &mut self.state {
            Some(state) => state,
            None => opening.insert(State::start_with(&self.rules, entry.mv.mark)),
        };
        check_number(state.status(), number, entry)?;
        state.play(entry.mv)?;
        if opening.is_some() {
            self.state = opening;
        }
        self.n_accepted = number;
        Ok(())
    }

    /// Returns the number of entries accepted so far.
    pub const fn n_accepted(&self) -> u32 {
        self.n_accepted
    }

    /// Returns the state after the last entry, or `None` before the first one: it decides which mark opens.
    pub const fn state(&self) -> Option<&State> {
        self.state.as_ref()
    }

    /// Returns the status after the last entry, or `None` before the first one.
    pub fn status(&self) -> Option<Status> {
        self.state.as_ref().map(State::status)
    }
}

/// Checks the number of an entry, unless the game is over: then no number is right, and the end is the better error.
pub(super) fn check_number(status: Status, expected: u32, entry: Entry) -> Result<(), IllegalMove> {
    match status {
        Status::ToMove(_) if entry.number != expected => {
            Err(IllegalMove::WrongNumber { expected, found: entry.number })
        }
        _ => Ok(()),
    }
}
