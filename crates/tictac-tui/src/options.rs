//! Configuration passed in by the program that starts the screen or line mode.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tictac::State;

use crate::action::Effect;
use crate::app::App;
use crate::clock::GameClock;
use crate::kept_game::KeptGame;
use crate::play_folder::PlayFolder;
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
    /// Whether the level of the computer adapts to the player in a game that starts at once.
    pub adapts: bool,
    /// The time limit of the computer per move, hint or survey.
    pub time_limit: Duration,
    /// The time of each player for a whole game, if there is a clock.
    pub clock: Option<Duration>,
    /// The minimum time per move if the computer plays both sides, so that people can watch.
    pub min_move_time: Duration,
    /// The characters of the screen, and whether it has colours; which ones, the settings tell.
    pub theme: Theme,
    /// Whether moves are animated where the connection is fast enough.
    pub has_motion: bool,
    /// Seed of the random number generator; the same seed gives the same games.
    pub seed: u64,
    /// The settings at the start.
    pub settings: PlaySettings,
    /// The unfinished game of an earlier run, which is offered again.
    pub kept_game: Option<KeptGame>,
    /// The folder in which settings and the unfinished game are remembered, if any.
    pub folder: Option<PlayFolder>,
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
    pub fn app(&self) -> App {
        let mut app = App::new(self.settings.clone(), self.seed);
        app.adapts = self.adapts;
        app.today = today();
        app.clock = self.clock.map(GameClock::new);
        match &self.start {
            Start::Menu => {}
            Start::Game { state, seats } => app.begin(GameSession::new(state.clone(), *seats, self.seed)),
            Start::Replay(opened) => app.begin_replay((**opened).clone()),
            Start::Learn => app.show_lessons(),
        }
        match (&self.kept_game, &self.start) {
            (Some(kept), Start::Menu) => app.offer(kept.clone()),
            // The player has asked for another game, and is told how to get the unfinished one back.
            (Some(_), Start::Game { .. }) => {
                app.message = Some(
                    "Your unfinished game is kept until you move: quit, and run tictac play to continue it."
                        .to_owned(),
                );
            }
            // Lessons and records do not replace the unfinished game, so there is nothing to decide yet.
            (None, _) | (_, Start::Replay(_) | Start::Learn) => {}
        }
        app
    }

    /// Carries out an effect that remembers something. A failure is not worth interrupting the game, which can still be saved by hand.
    pub(crate) fn remember(&self, effect: Effect, settings: &PlaySettings) {
        let Some(folder) = &self.folder else { return };
        let _ = match effect {
            Effect::AddResult(result) => folder.add_result(result),
            Effect::KeepGame(text) => folder.keep_game(&text),
            Effect::ForgetGame(text) => folder.forget_game(&text),
            Effect::SaveSettings => folder.write_settings(settings),
            _ => Ok(()),
        };
    }
}

/// Returns the current day, counted from 1970.
pub(crate) fn today() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400)
}
