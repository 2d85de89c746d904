//! Counting all positions and games of a variant on one board.

use std::ops::AddAssign;

use tictac::{Goal, Outcome, Player, Position, Rules, SquareSet, Symmetry};

/// The number of positions and games of a variant on one board.
///
/// "Up to symmetry" means up to the symmetries of the grid. For games, it means that moves which a symmetry of the
/// position maps to each other count once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Reachable positions, including the start.
    pub positions: u64,
    /// Reachable positions up to symmetry.
    pub positions_up_to_symmetry: u64,
    /// Reachable positions in which the game is over.
    pub terminal: u64,
    /// The number of complete games.
    pub games: u128,
    /// Complete games that the first player wins.
    pub games_first_wins: u128,
    /// Complete games that the second player wins.
    pub games_second_wins: u128,
    /// Complete games that end in a draw.
    pub games_drawn: u128,
    /// Complete games up to symmetry.
    pub games_up_to_symmetry: u128,
}

impl Census {
    /// The largest grid that can be counted: a table has an entry for every set of its squares.
    pub const MAX_SQUARES: usize = 27;

    /// Counts the positions and games of `rules`, or returns `None` if they have several boards, more than
    /// [`MAX_SQUARES`](Census::MAX_SQUARES) squares, or a board that is not [ordinary](Rules::is_ordinary).
    ///
    /// Positions with the same number of marks are counted together, in memory for two such layers:
    /// [`max_layer`](Census::max_layer) positions of 16 bytes, or of 32 if there are more than 20 squares. Every set of squares
    /// takes another 9 bytes.
    pub fn new(rules: &Rules) -> Option<Census> {
        if Position::start(rules).is_none()
            || rules.grid().len() > Census::MAX_SQUARES
            || !rules.is_ordinary()
        {
            return None;
        }
        // Up to 20 moves can be played in fewer than 2⁶⁴ orders.
        Some(if rules.grid().len() <= 20 { count::<u64>(rules) } else { count::<u128>(rules) })
    }

    /// Returns the largest number of positions with the same number of marks that are kept in memory.
    pub fn max_layer(rules: &Rules) -> u128 {
        let ways_to_mark = |n_moves: u128| match Marking::of(rules) {
            Marking::OfPlayers => choose(n_moves, n_moves / 2),
            Marking::Chosen => 1_u128.checked_shl(u32::try_from(n_moves).unwrap_or(128)).unwrap_or(u128::MAX),
            Marking::Single => 1,
        };
        let layers = (0..).zip(n_blocks(rules)).map(|(n, n_blocks)| n_blocks.saturating_mul(ways_to_mark(n)));
        layers.max().unwrap_or(1)
    }

    fn add_end(&mut self, outcome: Outcome, n_positions: u64, n_games: u128) {
        self.terminal += n_positions;
        self.games += n_games;
        *match outcome {
            Outcome::Win(Player::First) => &mut self.games_first_wins,
            Outcome::Win(Player::Second) => &mut self.games_second_wins,
            Outcome::Draw => &mut self.games_drawn,
        } += n_games;
    }
}

/// Returns how many sets of 0, 1, 2, … squares there are up to symmetry.
///
/// By Burnside's lemma it is the average number of sets that a symmetry maps to themselves; such a set consists of whole cycles.
fn n_blocks(rules: &Rules) -> Vec<u128> {
    let grid = rules.grid();
    let symmetries = Symmetry::of(rules);
    let mut sums = vec![0; grid.len() + 1];
    for symmetry in &symmetries {
        let mut fixed = vec![0_u128; grid.len() + 1];
        fixed[0] = 1;
        let mut seen = SquareSet::EMPTY;
        for square in grid.squares() {
            let cycle: SquareSet = std::iter::successors(Some(square), |&at| {
                Some(symmetry.image(grid, at)).filter(|&at| at != square)
            })
            .collect();
            if !seen.contains(square) {
                seen |= cycle;
                for n in (cycle.len()..fixed.len()).rev() {
                    fixed[n] = fixed[n].saturating_add(fixed[n - cycle.len()]);
                }
            }
        }
        sums.iter_mut()
            .zip(fixed)
            .for_each(|(sum, fixed): (&mut u128, u128)| *sum = sum.saturating_add(fixed));
    }
    sums.into_iter().map(|sum| sum / symmetries.len() as u128).collect()
}

fn choose(n: u128, k: u128) -> u128 {
    (1..=k).fold(1, |ways: u128, at| ways.saturating_mul(n - k + at) / at)
}

/// How many marks there are on a set of taken squares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marking {
    /// The players take turns, each with a mark of their own.
    OfPlayers,
    /// Every square may have either mark.
    Chosen,
    /// Every square has the same mark.
    Single,
}

