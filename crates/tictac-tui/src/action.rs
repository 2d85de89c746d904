//! The actions that change the app, and the effects that its caller carries out.

use std::time::Duration;

use tictac::Square;

use crate::engine::{EngineResult, EngineTask};
use crate::history::GameResult;
use crate::online::{OnlineReport, OnlineRequest};
use crate::record::{OpenedFile, SaveError, SaveMode};
use crate::text_input::TextEdit;

/// A direction in which the cursor moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
}

/// An event for the app: a key, a click, the result of a task or of an [`Effect`].
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Moves the cursor; in lists and forms, left and right change the selected value.
    Cursor(Arrow),
    /// Space or Enter: plays on the square under the cursor, selects an entry, continues or answers yes.
    Confirm,
    /// Plays on a square that was clicked, on the board with this number from 0.
    PlayAt(usize, Square),
    /// Selects an entry of a list, from 0.
    Pick(usize),
    /// Types a character of a square's name or of a file name.
    Type(char),
    /// Edits a file name; on a board, [`TextEdit::Backspace`] deletes a typed character.
    Edit(TextEdit),
    /// Tab: goes to the next board, or changes who moves first.
    Next,
    /// Takes back a move.
    Undo,
    /// Plays a move again that was taken back.
    Redo,
    /// Steps this many moves forward, or back if negative.
    Step(isize),
    /// Shows a hint.
    Hint,
    /// Shows or hides the value of every square.
    Values,
    /// Shows or hides the verdict on the last move.
    Verdicts,
    /// Starts the review of the mistakes.
    Review,
    /// Opens the dialog to choose the players.
    Players,
    /// Starts a new game.
    New,
    /// Opens the dialog to save the game.
    Save,
    /// Opens the dialog to open a record.
    Open,
    /// Resigns the game.
    Resign,
    /// Swaps the sides of the players.
    Swap,
    /// Continues a dead draw.
    PlayOn,
    /// Asks the server of the game for something.
    Ask(OnlineRequest),
    /// Changes to the next theme.
    Theme,
    /// Searches an archive for the position of the current game.
    Search,
    /// Shows the help.
    Help,
    /// Closes the dialog (which answers no), or goes from the game to the menu and back.
    Close,
    /// Sets the size of the window, in columns and rows.
    Resize(u16, u16),
    /// Lets this much time pass on the clock.
    Elapsed(Duration),
    /// Draws the next frame of an animation.
    Tick,
    /// Quits the program.
    Quit,
    /// Ctrl-C: quits the program with the status of an interrupted one.
    Interrupt,
    /// Ctrl-Z: suspends the process.
    Suspend,
    /// Delivers the result of the engine task with this id.
    TaskDone(u64, EngineResult),
    /// Delivers the name of the saved file, or why saving failed.
    Saved(Result<String, SaveError>),
    /// Delivers an opened record or archive, or why opening failed.
    Opened(Result<OpenedFile, String>),
    /// Delivers news of a game on a server.
    Online(OnlineReport),
    /// Delivers the completed file name, and the names that it may become.
    Completed(String, Vec<String>),
}

/// Something that the app asks its caller to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Cancel the current engine task and run this one; the result carries the id.
    StartTask(u64, EngineTask),
    /// Cancel the current engine task.
    CancelTask,
    /// Write a record to a file.
    Save {
        /// The file name as typed.
        name: String,
        /// The text of the record.
        text: String,
        /// Whether an existing file may be replaced.
        mode: SaveMode,
    },
    /// Open the record or archive with this file name.
    Open(String),
    /// Complete this file name.
    Complete(String),
    /// Send this to the server of the game.
    Send(OnlineRequest),
    /// Add a game that has just ended to the history; the time is not set yet.
    AddResult(GameResult),
    /// Keep this unfinished game for the next run.
    KeepGame(String),
    /// Forget the game that was kept with this text.
    ForgetGame(String),
    /// Write the settings file.
    SaveSettings,
    /// Quit the program.
    Quit,
    /// Quit the program with the status of an interrupted one.
    Interrupt,
    /// Suspend the process.
    Suspend,
}
