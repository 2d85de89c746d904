//! What the two checkers have in common: they read to the end and say one line.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};

use tictac::Rules;
use tictac::notation::{Entry, Located, ParseError, Refused};

use crate::dialogue::{Dialogue, Ending, Progress};

/// A program that hears all of its input and then says one line.
///
/// Checkers allocate nothing: starting them costs what starting an empty program costs.
pub trait Checker {
    /// Hears the next byte; returns the verdict as soon as no further byte can change it.
    fn hear(&mut self, byte: u8) -> Option<Verdict>;

    /// Hears that the input has ended.
    fn end(&mut self) -> Verdict;
}

/// What a checker says: one line on standard output, an exit status, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The line on standard output.
    pub says: Says,
    /// The exit status.
    pub status: u8,
    /// The fault, if there is one, for whoever asks with `-v`.
    pub reason: Option<Reason>,
}

impl Verdict {
    pub(crate) const fn good(says: Says) -> Verdict {
        Verdict { says, status: 0, reason: None }
    }

    pub(crate) const fn parse_error(line: usize, error: ParseError) -> Verdict {
        let reason = Some(Reason::Syntax(Located { line, error }));
        Verdict { says: Says::Sentence("Parse error."), status: 1, reason }
    }

    pub(crate) const fn invalid_move(refused: Refused) -> Verdict {
        let reason = Some(Reason::Illegal(refused));
        Verdict { says: Says::Sentence("Invalid move."), status: 2, reason }
    }
}

/// The line that a checker says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// A sentence.
    Sentence(&'static str),
    /// A move of a 3×3 game, as it is written in a record.
    Move(Entry),
}

impl fmt::Display for Says {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Says::Sentence(sentence) => f.write_str(sentence),
            Says::Move(entry) => entry.written(&Rules::CLASSIC).fmt(f),
        }
    }
}

/// Why a record is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A line that is not a move.
    Syntax(Located<ParseError>),
    /// A move that the rules forbid.
    Illegal(Refused),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Syntax(error) => error.fmt(f),
            Reason::Illegal(refused) => refused.fmt(f),
        }
    }
}

/// Every checker is also a dialogue, in which it says nothing before the end.
impl<C: Checker> Dialogue for C {
    fn begin(&mut self, _: &mut Vec<u8>) -> Progress {
        Progress::Listening
    }

    fn hear(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress {
        match Checker::hear(self, byte) {
            None => Progress::Listening,
            Some(verdict) => Progress::Done(conclude(verdict, out)),
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Ending {
        conclude(Checker::end(self), out)
    }
}

fn conclude(verdict: Verdict, out: &mut Vec<u8>) -> Ending {
    out.extend_from_slice(verdict.says.to_string().as_bytes());
    out.push(b'\n');
    Ending { status: verdict.status, complaint: verdict.reason.map(|reason| reason.to_string()) }
}

/// Reads `input` as far as the verdict needs it.
///
/// # Errors
///
/// Returns what went wrong with reading; then nothing has been said.
pub fn check(mut checker: impl Checker, mut input: impl Read) -> io::Result<Verdict> {
    let mut heard = [0; 8192];
    loop {
        match input.read(&mut heard) {
            Ok(0) => return Ok(checker.end()),
            Ok(n_heard) => {
                if let Some(verdict) = heard[..n_heard].iter().find_map(|&byte| checker.hear(byte)) {
                    return Ok(verdict);
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Writes the line of a verdict in one piece.
///
/// # Errors
///
/// Returns what went wrong, but for a closed pipe: then nobody wants to know.
pub fn announce(verdict: &Verdict, mut output: impl Write) -> io::Result<()> {
    // Long enough for every sentence and every move; a slice of it is a `Write` that needs no allocation.
    let mut line = [0; 64];
    let mut rest = &mut line[..];
    writeln!(rest, "{}", verdict.says)?;
    let n_left = rest.len();
    match output.write_all(&line[..64 - n_left]).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