impl Marking {
    fn of(rules: &Rules) -> Marking {
        match rules.marks().n_choices() {
            _ if rules.marks_name_players() => Marking::OfPlayers,
            1 => Marking::Single,
            _ => Marking::Chosen,
        }
    }

    /// Returns the possible sets of X on `n` taken squares, in increasing order. The squares are numbered from 0.
    fn sets_of_x(self, n: u32) -> Vec<u32> {
        let all = (1 << n) - 1;
        match self {
            Marking::OfPlayers => (0..=all).filter(|set: &u32| set.count_ones() == n.div_ceil(2)).collect(),
            Marking::Chosen => (0..=all).collect(),
            Marking::Single => vec![all],
        }
    }

    /// Returns the squares on which the last of `n` moves may have been made, given the set of X.
    const fn last_moves(self, n: u32, x: u32) -> u32 {
        let all = (1 << n) - 1;
        match self {
            Marking::OfPlayers if n % 2 == 1 => x,
            Marking::OfPlayers => all & !x,
            Marking::Chosen | Marking::Single => all,
        }
    }
}

/// A number of move orders.
trait Ways: Copy + Default + AddAssign + PartialEq + From<u32> + Into<u128> {}
impl Ways for u64 {}
impl Ways for u128 {}

/// What is known about the grid. A set of squares is the number with these bits.
struct SetTables {
    marking: Marking,
    goal: Goal,
    n_squares: u32,
    /// The images of each square under the symmetries of the grid.
    symmetries: Vec<Vec<u32>>,
    /// For each set its block, and which symmetry maps the set to that of the block.
    blocks: Vec<(u32, u8)>,
    has_line: Vec<bool>,
}

impl SetTables {
    fn new(rules: &Rules) -> SetTables {
        let grid = rules.grid();
        let image = |symmetry: &Symmetry, square| symmetry.image(grid, square).index() as u32;
        let images = |symmetry| grid.squares().iter().map(|square| image(symmetry, square)).collect();
        let n_sets = 1_u32 << grid.len();
        SetTables {
            marking: Marking::of(rules),
            goal: rules.goal(),
            n_squares: grid.len() as u32,
            symmetries: Symmetry::of(rules).iter().map(images).collect(),
            blocks: Vec::with_capacity(n_sets as usize),
            has_line: (0..n_sets).map(|set| rules.lines().any_in(SquareSet::from_bits(set.into()))).collect(),
        }
    }

    /// Finds the block of every set. Returns the sets of the blocks by their number of squares.
    fn find_blocks(&mut self) -> Vec<Vec<u32>> {
        let n_squares = self.n_squares;
        let images: Vec<HalfTables> = self.symmetries.iter().map(|to| HalfTables::new(to)).collect();
        let mut representatives: Vec<Vec<u32>> = vec![Vec::new(); n_squares as usize + 1];
        for set in 0..1_u32 << n_squares {
            let image = |at: usize| (images[at].image(set), at as u8);
            let (least, symmetry) = (0..images.len()).map(image).min().unwrap_or((set, 0));
            let layer = &mut representatives[set.count_ones() as usize];
            if least == set {
                self.blocks.push((layer.len() as u32, 0));
                layer.push(set);
            } else {
                self.blocks.push((self.blocks[least as usize].0, symmetry));
            }
        }
        representatives
    }

    /// Returns how a game with `n` moves has ended, or `None` if it has not.
    fn outcome(&self, n: u32, taken: u32, x: u32) -> Option<Outcome> {
        let has_line = self.has_line[x as usize]
            || self.marking != Marking::Single && self.has_line[(taken & !x) as usize];
        let [mover, other] =
            if n % 2 == 1 { [Player::First, Player::Second] } else { [Player::Second, Player::First] };
        match self.goal {
            Goal::Complete if has_line => Some(Outcome::Win(mover)),
            Goal::Avoid if has_line => Some(Outcome::Win(other)),
            _ => (n == self.n_squares).then_some(Outcome::Draw),
        }
    }
}

/// Where each bit of a number goes, looked up for half of the bits at a time.
struct HalfTables {
    n_low: u32,
    low: Vec<u32>,
    high: Vec<u32>,
}

impl HalfTables {
    /// Bit `n` becomes bit `to[n]`.
    fn new(to: &[u32]) -> HalfTables {
        let (low, high) = to.split_at(to.len() / 2);
        let table = |to: &[u32]| {
            let mut images = vec![0];
            for &bit in to {
                images.extend(images.clone().iter().map(|image| image | 1 << bit));
            }
            images
        };
        HalfTables { n_low: low.len() as u32, low: table(low), high: table(high) }
    }

    fn image(&self, set: u32) -> u32 {
        self.low[(set & ((1 << self.n_low) - 1)) as usize] | self.high[(set >> self.n_low) as usize]
    }
}

