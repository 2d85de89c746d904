//! The output of one run and how it ended.

use std::fmt;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::stored;

/// What a program printed, and how it exited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOutput {
    /// Standard output, up to the limit.
    #[serde(with = "stored::byte_text")]
    pub stdout: Vec<u8>,
    /// Standard error, up to the limit.
    #[serde(with = "stored::byte_text")]
    pub stderr: Vec<u8>,
    /// How the program exited.
    pub exit: RunExit,
}

/// How a program exited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RunExit {
    /// By itself, with this status.
    Status(i32),
    /// Killed by this signal.
    Signal(i32),
    /// Killed at the limit on wall time or CPU time.
    TimedOut,
    /// Killed by the grader at the output limit.
    TooMuchOutput,
}

impl RunExit {
    /// Returns whether the program exited by itself.
    pub const fn is_clean(self) -> bool {
        matches!(self, RunExit::Status(_))
    }
}

impl fmt::Display for RunExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunExit::Status(status) => write!(f, "exit status {status}"),
            RunExit::Signal(signal) => match describe(*signal) {
                Some((name, meaning)) => write!(f, "killed by {name} ({meaning})"),
                None => write!(f, "killed by signal {signal}"),
            },
            RunExit::TimedOut => f.write_str("did not exit in time"),
            RunExit::TooMuchOutput => f.write_str("printed too much output"),
        }
    }
}

/// Returns the name and the meaning of a signal. Up to 15 the numbers are those of Linux and, except 7, of macOS.
fn describe(signal: i32) -> Option<(&'static str, &'static str)> {
    Some(match signal {
        1 => ("SIGHUP", "hang-up"),
        2 => ("SIGINT", "interrupt"),
        3 => ("SIGQUIT", "quit"),
        4 => ("SIGILL", "illegal instruction"),
        5 => ("SIGTRAP", "trap"),
        6 => ("SIGABRT", "abort, as after a failed assertion or an uncaught exception"),
        7 => ("SIGBUS", "bus error"),
        8 => ("SIGFPE", "arithmetic error, such as a division by zero"),
        9 => ("SIGKILL", "killed"),
        11 => ("SIGSEGV", "segmentation fault, an invalid memory access"),
        13 => ("SIGPIPE", "broken pipe"),
        14 => ("SIGALRM", "alarm"),
        15 => ("SIGTERM", "terminated"),
        25 => ("SIGXFSZ", "file size limit exceeded"),
        31 => ("SIGSYS", "bad system call"),
        _ => return None,
    })
}

/// Returns why a program could not be started, and what to do about it.
pub fn why_not_started(error: &io::Error, path: &Path) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied if path.is_dir() => "it is a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "it is not executable (try chmod +x)".to_owned(),
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            "it is not a program; a script must start with a line such as #!/bin/sh".to_owned()
        }
        _ => os_reason(error),
    }
}

/// Returns why the operating system refused to run something, without the number of the error.
pub(crate) fn os_reason(error: &io::Error) -> String {
    let number = error.raw_os_error().map(|number| format!(" (os error {number})"));
    let text = error.to_string();
    number.and_then(|number| text.strip_suffix(&number)).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_failure_has_no_number() {
        assert_eq!(os_reason(&io::Error::from_raw_os_error(12)), "Cannot allocate memory");
        assert_eq!(os_reason(&io::Error::other("it is gone")), "it is gone");
    }
}
