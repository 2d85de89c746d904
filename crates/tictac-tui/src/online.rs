//! A game on a server, on the full screen: what is shown, and what each key says to the server.
//!
//! The screen knows neither the network nor whether a move is accepted. It shows the last [`OnlineReport`], and says what the
//! player wants in the words of line mode.

use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use tictac::{Game, Move, Player};
use tictac_solver::level::Level;

use crate::action::Arrow;
use crate::app::game_view::GameView;
use crate::clock::GameClock;
use crate::layout::Layout;
use crate::motion::Motion;
use crate::screen::FRAME_TIME;
use crate::seat::Seat;
use crate::session::GameSession;
use crate::words::sentence;

/// A game on a server, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlineGame {
    /// The moves so far.
    pub game: Game,
    /// What the first and the second player are called.
    pub names: [String; 2],
    /// Whose turn it is, what is offered, or how the game has ended.
    pub headline: String,
    /// The side for which the person at this screen may move now.
    pub to_play: Option<Player>,
    /// Whether the game has ended.
    pub is_over: bool,
    /// What the person at this screen can do besides moving.
    pub choice: OnlineChoice,
    /// The time that both players have left, if the game has a clock.
    pub clock: Option<GameClock>,
    /// The player whose clock runs.
    pub running: Option<Player>,
}

/// What the person at the screen of a game on a server can do besides moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnlineChoice {
    /// Nothing: they watch.
    Watch,
    /// Offer a draw, ask to undo, resign or, after the end, ask for a rematch.
    Play,
    /// Accept or decline what the other player offers.
    Answer,
}

/// News for the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnlineReport {
    /// The game has changed.
    Game(Box<OnlineGame>),
    /// A message to the player.
    Note(String),
    /// The game cannot go on, and why.
    Failed(String),
}

/// What follows from a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnlineReply {
    /// Tell the server, in a word such as `resign` or a move such as `X B2`.
    Say(String),
    /// Leave the game.
    Quit,
    /// Leave the game with the status of an interrupted program.
    Interrupt,
    /// Give the terminal back to the shell for a while.
    Suspend,
}

/// The screen of a game on a server.
#[derive(Clone, Debug)]
pub struct OnlineScreen {
    /// The game, as it was reported last.
    pub game: OnlineGame,
    /// The board and the cursor.
    pub view: GameView,
    /// The last message to the player.
    pub note: Option<String>,
    /// The animation of the last move.
    pub motion: Motion,
    /// The size of the window, in columns and rows.
    pub size: (u16, u16),
    is_resigning: bool,
}

const RESIGN: &str = "Resign? Press y to resign, or any other key to play on.";

impl OnlineScreen {
    /// Returns the screen of a game.
    pub fn new(game: OnlineGame, size: (u16, u16)) -> OnlineScreen {
        let (view, motion) = (view_of(&game), Motion::default());
        OnlineScreen { game, view, note: None, motion, size, is_resigning: false }
    }

    /// Shows news, except a failure, which the caller has to report.
    pub fn report(&mut self, report: OnlineReport) {
        match report {
            OnlineReport::Game(game) => {
                let mut view = view_of(&game);
                if view.session.rules() == self.view.session.rules() {
                    (view.board, view.square, view.mark) =
                        (self.view.board, self.view.square, self.view.mark);
                }
                (self.game, self.view, self.note, self.is_resigning) = (*game, view, None, false);
                self.motion.follow(Some(&self.view));
            }
            OnlineReport::Note(text) | OnlineReport::Failed(text) => self.note = Some(text),
        }
    }

