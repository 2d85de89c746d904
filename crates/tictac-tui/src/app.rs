//! The app as data: what is on the screen, and how each action changes it.

mod dialogs;
pub(crate) mod exercise;
mod game_keys;
pub(crate) mod game_review;
pub(crate) mod game_view;
mod lists;
pub(crate) mod menu;
pub(crate) mod rules_form;

use std::mem;
use std::time::Duration;

use tictac::{Player, Rules, State};

use self::exercise::{Exercise, LessonStep};
use self::game_view::{GameCount, GameView};
use self::rules_form::RulesForm;
use crate::action::{Action, Effect};
use crate::clock::GameClock;
use crate::engine::{EngineResult, EngineTask};
use crate::game_archive::GameArchive;
use crate::history::GameResult;
use crate::kept_game::{self, KeptGame};
use crate::motion::Motion;
use crate::online::{OnlineGame, OnlineReport};
use crate::record::{OpenedFile, OpenedRecord};
use crate::review::FoundMistakes;
use crate::score::GameScore;
use crate::seat::Seat;
use crate::session::{GameSession, NextTurn};
use crate::settings::PlaySettings;
use crate::text_input::TextInput;
use crate::words::{counted, sentence};

/// The app, changed only by [`App::update`] and drawn by [`draw`](crate::draw).
#[derive(Clone, Debug)]
pub struct App {
    /// The settings that are remembered between runs.
    pub settings: PlaySettings,
    /// What fills the window.
    pub screen: AppScreen,
    /// The dialog on top of the screen, if any.
    pub dialog: Option<Dialog>,
    /// The current game; it is kept while another screen is shown.
    pub view: Option<GameView>,
    /// The latest message to the player.
    pub message: Option<String>,
    /// The size of the window, in columns and rows.
    pub size: (u16, u16),
    /// The file to which a game was saved last.
    pub saved_as: Option<String>,
    /// The current day, counted from 1970.
    pub today: u64,
    /// The clock of the game, if there is one.
    pub clock: Option<GameClock>,
    /// The animation of the last move.
    pub motion: Motion,
    /// The score of the games since the start.
    pub score: GameScore,
    /// Whether the level of the computer adapts to the player in the current game.
    pub adapts: bool,
    // The unfinished game as it was kept last.
    kept: Option<String>,
    seed: u64,
    task_id: u64,
    task: Option<EngineTask>,
}

/// What fills the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppScreen {
    /// The menu, with the number of the selected item.
    Menu(usize),
    /// The form in which rules are put together.
    Rules(RulesForm),
    /// The list of lessons, with the number of the selected one.
    Lessons(usize),
    /// The games of a file.
    Archive(Box<GameArchive>),
    /// The current game.
    Game,
}

/// A dialog on top of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The help, scrolled down by this many lines.
    Help(usize),
    /// What was learned, after the last lesson.
    LessonsDone,
    /// The choice of players, with the selected one.
    Players(Player),
    /// A file name is being typed.
    FileName(FileDialog),
    /// A question to answer with yes or no.
    Confirm(Confirmation),
}

/// A file name being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDialog {
    /// What the file name is asked for.
    pub prompt: FilePrompt,
    /// The text so far.
    pub input: TextInput,
    /// The names to choose from: recent files, or those that the text may become.
    pub names: Vec<String>,
    /// The index of the chosen name.
    pub selected: Option<usize>,
}

/// What a file name is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePrompt {
    /// Save the game.
    Save,
    /// Open a record.
    Open,
}

/// A question to answer with yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Whether to give up this game for a new one.
    New,
    /// Whether to resign.
    Resign,
    /// Whether to continue the unfinished game of an earlier run.
    Resume(Box<KeptGame>),
    /// Whether to replace a file.
    Replace {
        /// The name of the file.
        name: String,
        /// What would be lost, as a sentence.
        warning: Option<String>,
    },
}

impl App {
    /// Returns the app showing the menu; the same `seed` gives the same games.
    pub fn new(settings: PlaySettings, seed: u64) -> App {
        let screen = AppScreen::Menu(settings.menu_item as usize);
        App {
            settings,
            screen,
            dialog: None,
            view: None,
            message: None,
            size: (80, 24),
            saved_as: None,
            today: 0,
            clock: None,
            motion: Motion::default(),
            score: GameScore::default(),
            adapts: false,
            kept: None,
            seed,
            task_id: 0,
            task: None,
        }
    }

    /// Shows a game.
    pub fn begin(&mut self, session: GameSession) {
        self.view = Some(GameView::new(session));
        self.screen = AppScreen::Game;
        self.dialog = None;
        self.reset_clock();
        self.message = None;
    }

    /// Shows a recorded game before its first move.
    pub fn begin_replay(&mut self, opened: OpenedRecord) {
        let moves = counted(opened.game.moves().len(), "move");
        let seed = self.next_seed();
        self.begin(GameSession::replay(&opened.game, seed));
        self.message = Some(format!("{moves}. Press ] and [ to step, or play a move to take over."));
        if let Some(view) = &mut self.view {
            view.source = Some(opened);
        }
    }

