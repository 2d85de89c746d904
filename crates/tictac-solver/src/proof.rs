//! Construction of certificates from the values of positions, given by an oracle.

mod blocking;
mod moves;

use std::error::Error;
use std::fmt;

use crate::proof::blocking::prove_blocking;
use crate::proof::moves::prove_moves;
use tictac::{State, Value};
use tictac_proof::{BlockingAnswers, BlockingPosition, Certificate, Strategy, StrategyPlan};

/// Limits of the construction of a certificate.
#[derive(Clone, Copy)]
pub struct ProofLimits<'a> {
    /// The largest number of entries of all strategies together.
    pub max_entries: usize,
    /// Called before each entry; returns true to stop the construction.
    pub stop: &'a dyn Fn() -> bool,
}

impl fmt::Debug for ProofLimits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProofLimits").field("max_entries", &self.max_entries).finish_non_exhaustive()
    }
}

/// A solver, as the construction of a certificate uses it.
///
/// A closure with the signature of [`has_value`](ProofSource::has_value) is a source that knows no blocking strategies.
pub trait ProofSource {
    /// Returns whether a state in which the game is not over has a value for the player to move, or `None` if that is not known.
    ///
    /// The last argument is the number of nodes that may be searched before giving up, 0 for none.
    fn has_value(&mut self, state: &State, value: Value, max_nodes: u64) -> Option<bool>;

    /// Returns how a player answers every move of the opponent and prevents all lines in each of these positions, or `None` if that
    /// is not known to be possible.
    ///
    /// The last argument is the number of nodes that may be searched for each position before giving up.
    fn blocking_answers(
        &mut self,
        positions: &[BlockingPosition],
        max_nodes: u64,
    ) -> Option<Vec<BlockingAnswers>> {
        let _ = (positions, max_nodes);
        None
    }
}

impl<F: FnMut(&State, Value, u64) -> Option<bool>> ProofSource for F {
    fn has_value(&mut self, state: &State, value: Value, max_nodes: u64) -> Option<bool> {
        self(state, value, max_nodes)
    }
}

/// The reason why no certificate was constructed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoProof {
    /// The certificate would have more entries than this number.
    TooLarge(usize),
    /// The construction was stopped.
    Stopped,
    /// The oracle does not know the value of this position, or of a move that keeps the value.
    Unknown(String),
    /// The oracle contradicts itself: no move in this position keeps the value that it returned.
    Contradiction(String),
    /// The board or its lines are not [ordinary](tictac::Rules::is_ordinary), and certificates exist for ordinary ones only.
    NotOrdinary,
}

/// Returns a certificate of the value that `oracle` gives to `start`.
///
/// The oracle returns the value for the player to move, or `None` if it does not know the value. It is called for `start`
/// and states that follow, including finished ones. The same oracle gives the same certificate. The certificate of
/// several boards lists multisets of boards, so it is small only for a few boards.
///
/// ```
/// use tictac::{Rules, State};
/// use tictac_solver::{Oracle, ProofLimits, Question, prove};
///
/// let mut oracle = Oracle::new(&Rules::CLASSIC, 1 << 20);
/// let certificate = prove(
///     &State::start(&Rules::CLASSIC),
///     |state| oracle.solve(state, Question::Weak, &|| false).value(),
///     ProofLimits { max_entries: 1000, stop: &|| false },
/// )?;
/// assert!(certificate.verify().is_ok());
/// # Ok::<(), tictac_solver::NoProof>(())
/// ```
///
/// # Errors
///
/// Returns an error if a limit is reached, or if the oracle does not know a value or contradicts itself.
pub fn prove(
    start: &State,
    mut oracle: impl FnMut(&State) -> Option<Value>,
    limits: ProofLimits<'_>,
) -> Result<Certificate, NoProof> {
    let start = &with_single_board_as_position(start);
    let value = oracle(start).ok_or_else(|| NoProof::Unknown(start.to_string()))?;
    let mut source = |state: &State, value, _| Some(oracle(state)? == value);
    prove_value(start, value, &mut source, limits)
}

/// Returns a certificate of `value`, the value of `start`.
///
/// The construction asks for moves that keep the value with small numbers of nodes first:
/// [`Oracle::with_tables`](crate::Oracle::with_tables), which has proved the value of `start`, finds most of them in its
/// tables. Where a player can prevent all lines of the other, the strategy does just that.
///
/// # Errors
///
/// Returns an error if a limit is reached, or if the source does not know a value or contradicts itself.
pub fn prove_value(
    start: &State,
    value: Value,
    source: &mut dyn ProofSource,
    limits: ProofLimits<'_>,
) -> Result<Certificate, NoProof> {
    if !start.rules().is_ordinary() {
        return Err(NoProof::NotOrdinary);
    }
    let start = &with_single_board_as_position(start);
    let mut strategies: Vec<Strategy> = Vec::new();
    // The second player's strategy comes first: if it blocks from the empty board, the first player copies it.
    for (owner, aim) in Certificate::required(start, value).into_iter().rev() {
        let max_entries = limits.max_entries.saturating_sub(strategies.iter().map(Strategy::n_entries).sum());
        let blocks = |strategy: &Strategy| matches!(strategy.plan(), StrategyPlan::Blocks(_));
        let plan = if start.n_moves() == 0 && strategies.iter().any(blocks) {
            StrategyPlan::Copies
        } else if let Some(plan) =
            prove_blocking(start, (owner, aim), source, ProofLimits { max_entries, ..limits })?
        {
            StrategyPlan::Blocks(plan)
        } else {
            let entries = prove_moves(start, (owner, aim), source, ProofLimits { max_entries, ..limits })
                .map_err(|no_proof| no_proof.within(limits.max_entries))?;
            StrategyPlan::Moves(entries)
        };
        strategies.insert(0, Strategy::new(owner, aim, plan));
    }
    Ok(Certificate::new(start.clone(), value, strategies))
}

impl NoProof {
    /// Returns the reason with the limit of the whole certificate in place of that of a part.
    fn within(self, max_entries: usize) -> NoProof {
        match self {
            NoProof::TooLarge(_) => NoProof::TooLarge(max_entries),
            other => other,
        }
    }
}

/// Returns the state that the text of a certificate is parsed into, in which a single board is a position.
fn with_single_board_as_position(state: &State) -> State {
    match state {
        State::Many(boards) if boards.boards().len() == 1 => {
            State::parse(&boards.to_string(), boards.rules()).expect("the text of a state can be parsed")
        }
        _ => state.clone(),
    }
}

impl fmt::Display for NoProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoProof::TooLarge(max) => {
                write!(f, "the certificate needs more than {max} entries")
            }
            NoProof::Stopped => f.write_str("the construction of the certificate was stopped"),
            NoProof::Unknown(position) => write!(f, "the value of {position} or of its moves is not known"),
            NoProof::NotOrdinary => f.write_str(
                "certificates are written for ordinary boards only, without drop, joined edges, layers, shapes, exact and \
                 missing squares",
            ),
            NoProof::Contradiction(position) => {
                write!(f, "contradictory values: no move of {position} keeps its value")
            }
        }
    }
}

impl Error for NoProof {}
