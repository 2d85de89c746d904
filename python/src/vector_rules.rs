//! Tables about the rules for the inner loop of `vector`.
//!
//! The squares of a game are the bits of one number; with several boards, those of the second board follow those of the first,
//! as in the planes of an observation and in the actions.

use std::hint::select_unpredictable;
use std::iter::repeat;

use pyo3::PyResult;
use tictac::{Board, Boards, Goal, Mark, Player, Position, Rules, SquareSet, State};

use crate::action;
use crate::faults;
use crate::opponent::nth_bit;
use crate::random::SplitMix;

/// Sets of squares up to this size are expanded to bytes by table look-up.
const MAX_TABLE_SQUARES: usize = 12;
/// The largest number of squares of all boards together: the bits of a number.
const MAX_SQUARES: usize = 64;

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

    /// Returns Gymnasium's name of the mode.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            AutoReset::NextStep => "NextStep",
            AutoReset::SameStep => "SameStep",
            AutoReset::Disabled => "Disabled",
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

    /// Returns `one` if `is_one` is true, else `other`, without a branch.
    #[expect(clippy::inline_always, reason = "the inner loop of the fastest environment")]
    #[inline(always)]
    pub(crate) fn either(is_one: bool, one: BatchGame, other: BatchGame) -> BatchGame {
        BatchGame {
            x: select_unpredictable(is_one, one.x, other.x),
            o: select_unpredictable(is_one, one.o, other.o),
            n_moves: select_unpredictable(is_one, one.n_moves, other.n_moves),
            is_over: select_unpredictable(is_one, one.is_over, other.is_over),
        }
    }
}

/// Returns `reward` if `is_due` is true, else 0, without a branch: processors select between integers, but not between floats.
#[expect(clippy::inline_always, reason = "the inner loop of the fastest environment")]
#[inline(always)]
pub(crate) fn reward_if(is_due: bool, reward: f32) -> f32 {
    f32::from_bits(select_unpredictable(is_due, reward.to_bits(), 0))
}

/// Facts about the rules that the inner loop needs.
pub(crate) struct VectorRules {
    pub(crate) rules: Rules,
    /// The number of squares of all boards together.
    pub(crate) n_squares: usize,
    pub(crate) n_actions: usize,
    /// The number of sets of squares in an observation: one per mark.
    pub(crate) n_layers: usize,
    /// The set of all squares.
    pub(crate) all: u64,
    /// The number of boards; functions of the inner loop are told by a constant whether there are many.
    pub(crate) n_boards: usize,
    /// The number of squares of one board.
    n_board_squares: usize,
    marks_name_players: bool,
    /// The reward of the player who completes a line, or the last one of several boards.
    reward_of_line: f32,
    /// For each set of squares of a small game, a byte per square.
    bytes: Vec<i8>,
    /// For each set of squares of a small board, whether it contains a line.
    has_line: Vec<bool>,
    /// For each set of squares of a small game, its members in order, with room for `n_squares`.
    members: Vec<u8>,
}

impl VectorRules {
    /// Returns the facts about `rules`, or an exception if they have too many squares.
    pub(crate) fn new(rules: &Rules) -> PyResult<VectorRules> {
        let n_squares = rules.max_moves();
        if n_squares > MAX_SQUARES {
            return Err(faults::value_error(format!(
                "rules: {rules} has {n_squares} squares; a VectorEnv takes up to {MAX_SQUARES}, and \
                 gymnasium.vector.SyncVectorEnv([lambda: tictac.gym({:?})] * n) any number",
                rules.to_string()
            )));
        }
        if !rules.is_ordinary() {
            return Err(faults::value_error(format!(
                "rules: a VectorEnv takes ordinary boards only, and \
                 gymnasium.vector.SyncVectorEnv([lambda: tictac.gym({:?})] * n) any rules",
                rules.to_string()
            )));
        }
        let n_board_squares = rules.grid().len();
        let sets = |n: usize| 0..if n <= MAX_TABLE_SQUARES { 1_u64 << n } else { 0 };
        let bits = |set: u64| (0..n_squares).map(move |square| (set >> square & 1) as i8);
        let members = |set: u64| (0..n_squares as u8).filter(move |square| set >> square & 1 == 1);
        Ok(VectorRules {
            rules: *rules,
            n_squares,
            n_actions: action::n_actions(rules),
            n_layers: rules.marks().n_kinds(),
            all: SquareSet::first_n(n_squares).bits(),
            n_boards: rules.n_boards() as usize,
            n_board_squares,
            marks_name_players: rules.marks_name_players(),
            reward_of_line: if rules.goal() == Goal::Complete { 1.0 } else { -1.0 },
            bytes: sets(n_squares).flat_map(bits).collect(),
            has_line: sets(n_board_squares)
                .map(|set| rules.lines().any_in(SquareSet::from_bits(set)))
                .collect(),
            members: sets(n_squares).flat_map(|set| members(set).chain(repeat(0)).take(n_squares)).collect(),
        })
    }

