//! What can happen to the app, and what the app wants done.

use tictac::{Game, Square};

use crate::engine::{EngineResult, EngineTask};
use crate::kept::Kept;
use crate::typed::Edit;

/// Which way the cursor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// Up.
    Up,
    /// Down.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// Something that happens to the app: a key, the mouse, a thought, the end of something that it wanted done.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The cursor goes; in lists and forms, left and right change what is chosen.
    Go(Toward),
    /// Space or Enter: place a mark, choose, go on.
    Place,
    /// The mouse points at a square.
    At {
        /// The board, from 0.
        board: usize,
        /// The square.
        square: Square,
    },
    /// The mouse or a key points at an entry of a list, from 0.
    Pick(usize),
    /// A letter or digit of a typed square, or of a text that was asked for.
    Type(char),
    /// Takes a typed character back.
    Erase,
    /// Edits a text that was asked for.
    Edit(Edit),
    /// Tab: the next board, or who begins.
    Next,
    /// Takes a move back.
    Undo,
    /// Makes it again.
    Redo,
    /// Steps so many moves back or forth.
    Step(isize),
    /// Asks for a hint.
    Hint,
    /// Shows or hides the value of every square.
    Values,
    /// Chooses who plays.
    Players,
    /// Begins a new game.
    New,
    /// Saves the game.
    Save,
    /// Opens a record.
    Open,
    /// Gives up.
    Resign,
    /// Lets the sides change places.
    Swap,
    /// Plays a dead draw on.
    PlayOn,
    /// Shows help.
    Help,
    /// Closes what lies on top; from the game, goes to the first screen.
    Close,
    /// Says yes or no to a question.
    Answer(bool),
    /// The window has another size.
    Resize(u16, u16),
    /// Ends the app.
    Quit,
    /// Ends the app as Ctrl-C does.
    Interrupt,
    /// Stops the process, as Ctrl-Z does.
    Suspend,
    /// What came of the task with this ticket.
    Thought(u64, EngineResult),
    /// A file was written, or not; its name, or why not.
    Saved(Result<String, SaveError>),
    /// A record was read, or not.
    Opened(Result<Box<Opened>, String>),
}

/// Why a file was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveError {
    /// There is one of this name.
    Exists {
        /// The name.
        name: String,
        /// What it holds, where it is a record.
        holds: Option<Holdings>,
    },
    /// The machine says why.
    Failed(String),
}

/// A record that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The game.
    pub game: Game,
    /// Where it stands: the file, and the number of the game where there are several.
    pub name: String,
    /// The file, as it was named.
    pub file: String,
    /// What the record says besides the moves.
    pub kept: Kept,
}

/// What a file of records holds, and would lose if it were replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// How many games.
    pub n_games: usize,
    /// Whether there are tags.
    pub has_tags: bool,
    /// Whether there are comments.
    pub has_comments: bool,
}

impl Holdings {
    /// Returns what would be lost, as a sentence; where the tags and comments are `kept`, only games can be.
    pub fn warning(&self, is_kept: bool) -> Option<String> {
        let notes = match (self.has_tags, self.has_comments) {
            _ if is_kept && self.n_games == 1 => return None,
            (false, false) => "",
            (true, false) => " with tags",
            (false, true) => " with comments",
            (true, true) => " with tags and comments",
        };
        match self.n_games {
            0 => None,
            1 => Some(format!("It holds a game{notes} that will be lost.")),
            n => Some(format!("It holds {n} games{notes} that will be lost.")),
        }
    }
}

/// Something that the app wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Think about this, and about nothing else; the thought carries the ticket.
    Think(u64, EngineTask),
    /// Think about nothing.
    Hush,
    /// Write a file.
    Save {
        /// Its name, as typed.
        name: String,
        /// What it is to hold.
        text: String,
        /// Whether it may replace another one.
        replace: bool,
    },
    /// Read a record.
    Open(String),
    /// Write the settings.
    Remember,
    /// End the app.
    Quit,
    /// End the app as Ctrl-C does.
    Interrupt,
    /// Stop the process.
    Suspend,
}
