//! The interface that all five programs implement.

use std::fmt::Display;
use std::io::Write;

/// A program as a state machine without I/O: bytes in, bytes out.
///
/// Input arrives byte by byte, so that memory stays constant however long a line is. Output is appended to a buffer that
/// the caller writes out before it reads more input (see [`run_on_streams`](crate::run_on_streams)).
pub trait Dialogue {
    /// Appends the output that precedes any input.
    fn start(&mut self, out: &mut Vec<u8>) -> Progress;

    /// Processes the next byte of input and appends the output that it causes.
    fn push(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress;

    /// Continues after [`Progress::HasMoreOutput`]; only a dialogue that returns that variant implements this.
    fn resume(&mut self, _out: &mut Vec<u8>) -> Progress {
        Progress::NeedsInput
    }

    /// Processes the end of the input.
    fn finish(&mut self, out: &mut Vec<u8>) -> ProgramExit;
}

/// The next step of a dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The dialogue waits for input.
    NeedsInput,
    /// The dialogue has more output before it needs input.
    ///
    /// The caller may write out the buffer and then calls [`resume`](Dialogue::resume), so that long output need not
    /// fit into memory.
    HasMoreOutput,
    /// The program has ended; the remaining input is ignored.
    Done(ProgramExit),
}

/// The exit status of a program and its message on standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramExit {
    /// The exit status.
    pub status: u8,
    /// The text for standard error, without the program's name and the last newline.
    pub message: Option<String>,
}

impl ProgramExit {
    /// Returns an exit without a message.
    pub const fn silent(status: u8) -> ProgramExit {
        ProgramExit { status, message: None }
    }

    /// Returns an exit with a message on standard error.
    pub fn with_message(status: u8, message: impl Into<String>) -> ProgramExit {
        ProgramExit { status, message: Some(message.into()) }
    }

    /// Returns the exit of a game whose input ended before the game did.
    pub(crate) fn input_ended() -> ProgramExit {
        ProgramExit::with_message(1, "the input ended before the game did")
    }
}

/// Appends `text`.
pub(crate) fn print(out: &mut Vec<u8>, text: impl Display) {
    write!(out, "{text}").expect("writing to a vector succeeds");
}

/// Appends `text` and a newline.
pub(crate) fn print_line(out: &mut Vec<u8>, text: impl Display) {
    writeln!(out, "{text}").expect("writing to a vector succeeds");
}
