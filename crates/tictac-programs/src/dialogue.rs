//! A program as a conversation, without I/O of its own.

/// Bytes in, bytes out: what all five programs have in common.
///
/// A dialogue is told its input byte by byte, so that it needs constant memory however long a line is, and appends what
/// it says to a buffer that somebody else writes out before more input is read (see [`perform`](crate::perform)).
pub trait Dialogue {
    /// Appends what is said before anything is read.
    fn begin(&mut self, out: &mut Vec<u8>) -> Progress;

    /// Hears the next byte of the input, and appends the answer if it calls for one.
    fn hear(&mut self, byte: u8, out: &mut Vec<u8>) -> Progress;

    /// Goes on after [`Progress::Speaking`]; only a dialogue that returns it needs this.
    fn go_on(&mut self, _out: &mut Vec<u8>) -> Progress {
        Progress::Listening
    }

    /// Hears that the input has ended.
    fn end(&mut self, out: &mut Vec<u8>) -> Ending;
}

/// Whether a dialogue goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It waits for more input.
    Listening,
    /// It has more to say before it listens: what it said so far may be written out, then it
    /// [goes on](Dialogue::go_on). So a long speech need not fit into memory.
    Speaking,
    /// It has ended; what input is left does not matter.
    Done(Ending),
}

/// How a program ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The exit status.
    pub status: u8,
    /// What it says on standard error, one line or more without the last newline.
    pub complaint: Option<String>,
}

impl Ending {
    /// Returns an ending that says nothing.
    pub const fn silent(status: u8) -> Ending {
        Ending { status, complaint: None }
    }

    /// Returns an ending with a line on standard error.
    pub fn complaining(status: u8, complaint: impl Into<String>) -> Ending {
        Ending { status, complaint: Some(complaint.into()) }
    }
}

/// Everything a program says in answer to a whole input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Exit status and standard error.
    pub ending: Ending,
}

/// Holds a whole dialogue: what the program says when `input` is all it hears.
pub fn converse(mut dialogue: impl Dialogue, input: &[u8]) -> Transcript {
    let mut stdout = Vec::new();
    let mut unheard = input.iter();
    let mut progress = dialogue.begin(&mut stdout);
    let ending = loop {
        progress = match progress {
            Progress::Done(ending) => break ending,
            Progress::Speaking => dialogue.go_on(&mut stdout),
            Progress::Listening => match unheard.next() {
                Some(&byte) => dialogue.hear(byte, &mut stdout),
                None => break dialogue.end(&mut stdout),
            },
        };
    };
    Transcript { stdout, ending }
}
