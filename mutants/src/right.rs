//! Right programs in different styles: one file an assignment, and foreign ones in `programs/`.

mod game_check;
mod lab3;
mod move_check;
mod notakto;
mod ready;
mod tictactoe;

use std::io;

pub use ready::{NotReady, Ready};

use crate::{Assignment, Console, wrong};

/// A right program.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// What `--style` calls it.
    pub name: &'static str,
    /// The assignment it is a right answer to.
    pub assignment: Assignment,
    /// How it is written, and which freedom of its document it uses.
    pub manner: &'static str,
    /// Where it is.
    pub program: Program,
}

/// Where a right program is.
#[derive(Clone, Copy, Debug)]
pub enum Program {
    /// A function here.
    Here(fn(&mut Console<'_>) -> io::Result<u8>),
    /// A file of `programs/` for the C compiler.
    C(&'static str),
    /// A file of `programs/` for the shell, and the command that it needs besides.
    Shell(&'static str, &'static str),
}

/// The plainest style: the program of [`wrong`] without a mistake.
#[rustfmt::skip]
const PLAIN: [Style; 5] = [
    here("plain", Assignment::MoveCheck, "what the wrong ones are made of", |console| wrong::run(Assignment::MoveCheck, "", console)),
    here("plain", Assignment::GameCheck, "what the wrong ones are made of", |console| wrong::run(Assignment::GameCheck, "", console)),
    here("plain", Assignment::Lab3, "what the wrong ones are made of; X and O, and who quits is named", |console| wrong::run(Assignment::Lab3, "", console)),
    here("plain", Assignment::TicTacToe, "what the wrong ones are made of; a tie as soon as the game is dead", |console| wrong::run(Assignment::TicTacToe, "", console)),
    here("plain", Assignment::Notakto, "what the wrong ones are made of; no new board after a bad location", |console| wrong::run(Assignment::Notakto, "", console)),
];

const fn here(
    name: &'static str,
    assignment: Assignment,
    manner: &'static str,
    run: fn(&mut Console<'_>) -> io::Result<u8>,
) -> Style {
    Style { name, assignment, manner, program: Program::Here(run) }
}

/// Returns all right programs.
pub fn all() -> impl Iterator<Item = Style> {
    [&PLAIN, move_check::STYLES, game_check::STYLES, lab3::STYLES, tictactoe::STYLES, notakto::STYLES]
        .into_iter()
        .flatten()
        .copied()
}

/// Returns the style of this name.
pub fn find(assignment: Assignment, name: &str) -> Option<Style> {
    all().find(|style| style.assignment == assignment && style.name == name)
}

impl Style {
    /// Runs the program and returns its exit status.
    ///
    /// # Errors
    ///
    /// Returns what went wrong with reading or writing, or that the program is none of these functions.
    pub fn run(&self, console: &mut Console<'_>) -> io::Result<u8> {
        match self.program {
            Program::Here(run) => run(console),
            Program::C(file) | Program::Shell(file, _) => {
                Err(io::Error::other(format!("{} is a program of its own: programs/{file}", self.name)))
            }
        }
    }
}
