//! The exit statuses of the assignment.

use crate::dialogue::Ending;

/// How the program ends.
#[doc(alias = "exit_code")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCode {
    /// Somebody won.
    Success = 0,
    /// The command line was wrong.
    IncorrectArguments = 1,
    /// A player quit, or the input ended.
    EarlyQuit = 3,
    /// The board is full, and nobody won.
    DrawNoWinner = 4,
}

impl ExitCode {
    /// Returns the exit code with this status, if there is one.
    pub const fn from_status(status: u8) -> Option<ExitCode> {
        match status {
            0 => Some(ExitCode::Success),
            1 => Some(ExitCode::IncorrectArguments),
            3 => Some(ExitCode::EarlyQuit),
            4 => Some(ExitCode::DrawNoWinner),
            _ => None,
        }
    }
}

impl From<ExitCode> for Ending {
    fn from(code: ExitCode) -> Ending {
        Ending::silent(code as u8)
    }
}
