//! Correct programs in different styles, one file per assignment. Those in other languages are in `programs/`.

mod game_check;
mod lab3;
mod move_check;
mod notakto;
mod ready;
mod tictactoe;

use std::io;

pub use ready::{NotReady, Ready};

use crate::{Assignment, Console, wrong};

/// A correct program.
#[derive(Clone, Copy, Debug)]
pub struct RightProgram {
    /// The name after `--style`.
    pub name: &'static str,
    /// The assignment that it solves.
    pub assignment: Assignment,
    /// How it is written, and what it chooses where the document leaves a choice.
    pub style: &'static str,
    /// Where its code is.
    pub source: ProgramSource,
}

/// Where the code of a correct program is.
#[derive(Clone, Copy, Debug)]
pub enum ProgramSource {
    /// A function of this crate.
    Here(fn(&mut Console<'_>) -> io::Result<u8>),
    /// A C file in `programs/`.
    C(&'static str),
    /// A shell script in `programs/`, and a command that it needs.
    Shell(&'static str, &'static str),
}

/// The programs of [`wrong`] without a mistake.
#[rustfmt::skip]
const PLAIN: [RightProgram; 5] = [
    here("plain", Assignment::MoveCheck, "the base of the wrong programs", |console| wrong::run(Assignment::MoveCheck, "", console)),
    here("plain", Assignment::GameCheck, "the base of the wrong programs", |console| wrong::run(Assignment::GameCheck, "", console)),
    here("plain", Assignment::Lab3, "the base of the wrong programs; players are X and O, and the quit line names the player who quits", |console| wrong::run(Assignment::Lab3, "", console)),
    here("plain", Assignment::Tictactoe, "the base of the wrong programs; a tie as soon as neither player can win", |console| wrong::run(Assignment::Tictactoe, "", console)),
    here("plain", Assignment::Notakto, "the base of the wrong programs; no new board after a bad location", |console| wrong::run(Assignment::Notakto, "", console)),
];

const fn here(
    name: &'static str,
    assignment: Assignment,
    style: &'static str,
    run: fn(&mut Console<'_>) -> io::Result<u8>,
) -> RightProgram {
    RightProgram { name, assignment, style, source: ProgramSource::Here(run) }
}

/// Returns all correct programs.
pub fn all() -> impl Iterator<Item = RightProgram> {
    [
        &PLAIN,
        move_check::PROGRAMS,
        game_check::PROGRAMS,
        lab3::PROGRAMS,
        tictactoe::PROGRAMS,
        notakto::PROGRAMS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Returns the program with this name.
pub fn find(assignment: Assignment, name: &str) -> Option<RightProgram> {
    all().find(|program| program.assignment == assignment && program.name == name)
}

impl RightProgram {
    /// Runs the program and returns its exit status.
    ///
    /// # Errors
    ///
    /// Returns an error if reading or writing fails, or if the program is not a function of this crate.
    pub fn run(&self, console: &mut Console<'_>) -> io::Result<u8> {
        match self.source {
            ProgramSource::Here(run) => run(console),
            ProgramSource::C(file) | ProgramSource::Shell(file, _) => {
                Err(io::Error::other(format!("{} is a separate program: programs/{file}", self.name)))
            }
        }
    }
}
