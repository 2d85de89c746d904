//! The app as state: what is on the screen, and what each action makes of it.

mod choosing;
pub(crate) mod form;
pub(crate) mod menu;
mod overlay;
mod playing;
pub(crate) mod table;

use tictac::{Player, Rules, State};

use crate::action::{Action, Effect, Opened, SaveError};
use crate::engine::{EngineResult, EngineTask};
use crate::seat::Seat;
use crate::session::Session;
use crate::settings::Settings;
use crate::typed::Typed;

use self::form::Form;
use self::menu::Item;
use self::table::Table;

/// The app: changed only by [`App::update`], drawn by [`draw`](crate::draw).
#[derive(Clone, Debug)]
pub struct App {
    /// What is remembered.
    pub settings: Settings,
    /// What fills the screen.
    pub scene: Scene,
    /// What lies on top of it.
    pub overlay: Option<Overlay>,
    /// The game on the table; it stays there while something else fills the screen.
    pub table: Option<Table>,
    /// The latest message.
    pub note: Option<String>,
    /// The size of the window: columns and rows.
    pub size: (u16, u16),
    /// The file that a game was saved to last.
    pub saved_as: Option<String>,
    seed: u64,
    ticket: u64,
    task: Option<EngineTask>,
}

/// What fills the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scene {
    /// The first screen, and which line is chosen.
    Menu(usize),
    /// Other rules.
    Rules(Form),
    /// The lessons, and which one is chosen.
    Lessons(usize),
    /// The game on the table.
    Game,
}

/// What lies on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The keys, from so many lines on.
    Help(usize),
    /// Who plays, and which of the two is chosen.
    Players(Player),
    /// A text is asked for.
    Prompt(Prompt, Typed),
    /// Yes or no is asked for.
    Confirm(Question),
}

/// What a text is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// The file to save to.
    Save,
    /// The record to open.
    Open,
}

/// What yes or no is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether to leave this game for a new one.
    New,
    /// Whether to give up.
    Resign,
    /// Whether to replace a file.
    Replace {
        /// Its name.
        name: String,
        /// What would be lost, as a sentence.
        warning: Option<String>,
    },
}

impl App {
    /// Returns the app with its first screen; `seed` is all the chance there is.
    pub fn new(settings: Settings, seed: u64) -> App {
        let scene = Scene::Menu(Item::place_of(&settings.choice));
        App {
            settings,
            scene,
            overlay: None,
            table: None,
            note: None,
            size: (80, 24),
            saved_as: None,
            seed,
            ticket: 0,
            task: None,
        }
    }

    /// Puts a game on the table and shows it.
    pub fn begin(&mut self, session: Session) {
        self.table = Some(Table::new(session));
        self.scene = Scene::Game;
        self.overlay = None;
        self.note = None;
    }

    /// Puts a recorded game on the table and shows it.
    pub fn begin_replay(&mut self, opened: Opened) {
        let n_moves = opened.game.moves().len();
        let seed = self.next_seed();
        self.begin(Session::replay(&opened.game, seed));
        let moves = if n_moves == 1 { "move" } else { "moves" };
        self.note = Some(format!("{n_moves} {moves}: ] steps on, [ back; any move takes over"));
        if let Some(table) = &mut self.table {
            table.name = Some(opened.name);
            table.source = Some((opened.file, opened.kept));
        }
    }

    /// Returns whether the computer is choosing a move.
    pub const fn is_thinking(&self) -> bool {
        matches!(self.task, Some(EngineTask::Choose { .. }))
    }

    /// Returns whether a hint or the values of squares are being worked out.
    pub const fn is_looking(&self) -> bool {
        matches!(self.task, Some(EngineTask::Advise { .. } | EngineTask::Survey { .. }))
    }

    /// Lets something happen; returns what is to be done about it.
    pub fn update(&mut self, action: Action) -> Vec<Effect> {
        let mut effects = Vec::new();
        match action {
            Action::Quit => effects.push(Effect::Quit),
            Action::Interrupt => effects.push(Effect::Interrupt),
            Action::Suspend => effects.push(Effect::Suspend),
            Action::Resize(columns, rows) => self.size = (columns, rows),
            Action::Thought(ticket, thought) => self.hear(ticket, thought),
            Action::Saved(result) => self.saved(result),
            Action::Opened(Ok(opened)) => self.begin_replay(*opened),
            Action::Opened(Err(reason)) => self.note = Some(reason),
            action if self.overlay.is_some() => self.update_overlay(action, &mut effects),
            Action::Help => self.overlay = Some(Overlay::Help(0)),
            Action::Open => self.overlay = Some(Overlay::Prompt(Prompt::Open, Typed::default())),
            action => {
                self.note = None;
                match &self.scene {
                    Scene::Menu(_) => self.update_menu(&action, &mut effects),
                    Scene::Rules(_) => self.update_form(&action, &mut effects),
                    Scene::Lessons(_) => self.update_lessons(&action),
                    Scene::Game => self.update_game(action, &mut effects),
                }
            }
        }
        self.rethink(&mut effects);
        effects
    }

    /// Lets the computer think about what is on the table now, if it does not yet.
    fn rethink(&mut self, effects: &mut Vec<Effect>) {
        let is_shown = self.scene == Scene::Game;
        let task = self.table.as_ref().filter(|_| is_shown).and_then(Table::task);
        if task == self.task {
            return;
        }
        self.ticket += 1;
        effects.push(match &task {
            Some(task) => Effect::Think(self.ticket, task.clone()),
            None => Effect::Hush,
        });
        self.task = task;
    }

    fn hear(&mut self, ticket: u64, thought: EngineResult) {
        // A thought about a position that is gone is not worth hearing.
        let Some(table) = self.table.as_mut().filter(|_| ticket == self.ticket && self.task.is_some()) else {
            return;
        };
        match thought {
            EngineResult::Choice(Some(choice)) => {
                table.session.answer(choice);
                table.changed();
                self.note = None;
            }
            EngineResult::Choice(None) => {}
            EngineResult::Survey(answers) => {
                if let Some(hint) = table.hear_survey(answers) {
                    self.note = Some(hint);
                }
            }
            EngineResult::Advice(advice) => {
                if let Some(hint) = table.hear_advice(advice) {
                    self.note = Some(hint);
                }
            }
        }
    }

    fn saved(&mut self, result: Result<String, SaveError>) {
        match result {
            Ok(name) => {
                self.note = Some(format!("saved as {name}"));
                self.saved_as = Some(name);
            }
            Err(SaveError::Exists { name, holds }) => {
                let is_kept = self.table.as_ref().is_some_and(|table| table.is_from(&name));
                let warning = holds.and_then(|holds| holds.warning(is_kept));
                self.overlay = Some(Overlay::Confirm(Question::Replace { name, warning }));
            }
            Err(SaveError::Failed(reason)) => self.note = Some(reason),
        }
    }

    fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9);
        self.seed
    }

    fn start(&mut self, rules: &Rules, seats: [Seat; 2]) {
        let seed = self.next_seed();
        self.begin(Session::new(State::start(rules), seats, seed));
    }

    fn start_lesson(&mut self, place: usize) {
        self.table = Some(Table::lesson(place, self.seed));
        self.scene = Scene::Game;
        self.note = None;
    }
}
