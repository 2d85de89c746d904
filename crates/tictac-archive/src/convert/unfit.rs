//! Games that a notation cannot represent.

use tictac::notation::{Code, Fault};

use super::Notation;

/// Whether information may be lost in a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Losses {
    /// A loss is an error.
    #[default]
    Refused,
    /// Information that the output cannot represent is left out.
    Accepted,
}

impl Losses {
    /// Reports the loss of `what`, unless losses are accepted.
    pub(super) fn report(self, what: impl Into<String>, alternative: &str) -> Result<(), Unfit> {
        match self {
            Losses::Accepted => Ok(()),
            Losses::Refused => {
                Err(Unfit { code: Code::WouldLose, what: what.into(), alternative: alternative.to_owned() })
            }
        }
    }
}

/// The reason why a notation cannot represent a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unfit {
    code: Code,
    what: String,
    alternative: String,
}

impl Unfit {
    /// Returns the reason why a game cannot be written at all, and an alternative.
    pub(super) fn new(reason: impl Into<String>, alternative: &str) -> Unfit {
        Unfit { code: Code::Unrepresentable, what: reason.into(), alternative: alternative.to_owned() }
    }

    /// Returns the fault of game number `number`.
    pub(super) fn fault(self, number: u64, to: Notation) -> Fault {
        let Unfit { code, what, alternative } = self;
        let name = to.name();
        if code == Code::WouldLose {
            Fault::new(code, format!("game {number} would lose {what} in {name}"))
                .with_help(format!("{alternative}; --lossy leaves it out"))
        } else {
            Fault::new(code, format!("game {number} cannot be written as {name}: {what}"))
                .with_help(alternative)
        }
    }
}
