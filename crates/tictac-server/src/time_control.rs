//! Time controls: how much time the players of a game have.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

const SECOND: u64 = 1_000;
const DAY: u64 = 24 * 60 * 60 * SECOND;
/// The most minutes per side, and the most seconds per move.
const MAX_MINUTES: u64 = 180;
/// The most days per move.
const MAX_DAYS: u64 = 7;

/// How much time the players have, written `5+3` or `2d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TimeControl {
    /// Minutes for the whole game, and seconds that every move adds. Without minutes, a player begins with the seconds of one move.
    PerGame {
        /// Minutes per side, up to 180.
        minutes: u64,
        /// Seconds per move, up to 180.
        increment: u64,
    },
    /// Days for every move.
    PerMove {
        /// Days, up to 7.
        days: u64,
    },
}

impl TimeControl {
    /// Returns the time of each player at the start, in milliseconds.
    pub(crate) const fn initial(self) -> u64 {
        match self {
            TimeControl::PerGame { minutes: 0, increment } => increment * SECOND,
            TimeControl::PerGame { minutes, .. } => minutes * 60 * SECOND,
            TimeControl::PerMove { days } => days * DAY,
        }
    }

    /// Returns the time of a player who had `left` milliseconds when they moved.
    pub(crate) const fn after_move(self, left: u64) -> u64 {
        match self {
            TimeControl::PerGame { increment, .. } => left + increment * SECOND,
            TimeControl::PerMove { .. } => self.initial(),
        }
    }

    /// Returns the time of a player whose turn it is again after moves were taken back. Time that was spent stays spent.
    pub(crate) const fn after_undo(self, left: u64) -> u64 {
        match self {
            TimeControl::PerGame { .. } => left,
            TimeControl::PerMove { .. } => self.initial(),
        }
    }

    /// Returns the value of the tag `TimeControl` in records, which counts in seconds as that of PGN does.
    pub(crate) fn tag(self) -> String {
        match self {
            TimeControl::PerGame { increment, .. } => {
                format!("{}+{increment}", self.initial() / SECOND)
            }
            TimeControl::PerMove { .. } => format!("1/{}", self.initial() / SECOND),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::PerGame { minutes, increment } => write!(f, "{minutes}+{increment}"),
            TimeControl::PerMove { days } => write!(f, "{days}d"),
        }
    }
}

/// The error for text that is not a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidTimeControl;

impl fmt::Display for InvalidTimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a clock is written 5+3, for minutes per side and seconds per move (up to {MAX_MINUTES} each), \
             or 1d to {MAX_DAYS}d, for days per move"
        )
    }
}

impl FromStr for TimeControl {
    type Err = InvalidTimeControl;

    fn from_str(text: &str) -> Result<TimeControl, InvalidTimeControl> {
        let number = |text: &str| {
            let is_number = !text.is_empty() && text.len() <= 3 && text.bytes().all(|c| c.is_ascii_digit());
            if is_number {
                text.parse::<u64>().map_err(|_| InvalidTimeControl)
            } else {
                Err(InvalidTimeControl)
            }
        };
        let control = if let Some((minutes, increment)) = text.split_once('+') {
            TimeControl::PerGame { minutes: number(minutes)?, increment: number(increment)? }
        } else {
            TimeControl::PerMove { days: number(text.strip_suffix('d').ok_or(InvalidTimeControl)?)? }
        };
        let is_valid = match control {
            TimeControl::PerGame { minutes, increment } => {
                minutes + increment > 0 && minutes.max(increment) <= MAX_MINUTES
            }
            TimeControl::PerMove { days } => (1..=MAX_DAYS).contains(&days),
        };
        if is_valid { Ok(control) } else { Err(InvalidTimeControl) }
    }
}

impl TryFrom<String> for TimeControl {
    type Error = InvalidTimeControl;

    fn try_from(text: String) -> Result<TimeControl, InvalidTimeControl> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_parses_back_and_has_limits() {
        for (text, initial, tag) in [
            ("5+3", 300_000, "300+3"),
            ("0+5", 5_000, "5+5"),
            ("180+180", 10_800_000, "10800+180"),
            ("1d", 86_400_000, "1/86400"),
            ("7d", 604_800_000, "1/604800"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!((control.to_string().as_str(), control.initial()), (text, initial));
            assert_eq!(control.tag(), tag);
        }
        let refused = [
            "", "5", "0+0", "181+0", "0+181", "+3", "5+", "+5+3", "-1+3", "5+3+1", "5 + 3", "0d", "8d", "d",
            "1.5d", "9999+1",
        ];
        for text in refused {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
