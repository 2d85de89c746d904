//! Configuration passed in by the program that starts the screen or line mode.

use std::path::PathBuf;
use std::time::Duration;

use tictac::State;

use crate::app::{App, AppScreen};
use crate::record::OpenedRecord;
use crate::seat::Seat;
use crate::session::GameSession;
use crate::settings::PlaySettings;
use crate::theme::Theme;

/// Configuration of the screen or of line mode.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// What to start with.
    pub start: Start,
    /// The time limit of the computer per move, hint or survey.
    pub time_limit: Duration,
    /// The minimum time per move if the computer plays both sides, so that people can watch.
    pub min_move_time: Duration,
    /// The colours and characters of the screen.
    pub theme: Theme,
    /// Seed of the random number generator; the same seed gives the same games.
    pub seed: u64,
    /// The settings at the start.
    pub settings: PlaySettings,
    /// The file to which changed settings are written, if any.
    pub settings_file: Option<PathBuf>,
}

/// What to start with.
#[derive(Clone, Debug)]
pub enum Start {
    /// The main menu.
    Menu,
    /// A new game.
    Game {
        /// The state in which the game starts.
        state: State,
        /// The players, the first player first.
        seats: [Seat; 2],
    },
    /// A recorded game, before its first move.
    Replay(Box<OpenedRecord>),
    /// The list of lessons.
    Learn,
}

impl PlayOptions {
    /// Returns the app in its first state.
    pub(crate) fn app(&self) -> App {
        let mut app = App::new(self.settings.clone(), self.seed);
        match &self.start {
            Start::Menu => {}
            Start::Game { state, seats } => app.begin(GameSession::new(state.clone(), *seats, self.seed)),
            Start::Replay(opened) => app.begin_replay((**opened).clone()),
            Start::Learn => app.screen = AppScreen::Lessons(0),
        }
        app
    }
}
