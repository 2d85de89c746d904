//! What a program did.

use std::fmt;

/// What a program said, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Standard output, up to the limit.
    pub stdout: Vec<u8>,
    /// Standard error, up to the limit.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub ending: Ending,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// By itself, with this status.
    Exited(i32),
    /// By a signal.
    Signalled(i32),
    /// It did not end within its time, and was killed.
    TimedOut,
    /// It wrote more than it may, and was killed.
    TooMuchOutput,
}

impl Ending {
    /// Returns whether the program ended by itself.
    pub const fn is_orderly(self) -> bool {
        matches!(self, Ending::Exited(_))
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Exited(code) => write!(f, "exit status {code}"),
            Ending::Signalled(signal) => match name_of(*signal) {
                Some((name, meaning)) => write!(f, "killed by {name} ({meaning})"),
                None => write!(f, "killed by signal {signal}"),
            },
            Ending::TimedOut => f.write_str("did not end in time"),
            Ending::TooMuchOutput => f.write_str("wrote too much output"),
        }
    }
}

/// The signals that students meet, by the numbers that Linux and macOS share, and those of Linux.
fn name_of(signal: i32) -> Option<(&'static str, &'static str)> {
    Some(match signal {
        1 => ("SIGHUP", "hung up"),
        2 => ("SIGINT", "interrupted"),
        3 => ("SIGQUIT", "quit"),
        4 => ("SIGILL", "illegal instruction"),
        5 => ("SIGTRAP", "trap"),
        6 => ("SIGABRT", "abort, as after a failed assertion or an uncaught exception"),
        7 => ("SIGBUS", "bus error"),
        8 => ("SIGFPE", "arithmetic error, such as a division by zero"),
        9 => ("SIGKILL", "killed"),
        11 => ("SIGSEGV", "segmentation fault: memory that is not the program's own"),
        13 => ("SIGPIPE", "broken pipe"),
        14 => ("SIGALRM", "alarm"),
        15 => ("SIGTERM", "terminated"),
        24 => ("SIGXCPU", "used up its CPU time"),
        25 => ("SIGXFSZ", "wrote too large a file"),
        31 => ("SIGSYS", "bad system call"),
        _ => return None,
    })
}
