//! Certificates: independently checkable proofs of a position's value.
//!
//! A certificate contains a position, its claimed value, and strategies. A win is proved by a strategy of the player to move,
//! a loss by a strategy of the other player, and a draw by one strategy of each player that avoids a loss. A strategy has a
//! move for every position in which its owner is to move and that can arise while the owner follows it. The format is
//! specified in `docs/certificates.md`.
//!
//! ```
//! use tictac_proof::Certificate;
//!
//! let text = b"tictac certificate 1\nrules 1,4,2\nstart .... X\nvalue win\nstrategy first wins\n.... X move X A2\nend\n";
//! let certificate = Certificate::read(text)?;
//! assert_eq!(certificate.to_string().as_bytes(), text);
//! assert!(certificate.verify().is_ok());
//! assert_eq!(certificate.summary(), "1,4,2: win (first player wins: 1 position)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layout
//!
//! | module | contents |
//! |---|---|
//! | `marks` | the marks of a state, as stored in an entry |
//! | `text`, `read`, `read_blocking` | the format |
//! | `verify`, `leaf`, `blocking`, `blocking_check` | the checker |
//!
//! # When to use it
//!
//! Use this crate to read, check or print a proof. It depends on the rules of `tictac` alone: no code is shared with the solver
//! that found the proof. To make proofs, use `tictac-solver`; a program that makes its own builds a [`Certificate`] from
//! [`Strategy`] values and checks it with [`Certificate::verify`].

mod blocking;
mod blocking_check;
mod leaf;
mod marks;
mod read;
mod read_blocking;
mod text;
mod verify;

pub use blocking::{BlockingAnswers, BlockingPosition, PairingAnswer};
pub use blocking_check::{BlockingBatch, BlockingBoard, CheckedBatch};
pub use leaf::{Weight, is_safe, open_lines};
pub use marks::StateMarks;
pub use read::{CertificateReader, ReadError};
pub use verify::{ProofCheck, Refuted, needs_no_entry};

use blocking_check::{BlockingEntry, BlockingProgress};
use tictac::{Move, Outcome, Player, Square, State, Value};

/// A claim about the value of a position, with strategies that may prove it.
///
/// Call [`verify`](Certificate::verify) to check the proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    start: State,
    /// The claimed value for the player to move.
    pub value: Value,
    // The line number of the claimed value.
    value_line: usize,
    // Invariant: the positions of their entries follow from the rules and the opener of `start`.
    strategies: Vec<Strategy>,
}

impl Certificate {
    /// Returns the position whose value is claimed.
    pub const fn start(&self) -> &State {
        &self.start
    }

    /// Returns a certificate whose entries are numbered by their lines in the text.
    ///
    /// The strategies must be those of [`required`](Certificate::required), or the check will fail.
    pub fn new(start: State, value: Value, strategies: Vec<Strategy>) -> Certificate {
        let mut certificate = Certificate { start, value, value_line: HEADING_LINES, strategies };
        certificate.number_lines();
        certificate
    }

    /// Returns the owners and aims of the strategies that prove a value, in the order in which they are written.
    pub fn required(start: &State, value: Value) -> Vec<(Player, Aim)> {
        let mover = start.next_player();
        match value {
            Value::Win => vec![(mover, Aim::Win)],
            Value::Loss => vec![(!mover, Aim::Win)],
            Value::Draw => Player::BOTH.map(|player| (player, Aim::Hold)).to_vec(),
        }
    }

    /// Returns the strategies.
    pub fn strategies(&self) -> &[Strategy] {
        &self.strategies
    }

    /// Gives every strategy and entry the number of its line in the text.
    fn number_lines(&mut self) {
        let mut line = HEADING_LINES;
        let mut next = |n_lines: usize| {
            line += n_lines;
            line + 1 - n_lines
        };
        for strategy in &mut self.strategies {
            strategy.line = next(1);
            match &mut strategy.plan {
                StrategyPlan::Moves(entries) => entries.iter_mut().for_each(|entry| entry.line = next(1)),
                StrategyPlan::Blocks(plan) => {
                    for entry in &mut plan.entries {
                        let n_lines =
                            entry.answers.pairings.len() + usize::from(!entry.answers.moves.is_empty());
                        entry.line = next(1 + n_lines);
                    }
                }
                StrategyPlan::Copies => {}
            }
        }
    }
}

