//! The menu: its items, and how their values change.

use serde::{Deserialize, Serialize};
use tictac::Rules;
use tictac_solver::level::Level;

use crate::seat::Seat;
use crate::settings::{MAX_BOARDS, PlaySettings};
use crate::words::counted;
use tictac_solver::lessons::LESSONS;

/// An item of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MenuItem {
    /// Play the computer.
    Computer,
    /// Play a friend at the same terminal.
    Friend,
    /// Play Notakto against the computer.
    Notakto,
    /// Put other rules together.
    Rules,
    /// Open a record.
    Open,
    /// Solve the lessons.
    Learn,
}

/// The items with their keys and titles, from top to bottom.
pub(crate) const MENU: [(MenuItem, char, &str); 6] = [
    (MenuItem::Computer, 'c', "Play the computer"),
    (MenuItem::Friend, 'f', "Play a friend"),
    (MenuItem::Notakto, 'n', "Play Notakto"),
    (MenuItem::Rules, 'r', "Other rules"),
    (MenuItem::Open, 'o', "Open a record"),
    (MenuItem::Learn, 'l', "Learn"),
];

impl MenuItem {
    /// Returns the current value of the item, or what it does.
    pub(crate) fn detail(self, settings: &PlaySettings, today: u64) -> String {
        match self {
            MenuItem::Computer => {
                let first = if settings.person_first { "you go first" } else { "computer goes first" };
                let adapts = if settings.adapts { "adaptive, now " } else { "" };
                format!("{adapts}{}, {first}", settings.level)
            }
            MenuItem::Friend => "at this terminal".to_owned(),
            MenuItem::Notakto => {
                format!("{}, {}", counted(settings.n_boards as usize, "board"), settings.level)
            }
            MenuItem::Rules => settings.rules.to_string(),
            MenuItem::Open => "replay it, take over".to_owned(),
            MenuItem::Learn => {
                let is_solved = |id: &str| settings.solved_lessons.contains(id);
                let n_solved = LESSONS.iter().filter(|lesson| is_solved(lesson.id)).count();
                let is_due = |id: &str| settings.lesson_schedule.is_due(id, today);
                let n_due = LESSONS.iter().filter(|lesson| is_due(lesson.id)).count();
                let due = if n_due > 0 { format!(", {n_due} to repeat") } else { String::new() };
                format!("{n_solved} of {} lessons solved{due}", LESSONS.len())
            }
        }
    }

    pub(crate) fn change(self, settings: &mut PlaySettings, by: isize) {
        match self {
            MenuItem::Computer => {
                let index = Level::ALL.iter().position(|&level| level == settings.level).unwrap_or(0);
                match index.checked_add_signed(by) {
                    // Before the weakest level comes the one that adapts, which starts with it.
                    _ if settings.adapts => settings.adapts = by < 0,
                    None => settings.adapts = true,
                    Some(index) => settings.level = Level::ALL[index.min(Level::ALL.len() - 1)],
                }
            }
            MenuItem::Notakto => {
                let n_boards = settings.n_boards.saturating_add_signed(by as i32);
                settings.n_boards = n_boards.clamp(1, MAX_BOARDS);
            }
            MenuItem::Friend | MenuItem::Rules | MenuItem::Open | MenuItem::Learn => {}
        }
    }

    /// Returns whether the left and right keys change the item.
    pub(crate) const fn can_change(self) -> bool {
        matches!(self, MenuItem::Computer | MenuItem::Notakto)
    }

    /// Returns the rules and the players of the game that the item starts, if it starts one directly.
    pub(crate) fn game(self, settings: &PlaySettings) -> Option<(Rules, [Seat; 2])> {
        let seats = settings.person_against_computer();
        match self {
            MenuItem::Computer => Some((Rules::CLASSIC, seats)),
            MenuItem::Friend => Some((Rules::CLASSIC, [Seat::Person; 2])),
            MenuItem::Notakto => {
                let rules = Rules::NOTAKTO.with_boards(settings.n_boards);
                Some((rules.expect("the settings hold 1 to 9 boards"), seats))
            }
            MenuItem::Rules | MenuItem::Open | MenuItem::Learn => None,
        }
    }
}
