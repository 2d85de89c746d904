//! The first screen: what can be chosen, and how the choices change.

use tictac::Rules;
use tictac::level::Level;

use crate::seat::Seat;
use crate::settings::{MAX_BOARDS, Settings};

/// A line of the first screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Play the computer.
    Computer,
    /// Play a friend at this terminal.
    Friend,
    /// Notakto against the computer.
    Notakto,
    /// Other rules.
    Rules,
    /// Open a record.
    Open,
    /// The lessons.
    Learn,
}

impl Item {
    /// All of them, from the top.
    pub const ALL: [Item; 6] =
        [Item::Computer, Item::Friend, Item::Notakto, Item::Rules, Item::Open, Item::Learn];

    /// The key that chooses it.
    pub const fn key(self) -> char {
        match self {
            Item::Computer => 'c',
            Item::Friend => 'f',
            Item::Notakto => 'n',
            Item::Rules => 'r',
            Item::Open => 'o',
            Item::Learn => 'l',
        }
    }

    /// What it says.
    pub const fn title(self) -> &'static str {
        match self {
            Item::Computer => "Play the computer",
            Item::Friend => "Play a friend here",
            Item::Notakto => "Notakto",
            Item::Rules => "Other rules",
            Item::Open => "Open a record",
            Item::Learn => "Learn",
        }
    }

    /// The word by which the last choice is remembered.
    pub const fn word(self) -> &'static str {
        match self {
            Item::Computer => "computer",
            Item::Friend => "friend",
            Item::Notakto => "notakto",
            Item::Rules => "rules",
            Item::Open => "open",
            Item::Learn => "learn",
        }
    }

    /// The place of the item with this word, else of the first.
    pub fn place_of(word: &str) -> usize {
        Item::ALL.iter().position(|item| item.word() == word).unwrap_or(0)
    }

    /// What is set for it, in a few words.
    pub fn detail(self, settings: &Settings) -> String {
        match self {
            Item::Computer => {
                format!("{}, {}", settings.level, if settings.begins { "you begin" } else { "it begins" })
            }
            Item::Friend => "X begins".to_owned(),
            Item::Notakto => {
                let boards = if settings.n_boards == 1 { "board" } else { "boards" };
                format!("{} {boards}, {}", settings.n_boards, settings.level)
            }
            Item::Rules => settings.rules.to_string(),
            Item::Open => "step through it, take over".to_owned(),
            Item::Learn => {
                let n_learned = crate::course::COURSE
                    .iter()
                    .filter(|lesson| settings.learned.contains(lesson.id))
                    .count();
                format!("{n_learned} of {} lessons solved", crate::course::COURSE.len())
            }
        }
    }

    /// Changes what left and right change for this item.
    pub fn change(self, settings: &mut Settings, by: isize) {
        match self {
            Item::Computer => settings.level = other_level(settings.level, by),
            Item::Notakto => {
                let n_boards = settings.n_boards.saturating_add_signed(by as i32);
                settings.n_boards = n_boards.clamp(1, MAX_BOARDS);
            }
            Item::Friend | Item::Rules | Item::Open | Item::Learn => {}
        }
    }

    /// Returns whether left and right change something.
    pub const fn can_change(self) -> bool {
        matches!(self, Item::Computer | Item::Notakto)
    }

    /// The rules and seats of the game that the item starts at once, if it does.
    pub fn game(self, settings: &Settings) -> Option<(Rules, [Seat; 2])> {
        let computer = Seat::Computer(settings.level);
        let seats = if settings.begins { [Seat::Person, computer] } else { [computer, Seat::Person] };
        match self {
            Item::Computer => Some((Rules::CLASSIC, seats)),
            Item::Friend => Some((Rules::CLASSIC, [Seat::Person; 2])),
            Item::Notakto => {
                Some((Rules::NOTAKTO.with_boards(settings.n_boards).unwrap_or(Rules::NOTAKTO), seats))
            }
            Item::Rules | Item::Open | Item::Learn => None,
        }
    }
}

/// Returns the level so many places away, at most the first or the last.
fn other_level(level: Level, by: isize) -> Level {
    let place = Level::ALL.iter().position(|&other| other == level).unwrap_or(0);
    let place = place.saturating_add_signed(by).min(Level::ALL.len() - 1);
    Level::ALL[place]
}