/// The number of lines of a certificate before its first strategy.
const HEADING_LINES: usize = 4;

/// The moves of one player, who claims to reach an aim by them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The player who follows the strategy.
    pub owner: Player,
    /// The result that the strategy claims for its owner.
    pub aim: Aim,
    line: usize,
    plan: StrategyPlan,
}

impl Strategy {
    /// Returns a strategy of `owner`.
    pub const fn new(owner: Player, aim: Aim, plan: StrategyPlan) -> Strategy {
        Strategy { owner, aim, line: 0, plan }
    }

    /// Returns how the strategy reaches its aim.
    pub const fn plan(&self) -> &StrategyPlan {
        &self.plan
    }

    /// Returns the number of entries.
    pub const fn n_entries(&self) -> usize {
        match &self.plan {
            StrategyPlan::Moves(entries) => entries.len(),
            StrategyPlan::Blocks(plan) => plan.n_checked + plan.entries.len(),
            StrategyPlan::Copies => 0,
        }
    }
}

/// How a strategy reaches its aim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyPlan {
    /// By a move in every position.
    Moves(Vec<StrategyEntry>),
    /// By preventing every line of the opponent.
    Blocks(BlockingPlan),
    /// By any first move, and then the second player's strategy, which blocks: the extra mark does no harm.
    Copies,
}

/// A strategy that prevents every line of the opponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockingPlan {
    /// The owner's first move, if the owner is to move at the start.
    first: Option<Square>,
    entries: Vec<BlockingEntry>,
    /// The number of earlier entries, which were checked while they were read, and are not kept.
    n_checked: usize,
    /// The check of these entries.
    progress: Option<Box<BlockingProgress>>,
}

impl BlockingPlan {
    /// Returns a strategy with the owner's first move, if the owner is to move at the start, and the answers in each position,
    /// in the order of the format: positions with the most empty squares first.
    pub fn new(first: Option<Square>, entries: Vec<(BlockingPosition, BlockingAnswers)>) -> BlockingPlan {
        let entry = |(position, answers)| BlockingEntry { line: 0, position, answers };
        BlockingPlan { first, entries: entries.into_iter().map(entry).collect(), ..BlockingPlan::default() }
    }
}

/// The result that a strategy claims for its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The player wins.
    Win,
    /// At least a draw.
    Hold,
}

impl Aim {
    /// Returns whether an outcome reaches the aim of a strategy of `owner`.
    pub fn is_reached_by(self, outcome: Outcome, owner: Player) -> bool {
        outcome == Outcome::Win(owner) || (self == Aim::Hold && outcome == Outcome::Draw)
    }
}

/// The owner's action in one position and in all its symmetric images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyEntry {
    line: usize,
    marks: StateMarks,
    action: EntryAction,
}

/// The owner's action in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryAction {
    /// Make this move; the strategy covers every reply.
    Move(Move),
    /// Make this move, if there is one; by a theorem, the owner then does not lose.
    Close(Option<Move>, Leaf),
}

impl StrategyEntry {
    /// Returns the entry of a position.
    pub fn new(marks: StateMarks, action: EntryAction) -> StrategyEntry {
        StrategyEntry { line: 0, marks, action }
    }
}

impl EntryAction {
    const fn move_and_leaf(&self) -> (Option<Move>, Option<&Leaf>) {
        match self {
            EntryAction::Move(mv) => (Some(*mv), None),
            EntryAction::Close(mv, leaf) => (*mv, Some(leaf)),
        }
    }
}

/// A theorem by which the owner does not lose from a position on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The owner can take one square of each pair, and every line of the opponent needs both squares of a pair.
    Pairs(Box<[[Square; 2]]>),
    /// The opponent's lines have too little weight.
    Weight,
}
