//! Blocking strategies: one player only prevents the lines of the other.
//!
//! If only the opponent's lines count, an extra mark never hurts the owner, and a missing one never hurts the opponent's defence.
//! A position can therefore be reduced to the opponent's open lines: their marks and their empty squares.

use tictac::{Line, Mark, Rules, Square, SquareSet, Symmetry};

/// A position with the opponent to move, as the owner of a blocking strategy sees it.
///
/// Every square that is neither empty nor marked by the opponent counts as the owner's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockingPosition {
    /// The squares with the opponent's marks.
    pub marks: SquareSet,
    /// The empty squares, disjoint from the marks.
    pub empty: SquareSet,
}

/// How the owner of a blocking strategy answers the moves of the opponent in a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockingAnswers {
    /// Answers to many moves at once.
    pub pairings: Vec<PairingAnswer>,
    /// Moves of the opponent, each with its answer, which leads to another position of the strategy.
    pub moves: Vec<[Square; 2]>,
}

/// A square that the owner takes in answer to several moves, and pairs by which the owner then holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingAnswer {
    /// The square that the owner takes.
    pub square: Square,
    /// Disjoint pairs of empty squares.
    pub pairs: Vec<[Square; 2]>,
}

impl BlockingPosition {
    /// Returns the position after a move of the opponent and the owner's answer.
    #[must_use]
    pub fn after(self, [reply, answer]: [Square; 2]) -> BlockingPosition {
        BlockingPosition { marks: self.marks.with(reply), empty: self.empty.without(reply).without(answer) }
    }

    /// Returns the position as text: the opponent's mark, `.` for an empty square, and `-` for any other.
    pub fn text(self, rules: &Rules, opponent: Mark) -> String {
        let grid = rules.grid();
        let mut text = String::new();
        for square in grid.squares() {
            if grid.column(square) == 0 && grid.row(square) > 0 {
                text.push('/');
            }
            match square {
                _ if self.marks.contains(square) => text.push_str(&opponent.to_string()),
                _ if self.empty.contains(square) => text.push('.'),
                _ => text.push('-'),
            }
        }
        text
    }
}

/// The lines and symmetries of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockingGrid {
    lines: Vec<SquareSet>,
    /// For each symmetry, the image of each square.
    images: Vec<Vec<Square>>,
}

impl BlockingGrid {
    pub(crate) fn new(rules: &Rules) -> BlockingGrid {
        let grid = rules.grid();
        let images =
            |symmetry: &Symmetry| grid.squares().iter().map(|square| symmetry.image(grid, square)).collect();
        BlockingGrid {
            lines: rules.lines().all_in(grid.squares()).map(Line::squares).collect(),
            images: Symmetry::of(rules).iter().map(images).collect(),
        }
    }

    /// Returns the edges of a position: the empty squares of each line that the opponent can still complete, but none that
    /// contains another one. If the opponent has completed a line, the only edge is empty.
    pub(crate) fn edges(&self, position: BlockingPosition) -> Edges {
        let BlockingPosition { marks, empty } = position;
        let open = self.lines.iter().filter(|line| line.is_subset(marks | empty));
        let mut edges: Vec<SquareSet> = open.map(|&line| line - marks).collect();
        edges.sort_unstable_by_key(|edge| (edge.len(), *edge));
        edges.dedup();
        let mut minimal: Vec<SquareSet> = Vec::with_capacity(edges.len());
        for edge in edges {
            if !minimal.iter().any(|other| other.is_subset(edge)) {
                minimal.push(edge);
            }
        }
        Edges(minimal)
    }

    /// Returns the position without what does not matter, which is the same for positions in which the same matters.
    ///
    /// If two squares lie on the same edges, the owner answers a move to one of them at the other, so these edges do not matter.
    /// Neither does a square outside of all edges, nor a mark outside of all lines that are left.
    pub(crate) fn reduced(&self, position: BlockingPosition) -> BlockingPosition {
        let mut edges = self.edges(position);
        while let Some(twin) = edges.twin() {
            edges.0.retain(|edge| !edge.contains(twin));
        }
        let empty = edges.squares();
        let lines = self.lines.iter().filter(|line| line.is_subset(position.marks | empty));
        let squares = lines.fold(SquareSet::EMPTY, |all, &line| all | line);
        BlockingPosition { marks: position.marks & squares, empty }
    }

    /// Returns the least of the images of a position under the symmetries of the grid.
    pub(crate) fn canonical(&self, position: BlockingPosition) -> BlockingPosition {
        let image_of = |images: &Vec<Square>| {
            let image = |set: SquareSet| set.iter().map(|square| images[square.index()]).collect();
            BlockingPosition { marks: image(position.marks), empty: image(position.empty) }
        };
        self.images.iter().map(image_of).min().expect("every grid has a symmetry")
    }
}

/// Sets of empty squares, none of which contains another: to complete a line, the opponent needs all squares of one of them.
#[derive(Clone, Debug)]
pub(crate) struct Edges(Vec<SquareSet>);