    /// Offers to continue the unfinished game of an earlier run.
    pub fn offer(&mut self, kept: KeptGame) {
        self.dialog = Some(Dialog::Confirm(Confirmation::Resume(Box::new(kept))));
    }

    /// Shows a game on a server as it was reported; the cursor stays where it was.
    pub fn show_online(&mut self, game: OnlineGame) {
        let mut view = GameView::new(game.session);
        view.online = Some(game.info);
        if let Some(old) = self.view.as_ref().filter(|old| old.session.rules() == view.session.rules()) {
            (view.board, view.square, view.mark) = (old.board, old.square, old.mark);
        }
        (self.view, self.clock, self.screen) = (Some(view), game.clock, AppScreen::Game);
        (self.dialog, self.message) = (None, None);
    }

    pub(crate) fn resume(&mut self, kept: KeptGame) {
        self.adapts = kept.adapts;
        self.begin(kept.session);
        if let Some(view) = &mut self.view {
            view.count = kept.count;
        }
    }

    /// Returns whether the game is on a server.
    pub fn is_online(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.online.is_some())
    }

    /// Returns whether the computer is choosing a move.
    pub const fn is_choosing(&self) -> bool {
        matches!(self.task, Some(EngineTask::Choose { .. }))
    }

    /// Returns whether the engine is working on anything.
    pub const fn is_thinking(&self) -> bool {
        self.task.is_some()
    }

    /// Applies an action and returns what the caller has to do.
    pub fn update(&mut self, action: Action) -> Vec<Effect> {
        let mut effects = Vec::new();
        if !matches!(action, Action::Tick | Action::Elapsed(_)) {
            self.motion.finish();
        }
        match action {
            Action::Tick => self.motion.tick(),
            Action::Elapsed(time) => self.run_clock(time),
            Action::Quit => effects.push(Effect::Quit),
            Action::Interrupt => effects.push(Effect::Interrupt),
            Action::Suspend => effects.push(Effect::Suspend),
            Action::Resize(columns, rows) => self.size = (columns, rows),
            // The result of a cancelled task belongs to another position.
            Action::TaskDone(id, _) if id != self.task_id || self.task.is_none() => {}
            Action::TaskDone(_, result) => self.store_result(result),
            Action::Online(OnlineReport::Game(game)) => self.show_online(*game),
            Action::Online(OnlineReport::Note(text) | OnlineReport::Failed(text)) => {
                self.message = Some(text);
            }
            Action::Saved(result) => self.finish_saving(result),
            Action::Opened(Ok(OpenedFile::Game(opened))) => {
                self.note_recent_file(&opened.file, &mut effects);
                self.begin_replay(*opened);
            }
            Action::Opened(Ok(OpenedFile::Archive(archive))) => {
                self.note_recent_file(&archive.file, &mut effects);
                self.screen = AppScreen::Archive(archive);
                self.message = None;
            }
            Action::Opened(Err(reason)) => self.message = Some(sentence(&reason)),
            action if self.dialog.is_some() => self.update_dialog(action, &mut effects),
            Action::Theme => self.change_theme(&mut effects),
            Action::Help => self.dialog = Some(Dialog::Help(0)),
            Action::Open => self.ask_for_file(),
            action => {
                // A message about the connection stays until the next report.
                if !self.is_online() {
                    self.message = None;
                }
                match &self.screen {
                    AppScreen::Menu(_) => self.update_menu(&action, &mut effects),
                    AppScreen::Rules(_) => self.update_rules_form(&action, &mut effects),
                    AppScreen::Lessons(_) => self.update_lessons(&action),
                    AppScreen::Archive(_) => self.update_archive(&action, &mut effects),
                    AppScreen::Game => self.update_game(action, &mut effects),
                }
            }
        }
        self.continue_review();
        self.update_task(&mut effects);
        effects.extend(self.remember());
        self.motion.follow(self.view.as_ref());
        effects
    }

    /// Starts or cancels an engine task if the game needs another one than before.
    fn update_task(&mut self, effects: &mut Vec<Effect>) {
        // Behind the question which game to play, neither game goes on.
        let is_asking = matches!(self.dialog, Some(Dialog::Confirm(Confirmation::Resume(_))));
        let is_shown = self.screen == AppScreen::Game && !is_asking;
        let task = self.view.as_ref().filter(|_| is_shown).and_then(GameView::task);
        if task == self.task {
            return;
        }
        self.task_id += 1;
        effects.push(match &task {
            Some(task) => Effect::StartTask(self.task_id, task.clone()),
            None => Effect::CancelTask,
        });
        self.task = task;
    }

    /// Returns the player whose time runs: the one to move, from the second move of a game on. It runs neither in a game
    /// that was over before, nor while moves are taken back.
    pub fn clocked_player(&self) -> Option<Player> {
        let view = self.view.as_ref().filter(|_| self.clock.is_some() && self.screen == AppScreen::Game)?;
        if let Some(online) = &view.online {
            return online.running;
        }
        let is_game = view.exercise.is_none() && view.source.is_none();
        let is_studied = view.count.is_done || view.session.undone_moves().len() > 0;
        match view.session.turn() {
            _ if !is_game || is_studied || view.session.game().moves().is_empty() => None,
            NextTurn::Person(player) | NextTurn::Computer(player, _) => Some(player),
            _ => None,
        }
    }

    fn run_clock(&mut self, time: Duration) {
        let player = self.clocked_player();
        if let (Some(player), Some(clock), Some(view)) = (player, &mut self.clock, &mut self.view)
            && clock.run(player, time)
            // The server decides when the time of a player is up.
            && view.online.is_none()
        {
            view.session.run_out_of_time(player);
            view.position_changed();
            self.dialog = None;
        }
    }

    fn reset_clock(&mut self) {
        self.clock.as_mut().map(GameClock::reset);
    }

    /// Returns what has to be remembered of the game after a change.
    pub(crate) fn remember(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.update_kept_game(&mut effects);
        self.count_game(&mut effects);
        effects
    }

    /// Keeps the game after every change, so that it is not lost however the program ends.
    fn update_kept_game(&mut self, effects: &mut Vec<Effect>) {
        let is_game = |view: &&GameView| view.is_game_here() && !view.is_replaying();
        let Some(view) = self.view.as_ref().filter(is_game) else { return };
        let text = kept_game::text(&view.session, view.final_count(), self.adapts);
        let is_new = !view.session.has_move_of_person();
        // A game in which only the computer has moved replaces none.
        if is_new || text == self.kept {
            return;
        }
        let before = mem::replace(&mut self.kept, text.clone());
        effects.extend(text.map(Effect::KeepGame).or(before.map(Effect::ForgetGame)));
    }

    /// Adds the game to the score and to the history once it is over. Set-up positions and records do not count.
    fn count_game(&mut self, effects: &mut Vec<Effect>) {
        let Some(view) = self.view.as_mut().filter(|view| view.is_game_here()) else { return };
        let session = &view.session;
        let is_whole = view.source.is_none() && session.game().start().n_moves() == 0;
        if view.count.is_done || !matches!(session.turn(), NextTurn::Over(_)) {
            return;
        }
        view.count = GameCount { is_done: true, ..view.final_count() };
        if !is_whole {
            return;
        }
        self.score.add(session);
        let Some(result) = GameResult::of(session, view.count.has_help, 0) else { return };
        effects.push(Effect::AddResult(result));
        let is_adapting = self.adapts && !result.has_help;
        if is_adapting && let Some(level) = self.score.adapted(result.outcome, result.level) {
            self.settings.level = level;
            self.message = Some(format!("From the next game on, the computer plays at the level {level}."));
            effects.push(Effect::SaveSettings);
        }
    }

    /// Stores the result of a task about the current position.
    pub(crate) fn store_result(&mut self, result: EngineResult) {
        let Some(view) = &mut self.view else { return };
        self.message = match result {
            EngineResult::Choice(Some(choice)) => {
                view.session.play_computer_move(choice);
                view.position_changed();
                None
            }
            EngineResult::Choice(None) => self.message.take(),
            EngineResult::Survey(answers) => view.store_survey(answers).or(self.message.take()),
            EngineResult::Review(review) => {
                view.store_review(*review);
                return;
            }
            EngineResult::Advice(advice) => view.store_advice(advice).or(self.message.take()),
        };
    }

    fn change_theme(&mut self, effects: &mut Vec<Effect>) {
        self.settings.theme = self.settings.theme.next();
        self.message = Some(format!("Theme: {}. Press t for the next one.", self.settings.theme));
        effects.push(Effect::SaveSettings);
    }

    fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9);
        self.seed
    }

    pub(crate) fn start_game(&mut self, rules: &Rules, seats: [Seat; 2]) {
        let seed = self.next_seed();
        self.begin(GameSession::new(State::start(rules), seats, seed));
    }

    fn start_lesson(&mut self, index: usize) {
        self.start_exercise(Exercise::Lesson(LessonStep::first(index)));
    }

    pub(crate) fn start_exercise(&mut self, exercise: Exercise) {
        self.view = Some(GameView::exercise(exercise, self.seed));
        self.screen = AppScreen::Game;
        self.message = None;
    }

    /// Starts with the first mistake once all moves are judged. A dialog is about the game, which stays until it is closed.
    fn continue_review(&mut self) {
        let is_shown = self.screen == AppScreen::Game && self.dialog.is_none();
        match self.view.as_mut().filter(|_| is_shown).and_then(GameView::finish_review) {
            Some(FoundMistakes::Mistakes(review)) => self.start_exercise(Exercise::Mistake(review)),
            Some(FoundMistakes::Nothing(message)) => self.message = Some(message),
            None => {}
        }
    }
}
