//! Proofs that somebody else can check: a position, its claimed value, and the strategies that bring it about.
//!
//! A win is proved by one strategy of the player to move, a loss by one of the other player, a draw by two that each
//! hold at least a draw. A strategy names a move for every position that can arise while its owner follows it and in
//! which he is to move; `docs/certificates.md` is the written standard.
//!
//! ```
//! use tictac::certificate::Certificate;
//!
//! let text = b"tictac certificate 1\nrules 1,4,2\nstart .... X\nvalue win\nstrategy first wins\n.... X move X A2\nend\n";
//! let certificate = Certificate::read(text)?;
//! assert_eq!(certificate.to_string().as_bytes(), text);
//! assert_eq!(certificate.verify()?.to_string(), "1,4,2: win (first player wins: 1 position)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layout
//!
//! | module | what it knows |
//! |---|---|
//! | `state` | one board or several, and how an entry keeps them |
//! | `text`, `read`, `read_error` | the format |
//! | `verify`, `leaf`, `refuted` | **the checker**: rules, positions and symmetries, nothing of the solver but the word [`Value`] |
//! | `prove`, `pairing` | making certificates with an oracle's help; the checker knows nothing of it |

mod leaf;
mod pairing;
mod prove;
mod read;
mod read_error;
mod refuted;
mod state;
mod text;
mod verify;

pub use prove::{Limits, NoProof};
pub use read::Reader;
pub use read_error::{Fault, ReadError};
pub use refuted::{Flaw, Refuted};
pub use state::State;
pub use verify::{Checked, Verified};

use crate::mark::Player;
use crate::moves::Move;
use crate::solve::Value;
use crate::square::Square;
use state::Written;

/// A claim about a position, with the strategies that are said to prove it.
///
/// To have one proves nothing: [`verify`](Certificate::verify) does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    start: State,
    value: Value,
    // The line that says the value.
    value_line: usize,
    strategies: Vec<Strategy>,
}

impl Certificate {
    /// The position whose value is claimed.
    pub const fn start(&self) -> &State {
        &self.start
    }

    /// The claimed value, for the player to move.
    pub const fn value(&self) -> Value {
        self.value
    }

    /// The strategies.
    pub fn strategies(&self) -> &[Strategy] {
        &self.strategies
    }
}

/// What one player is said to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    owner: Player,
    aim: Aim,
    line: usize,
    entries: Vec<Entry>,
}

impl Strategy {
    /// The player who follows it.
    pub const fn owner(&self) -> Player {
        self.owner
    }

    /// What it brings him.
    pub const fn aim(&self) -> Aim {
        self.aim
    }

    /// How many positions it has an entry for.
    pub const fn n_entries(&self) -> usize {
        self.entries.len()
    }
}

/// What a strategy brings its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A win.
    Win,
    /// At least a draw.
    Hold,
}

/// The strategies that prove a value, in the order in which they are written.
fn needed(start: &State, value: Value) -> Vec<(Player, Aim)> {
    let mover = start.next_player();
    match value {
        Value::Win => vec![(mover, Aim::Win)],
        Value::Loss => vec![(!mover, Aim::Win)],
        Value::Draw => Player::BOTH.map(|player| (player, Aim::Hold)).to_vec(),
    }
}

/// What to do in one position, and in all that differ from it by a symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    line: usize,
    written: Written,
    step: Step,
}

/// What to do in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// Make this move; the strategy has an answer to every reply.
    Move(Move),
    /// Make this move, if there is one; then a theorem says that the owner does not lose.
    Close(Option<Move>, Leaf),
}

/// A reason why the owner does not lose, whatever happens.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Leaf {
    /// Of each pair he can take one square, and every line against him needs both squares of some pair.
    Pairs(Box<[[Square; 2]]>),
    /// The lines against him weigh too little.
    Weight,
}