/// The weight of an empty edge, in units of 2⁻⁶⁴.
const ONE: u128 = 2_u128.pow(64);

impl Edges {
    /// Returns whether the opponent has completed a line.
    pub(crate) fn have_line(&self) -> bool {
        self.0.first().is_some_and(|edge| edge.is_empty())
    }

    /// Returns the number of edges through a square.
    pub(crate) fn n_through(&self, square: Square) -> usize {
        self.0.iter().filter(|edge| edge.contains(square)).count()
    }

    fn squares(&self) -> SquareSet {
        self.0.iter().fold(SquareSet::EMPTY, |all, &edge| all | edge)
    }

    /// Returns for each square of an edge the squares that lie on every edge through it.
    fn common(&self) -> [SquareSet; SquareSet::CAPACITY] {
        let mut common = [SquareSet::first_n(SquareSet::CAPACITY); SquareSet::CAPACITY];
        for &edge in &self.0 {
            edge.iter().for_each(|square| common[square.index()] = common[square.index()] & edge);
        }
        common
    }

    /// Returns a square that lies on the same edges as another one.
    fn twin(&self) -> Option<Square> {
        let common = self.common();
        let is_twin = |&square: &Square| {
            let mut others = common[square.index()].without(square).iter();
            others.any(|other| common[other.index()].contains(square))
        };
        self.squares().iter().find(is_twin)
    }

    /// Returns the opponent's moves that need an answer, in a reduced position.
    ///
    /// **Domination.** If every edge through a square contains another square, the opponent is at least as well off with that other
    /// one. *Proof.* Exchange the two squares in the owner's answers to the better move: an edge through both squares becomes
    /// itself, and an edge through the better one only is shorter after the better move.
    ///
    /// **Weight** (Erdős and Selfridge). If after a move the edges of `e` squares weigh 2⁻ᵉ each and less than 1 together, the owner holds
    /// by taking a heaviest square at each turn.
    pub(crate) fn moves_to_answer(&self) -> SquareSet {
        let common = self.common();
        let (mut total, mut weights) = (0, [0; SquareSet::CAPACITY]);
        for edge in &self.0 {
            let weight = ONE / 2_u128.pow(edge.len() as u32);
            total += weight;
            edge.iter().for_each(|square| weights[square.index()] += weight);
        }
        let needs_answer = |&square: &Square| {
            // The move doubles the weight of the edges through its square.
            total + weights[square.index()] >= ONE && common[square.index()].len() == 1
        };
        self.squares().iter().filter(needs_answer).collect()
    }

    /// Returns the opponent's moves that a pairing answers.
    ///
    /// **Theorem.** After a move of the opponent and the owner's move to the square of the pairing, leave out the pair that the opponent
    /// has broken, if any. If the edges that contain none of the other pairs share two empty squares outside of these pairs, or if there
    /// are none, the owner holds.
    ///
    /// *Proof.* With the two squares as a further pair, every edge without a mark of the owner contains a pair of empty squares, and
    /// the pairs are disjoint. When the opponent takes a square of a pair, the owner takes the other one.
    pub(crate) fn answered_by(&self, pairing: &PairingAnswer, empty: SquareSet) -> SquareSet {
        let pairs: Vec<SquareSet> = pairing.pairs.iter().map(|pair| pair.iter().copied().collect()).collect();
        // What the edges share that contain no pair, and for each pair, those that contain no other one.
        let (mut without_pair, mut with_only) = (None, vec![None; pairs.len()]);
        for &edge in self.0.iter().filter(|edge| !edge.contains(pairing.square)) {
            let mut within = (0..pairs.len()).filter(|&pair| pairs[pair].is_subset(edge));
            match (within.next(), within.next()) {
                (None, _) => without_pair = shared(without_pair, Some(edge)),
                (Some(only), None) => with_only[only] = shared(with_only[only], Some(edge)),
                _ => {}
            }
        }
        let paired = pairs.iter().fold(SquareSet::EMPTY, |paired, &pair| paired | pair);
        let free = empty.without(pairing.square) - paired;
        let holds = |shared: Option<SquareSet>, free| shared.is_none_or(|shared| (shared & free).len() >= 2);
        let is_answered = |&square: &Square| match pairs.iter().position(|pair| pair.contains(square)) {
            Some(broken) => {
                holds(shared(without_pair, with_only[broken]), (free | pairs[broken]).without(square))
            }
            None => holds(without_pair, free.without(square)),
        };
        empty.without(pairing.square).iter().filter(is_answered).collect()
    }
}