    /// Applies a key, a click or a new size; returns what follows from it.
    pub fn handle(&mut self, event: &Event) -> Option<OnlineReply> {
        match event {
            Event::Resize(columns, rows) => {
                self.size = (*columns, *rows);
                None
            }
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(*key),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                let (board, square) = self.layout()?.boards.at(mouse.column, mouse.row)?;
                (self.view.board, self.view.square) = (board, square);
                self.play()
            }
            _ => None,
        }
    }

    /// Takes time from the player whose clock runs. The server decides when it is up.
    pub fn run_clock(&mut self, elapsed: Duration) {
        if let (Some(clock), Some(player)) = (&mut self.game.clock, self.game.running) {
            clock.run(player, elapsed);
        }
    }

    /// Returns how long it takes until the screen changes by itself, if it does.
    pub fn until_next_picture(&self) -> Option<Duration> {
        let clock = self.game.clock.zip(self.game.running);
        let clock = clock.map(|(clock, player)| clock.until_next_text(player));
        let frame = self.motion.is_running().then_some(FRAME_TIME);
        clock.into_iter().chain(frame).min()
    }

    fn press(&mut self, key: KeyEvent) -> Option<OnlineReply> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Some(OnlineReply::Interrupt),
                KeyCode::Char('z') => Some(OnlineReply::Suspend),
                _ => None,
            };
        }
        self.motion.finish();
        if std::mem::take(&mut self.is_resigning) {
            self.note = None;
            return (key.code == KeyCode::Char('y')).then(|| say("resign"));
        }
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => Some(OnlineReply::Quit),
            KeyCode::Char('u') => Some(say("undo")),
            KeyCode::Char('d') => Some(say("draw")),
            KeyCode::Char('y') => Some(say("accept")),
            KeyCode::Char('n') => Some(say("decline")),
            KeyCode::Char('m') => Some(say("rematch")),
            KeyCode::Char('r') => {
                (self.is_resigning, self.note) = (true, Some(RESIGN.to_owned()));
                None
            }
            KeyCode::Enter | KeyCode::Char(' ') => {
                self.view.square = self.view.typed_square().unwrap_or(self.view.square);
                self.play()
            }
            KeyCode::Char(c) => {
                let is_square = self.view.type_char(c);
                if is_square { self.play() } else { None }
            }
            code => {
                self.move_cursor(code);
                None
            }
        }
    }

    fn move_cursor(&mut self, code: KeyCode) {
        let per_row = self.layout().map_or(1, |layout| layout.boards.per_row);
        match code {
            KeyCode::Up => self.view.move_cursor(Arrow::Up, per_row),
            KeyCode::Down => self.view.move_cursor(Arrow::Down, per_row),
            KeyCode::Left => self.view.move_cursor(Arrow::Left, per_row),
            KeyCode::Right => self.view.move_cursor(Arrow::Right, per_row),
            KeyCode::Tab => self.view.next_board(),
            _ => self.view.typed.clear(),
        }
    }

    /// Says the move under the cursor, unless it is certain that the server would refuse it.
    fn play(&mut self) -> Option<OnlineReply> {
        self.view.typed.clear();
        let (session, rules) = (&self.view.session, self.view.session.rules());
        let mark = session.only_mark().unwrap_or(self.view.mark);
        let mv = Move { board: self.view.board as u32, square: self.view.square, mark };
        let refusal = match self.game.to_play {
            None if self.game.is_over => Some("The game is over: m for a rematch, q to leave.".to_owned()),
            None => Some("It is not your turn.".to_owned()),
            Some(_) => session.clone().play(mv).err().map(|reason| sentence(&reason)),
        };
        self.note = refusal;
        self.note.is_none().then(|| OnlineReply::Say(mv.display(&rules).to_string()))
    }

    fn layout(&self) -> Option<Layout> {
        let session = &self.view.session;
        Layout::new(self.size, session.rules().grid(), session.state().n_boards()).ok()
    }
}

fn say(word: &str) -> OnlineReply {
    OnlineReply::Say(word.to_owned())
}

/// Returns the view of a game at its last move. Only a side that may move now has a cursor.
fn view_of(online: &OnlineGame) -> GameView {
    let mut session = GameSession::replay(&online.game, 0);
    session.step(isize::MAX);
    session.has_played_on = true;
    session.seats = Player::BOTH.map(|player| {
        if online.to_play == Some(player) { Seat::Person } else { Seat::Computer(Level::Perfect) }
    });
    GameView::new(session)
}
