//! Plays the tic-tac-toe family in a full-screen terminal, or line by line.
//!
//! A [`GameSession`] is a game being played; it depends on neither a screen nor a clock. The [`App`] holds everything that the
//! screen shows: [`App::update`] applies an [`Action`] and returns the [`Effect`]s to carry out, and [`draw`] only reads
//! it. So everything but the terminal itself can be tested without a terminal.
//!
//! ```
//! use tictac_tui::{Action, App, Arrow, PlaySettings};
//!
//! let mut app = App::new(PlaySettings::default(), 7);
//! app.update(Action::Pick(1)); // Play a friend.
//! app.update(Action::Cursor(Arrow::Up));
//! app.update(Action::Confirm);
//! let view = app.view.expect("a game has started");
//! assert_eq!(view.session.state().to_string(), ".X./.../... O");
//! ```
//!
//! # Layout
//!
//! | module | contents |
//! |---|---|
//! | `session`, `seat` | a game being played: players, undo, resigning, dead draws |
//! | `clock` | the time that each player has left |
//! | `engine` | the computer player with a time limit, on its own thread |
//! | `review` | the verdict on each move, the mistakes to play again |
//! | `record`, `game_archive`, `completion` | opening and saving records; the games of a file; file names |
//! | `action`, `app` | the possible actions, and how they change the app |
//! | `keys`, `layout`, `draw` | keys and clicks; where things are; drawing |
//! | `motion` | marks drawn in a few frames |
//! | `theme`, `background` | every colour; the background of the terminal |
//! | `terminal`, `screen` | full-screen mode; the event loop |
//! | `online` | a game on a server, as the screen sees it |
//! | `platform` | what depends on the operating system |
//! | `lines` | line mode: the same session in plain lines |
//! | `words` | sentences that the screen and line mode share |
//! | `play_folder`, `settings`, `kept_game`, `history` | what is remembered between runs |
//! | `stored_text` | what the files look like, in this and in earlier versions |
//! | `lesson_schedule` | when lessons that were missed come again |
//! | `score` | the score of the games since the start, and the level that adapts |
//! | `options` | what the command line sets |

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod action;
mod app;
mod background;
mod clock;
mod completion;
mod draw;
mod engine;
mod game_archive;
mod history;
mod kept_game;
mod keys;
mod layout;
mod lesson_schedule;
mod lines;
mod motion;
mod online;
mod options;
mod platform;
mod play_folder;
mod record;
mod review;
mod score;
mod screen;
mod seat;
mod session;
mod settings;
mod stored_text;
mod terminal;
mod text_input;
mod theme;
mod words;

pub use action::{Action, Arrow, Effect};
pub use app::exercise::{Exercise, ExerciseAttempt, LessonStep};
pub use app::game_review::GameReview;
pub use app::game_view::{GameCount, GameView};
pub use app::menu::MenuItem;
pub use app::rules_form::RulesForm;
pub use app::{App, AppScreen, Confirmation, Dialog, FileDialog, FilePrompt};
pub use background::Background;
pub use clock::GameClock;
pub use draw::draw;
pub use engine::{EngineResult, EngineTask, TimedEngine};
pub use game_archive::GameArchive;
pub use history::{GameResult, HistorySummary, PlayHistory, PlayerOutcome};
pub use kept_game::KeptGame;
pub use keys::action;
pub use layout::{BoardsLayout, CellSize, Layout, TooSmall};
pub use lesson_schedule::LessonSchedule;
pub use lines::{LinePrompt, play as play_in_lines};
pub use motion::Motion;
pub use online::{OnlineChoice, OnlineConnection, OnlineGame, OnlineInfo, OnlineReport, OnlineRequest};
pub use options::{PlayOptions, Start};
pub use play_folder::PlayFolder;
pub use record::{
    InvalidRecord, OpenedFile, OpenedRecord, SaveError, SaveMode, check_n_boards, open as open_record,
    open_file, record_text,
};
pub use review::{FoundMistakes, MistakeReview};
pub use score::GameScore;
pub use screen::play as play_on_screen;
pub use seat::Seat;
pub use session::{ComputerMove, GameEnding, GameSession, NextTurn};
pub use settings::PlaySettings;
pub use terminal::FullScreen;
pub use text_input::{TextEdit, TextInput};
pub use theme::{Palette, Theme, ThemeChoice};
pub use tictac_solver::lessons::{Grade, LESSONS, Lesson};
