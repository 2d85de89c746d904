//! The clocks of a game as JSON.

use serde::Serialize;

use crate::event::Side;
use crate::time_control::TimeControl;

/// The clocks of both players. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ClockView {
    pub(crate) control: TimeControl,
    /// The time that the first player had when their clock last stopped.
    pub(crate) first: u64,
    /// The time that the second player had when their clock last stopped.
    pub(crate) second: u64,
    /// The player whose clock runs.
    pub(crate) running: Option<Side>,
    /// When the time of that player is over, in milliseconds since 1970 by the server's clock.
    pub(crate) until: Option<u64>,
}

impl ClockView {
    /// Returns the time that a player has left at the time `now`.
    pub(crate) fn left(&self, side: Side, now: u64) -> u64 {
        match (self.running, self.until) {
            (Some(running), Some(until)) if running == side => until.saturating_sub(now),
            _ if side == Side::First => self.first,
            _ => self.second,
        }
    }
}
