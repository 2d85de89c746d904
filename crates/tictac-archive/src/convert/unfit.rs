//! Why a notation cannot hold a game.

use tictac::notation::{Code, Fault};

use super::Notation;

/// What to do with what the output cannot hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Losses {
    /// It is an error.
    #[default]
    Refused,
    /// It is left out.
    Accepted,
}

impl Losses {
    /// Says that something would be lost, and what would do instead.
    pub(super) fn lose(self, what: impl Into<String>, instead: &str) -> Result<(), Unfit> {
        match self {
            Losses::Accepted => Ok(()),
            Losses::Refused => {
                Err(Unfit { reason: Reason::Lost, what: what.into(), instead: instead.to_owned() })
            }
        }
    }
}

/// Why a notation cannot hold a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unfit {
    reason: Reason,
    what: String,
    instead: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// There is no way to write it.
    Impossible,
    /// It could be written without this.
    Lost,
}

impl Unfit {
    /// Returns the reason why the game cannot be written at all, and what would do instead.
    pub(super) fn new(what: impl Into<String>, instead: &str) -> Unfit {
        Unfit { reason: Reason::Impossible, what: what.into(), instead: instead.to_owned() }
    }

    /// Returns the fault of the `number`th game.
    pub(super) fn fault(self, number: u64, to: Notation) -> Fault {
        let Unfit { reason, what, instead } = self;
        let name = to.name();
        match reason {
            Reason::Impossible => {
                let message = format!("game {number} cannot be written as {name}: {what}");
                Fault::new(Code::Unrepresentable, message).with_help(instead)
            }
            Reason::Lost => Fault::new(Code::WouldLose, format!("game {number} would lose {what} as {name}"))
                .with_help(format!("{instead}; --lossy leaves it out")),
        }
    }
}