/// Returns what two groups of edges share, each given by what its edges share, or `None` if it has none.
fn shared(some: Option<SquareSet>, others: Option<SquareSet>) -> Option<SquareSet> {
    match (some, others) {
        (Some(some), Some(others)) => Some(some & others),
        _ => some.or(others),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// The weak game, solved by trying every move.
    struct WeakGame {
        lines: Vec<SquareSet>,
        known: HashMap<BlockingPosition, bool>,
    }

    impl WeakGame {
        /// Returns whether the owner prevents every line with the opponent to move.
        fn blocks(&mut self, position: BlockingPosition) -> bool {
            if let Some(&known) = self.known.get(&position) {
                return known;
            }
            let blocks = position.empty.iter().all(|reply| self.blocks_after(position, reply));
            self.known.insert(position, blocks);
            blocks
        }

        /// Returns whether the owner prevents every line after a move of the opponent.
        fn blocks_after(&mut self, position: BlockingPosition, reply: Square) -> bool {
            let marks = position.marks.with(reply);
            if self.lines.iter().any(|line| line.is_subset(marks)) {
                return false;
            }
            let mut answers = position.empty.without(reply).iter();
            position.empty.len() == 1 || answers.any(|answer| self.blocks(position.after([reply, answer])))
        }
    }

    /// Numbers that look random; the same in every run.
    struct Sequence(u64);

    impl Sequence {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 / 2_u64.pow(33)) as usize % end
        }

        /// Returns a position without a line, in which each square is empty with the given chance in percent.
        fn position(&mut self, rules: &Rules, percent: usize) -> BlockingPosition {
            let (mut marks, mut empty) = (SquareSet::EMPTY, SquareSet::EMPTY);
            for square in rules.squares() {
                match self.below(100) {
                    chance if chance < percent => empty = empty.with(square),
                    chance if chance % 3 > 0 && !rules.lines().any_in(marks.with(square)) => {
                        marks = marks.with(square);
                    }
                    _ => {}
                }
            }
            BlockingPosition { marks, empty }
        }

        /// Returns an answer with random pairs.
        fn pairing(&mut self, mut free: SquareSet) -> PairingAnswer {
            let mut take = || {
                let square = free.iter().nth(self.below(free.len().max(1)))?;
                free = free.without(square);
                Some(square)
            };
            let square = take().unwrap();
            let mut pairs = Vec::new();
            while let (Some(one), Some(other)) = (take(), take()) {
                pairs.push([one, other]);
            }
            let n_pairs = self.below(pairs.len() + 1);
            PairingAnswer { square, pairs: pairs.into_iter().take(n_pairs).collect() }
        }
    }

    const RULES: [&str; 7] = ["3,3,3", "4,3,3", "4,3,4", "2,5,3", "1,9,3", "3,4,2", "2,2,1"];

    /// Calls `check` with random positions of several rules.
    fn for_each_position(
        mut check: impl FnMut(&BlockingGrid, &mut WeakGame, &mut Sequence, BlockingPosition),
    ) {
        for rules in RULES {
            let rules: Rules = rules.parse().unwrap();
            let grid = BlockingGrid::new(&rules);
            let mut game = WeakGame { lines: grid.lines.clone(), known: HashMap::new() };
            let mut sequence = Sequence(7);
            for number in 0..400 {
                let position = sequence.position(&rules, 40 + number % 60);
                check(&grid, &mut game, &mut sequence, position);
            }
        }
    }

    #[test]
    fn a_reduced_position_has_the_same_winner_and_stays_as_it_is() {
        let mut counts = [0, 0];
        for_each_position(|grid, game, _, position| {
            let reduced = grid.reduced(position);
            assert_eq!(grid.reduced(reduced), reduced, "{position:?}");
            let blocks = game.blocks(position);
            assert_eq!(game.blocks(reduced), blocks, "{position:?}");
            assert_eq!(game.blocks(grid.canonical(reduced)), blocks, "{position:?}");
            counts[usize::from(blocks)] += usize::from(!reduced.empty.is_empty());
        });
        assert!(counts.iter().all(|&n| n > 100), "{counts:?}");
    }

    #[test]
    fn if_the_moves_that_need_an_answer_have_one_all_moves_have_one() {
        let mut n_spared = 0;
        for_each_position(|grid, game, _, position| {
            let position = grid.reduced(position);
            let moves = grid.edges(position).moves_to_answer();
            n_spared += (position.empty - moves).len();
            let are_answered = moves.iter().all(|reply| game.blocks_after(position, reply));
            assert_eq!(are_answered, game.blocks(position), "{position:?}");
        });
        assert!(n_spared > 1000, "{n_spared}");
    }

    #[test]
    fn a_pairing_answers_only_moves_after_which_the_owner_blocks() {
        let (mut n_answered, mut n_replaced) = (0, 0);
        for_each_position(|grid, game, sequence, position| {
            let position = grid.reduced(position);
            for _ in 0..if position.empty.is_empty() { 0 } else { 20 } {
                let pairing = sequence.pairing(position.empty);
                let paired: SquareSet = pairing.pairs.iter().flatten().copied().collect();
                for reply in grid.edges(position).answered_by(&pairing, position.empty) {
                    let after = position.after([reply, pairing.square]);
                    assert!(game.blocks(after), "{position:?} {pairing:?} {reply:?}");
                    n_answered += 1;
                    n_replaced += usize::from(paired.contains(reply));
                }
            }
        });
        assert!(n_answered > 1000 && n_replaced > 100, "{n_answered} {n_replaced}");
    }
}
