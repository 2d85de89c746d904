//! Random games, in which every legal move is equally likely.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::bag::Bag;
use crate::mark::Player;
use crate::position::{Position, Status};
use crate::rules::Rules;
use crate::square::{Square, SquareSet};

/// The results of a number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of games won by the first player.
    pub first_wins: u64,
    /// The number of games won by the second player.
    pub second_wins: u64,
    /// The number of drawn games.
    pub drawn: u64,
    /// The total number of moves of all games.
    pub moves: u64,
}

impl Tally {
    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.first_wins + self.second_wins + self.drawn
    }
}

/// Uniform random games from one position.
///
/// A random game is a random order of the empty squares that ends with the first completed line; where marks drop, each move
/// is drawn from the squares that may be played.
///
/// ```
/// use tictac::{Playouts, Position};
///
/// let mut state = 1u64;
/// let mut random = || { state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); state };
/// let tally = Playouts::new(Position::default()).run(100_000, &mut random);
/// assert!((0.57..0.60).contains(&(tally.first_wins as f64 / 100_000.0))); // 737/1260 exactly
/// ```
#[derive(Clone, Debug)]
pub struct Playouts {
    position: Position,
    way: Way,
}

/// Implementations of random games: two for marks that may be placed anywhere, on small grids and on large ones, and one for
/// marks that drop.
#[derive(Clone, Debug)]
enum Way {
    Small(Small),
    Large { order: Vec<Square> },
    Drop,
}

impl Playouts {
    /// Returns playouts from `position`.
    pub fn new(position: Position) -> Playouts {
        let empty = position.empty_squares();
        let way = match Small::new(position.rules(), empty) {
            _ if !position.rules().plays_anywhere() => Way::Drop,
            Some(small) => Way::Small(small),
            None => Way::Large { order: empty.iter().collect() },
        };
        Playouts { position, way }
    }

    /// Plays `n` games; `random` returns 64 random bits on each call.
    pub fn run(&mut self, n: u64, random: &mut impl FnMut() -> u64) -> Tally {
        let marks = self.position.rules().marks();
        if marks.name_players() {
            self.run_with(n, random, |sets, _| sets.exchanged())
        } else if marks.are_chosen() {
            self.run_with(n, random, |sets, coin| if coin { sets.exchanged() } else { sets })
        } else {
            self.run_with(n, random, |sets, _| sets)
        }
    }

    /// Plays `n` games; `turn` chooses the mark of the next move, given a random bit.
    fn run_with(
        &mut self,
        n: u64,
        random: &mut impl FnMut() -> u64,
        turn: impl Fn(Sets, bool) -> Sets,
    ) -> Tally {
        let Status::ToMove(next) = self.position.status() else { return Tally::default() };
        let board = self.position.board();
        // Each step begins by calling `turn`, so the sets are those of the player who moved last.
        let mark = self.position.rules().marks_of(!next, self.position.opener())[0];
        let sets = Sets { next: board.squares(mark), other: board.squares(!mark) };
        let tosses = self.position.rules().marks().are_chosen();
        let mut lengths = [0; SquareSet::CAPACITY + 1];
        match &mut self.way {
            Way::Small(small) => small.run(n, sets, tosses, random, &turn, &mut lengths),
            Way::Large { order } => {
                for _ in 0..n {
                    let coins = if tosses { random() } else { 0 };
                    let moves_before = play_large(order, self.position.rules(), sets, coins, random, &turn);
                    lengths[moves_before as usize] += 1;
                }
            }
            Way::Drop => {
                for _ in 0..n {
                    let moves_before = play_drop(self.position.rules(), sets, random, &turn);
                    lengths[moves_before as usize] += 1;
                }
            }
        }
        tally(&lengths, next, self.position.rules(), self.position.empty_squares().len())
    }
}

/// The squares of the mark that is written next, and those of the other mark.
#[derive(Clone, Copy)]
struct Sets {
    next: SquareSet,
    other: SquareSet,
}

impl Sets {
    const fn exchanged(self) -> Sets {
        Sets { next: self.other, other: self.next }
    }
}

/// The number of games by the number of moves before their first line; the last entry counts games without one.
type Lengths = [u64; SquareSet::CAPACITY + 1];

fn tally(lengths: &Lengths, next: Player, rules: &Rules, n_empty: usize) -> Tally {
    let mut tally = Tally { drawn: lengths[SquareSet::CAPACITY], ..Tally::default() };
    tally.moves = tally.drawn * n_empty as u64;
    let mut mover = next;
    for (n_moves, &games) in (1u64..).zip(&lengths[..SquareSet::CAPACITY]) {
        match rules.winner_by_line(mover) {
            Player::First => tally.first_wins += games,
            Player::Second => tally.second_wins += games,
        }
        tally.moves += n_moves * games;
        mover = !mover;
    }
    tally
}