/// All positions whose taken squares are one set, or its image under a symmetry.
struct Block {
    taken: u32,
    n: u32,
    /// The squares of the set, as bits.
    squares: HalfTables,
    /// The symmetries other than the identity that map the set to itself, as permutations of its squares.
    own: Vec<HalfTables>,
    own_places: Vec<Vec<u32>>,
    /// For each square, the block without it, and how the other squares are numbered there.
    before: Vec<(usize, HalfTables)>,
}

impl Block {
    fn new(sets: &SetTables, taken: u32) -> Block {
        let squares: Vec<u32> = (0..sets.n_squares).filter(|&square| taken & 1 << square != 0).collect();
        // Where the squares of a set are in its image, numbered within the two sets.
        let places = |squares: &mut dyn Iterator<Item = u32>, symmetry: &[u32]| -> Vec<u32> {
            let images: Vec<u32> = squares.map(|square| symmetry[square as usize]).collect();
            let place = |image: &u32| images.iter().filter(|other| *other < image).count() as u32;
            images.iter().map(place).collect()
        };
        let is_own = |symmetry: &&Vec<u32>| {
            squares.iter().fold(0, |image, &square| image | 1 << symmetry[square as usize]) == taken
        };
        let own_places: Vec<Vec<u32>> = sets.symmetries[1..]
            .iter()
            .filter(is_own)
            .map(|symmetry| places(&mut squares.iter().copied(), symmetry))
            .collect();
        let before = |&square: &u32| {
            let (block, symmetry) = sets.blocks[(taken & !(1 << square)) as usize];
            let mut others = squares.iter().copied().filter(|&other| other != square);
            let places = places(&mut others, &sets.symmetries[usize::from(symmetry)]);
            (block as usize, HalfTables::new(&places))
        };
        Block {
            taken,
            n: squares.len() as u32,
            before: squares.iter().map(before).collect(),
            squares: HalfTables::new(&squares),
            own: own_places.iter().map(|to| HalfTables::new(to)).collect(),
            own_places,
        }
    }

    /// Returns the symmetries that also map the set of X to itself.
    fn own_of(&self, x: u32) -> impl Iterator<Item = &Vec<u32>> + Clone {
        self.own
            .iter()
            .zip(&self.own_places)
            .filter(move |(own, _)| own.image(x) == x)
            .map(|(_, places)| places)
    }
}

/// Positions with the same number of marks: block by block, in the order of their sets of X.
struct Layer<N> {
    /// In how many orders each position is reached, in all and up to symmetry; none if the game is over.
    ways: Vec<[N; 2]>,
    /// The number of positions of a block, and the place of each set of X among them.
    block_size: usize,
    ranks: Vec<u32>,
}

impl<N: Ways> Layer<N> {
    fn new(marking: Marking, n: u32, n_blocks: usize) -> (Layer<N>, Vec<u32>) {
        let sets_of_x = marking.sets_of_x(n);
        let mut ranks = Vec::new();
        if marking != Marking::Single {
            ranks.resize(1 << n, 0);
            for (rank, &x) in (0..).zip(&sets_of_x) {
                ranks[x as usize] = rank;
            }
        }
        let ways = vec![[N::default(); 2]; n_blocks * sets_of_x.len()];
        (Layer { ways, block_size: sets_of_x.len(), ranks }, sets_of_x)
    }

    /// Returns the ways to reach the positions from which the last move may have been made.
    ///
    /// Up to symmetry, of all last moves that the symmetries of the position map to each other, one counts.
    fn ways_to(&self, block: &Block, marking: Marking, x: u32) -> [N; 2] {
        let mut ways = [N::default(); 2];
        let own = block.own_of(x);
        let mut rest = marking.last_moves(block.n, x);
        while rest != 0 {
            let at = rest.trailing_zeros();
            rest &= rest - 1;
            let below = (1 << at) - 1;
            let (start, numbers) = &block.before[at as usize];
            let rank = if marking == Marking::Single {
                0
            } else {
                self.ranks[numbers.image(x & below | x >> 1 & !below) as usize]
            };
            let before = self.ways[start * self.block_size + rank as usize];
            ways[0] += before[0];
            if own.clone().all(|places| places[at as usize] >= at) {
                ways[1] += before[1];
            }
        }
        ways
    }
}

fn count<N: Ways>(rules: &Rules) -> Census {
    let mut sets = SetTables::new(rules);
    let blocks = sets.find_blocks();
    let mut census = Census { positions: 1, positions_up_to_symmetry: 1, ..Census::default() };
    let (mut before, _) = Layer::<N>::new(sets.marking, 0, 1);
    before.ways[0] = [N::from(1); 2];
    for (n, blocks) in (1..).zip(&blocks[1..]) {
        let (mut layer, sets_of_x) = Layer::new(sets.marking, n, blocks.len());
        for (taken, ways) in blocks.iter().zip(layer.ways.chunks_mut(sets_of_x.len())) {
            census.add_block(&sets, &before, &Block::new(&sets, *taken), (&sets_of_x, ways));
        }
        before = layer;
    }
    census
}

