//! THE SCREEN: the tic-tac-toe family on a full terminal, or line by line.
//!
//! A [`Session`] is a game being played, and knows neither screen nor clock. The [`App`] is all that the screen shows, as
//! state: [`App::update`] lets an [`Action`] happen and returns what is to be done ([`Effect`]), [`draw`] only reads it.
//! So everything but the terminal itself is tested without one.
//!
//! ```
//! use tictac_tui::{Action, App, Settings, Toward};
//!
//! let mut app = App::new(Settings::default(), 7);
//! app.update(Action::Pick(1)); // Play a friend here.
//! app.update(Action::Go(Toward::Up));
//! app.update(Action::Place);
//! let table = app.table.expect("a game has begun");
//! assert_eq!(table.session.state().to_string(), ".X./.../... O");
//! ```
//!
//! # Layout
//!
//! | module | what it knows |
//! |---|---|
//! | `session`, `seat` | a game being played: seats, undo, resigning, dead draws, its record |
//! | `engine`, `engine_thread` | the computer's moves and values; the same on a thread that can be stopped |
//! | `course` | the lessons |
//! | `action`, `app` | what can happen, and what it changes |
//! | `keys`, `layout`, `draw`, `theme` | keys and clicks; where things are; the picture; every colour |
//! | `terminal`, `screen` | the terminal taken over and given back; the loop of events |
//! | `lines` | line mode: the same session without moving the cursor |
//! | `settings`, `files`, `host` | what is remembered, and where; what whoever starts it says |

mod action;
mod app;
mod course;
mod draw;
mod engine;
mod engine_thread;
mod files;
mod host;
mod kept;
mod keys;
mod layout;
mod lines;
mod screen;
mod seat;
mod session;
mod settings;
mod terminal;
mod theme;
mod typed;

pub use action::{Action, Effect, Holdings, Opened, SaveError, Toward};
pub use app::form::{Field, Form};
pub use app::menu::Item;
pub use app::table::{Attempt, Table};
pub use app::{App, Overlay, Prompt, Question, Scene};
pub use course::{COURSE, Lesson, Mark};
pub use draw::draw;
pub use engine::{EngineResult, EngineTask, TimedEngine};
pub use engine_thread::{EngineThread, Report};
pub use files::{path_of, read_settings, settings_file, write_settings};
pub use host::{Host, Options, Start};
pub use kept::Kept;
pub use keys::action;
pub use layout::{Boards, Cell, Layout, TooSmall};
pub use lines::{Asking, play as play_in_lines};
pub use screen::play as play_on_screen;
pub use seat::{Seat, UnknownSeat};
pub use session::{Ending, NoRecord, Refusal, Remark, Session, Turn};
pub use settings::{MAX_BOARDS, Settings};
pub use terminal::{Screen, restore};
pub use theme::Theme;
pub use typed::{Edit, Typed};
