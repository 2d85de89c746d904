//! The value of `--clock`: a time for the whole game or, for a game on a server, a time control of the server.

use std::time::Duration;

use anyhow::{Context, bail};
#[cfg(feature = "serve")]
use tictac_server::wire::TimeControl;

use super::MAX_TIME_LIMIT;
use crate::values::{ValueError, time};

/// A clock as it was typed.
#[derive(Clone, Debug)]
pub(super) struct PlayClock {
    text: String,
    /// The time for the whole game, if the text is a time.
    time: Option<Duration>,
}

impl PlayClock {
    pub(super) fn parse(text: &str) -> Result<PlayClock, ValueError> {
        let text = text.trim().to_owned();
        let time = time(Duration::ZERO..=MAX_TIME_LIMIT)(&text);
        if is_for_server(&text) {
            Ok(PlayClock { text, time: time.ok() })
        } else {
            Ok(PlayClock { text, time: Some(time?) })
        }
    }

    /// Returns the time of each player in a game in this terminal.
    pub(super) fn time(&self) -> anyhow::Result<Duration> {
        let clock = &self.text;
        let time = self.time.with_context(|| {
            format!("--clock {clock} needs --invite: here it is the time for a whole game, such as 5min")
        })?;
        // The parser accepts less, because it does not know whether a server, which counts minutes, will get the clock.
        if time < Duration::from_secs(1) {
            bail!("--clock must be at least 1s");
        }
        Ok(time)
    }

    /// Returns the time control of a game on a server.
    #[cfg(feature = "serve")]
    pub(super) fn on_server(&self) -> anyhow::Result<TimeControl> {
        let clock = &self.text;
        let control = if is_for_server(clock) {
            clock.clone()
        } else {
            let seconds = self.time.filter(|time| time.subsec_nanos() == 0).map_or(1, |time| time.as_secs());
            if seconds == 0 || !seconds.is_multiple_of(60) {
                bail!(
                    "--clock {clock}: a server counts whole minutes: write 5min, 5+3 for three more seconds per move, or 2d for days per move"
                );
            }
            format!("{}+0", seconds / 60)
        };
        control.parse().map_err(|error| anyhow::anyhow!("--clock {clock}: {error}"))
    }
}

/// Returns whether a text looks like `5+3` or `2d`.
fn is_for_server(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.contains('+') || text.strip_suffix('d').is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_a_time_in_a_game_here() {
        let local = |text| PlayClock::parse(text).unwrap().time().map_err(|error| error.to_string());
        assert_eq!(local("3min"), Ok(Duration::from_mins(3)));
        assert_eq!(local("1d"), Ok(Duration::from_hours(24)));
        assert_eq!(local("0"), Err("--clock must be at least 1s".to_owned()));
        assert!(local("5+3").unwrap_err().starts_with("--clock 5+3 needs --invite"));
        for text in ["", "soon", "d", "25h", "-1"] {
            assert!(PlayClock::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    #[cfg(feature = "serve")]
    fn a_clock_is_a_time_control_on_a_server() {
        let remote =
            |text| PlayClock::parse(text).unwrap().on_server().map(|control| control.to_string()).ok();
        for (text, control) in [
            ("5+3", Some("5+3")),
            ("2d", Some("2d")),
            ("3min", Some("3+0")),
            ("60", Some("1+0")),
            ("90s", None),
            ("1.5", None),
            ("0", None),
        ] {
            assert_eq!(remote(text).as_deref(), control, "{text}");
        }
        for text in ["5+", "0+0", "8d", "181min"] {
            let error = PlayClock::parse(text).unwrap().on_server().unwrap_err().to_string();
            assert!(error.contains("a clock is written 5+3"), "{error}");
        }
    }
}
