//! An app that is driven by keys, without a terminal.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use tictac::Player;
use tictac_tui::{Action, App, Effect, GameResult, NextTurn, PlaySettings, TimedEngine};

/// An app, and an engine that runs its tasks at once.
pub(crate) struct AppDriver {
    pub(crate) app: App,
    pub(crate) engine: TimedEngine,
    pub(crate) effects: Vec<Effect>,
}

impl AppDriver {
    pub(crate) fn new(settings: PlaySettings) -> AppDriver {
        AppDriver {
            app: App::new(settings, 7),
            engine: TimedEngine::new(Duration::from_secs(5)),
            effects: Vec::new(),
        }
    }

    pub(crate) fn act(&mut self, action: Action) {
        let mut pending = self.app.update(action);
        while let Some(effect) = pending.pop() {
            match effect {
                Effect::StartTask(id, task) => {
                    let result = self.engine.run(&task, &|| false);
                    pending.extend(self.app.update(Action::TaskDone(id, result)));
                }
                effect => self.effects.push(effect),
            }
        }
    }

    pub(crate) fn key(&mut self, code: KeyCode) {
        let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        if let Some(action) = tictac_tui::action(&self.app, &event) {
            self.act(action);
        }
    }

    pub(crate) fn type_keys(&mut self, keys: &str) {
        keys.chars().for_each(|c| self.key(KeyCode::Char(c)));
    }

    pub(crate) fn board(&self) -> String {
        self.app.view.as_ref().unwrap().session.state().to_string()
    }

    pub(crate) fn turn(&self) -> NextTurn {
        self.app.view.as_ref().unwrap().session.turn()
    }
}

/// Returns a result without its time, such as `won club first 5 alone 3,3,3`.
pub(crate) fn result_text(result: &GameResult) -> String {
    let GameResult { outcome, level, player, n_moves, has_help, rules, .. } = result;
    let player = if *player == Player::First { "first" } else { "second" };
    let help = if *has_help { "helped" } else { "alone" };
    format!("{outcome} {level} {player} {n_moves} {help} {rules}")
}

pub(crate) fn friends() -> AppDriver {
    let mut player = AppDriver::new(PlaySettings::default());
    player.type_keys("f");
    player
}
