//! What the program remembers between runs, in a small text file.

use std::collections::BTreeSet;
use std::fmt;

use tictac::{Grid, Rules};
use tictac_solver::level::Level;

use crate::lesson_schedule::LessonSchedule;
use crate::record::{check_n_boards, printable};
use crate::seat::Seat;
use crate::theme::ThemeChoice;

/// The player's last choices on the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaySettings {
    /// The id of the menu item that was chosen last.
    pub menu_item: String,
    /// The level of the computer.
    pub level: Level,
    /// Whether the level of the computer adapts to the player.
    pub adapts: bool,
    /// Whether the person moves first against the computer.
    pub person_first: bool,
    /// The number of boards in Notakto.
    pub n_boards: u32,
    /// The rules in the rules form.
    pub rules: Rules,
    /// The players in the rules form, the first player first.
    pub seats: [Seat; 2],
    /// Whether `h` moves the cursor left, as in vi, instead of giving a hint.
    pub vi_keys: bool,
    /// The colours of the screen.
    pub theme: ThemeChoice,
    /// The ids of the solved lessons.
    pub solved_lessons: BTreeSet<String>,
    /// The files that were opened last, the latest first.
    pub recent_files: Vec<String>,
    /// The lessons to repeat.
    pub lesson_schedule: LessonSchedule,
}

impl Default for PlaySettings {
    fn default() -> PlaySettings {
        PlaySettings {
            menu_item: "computer".to_owned(),
            level: Level::Casual,
            adapts: false,
            person_first: true,
            n_boards: 3,
            rules: Rules::new(Grid::new(4, 4).expect("a grid of 16 squares is valid"), 4)
                .expect("four in a row fit on a 4x4 grid"),
            seats: [Seat::Person, Seat::Computer(Level::Casual)],
            vi_keys: false,
            theme: ThemeChoice::Auto,
            solved_lessons: BTreeSet::new(),
            recent_files: Vec::new(),
            lesson_schedule: LessonSchedule::default(),
        }
    }
}

/// The maximum number of files that are remembered.
pub(crate) const MAX_RECENT_FILES: usize = 10;
/// The maximum number of boards in a game: more do not fit on a screen.
pub(crate) const MAX_BOARDS: u32 = 9;

impl PlaySettings {
    /// Parses settings; a line that is not understood is ignored, because no setting is important enough for an error.
    pub fn parse(text: &str) -> PlaySettings {
        let mut settings = PlaySettings::default();
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        for (key, value) in pairs.map(|(key, value)| (key.trim(), value.trim())) {
            let _ = settings.set(key, value);
        }
        settings
    }

    /// Sets one setting; returns `None` if the key or the value is not understood.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "choice" => value.clone_into(&mut self.menu_item),
            "level" => self.level = value.parse().ok()?,
            "adapts" => self.adapts = parse_bool(value)?,
            "begins" => self.person_first = parse_bool(value)?,
            "boards" => {
                self.n_boards = value.parse().ok().filter(|n_boards| (1..=MAX_BOARDS).contains(n_boards))?;
            }
            "rules" => self.rules = value.parse().ok().filter(|rules| check_n_boards(rules).is_ok())?,
            "first" => self.seats[0] = value.parse().ok()?,
            "second" => self.seats[1] = value.parse().ok()?,
            "vi" => self.vi_keys = parse_bool(value)?,
            "theme" => self.theme = value.parse().ok()?,
            "learned" => self.solved_lessons = value.split_whitespace().map(str::to_owned).collect(),
            "recent" if self.recent_files.len() < MAX_RECENT_FILES && !value.is_empty() => {
                self.recent_files.push(printable(value));
            }
            "repeat" => self.lesson_schedule = LessonSchedule::parse(value),
            _ => return None,
        }
        Some(())
    }

    /// Returns the computer and the person, in the order in which they move.
    pub(crate) fn person_against_computer(&self) -> [Seat; 2] {
        let computer = Seat::Computer(self.level);
        if self.person_first { [Seat::Person, computer] } else { [computer, Seat::Person] }
    }
}

/// Writes the settings as [`PlaySettings::parse`] reads them.
impl fmt::Display for PlaySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let yes_or_no = |value| if value { "yes" } else { "no" };
        let lessons: Vec<&str> = self.solved_lessons.iter().map(String::as_str).collect();
        writeln!(f, "# What `tictac play` remembers; delete this file to forget it.")?;
        writeln!(f, "choice = {}", self.menu_item)?;
        writeln!(f, "level = {}", self.level)?;
        writeln!(f, "adapts = {}", yes_or_no(self.adapts))?;
        writeln!(f, "begins = {}", yes_or_no(self.person_first))?;
        writeln!(f, "boards = {}", self.n_boards)?;
        writeln!(f, "rules = {}", self.rules)?;
        writeln!(f, "first = {}", self.seats[0])?;
        writeln!(f, "second = {}", self.seats[1])?;
        writeln!(f, "vi = {}", yes_or_no(self.vi_keys))?;
        writeln!(f, "theme = {}", self.theme)?;
        writeln!(f, "learned = {}", lessons.join(" "))?;
        self.recent_files.iter().try_for_each(|file| writeln!(f, "recent = {file}"))?;
        writeln!(f, "repeat = {}", self.lesson_schedule)
    }
}

fn parse_bool(value: &str) -> Option<bool> {
    match value {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_parse_back() {
        let settings = PlaySettings {
            menu_item: "notakto".to_owned(),
            level: Level::Perfect,
            adapts: true,
            person_first: false,
            n_boards: 9,
            rules: "5,4,3 wild misere".parse().unwrap(),
            seats: [Seat::Computer(Level::Club), Seat::Person],
            vi_keys: true,
            theme: ThemeChoice::HighContrast,
            solved_lessons: ["fork", "block"].map(str::to_owned).into(),
            recent_files: ["a b.ttt", "c=d.ttt"].map(str::to_owned).into(),
            lesson_schedule: LessonSchedule::parse("fork:1:20410"),
        };
        assert_eq!(PlaySettings::parse(&settings.to_string()), settings);
        assert_eq!(PlaySettings::parse(&PlaySettings::default().to_string()), PlaySettings::default());
    }

    #[test]
    fn lines_that_are_not_understood_are_ignored() {
        let text = "level = genius\nboards = 10\nboards=0\nrules = 99,99,9\nrules = notakto boards=1000\n=\nvi\n\0 = \u{1b}\nbegins = no";
        let expected = PlaySettings { person_first: false, ..PlaySettings::default() };
        assert_eq!(PlaySettings::parse(text), expected);
    }
}
