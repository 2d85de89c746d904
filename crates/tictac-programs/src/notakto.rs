//! `notakto`: both players write X, and who completes the last line loses.
//!
//! ```
//! use tictac_programs::{converse, notakto::Session};
//!
//! let transcript = converse(Session::default(), b"1 5 4 7\n");
//! assert!(transcript.stdout.ends_with(b"Player 1 wins!\n"));
//! assert_eq!(transcript.ending.status, 0);
//! ```

mod arguments;
mod drawing;
mod functions;
mod words;

use std::sync::Arc;

use tictac::solve::Quotient;
use tictac::{Boards, Mark, Move, Outcome, Player, Rules, Square, Status};

pub use arguments::invocation;
pub use functions::{Board, draw_board, has_line, place_x};

use crate::arguments::ended_early;
use crate::computer::Computer;
use crate::dialogue::{Dialogue, Ending, Progress};
use crate::speech::say_line;
use drawing::draw;
use words::{Word, Words};

/// More boards than this nobody wants to scroll through.
pub const MAX_BOARDS: u32 = 1000;

/// A session of the program.
#[derive(Clone, Debug)]
pub struct Session {
    boards: Boards,
    computer: Computer,
    /// Whether the boards are drawn again after a bad location.
    redraws: bool,
    /// What the library knows about sums of boards. It is derived for the computer's first move and kept: a thousand
    /// boards take thousands of moves.
    quotient: Option<Arc<Quotient>>,
    words: Words,
    /// With several boards, the word for the board while the location has not been read.
    board: Option<Word>,
}

impl Session {
    /// Returns a session on so many empty boards, or `None` where they are not 1 to [`MAX_BOARDS`].
    pub fn new(n_boards: u32, computer: Computer) -> Option<Session> {
        let rules = Rules::NOTAKTO.with_boards(n_boards).ok().filter(|_| n_boards <= MAX_BOARDS)?;
        let boards = Boards::start(rules)?;
        Some(Session {
            boards,
            computer,
            redraws: false,
            quotient: None,
            words: Words::default(),
            board: None,
        })
    }

    /// Returns the session with boards and prompt drawn again after a bad location, as in the demo of the document.
    #[must_use]
    pub fn redrawing(self) -> Session {
        Session { redraws: true, ..self }
    }

    /// Where the game stands.
    pub const fn boards(&self) -> &Boards {
        &self.boards
    }

    fn has_several_boards(&self) -> bool {
        self.boards.rules().n_boards() > 1
    }

    fn say_boards(&self, out: &mut Vec<u8>) {
        for (number, &board) in self.boards.boards().iter().enumerate() {
            if self.has_several_boards() {
                let state = if self.boards.is_living(number) { "" } else { " (finished)" };
                say_line(out, format_args!("Board {}{state}", number + 1));
            }
            draw(board, out);
        }
    }

    /// Says how things stand, and who moves or who has won.
    fn say_state(&self, out: &mut Vec<u8>) -> Progress {
        self.say_boards(out);
        match self.boards.status() {
            Status::ToMove(player) => {
                let what = if self.has_several_boards() { "a board and a location" } else { "a location" };
                say_line(out, format_args!("Player {}'s turn (Enter {what} to place X):", number(player)));
                if self.computer.plays(player) { Progress::Speaking } else { Progress::Listening }
            }
            Status::Over(Outcome::Win(player)) => {
                say_line(out, format_args!("Player {} wins!", number(player)));
                Progress::Done(Ending::silent(0))
            }
            Status::Over(Outcome::Draw) => unreachable!("every full board has a line"),
        }
    }

    fn hear_word(&mut self, word: Option<Word>, out: &mut Vec<u8>) -> Progress {
        let Some(word) = word else { return Progress::Listening };
        if !self.has_several_boards() {
            self.place(Word::Number(1), word, out)
        } else if let Some(board) = self.board.take() {
            self.place(board, word, out)
        } else {
            self.board = Some(word);
            Progress::Listening
        }
    }

    /// Returns the winning moves, or all of them where the game is lost.
    fn good_moves(&mut self) -> Vec<Move> {
        let quotient = self.quotient.get_or_insert_with(|| {
            Arc::new(Quotient::derive(self.boards.rules()).expect("the boards of Notakto have a quotient"))
        });
        let mut moves: Vec<Move> = quotient.winning_moves(self.boards.boards()).collect();
        if moves.is_empty() {
            moves.extend(self.boards.moves());
        }
        moves
    }

    fn place(&mut self, board: Word, location: Word, out: &mut Vec<u8>) -> Progress {
        let mv = read_move(board, location);
        if mv.is_some_and(|mv| self.boards.make(mv).is_ok()) {
            self.say_state(out)
        } else {
            say_line(out, "Location invalid or already taken. Please try again.");
            if self.redraws { self.say_state(out) } else { Progress::Listening }
        }
    }
}

impl Default for Session {
    /// One board, and two people.
    fn default() -> Session {
        Session::new(1, Computer::default()).expect("one board is enough")
    }
}

impl Dialogue for Session {
    fn begin(&mut self, out: &mut Vec<u8>) -> Progress {
        self.say_state(out)
    }

    fn hear(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        let word = self.words.hear(byte);
        self.hear_word(word, out)
    }

    /// Makes one move of the computer's. A thousand boards take thousands of moves, and each draws every board.
    fn go_on(&mut self, out: &mut Vec<u8>) -> Progress {
        let moves = self.good_moves();
        let mv = self.computer.choose(&moves);
        let location = mv.square.index() + 1;
        if self.has_several_boards() {
            say_line(out, format_args!("{} {location}", mv.board + 1));
        } else {
            say_line(out, location);
        }
        self.boards.make(mv).expect("the library's moves are legal");
        self.say_state(out)
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Ending {
        let word = self.words.end();
        let mut progress = self.hear_word(word, out);
        loop {
            progress = match progress {
                Progress::Listening => return ended_early(),
                Progress::Speaking => self.go_on(out),
                Progress::Done(ending) => return ending,
            };
        }
    }
}

const fn number(player: Player) -> u8 {
    match player {
        Player::First => 1,
        Player::Second => 2,
    }
}

/// Returns the move that two words name; whether it is legal is another question.
fn read_move(board: Word, location: Word) -> Option<Move> {
    let (Word::Number(board), Word::Number(location)) = (board, location) else { return None };
    let square = Square::new(location as usize - 1)?;
    Some(Move { board: board - 1, square, mark: Mark::X })
}