impl Census {
    /// Counts the positions of a block, and stores in how many ways those are reached from which the game goes on.
    fn add_block<N: Ways>(
        &mut self,
        sets: &SetTables,
        before: &Layer<N>,
        block: &Block,
        (sets_of_x, ways): (&[u32], &mut [[N; 2]]),
    ) {
        let n_own = block.own.len() as u64 + 1;
        let n_images = sets.symmetries.len() as u64 / n_own;
        // A position and its images within the block share one class, so these sums are multiples of `n_own`.
        let (mut n_classes, mut games_up_to_symmetry) = (0, 0);
        for (&x, stored) in sets_of_x.iter().zip(ways) {
            let found = before.ways_to(block, sets.marking, x);
            if found[0] == N::default() {
                continue;
            }
            let n_fixing = block.own_of(x).count() as u64 + 1;
            self.positions += n_images;
            n_classes += n_fixing;
            match sets.outcome(block.n, block.taken, block.squares.image(x)) {
                None => *stored = found,
                Some(outcome) => {
                    let [all, up_to_symmetry] = found.map(Into::<u128>::into);
                    self.add_end(outcome, n_images, all * u128::from(n_images));
                    games_up_to_symmetry += up_to_symmetry * u128::from(n_fixing);
                }
            }
        }
        self.positions_up_to_symmetry += n_classes / n_own;
        self.games_up_to_symmetry += games_up_to_symmetry / u128::from(n_own);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use tictac::Status;

    /// Counts by playing, one position of each symmetry class at a time.
    fn census_by_playing(rules: &Rules) -> Census {
        let grid = rules.grid();
        let mut census = Census::default();
        let mut layer = HashMap::from([(Position::start(rules).unwrap(), [1, 1])]);
        while !layer.is_empty() {
            let mut next: HashMap<Position, [u128; 2]> = HashMap::new();
            for (position, [games, up_to_symmetry]) in layer {
                let all = Symmetry::of(rules);
                let is_own = |symmetry: &&Symmetry| {
                    symmetry.image_of_board(grid, position.board()) == position.board()
                };
                let own: Vec<&Symmetry> = all.iter().filter(is_own).collect();
                let n_images = (all.len() / own.len()) as u64;
                census.positions += n_images;
                census.positions_up_to_symmetry += 1;
                if let Status::Over(outcome) = position.status() {
                    census.add_end(outcome, n_images, games);
                    census.games_up_to_symmetry += up_to_symmetry;
                }
                for mv in position.moves() {
                    let ways = next.entry(position.after(mv).unwrap().canonical()).or_default();
                    ways[0] += games;
                    if own.iter().all(|symmetry| symmetry.image(grid, mv.square) >= mv.square) {
                        ways[1] += up_to_symmetry;
                    }
                }
            }
            layer = next;
        }
        census
    }

    #[test]
    fn tables_and_play_agree_on_every_kind_of_rules() {
        for text in [
            "3,3,3",
            "3,3,3 misere",
            "3,3,3 wild",
            "3,3,2 wild misere",
            "notakto",
            "3,3,2 x-only",
            "4,3,3",
            "3,4,3",
            "5,2,2",
            "2,2,2 wild",
            "1,1,1",
            "1,7,3",
            "4,4,2",
            "4,3,3 x-only misere",
        ] {
            let Ok(rules) = text.parse::<Rules>() else { panic!("{text}") };
            assert_eq!(count::<u64>(&rules), census_by_playing(&rules), "{text}");
            assert_eq!(count::<u128>(&rules), count::<u64>(&rules), "{text}");
        }
    }

    #[test]
    fn the_size_of_the_largest_layer_is_known_in_advance() {
        for text in ["3,3,3", "notakto", "2,2,2 wild", "4,3,3", "5,1,3 wild", "4,4,4"] {
            let rules: Rules = text.parse().unwrap();
            let mut tables = SetTables::new(&rules);
            let sizes = (0..).zip(tables.find_blocks()).map(|(n, blocks): (u32, Vec<u32>)| {
                blocks.len() as u128 * tables.marking.sets_of_x(n).len() as u128
            });
            assert_eq!(Census::max_layer(&rules), sizes.max().unwrap(), "{text}");
        }
        assert_eq!(Census::max_layer(&"3,3,3".parse().unwrap()), 320);
    }

    #[test]
    fn several_boards_and_large_grids_are_not_counted() {
        for text in ["notakto boards=2", "28,1,3", "8,8,5"] {
            assert_eq!(Census::new(&text.parse().unwrap()), None, "{text}");
        }
    }
}
