//! The player of the other side in an environment.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use tictac::level::{Engine, Level};
use tictac::{Board, Mark, Move, Position, Rules, SquareSet, State};

use crate::action;
use crate::batch::table_of;
use crate::dense::DenseTable;
use crate::faults;
use crate::interrupt;
use crate::random::SplitMix;

/// The memory limit of the solver of one opponent.
const MAX_BYTES: usize = 1 << 26;
/// How long an opponent may think about a move.
const MAX_SECONDS: f64 = 1.0;

/// A player of the other side.
pub(crate) enum Opponent {
    /// Every legal move is equally likely.
    Random,
    /// Every best move is equally likely.
    Perfect(Arc<DenseTable>),
    /// A level of play, or perfect play on boards without a table. The lock only makes it shareable; it is never contended.
    Level(Box<Mutex<Engine>>, Level),
}

impl Opponent {
    /// Returns the opponent with this name: "random" or a level.
    pub(crate) fn named(py: Python<'_>, name: &str, rules: &Rules) -> PyResult<Opponent> {
        if name == "random" {
            return Ok(Opponent::Random);
        }
        let level = name
            .parse::<Level>()
            .map_err(|error| faults::value_error(format!("opponent: {error}; and there is \"random\"")))?;
        if level == Level::Perfect && DenseTable::fits(rules) {
            return Ok(Opponent::Perfect(table_of(py, rules)?));
        }
        Ok(Opponent::Level(Box::new(Mutex::new(Engine::new(MAX_BYTES))), level))
    }

    /// Returns a move in a game that is not over.
    pub(crate) fn choose(&mut self, py: Python<'_>, state: &State, rng: &mut SplitMix) -> PyResult<Move> {
        let chosen = match self {
            Opponent::Random => pick(state.moves(), rng),
            Opponent::Perfect(table) => {
                let board = state.boards().next().unwrap_or_default();
                // The table knows games that X opens; where O did, the marks are exchanged.
                let is_exchanged = state.position().is_some_and(|position| position.opener() == Mark::O);
                let marks = if is_exchanged { [Mark::O, Mark::X] } else { Mark::BOTH };
                let [x, o] = marks.map(|mark| board.squares(mark).bits());
                let best = table.find(x, o).map_or(0, |cell| table.best(cell, x, o));
                let rules = state.rules();
                pick(state.moves().filter(|&mv| best >> action::action_of(rules, mv) & 1 == 1), rng)
            }
            Opponent::Level(engine, level) => {
                let engine = engine.get_mut().unwrap_or_else(PoisonError::into_inner);
                interrupt::run(py, Some(MAX_SECONDS), |interrupt| {
                    let choice = engine.choose(state, *level, &mut || rng.next(), &|| interrupt.time_left());
                    choice.map(|choice| choice.mv)
                })?
            }
        };
        chosen.or_else(|| state.moves().next()).ok_or_else(|| faults::value_error("the game is over"))
    }

    /// Returns an action in a position of `rules` with these marks, in which X moved first and the game is not over.
    pub(crate) fn choose_in(
        &mut self,
        py: Python<'_>,
        rules: &Rules,
        [x, o]: [u64; 2],
        rng: &mut SplitMix,
    ) -> PyResult<usize> {
        if let Opponent::Perfect(table) = self
            && let Some(cell) = table.find(x, o)
        {
            return Ok(nth_bit(table.best(cell, x, o).into(), rng));
        }
        let board = Board::new(SquareSet::from_bits(x), SquareSet::from_bits(o)).unwrap_or_default();
        let position = Position::set_up(board, Mark::X, rules)
            .map_err(|reason| faults::value_error(reason.to_string()))?;
        let mv = self.choose(py, &State::One(position), rng)?;
        Ok(action::action_of(rules, mv))
    }
}

/// Returns a random one of `moves`.
fn pick(moves: impl Iterator<Item = Move>, rng: &mut SplitMix) -> Option<Move> {
    let moves: Vec<Move> = moves.collect();
    let n = u32::try_from(moves.len()).ok().filter(|&n| n > 0)?;
    moves.get(rng.below(n) as usize).copied()
}

/// Returns the number of a random bit of `bits`, or 0 if there is none.
#[inline]
pub(crate) fn nth_bit(mut bits: u64, rng: &mut SplitMix) -> usize {
    for _ in 0..rng.below(bits.count_ones()) {
        bits &= bits - 1;
    }
    if bits == 0 { 0 } else { bits.trailing_zeros() as usize }
}