    /// Returns the game with the marks of a state, in which X moved first and which is not over.
    pub(crate) fn game_of(&self, state: &State) -> BatchGame {
        let layer = |mark| {
            let boards = state.boards().enumerate();
            boards.fold(0, |all, (number, board)| {
                all | board.squares(mark).bits() << (number * self.n_board_squares)
            })
        };
        let [x, o] = Mark::BOTH.map(layer);
        BatchGame { x, o, n_moves: state.n_moves() as u8, is_over: false }
    }

    /// Returns the state with the marks of a game, or why there is none.
    pub(crate) fn state_of(&self, game: BatchGame) -> PyResult<State> {
        let impossible = |reason: &dyn ToString| faults::value_error(reason.to_string());
        if self.n_boards > 1 {
            let boards = (0..self.n_boards).map(|number| SquareSet::from_bits(self.board(game.x, number)));
            let boards = Boards::set_up(boards.collect(), &self.rules);
            return boards.map(State::Many).map_err(|(_, reason)| impossible(&reason));
        }
        let board = Board::new(SquareSet::from_bits(game.x), SquareSet::from_bits(game.o));
        let position = Position::set_up(board.unwrap_or_default(), Mark::X, &self.rules);
        position.map(State::One).map_err(|reason| impossible(&reason))
    }

    /// Returns the squares of one board.
    fn board(&self, squares: u64, number: usize) -> u64 {
        squares >> (number * self.n_board_squares) & self.rules.squares().bits()
    }

    /// Returns the squares that may be played in a game of several boards that is not over.
    fn open_on_boards(&self, x: u64) -> u64 {
        let living = (0..self.n_boards).filter(|&number| !self.has_line(self.board(x, number)));
        living.fold(0, |open, number| {
            let free = self.rules.squares().bits() & !self.board(x, number);
            open | free << (number * self.n_board_squares)
        })
    }

    /// Returns the squares that may be played in a game that is not over, and their number.
    #[expect(clippy::inline_always, reason = "the inner loop of the fastest environment")]
    #[inline(always)]
    pub(crate) fn open<const HAS_MANY: bool>(&self, game: BatchGame) -> (u64, usize) {
        if HAS_MANY {
            let open = self.open_on_boards(game.x);
            return (open, open.count_ones() as usize);
        }
        (self.all & !(game.x | game.o), self.n_squares - usize::from(game.n_moves))
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
    pub(crate) fn square_of<const HAS_MANY: bool>(
        &self,
        game: BatchGame,
        action: i64,
    ) -> Option<(u64, bool)> {
        let action = usize::try_from(action).ok().filter(|&action| action < self.n_actions)?;
        let is_second_layer = action >= self.n_squares;
        let square = if is_second_layer { action - self.n_squares } else { action };
        let bit = 1_u64 << square;
        (self.open::<HAS_MANY>(game).0 & bit != 0).then_some((bit, is_second_layer))
    }

    /// Plays an action; returns the game after it and the reward of the player who moved, who loses if it is illegal.
    #[expect(clippy::inline_always, reason = "the inner loop of the fastest environment")]
    #[inline(always)]
    pub(crate) fn play<const HAS_MANY: bool>(&self, game: BatchGame, action: i64) -> (BatchGame, f32) {
        let Some((bit, is_second_layer)) = self.square_of::<HAS_MANY>(game, action) else {
            return (BatchGame { is_over: true, ..game }, -1.0);
        };
        let writes_o = is_second_layer || self.marks_name_players && game.n_moves & 1 == 1;
        // Selections instead of branches, which would be mispredicted half of the time.
        let o_bit = select_unpredictable(writes_o, bit, 0);
        let (x, o) = (game.x | bit ^ o_bit, game.o | o_bit);
        let n_moves = game.n_moves + 1;
        if HAS_MANY {
            let is_over = self.open_on_boards(x) == 0;
            let reward = reward_if(is_over, self.reward_of_line);
            return (BatchGame { x, o, n_moves, is_over }, reward);
        }
        let completes = self.has_line(select_unpredictable(writes_o, o, x));
        let is_full = usize::from(n_moves) == self.n_squares;
        let reward = reward_if(completes, self.reward_of_line);
        (BatchGame { x, o, n_moves, is_over: completes | is_full }, reward)
    }

    /// Writes what `viewer` sees of a game, and the legal actions.
    #[expect(clippy::inline_always, reason = "makes the number of squares a constant")]
    #[inline(always)]
    pub(crate) fn observe<const HAS_MANY: bool>(
        &self,
        game: BatchGame,
        viewer: Player,
        n_squares: usize,
        observation: &mut [i8],
        mask: &mut [i8],
    ) {
        let is_swapped = self.marks_name_players && viewer == Player::Second;
        let first = select_unpredictable(is_swapped, game.o, game.x);
        self.write(first, n_squares, observation);
        if self.n_layers == 2 {
            self.write(game.x ^ game.o ^ first, n_squares, &mut observation[n_squares..]);
        }
        let free = select_unpredictable(game.is_over, 0, self.open::<HAS_MANY>(game).0);
        self.write(free, n_squares, mask);
        if mask.len() > n_squares {
            self.write(free, n_squares, &mut mask[n_squares..]);
        }
    }
}
