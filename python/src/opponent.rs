//! The player of the other side in an environment.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use tictac::{Mark, Move, Rules, State};
use tictac_solver::Analyst;
use tictac_solver::level::Level;

use crate::action;
use crate::batch::table_of;
use crate::dense::DenseTable;
use crate::faults;
use crate::interrupt;
use crate::random::SplitMix;

/// The memory limit of the solver of one opponent.
const MAX_BYTES: usize = 1 << 26;
/// How often a search may ask whether it should go on: about half a second of thought. A count, not a clock, so that the
/// same seed gives the same game on every machine.
const MAX_CHECKS: u32 = 4000;

/// A player of the other side.
pub(crate) enum Opponent {
    /// Every legal move is equally likely.
    Random,
    /// Every best move is equally likely.
    Perfect(Arc<DenseTable>),
    /// A level of play, or perfect play on boards without a table. The lock only makes it shareable; it is never contended.
    Level(Box<Mutex<Analyst>>, Level),
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
        Ok(Opponent::Level(Box::new(Mutex::new(Analyst::new(MAX_BYTES))), level))
    }

    /// Returns the name that makes this opponent.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Opponent::Random => "random",
            Opponent::Perfect(_) => Level::Perfect.name(),
            Opponent::Level(_, level) => level.name(),
        }
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
                action::move_of(state, nth_bit(best.into(), rng))
            }
            Opponent::Level(analyst, level) => {
                let analyst = analyst.get_mut().unwrap_or_else(PoisonError::into_inner);
                // What earlier searches have proved would make a move depend on other games.
                if *level == Level::Perfect && !analyst.oracle(state.rules()).is_quick() {
                    *analyst = Analyst::new(MAX_BYTES);
                }
                interrupt::run(py, None, |interrupt| {
                    let n_left = Cell::new(MAX_CHECKS);
                    let time_left = || {
                        n_left.set(if interrupt.is_set() { 0 } else { n_left.get().saturating_sub(1) });
                        Duration::from_millis(n_left.get().into())
                    };
                    analyst.choose(state, *level, &mut || rng.next(), &time_left).map(|choice| choice.mv)
                })?
            }
        };
        chosen.or_else(|| state.moves().next()).ok_or_else(|| faults::value_error("the game is over"))
    }

    /// Returns an action in a game with these marks on one board, in which X moved first, if a table answers at once.
    pub(crate) fn look_up(&self, [x, o]: [u64; 2], rng: &mut SplitMix) -> Option<usize> {
        let Opponent::Perfect(table) = self else { return None };
        let cell = table.find(x, o)?;
        Some(nth_bit(table.best(cell, x, o).into(), rng))
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
