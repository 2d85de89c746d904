//! Tables about the rules for the inner loop of `vector`.

use std::iter::repeat;

use pyo3::PyResult;
use tictac::{Goal, Player, Rules, SquareSet};

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

/// One game of the batch: the marks, their number, and whether the game is over.
#[derive(Clone, Copy)]
pub(crate) struct BatchGame {
    pub(crate) x: u64,
    pub(crate) o: u64,
    pub(crate) n_moves: u8,
    pub(crate) is_over: bool,
}

impl BatchGame {
    /// Returns the player who moves next, or would if the game were not over.
    pub(crate) const fn mover(self) -> Player {
        Player::after_moves(self.n_moves as usize)
    }
}

/// Facts about the rules that the inner loop needs.
pub(crate) struct VectorRules {
    pub(crate) rules: Rules,
    pub(crate) n_squares: usize,
    pub(crate) n_actions: usize,
    pub(crate) n_planes: usize,
    /// The set of all squares.
    pub(crate) all: u64,
    marks_name_players: bool,
    /// The reward of the player who completes a line.
    reward_of_line: f32,
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
            all: rules.squares().bits(),
            marks_name_players: rules.marks_name_players(),
            reward_of_line: if rules.goal() == Goal::Complete { 1.0 } else { -1.0 },
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
    fn write(&self, squares: u64, n_squares: usize, out: &mut [i8]) {
        if self.bytes.is_empty() {
            for (square, out) in out[..n_squares].iter_mut().enumerate() {
                *out = (squares >> square & 1) as i8;
            }
        } else {
            let start = squares as usize * n_squares;
            out[..n_squares].copy_from_slice(&self.bytes[start..start + n_squares]);
        }
    }

    /// Returns the bit of the square of an action and whether it writes the second mark, or `None` if it is illegal.
    #[inline]
    pub(crate) fn square_of(&self, game: BatchGame, action: i64) -> Option<(u64, bool)> {
        let action = usize::try_from(action).ok().filter(|&action| action < self.n_actions)?;
        let is_second_layer = action >= self.n_squares;
        let square = if is_second_layer { action - self.n_squares } else { action };
        let bit = 1_u64 << square;
        ((game.x | game.o) & bit == 0).then_some((bit, is_second_layer))
    }

    /// Plays an action; returns the game after it and the reward of the player who moved, who loses if it is illegal.
    #[expect(clippy::inline_always, reason = "the inner loop of the fastest environment")]
    #[inline(always)]
    pub(crate) fn play(&self, game: BatchGame, action: i64) -> (BatchGame, f32) {
        let Some((bit, is_second_layer)) = self.square_of(game, action) else {
            return (BatchGame { is_over: true, ..game }, -1.0);
        };
        let writes_o = is_second_layer || self.marks_name_players && game.n_moves & 1 == 1;
        // Selections instead of branches, which would be mispredicted half of the time.
        let o_bit = if writes_o { bit } else { 0 };
        let (x, o) = (game.x | bit ^ o_bit, game.o | o_bit);
        let completes = self.has_line(if writes_o { o } else { x });
        let n_moves = game.n_moves + 1;
        let is_full = usize::from(n_moves) == self.n_squares;
        let reward = if completes { self.reward_of_line } else { 0.0 };
        (BatchGame { x, o, n_moves, is_over: completes | is_full }, reward)
    }

    /// Writes what `viewer` sees of a game, and the legal actions.
    #[expect(clippy::inline_always, reason = "makes the number of squares a constant")]
    #[inline(always)]
    pub(crate) fn observe(
        &self,
        game: BatchGame,
        viewer: Player,
        n_squares: usize,
        observation: &mut [i8],
        mask: &mut [i8],
    ) {
        let is_swapped = self.marks_name_players && viewer == Player::Second;
        let first = if is_swapped { game.o } else { game.x };
        self.write(first, n_squares, observation);
        if self.n_planes == 2 {
            self.write(game.x ^ game.o ^ first, n_squares, &mut observation[n_squares..]);
        }
        let free = if game.is_over { 0 } else { self.all & !(game.x | game.o) };
        self.write(free, n_squares, mask);
        if mask.len() > n_squares {
            self.write(free, n_squares, &mut mask[n_squares..]);
        }
    }
}