/// Plays one game and stops at the first line. The order is shuffled only as far as needed; the next game continues from it.
fn play_large(
    order: &mut [Square],
    rules: &Rules,
    mut sets: Sets,
    coins: u64,
    random: &mut impl FnMut() -> u64,
    turn: &impl Fn(Sets, bool) -> Sets,
) -> u32 {
    let mut bits_left = 0;
    for step in 0..order.len() {
        // Four draws from 64 squares use 24 of the 64 bits.
        if step % 4 == 0 {
            bits_left = random();
        }
        let wide = u128::from(bits_left) * (order.len() - step) as u128;
        bits_left = wide as u64;
        order.swap(step, step + (wide >> 64) as usize);
        sets = turn(sets, coins >> step & 1 == 1);
        sets.next = sets.next.with(order[step]);
        if rules.lines().any_in(sets.next) {
            return step as u32;
        }
    }
    SquareSet::CAPACITY as u32
}

/// Plays one game in which marks drop and stops at the first line.
fn play_drop(
    rules: &Rules,
    mut sets: Sets,
    random: &mut impl FnMut() -> u64,
    turn: &impl Fn(Sets, bool) -> Sets,
) -> u32 {
    for step in 0.. {
        let playable = rules.playable_squares(sets.next | sets.other);
        let bits = random();
        let place = ((u128::from(bits) * playable.len() as u128) >> 64) as usize;
        let Some(square) = playable.iter().nth(place) else { break };
        sets = turn(sets, bits & 1 == 1);
        sets.next = sets.next.with(square);
        if rules.lines().any_in(sets.next) {
            return step;
        }
    }
    SquareSet::CAPACITY as u32
}

/// Playouts on a grid of at most twelve squares. No branch depends on a random number, and two games run in parallel
/// lanes, so that the processor does not stall.
#[derive(Clone, Debug)]
struct Small {
    bag: Bag,
    // Indexed by `SquareSet::bits`: whether these squares contain a line.
    has_line: Box<[bool; 1 << Small::MAX_SQUARES]>,
}

impl Small {
    const MAX_SQUARES: usize = 12;
    const LANES: usize = 2;

    fn new(rules: &Rules, empty: SquareSet) -> Option<Small> {
        let n_squares = rules.grid().len();
        if n_squares > Small::MAX_SQUARES {
            return None;
        }
        let mut has_line = Box::new([false; 1 << Small::MAX_SQUARES]);
        for (bits, has_line) in (0..1 << n_squares).zip(has_line.iter_mut()) {
            *has_line = rules.lines().any_in(SquareSet::from_bits(bits));
        }
        Some(Small { bag: Bag::new(empty)?, has_line })
    }

    fn run(
        &self,
        n: u64,
        sets: Sets,
        tosses: bool,
        random: &mut impl FnMut() -> u64,
        turn: &impl Fn(Sets, bool) -> Sets,
        lengths: &mut Lengths,
    ) {
        let mut left = n;
        while left > 0 {
            // One random number is enough for a whole game: twelve draws use 29 of its 64 bits.
            let seeds = [(); Small::LANES].map(|()| random());
            let coins = [(); Small::LANES].map(|()| if tosses { random() } else { 0 });
            for moves_before in self.play(sets, seeds, coins, turn) {
                if left > 0 {
                    lengths[moves_before as usize] += 1;
                    left -= 1;
                }
            }
        }
    }

    /// Plays the games of all lanes to the last square; returns the number of moves before the first line of each.
    #[inline]
    fn play(
        &self,
        sets: Sets,
        mut seeds: [u64; Small::LANES],
        coins: [u64; Small::LANES],
        turn: &impl Fn(Sets, bool) -> Sets,
    ) -> [u32; Small::LANES] {
        let mut bags = [self.bag; Small::LANES];
        let mut sets = [sets; Small::LANES];
        let mut lines = [0u64; Small::LANES];
        for step in 0..self.bag.len() {
            for lane in 0..Small::LANES {
                sets[lane] = turn(sets[lane], coins[lane] >> step & 1 == 1);
                sets[lane].next |= bags[lane].draw(&mut seeds[lane]);
                lines[lane] |= u64::from(self.has_line(sets[lane].next)) << step;
            }
        }
        lines.map(u64::trailing_zeros)
    }

    #[inline]
    fn has_line(&self, squares: SquareSet) -> bool {
        self.has_line[squares.bits() as usize % self.has_line.len()]
    }
}
