//! Tables about the rules for the inner loop of `vector`.

use std::iter::repeat;

use pyo3::PyResult;
use tictac::{Rules, SquareSet};

use crate::action;
use crate::faults;
use crate::opponent::nth_bit;
use crate::random::SplitMix;
use crate::single::n_planes;

/// Sets of squares up to this size are expanded to bytes by table look-up.
const MAX_TABLE_SQUARES: usize = 12;

/// What happens to a game that is over, as Gymnasium defines it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AutoReset {
    /// The next step starts a new game and ignores the action.
    NextStep,
    /// The step that ends a game also starts a new one.
    SameStep,
    /// The caller resets.
    Disabled,
}

impl AutoReset {
    /// Returns the mode with Gymnasium's name.
    pub(crate) fn named(name: &str) -> PyResult<AutoReset> {
        match name {
            "NextStep" => Ok(AutoReset::NextStep),
            "SameStep" => Ok(AutoReset::SameStep),
            "Disabled" => Ok(AutoReset::Disabled),
            _ => Err(faults::value_error(format!("autoreset_mode: there is no mode {name:?}"))),
        }
    }
}

/// Facts about the rules that the inner loop needs.
pub(crate) struct VectorRules {
    pub(crate) rules: Rules,
    pub(crate) n_squares: usize,
    pub(crate) n_actions: usize,
    pub(crate) n_planes: usize,
    /// For each set of squares of a small board, a byte per square.
    bytes: Vec<i8>,
    /// For each set of squares of a small board, whether it contains a line.
    has_line: Vec<bool>,
    /// For each set of squares of a small board, its members in order, with room for `n_squares`.
    members: Vec<u8>,
}

impl VectorRules {
    /// Returns the facts about `rules`.
    pub(crate) fn new(rules: &Rules) -> VectorRules {
        let n_squares = rules.grid().len();
        let n_sets = if n_squares <= MAX_TABLE_SQUARES { 1_u64 << n_squares } else { 0 };
        let sets = || (0..n_sets).map(SquareSet::from_bits);
        VectorRules {
            rules: *rules,
            n_squares,
            n_actions: action::n_actions(rules),
            n_planes: n_planes(rules),
            bytes: sets()
                .flat_map(|set| rules.squares().iter().map(move |square| i8::from(set.contains(square))))
                .collect(),
            has_line: sets().map(|set| rules.lines().any_in(set)).collect(),
            members: sets()
                .flat_map(|set| {
                    set.iter().map(|square| square.index() as u8).chain(repeat(0)).take(n_squares)
                })
                .collect(),
        }
    }

    /// Returns a random one of the `n_free` squares of `free`, without a branch on small boards.
    #[inline]
    pub(crate) fn random_square(&self, free: u64, n_free: usize, rng: &mut SplitMix) -> usize {
        if self.members.is_empty() {
            return nth_bit(free, rng);
        }
        let place = free as usize * self.n_squares + rng.below(n_free as u32) as usize;
        usize::from(self.members[place])
    }

    /// Returns whether a set of squares contains a line.
    #[inline]
    pub(crate) fn has_line(&self, squares: u64) -> bool {
        match self.has_line.get(squares as usize) {
            Some(&has_line) => has_line,
            None => self.rules.lines().any_in(SquareSet::from_bits(squares)),
        }
    }

    /// Writes a byte per square; `n_squares` is a parameter so that the compiler can treat it as a constant.
    #[expect(clippy::inline_always, reason = "makes the number of squares a constant")]
    #[inline(always)]
    pub(crate) fn write(&self, squares: u64, n_squares: usize, out: &mut [i8]) {
        if self.bytes.is_empty() {
            for (square, out) in out[..n_squares].iter_mut().enumerate() {
                *out = (squares >> square & 1) as i8;
            }
        } else {
            let start = squares as usize * n_squares;
            out[..n_squares].copy_from_slice(&self.bytes[start..start + n_squares]);
        }
    }
}
