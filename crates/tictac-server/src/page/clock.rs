//! The clocks of a game as HTML, and the field that chooses one.

use maud::{Markup, html};

use super::language::{Language, text};
use tictac::Player;

use crate::failure::Failure;
use crate::hosted_game::HostedGame;
use crate::time_control::{InvalidTimeControl, TimeControl};

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The clocks that the form offers.
const CHOICES: [(&str, &str); 8] = [
    ("", text("No clock")),
    ("1+2", text("1 minute each, 2 seconds more per move")),
    ("3+2", text("3 minutes each, 2 seconds more per move")),
    ("5+3", text("5 minutes each, 3 seconds more per move")),
    ("10+5", text("10 minutes each, 5 seconds more per move")),
    ("1d", text("1 day per move")),
    ("3d", text("3 days per move")),
    ("7d", text("7 days per move")),
];

/// Renders the field that chooses a clock.
pub(super) fn field(lang: Language, chosen: &str) -> Markup {
    html! {
        label.field {
            span { (lang.t("Clock")) } " "
            select name="clock" {
                @for (value, title) in CHOICES { option value=(value) selected[value == chosen] { (lang.t(title)) } }
            }
        }
    }
}

/// Returns the time control of the field; none if it is empty.
pub(super) fn parse(field: &str) -> Result<Option<TimeControl>, Failure> {
    let chosen = Some(field.trim()).filter(|field| !field.is_empty());
    let control = chosen.map(str::parse).transpose();
    control.map_err(|error: InvalidTimeControl| Failure::BadRequest(error.to_string()))
}

/// Returns a time control in words, as the form has them.
pub(super) fn title(lang: Language, control: TimeControl) -> String {
    let text = control.to_string();
    CHOICES
        .iter()
        .find(|(value, _)| *value == text)
        .map_or(text.clone(), |(_, title)| lang.t(title).to_owned())
}

/// Renders the clock of a player at the time `now`, if the game has one; the computer has none. The script lets it run.
pub(super) fn markup(
    hosted: &HostedGame,
    side: Player,
    name: &str,
    now: u64,
    lang: Language,
) -> Option<Markup> {
    let clock = hosted.clock.as_ref().filter(|_| hosted.level(side).is_none())?.view();
    let left = clock.left(side, now);
    let label = lang.fill("{name}: {time} left", &[("name", &name), ("time", &spoken(left, lang))]);
    let (low, is_running) = (low(clock.control), clock.running == Some(side));
    Some(html! {
        " " span.clock.is-low[left < low && is_running].is-running[is_running]
            role="timer" aria-label=(label) data-left=(left) data-until=[clock.until.filter(|_| is_running)] data-low=(low) data-name=(name) { (shown(left, lang)) }
    })
}

/// Returns below which time a player is warned.
const fn low(control: TimeControl) -> u64 {
    match control {
        TimeControl::PerGame { .. } => 20 * SECOND,
        TimeControl::PerMove { .. } => HOUR,
    }
}

/// Returns a time as it is shown: `4:59`, `1:04:59` or, from a day on, `1 d 4 h`. A second that has begun counts.
fn shown(left: u64, lang: Language) -> String {
    let seconds = left.div_ceil(SECOND);
    let (minutes, hours) = (seconds / 60, seconds / 3_600);
    match (hours / 24, hours) {
        (0, 0) => format!("{minutes}:{:02}", seconds % 60),
        (0, _) => format!("{hours}:{:02}:{:02}", minutes % 60, seconds % 60),
        (days, _) => lang.fill("{days} d {hours} h", &[("days", &days), ("hours", &(hours % 24))]),
    }
}

/// Returns a time in words: the two largest units that it has.
fn spoken(left: u64, lang: Language) -> String {
    let left = left.div_ceil(SECOND) * SECOND;
    let units = [
        (left / DAY, text("1 day"), text("{number} days")),
        (left / HOUR % 24, text("1 hour"), text("{number} hours")),
        (left / MINUTE % 60, text("1 minute"), text("{number} minutes")),
        (left / SECOND % 60, text("1 second"), text("{number} seconds")),
    ];
    let largest = units.iter().position(|(number, ..)| *number > 0).unwrap_or(3);
    let words = units[largest..].iter().take(2).filter(|(number, ..)| *number > 0 || largest == 3);
    let words = words.map(|(number, one, many)| match number {
        1 => lang.t(one).to_owned(),
        number => lang.fill(many, &[("number", number)]),
    });
    words.collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_and_spoken() {
        for (left, is_shown, is_spoken) in [
            (0, "0:00", "0 seconds"),
            (1, "0:01", "1 second"),
            (299_001, "5:00", "5 minutes"),
            (61_000, "1:01", "1 minute 1 second"),
            (3_600_000, "1:00:00", "1 hour"),
            (3_599_500, "1:00:00", "1 hour"),
            (26 * HOUR + MINUTE, "1 d 2 h", "1 day 2 hours"),
        ] {
            assert_eq!(shown(left, Language::ENGLISH), is_shown);
            assert_eq!(spoken(left, Language::ENGLISH), is_spoken);
        }
    }

    #[test]
    fn every_choice_is_a_time_control() {
        assert!(CHOICES[1..].iter().all(|(value, _)| value.parse::<TimeControl>().is_ok()));
    }
}
