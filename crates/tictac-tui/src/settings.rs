//! What is remembered between games: the last choices, in a small file of the user's.

use std::collections::BTreeSet;
use std::fmt::Write;

use tictac::Rules;
use tictac::level::Level;

use crate::seat::Seat;

/// The last choices made on the first screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which line of the first screen was chosen, by its word.
    pub choice: String,
    /// The level of the computer.
    pub level: Level,
    /// Whether the person begins against the computer.
    pub begins: bool,
    /// How many boards of Notakto.
    pub n_boards: u32,
    /// The other rules.
    pub rules: Rules,
    /// Who plays by the other rules, the first player first.
    pub seats: [Seat; 2],
    /// Whether hjkl all move, and a hint is asked for with i only.
    pub vi: bool,
    /// The lessons that have been solved, by their ids.
    pub learned: BTreeSet<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            choice: "computer".to_owned(),
            level: Level::Casual,
            begins: true,
            n_boards: 3,
            rules: Rules::new(tictac::Grid::new(4, 4).expect("16 squares are few"), 4)
                .expect("four in a row fit on four"),
            seats: [Seat::Person, Seat::Computer(Level::Casual)],
            vi: false,
            learned: BTreeSet::new(),
        }
    }
}

/// How much of the file is read, in bytes; it has about 200.
pub(crate) const MAX_BYTES: usize = 4096;
/// The most boards that are played on at once: more do not fit on a screen.
pub const MAX_BOARDS: u32 = 9;

impl Settings {
    /// Reads settings; what is not understood stays as it is by default, for the file is not worth an error.
    pub fn parse(text: &str) -> Settings {
        let mut settings = Settings::default();
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        for (key, value) in pairs.map(|(key, value)| (key.trim(), value.trim())) {
            // A line that is not understood is as good as none.
            let _ = settings.set(key, value);
        }
        settings
    }

    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "choice" => value.clone_into(&mut self.choice),
            "level" => self.level = value.parse().ok()?,
            "begins" => self.begins = truth(value)?,
            "boards" => {
                self.n_boards = value.parse().ok().filter(|n_boards| (1..=MAX_BOARDS).contains(n_boards))?;
            }
            "rules" => self.rules = value.parse().ok()?,
            "first" => self.seats[0] = value.parse().ok()?,
            "second" => self.seats[1] = value.parse().ok()?,
            "vi" => self.vi = truth(value)?,
            "learned" => self.learned = value.split_whitespace().map(str::to_owned).collect(),
            _ => return None,
        }
        Some(())
    }

    /// The settings as text that [`Settings::parse`] reads.
    pub fn to_text(&self) -> String {
        let mut text = "# What `tictac play` remembers; delete it to forget.\n".to_owned();
        let learned: Vec<&str> = self.learned.iter().map(String::as_str).collect();
        let pairs = [
            ("choice", self.choice.clone()),
            ("level", self.level.to_string()),
            ("begins", yes_or_no(self.begins).to_owned()),
            ("boards", self.n_boards.to_string()),
            ("rules", self.rules.to_string()),
            ("first", self.seats[0].to_string()),
            ("second", self.seats[1].to_string()),
            ("vi", yes_or_no(self.vi).to_owned()),
            ("learned", learned.join(" ")),
        ];
        for (key, value) in pairs {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{key} = {value}");
        }
        text
    }
}

fn truth(value: &str) -> Option<bool> {
    match value {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

const fn yes_or_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let settings = Settings {
            choice: "notakto".to_owned(),
            level: Level::Perfect,
            begins: false,
            n_boards: 9,
            rules: "5,4,3 wild misere".parse().unwrap(),
            seats: [Seat::Computer(Level::Club), Seat::Person],
            vi: true,
            learned: ["fork", "block"].map(str::to_owned).into(),
        };
        assert_eq!(Settings::parse(&settings.to_text()), settings);
        assert_eq!(Settings::parse(&Settings::default().to_text()), Settings::default());
    }

    #[test]
    fn nonsense_is_passed_over() {
        let text = "level = genius\nboards = 10\nboards=0\nrules = 99,99,9\n=\nvi\n\0 = \u{1b}\nbegins = no";
        assert_eq!(Settings::parse(text), Settings { begins: false, ..Settings::default() });
    }
}
