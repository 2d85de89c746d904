//! What whoever starts the screen says and offers.

use std::path::PathBuf;
use std::time::Duration;

use tictac::State;

use crate::action::{Holdings, Opened};
use crate::app::{App, Scene};
use crate::seat::Seat;
use crate::session::Session;
use crate::settings::Settings;
use crate::theme::Theme;

/// What whoever starts the screen can do for it.
pub struct Host<'a> {
    /// Reads a record from a file; `FILE#2` is its second game. Says in words why not.
    pub open: &'a dyn Fn(&str) -> Result<Opened, String>,
    /// Says what a file holds that would be lost if it were replaced; nothing where it is no record.
    pub holdings: &'a dyn Fn(&str) -> Option<Holdings>,
}

/// How to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// What comes first.
    pub start: Start,
    /// How long the computer may think where it cannot answer at once.
    pub think: Duration,
    /// How long a move of the computer takes at least where nobody else plays.
    pub delay: Duration,
    /// Colours and characters.
    pub theme: Theme,
    /// All the chance there is.
    pub seed: u64,
    /// The last choices.
    pub settings: Settings,
    /// Where the choices are remembered, if anywhere.
    pub settings_file: Option<PathBuf>,
}

/// What comes first.
#[derive(Clone, Debug)]
pub enum Start {
    /// The first screen.
    Menu,
    /// A game.
    Game {
        /// Where it begins.
        state: State,
        /// Who plays, the first player first.
        seats: [Seat; 2],
    },
    /// A recorded game.
    Replay(Box<Opened>),
    /// The lessons.
    Learn,
}

impl Options {
    /// The app as it begins.
    pub(crate) fn app(&self) -> App {
        let mut app = App::new(self.settings.clone(), self.seed);
        match &self.start {
            Start::Menu => {}
            Start::Game { state, seats } => app.begin(Session::new(state.clone(), *seats, self.seed)),
            Start::Replay(opened) => app.begin_replay((**opened).clone()),
            Start::Learn => app.scene = Scene::Lessons(0),
        }
        app
    }
}
