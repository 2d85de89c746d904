//! What the program remembers between runs, in a small text file.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tictac::{Grid, Rules};
use tictac_solver::level::Level;
use toml::Table;

use crate::app::menu::MenuItem;
use crate::lesson_schedule::LessonSchedule;
use crate::record::{check_n_boards, printable};
use crate::seat::Seat;
use crate::stored_text::{as_text, table};
use crate::theme::ThemeChoice;

/// The player's last choices on the menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaySettings {
    /// The menu item that was chosen last.
    #[serde(rename = "choice")]
    pub menu_item: MenuItem,
    /// The level of the computer.
    #[serde(with = "as_text")]
    pub level: Level,
    /// Whether the level of the computer adapts to the player.
    pub adapts: bool,
    /// Whether the person moves first against the computer.
    #[serde(rename = "begins")]
    pub person_first: bool,
    /// The number of boards in Notakto.
    #[serde(rename = "boards")]
    pub n_boards: u32,
    /// The rules in the rules form.
    pub rules: Rules,
    /// The players in the rules form, the first player first.
    pub seats: [Seat; 2],
    /// Whether `h` moves the cursor left, as in vi, instead of giving a hint.
    #[serde(rename = "vi")]
    pub vi_keys: bool,
    /// The colours of the screen.
    pub theme: ThemeChoice,
    /// The ids of the lessons that were solved.
    #[serde(rename = "learned")]
    pub solved_lessons: BTreeSet<String>,
    /// The files that were opened last, the latest first.
    #[serde(rename = "recent")]
    pub recent_files: Vec<String>,
    /// The lessons to repeat.
    #[serde(rename = "repeat")]
    pub lesson_schedule: LessonSchedule,
}

impl Default for PlaySettings {
    fn default() -> PlaySettings {
        PlaySettings {
            menu_item: MenuItem::Computer,
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
    /// Parses settings; a value that is not understood is ignored, because no setting is important enough for an error.
    pub fn parse(text: &str) -> PlaySettings {
        let mut understood = Table::new();
        for (key, value) in table(text) {
            let mut with_value = understood.clone();
            with_value.insert(key, value);
            if with_value.clone().try_into().is_ok_and(|settings: PlaySettings| settings.is_playable()) {
                understood = with_value;
            }
        }
        let mut settings: PlaySettings = understood.try_into().unwrap_or_default();
        settings.recent_files.retain(|file| !file.is_empty());
        settings.recent_files.truncate(MAX_RECENT_FILES);
        settings.recent_files.iter_mut().for_each(|file| *file = printable(file));
        settings
    }

    fn is_playable(&self) -> bool {
        (1..=MAX_BOARDS).contains(&self.n_boards) && check_n_boards(&self.rules).is_ok()
    }

    /// Returns the settings as TOML, as [`PlaySettings::parse`] reads them.
    pub fn text(&self) -> String {
        let settings = toml::to_string(self).expect("settings have a form in TOML");
        format!("# What `tictac play` remembers; delete this file to forget it.\n{settings}")
    }

    /// Returns the computer and the person, in the order in which they move.
    pub(crate) fn person_against_computer(&self) -> [Seat; 2] {
        let computer = Seat::Computer(self.level);
        if self.person_first { [Seat::Person, computer] } else { [computer, Seat::Person] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_parse_back() {
        let settings = PlaySettings {
            menu_item: MenuItem::Notakto,
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
            lesson_schedule: PlaySettings::parse("repeat = fork:1:20410").lesson_schedule,
        };
        assert_eq!(PlaySettings::parse(&settings.text()), settings);
        assert_eq!(PlaySettings::parse(&PlaySettings::default().text()), PlaySettings::default());
        // A file of an earlier version, and one that was edited by hand.
        let old = "# What `tictac play` remembers; delete this file to forget it.\nchoice = notakto\nlevel = perfect\nadapts = yes\n\
                   begins = no\nboards = 9\nrules = 5,4,3 wild misere\nfirst = club\nsecond = person\nvi = yes\ntheme = high-contrast\n\
                   learned = block fork\nrecent = a b.ttt\nrecent = c=d.ttt\nrepeat = fork:1:20410\n";
        assert_eq!(PlaySettings::parse(old), settings);
        let edited = PlaySettings::default().text().replace("vi = false", "vi = yes");
        assert_eq!(PlaySettings::parse(&edited), PlaySettings { vi_keys: true, ..PlaySettings::default() });
    }

    #[test]
    fn files_and_lessons_are_bounded() {
        let files = PlaySettings::parse("recent = [\"a\\u001b[2J\", \"\", \"b\"]").recent_files;
        assert_eq!(files, ["a\\u{1b}[2J", "b"]);
        let many = PlaySettings::parse(&"recent = a.ttt\n".repeat(100));
        assert_eq!(many.recent_files.len(), MAX_RECENT_FILES);
        let odd = "repeat = x fork block:9:1 no:0 :: a:0:99999999999 b:-1:2 c:0:2000000 finish:1:5";
        let finish = PlaySettings::parse("repeat.finish = { stage = 1, day = 5 }");
        assert_ne!(finish, PlaySettings::default());
        assert_eq!(PlaySettings::parse(odd), finish);
    }

    #[test]
    fn lines_that_are_not_understood_are_ignored() {
        let text = "level = genius\nboards = 10\nboards=0\nrules = 99,99,9\nrules = notakto boards=1000\n=\nvi\n\0 = \u{1b}\nbegins = no";
        let expected = PlaySettings { person_first: false, ..PlaySettings::default() };
        assert_eq!(PlaySettings::parse(text), expected);
    }
}
