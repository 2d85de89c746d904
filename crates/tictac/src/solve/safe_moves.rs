//! Games in which both players write the same marks and a line loses, if only the winner matters.
//!
//! An **edge** of a mark is the set of empty squares of a line that only this mark can complete: the player who fills it loses. An
//! edge that contains another one does not matter, because that one is filled first. A square that is an edge of its own
//! is **unsafe** for its mark, and **blocked** if it is unsafe for every mark: no player takes it except to lose. A square that lies on no
//! larger edge, and is not blocked, is **free**: a player who takes it, with a safe mark, only passes the turn.
//!
//! Two free squares cancel each other: when a player takes one, the other player takes the other. Positions with the same edges
//! are equal, whatever marks they consist of, and so are those with the same parity of free squares. As the
//! number of marks does not count, this tells who wins but not how soon.

use super::bit_position::{BitMove, BitPosition, squares_of};
use super::byte_symmetry::ByteSymmetry;
use super::geometry::Geometry;
use super::score::Score;
use super::static_eval::{RankedMoves, weight, without};
use super::transposition::BoundsKey;
use super::tuning::Technique;
use crate::rules::{Goal, Rules};

/// What the evaluation of positions needs to know about a grid.
#[derive(Clone, Debug)]
pub(crate) struct SafeGrid {
    rules: Rules,
    /// For each line, the lines that share at least two squares with it: those whose edges may contain its own.
    overlapping: Vec<Vec<usize>>,
    symmetries: Vec<ByteSymmetry>,
    /// For each symmetry that is its own inverse, the squares that it maps to themselves.
    fixed: Vec<Option<u64>>,
}

/// A position in which a safe move exists and matters.
pub(crate) struct SafeNode {
    /// Moves of which at least one decides who wins.
    pub(crate) moves: RankedMoves,
    /// The same for all positions with the same edges up to symmetry.
    pub(crate) key: BoundsKey,
    /// Whether the player to move does not win, because the other player can mirror every move.
    pub(crate) is_mirrored: bool,
}

/// The edges of a position.
struct SafeEdges {
    /// For each mark, the squares that complete a line.
    unsafe_squares: [u64; 2],
    /// The squares of lines with edges of two or more squares.
    squares: u64,
    /// For each empty square, the squares that all its edges share.
    common: [u64; 64],
    /// For each mark and square, the weight of the edges through the square.
    weights: [[u32; 64]; 2],
}

/// The largest number of squares of which three sets fit into a key.
const MAX_SQUARES: usize = 42;

/// Added to the number of marks in a key, so that these keys differ from those of exact scores.
const KEY_OF_WINNER: u32 = 128;

/// A win and a loss of unknown length.
const WIN: Score = Score::WORST_WIN;
const LOSS: Score = Score::WORST_WIN.for_other();

impl SafeGrid {
    /// Returns the grid of `rules`, or `None` if this evaluation does not apply to them.
    pub(crate) fn new(rules: Rules, geometry: &Geometry) -> Option<SafeGrid> {
        let applies = !rules.marks_name_players() && rules.goal() == Goal::Avoid;
        if !applies || rules.grid().len() > MAX_SQUARES || !geometry.tuning.uses(Technique::Edges) {
            return None;
        }
        let lines = &geometry.lines;
        let overlaps = |line: u64, other: u64| line != other && (line & other).count_ones() > 1;
        let overlapping = lines
            .iter()
            .map(|&line| (0..lines.len()).filter(|&other| overlaps(line, lines[other])).collect());
        let symmetries = geometry.byte_symmetries();
        let fixed = (0..symmetries.len()).map(|number| {
            let mirror = geometry.mirrors.iter().find(|mirror| mirror.symmetry == number);
            mirror.filter(|_| geometry.tuning.uses(Technique::Mirror)).map(|mirror| mirror.fixed)
        });
        Some(SafeGrid { rules, overlapping: overlapping.collect(), fixed: fixed.collect(), symmetries })
    }

    /// Returns the winner as a score, or what has to be searched, in a position without a line.
    pub(crate) fn evaluate(&self, geometry: &Geometry, position: BitPosition) -> Result<SafeNode, Score> {
        let empty = self.rules.squares().bits() & !position.occupied();
        let edges = self.edges(geometry, position, empty);
        let [first, second] = edges.unsafe_squares;
        let blocked = if self.rules.marks().are_chosen() { first & second } else { first };
        let open = empty & edges.squares;
        let free = empty & !open & !blocked;
        let is_odd = !free.count_ones().is_multiple_of(2);
        if open == 0 {
            // The first player without a safe move loses, unless the board is full.
            return Err(match blocked {
                0 => Score::DRAW,
                _ if is_odd => WIN,
                _ => LOSS,
            });
        }
        let planes = [
            open,
            position.sets[0] & edges.squares | first & open,
            position.sets[1] & edges.squares | second & open,
        ];
        let is_mirrored = !is_odd && self.is_mirrored(planes);
        if is_mirrored && blocked != 0 {
            return Err(LOSS);
        }
        let mut moves = RankedMoves::new();
        for square in squares_of(edges.distinct(open, geometry)) {
            for set in (0..self.rules.marks().n_choices()).filter(|&set| edges.is_safe(set, square)) {
                moves.push(BitMove { square, set }, edges.rank(self.rules, set, square));
            }
        }
        if is_odd {
            let square = free.trailing_zeros();
            moves.push(BitMove { square, set: usize::from(!edges.is_safe(0, square)) }, 0);
        }
        let key = self.key(planes, u32::from(is_odd) + 2 * u32::from(blocked != 0));
        Ok(SafeNode { moves: moves.sorted(geometry.tuning), key, is_mirrored })
    }

    fn edges(&self, geometry: &Geometry, position: BitPosition, empty: u64) -> SafeEdges {
        let mut edges =
            SafeEdges { unsafe_squares: [0; 2], squares: 0, common: [u64::MAX; 64], weights: [[0; 64]; 2] };
        for set in 0..self.rules.marks().n_choices() {
            let other = position.sets[1 - set];
            for &line in geometry.lines.iter().filter(|&line| line & other == 0) {
                let edge = line & empty;
                if edge.is_power_of_two() {
                    edges.unsafe_squares[set] |= edge;
                    edges.common[edge.trailing_zeros() as usize] &= edge;
                }
            }
            let unsafe_squares = edges.unsafe_squares[set];
            for (index, &line) in geometry.lines.iter().enumerate() {
                let edge = line & empty;
                if line & other != 0 || edge.is_power_of_two() || edge & unsafe_squares != 0 {
                    continue;
                }
                let contains = |&number: &usize| {
                    let contained = geometry.lines[number];
                    let is_open = contained & other == 0 && contained & empty & !edge == 0;
                    // Of equal edges, one is enough.
                    is_open && (contained & empty != edge || number < index)
                };
                if !self.overlapping[index].iter().any(contains) {
                    edges.add(set, line, edge);
                }
            }
        }
        edges
    }

    /// Returns whether the other player can answer every move at the mirrored square with the other mark.
    ///
    /// A mirrored answer is safe: if it filled an edge, the move before it would have filled the mirrored edge, unless the
    /// edge contained the square of that move, which has the wrong mark.
    fn is_mirrored(&self, [open, first, second]: [u64; 3]) -> bool {
        let all = open | first | second;
        self.rules.marks().are_chosen()
            && self.symmetries.iter().zip(&self.fixed).any(|(symmetry, fixed)| {
                fixed.is_some_and(|fixed| fixed & all == 0)
                    && symmetry.apply(open) == open
                    && symmetry.apply(first) == second
            })
    }

    /// Returns the least image of three sets, with two more bits, as a key.
    fn key(&self, planes: [u64; 3], bits: u32) -> BoundsKey {
        let are_chosen = self.rules.marks().are_chosen();
        let images = self.symmetries.iter().map(|symmetry| {
            let [open, first, second] = planes.map(|plane| symmetry.apply(plane));
            // If players choose their marks, exchanging X and O gives an equivalent position.
            if are_chosen { [open, first.min(second), first.max(second)] } else { [open, first, second] }
        });
        let [open, first, second] = images.min().unwrap_or(planes).map(u128::from);
        let n_squares = self.rules.grid().len();
        let all = open | first << n_squares | second << (2 * n_squares);
        BoundsKey { sets: [all as u64, (all >> 64) as u64], ply: KEY_OF_WINNER + bits }
    }
}

/// Returns whether saved numbers can be a key of [`SafeGrid::evaluate`] on a board of `squares`.
pub(super) fn is_key_of_winner(sets: [u64; 2], ply: u64, squares: u64) -> bool {
    let first = u64::from(KEY_OF_WINNER);
    let n_bits = 3 * squares.count_ones();
    let is_within = |set: u64, n_bits: u32| n_bits >= 64 || set >> n_bits == 0;
    (first..first + 4).contains(&ply)
        && squares.count_ones() as usize <= MAX_SQUARES
        && is_within(sets[0], n_bits)
        && is_within(sets[1], n_bits.saturating_sub(64))
}

impl SafeEdges {
    fn add(&mut self, set: usize, line: u64, edge: u64) {
        self.squares |= line;
        let weight = weight(edge.count_ones());
        for square in squares_of(edge) {
            self.common[square as usize] &= edge;
            self.weights[set][square as usize] += weight;
        }
    }

    fn is_safe(&self, set: usize, square: u32) -> bool {
        self.unsafe_squares[set] >> square & 1 == 0
    }

    /// Returns the rank of a move. With short lines, its own edges count three times as much as those of the other mark, which it
    /// removes: of six formulas, this one needed the fewest nodes for 4,4,3, 5,4,4 and 6,3,3 wild misère. Games with longer
    /// lines are draws, which are found by removing edges.
    fn rank(&self, rules: Rules, set: usize, square: u32) -> u32 {
        const SHORT_LINE: usize = 4;
        let [own, other] = [set, 1 - set].map(|set| self.weights[set][square as usize]);
        if !rules.marks().are_chosen() {
            own
        } else if rules.line_length() <= SHORT_LINE {
            3 * own + other
        } else {
            other
        }
    }

    /// Returns one square of each group on exactly the same edges, whose squares are interchangeable.
    fn distinct(&self, squares: u64, geometry: &Geometry) -> u64 {
        without(&self.common, squares, geometry.tuning, |lesser, greater| {
            (self.common[greater as usize] >> lesser & 1 != 0).then(|| lesser.max(greater))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::meter::Meter;
    use crate::solve::score_table::ScoreTable;
    use crate::solve::search::{BoundSearch, SearchAim};
    use crate::solve::transposition::Transpositions;

    /// Calls `check` with every position of a board that has no line and is not full.
    fn for_each_position(rules: Rules, geometry: &Geometry, mut check: impl FnMut(BitPosition)) {
        let n_squares = rules.grid().len() as u32;
        let n_states = if rules.marks().are_chosen() { 3_u64 } else { 2 };
        for number in 0..n_states.pow(n_squares) {
            let mut sets = [0_u64; 2];
            let mut rest = number;
            for square in 0..n_squares {
                match rest % n_states {
                    0 => {}
                    mark => sets[mark as usize - 1] |= 1 << square,
                }
                rest /= n_states;
            }
            let position = BitPosition { sets };
            if !sets.iter().any(|&set| geometry.has_line(set)) && position.ply() < n_squares {
                check(position);
            }
        }
    }

    #[test]
    fn every_position_of_small_boards_has_the_winner_of_the_table() {
        for rules in ["3,3,3 wild misere", "2,4,3 wild misere", "1,9,2 wild misere", "2,4,4 wild misere"]
            .into_iter()
            .chain([
                "3,3,3 x-only misere",
                "4,3,3 x-only misere",
                "1,12,3 x-only misere",
                "2,2,1 wild misere",
            ])
        {
            let rules: Rules = rules.parse().unwrap();
            let geometry = Geometry::new(rules);
            let grid = SafeGrid::new(rules, &geometry).unwrap();
            let table = ScoreTable::from_root(rules, &geometry, BitPosition::EMPTY, &|| false).unwrap();
            let (memory, meter, never) = (Transpositions::new(1 << 24, 1), Meter::default(), || false);
            for_each_position(rules, &geometry, |position| {
                let mut search = BoundSearch::new(rules, &geometry, &memory, u64::MAX, &never, &meter);
                search.safe_grid = Some(&grid);
                let known = search.narrow(position, SearchAim::Value);
                let expected = table.score(position).value();
                assert_eq!([known.worst.value(), known.best.value()], [expected; 2], "{rules} {position:?}");
            });
        }
    }

    #[test]
    fn only_keys_of_the_evaluation_are_loaded() {
        let squares = (1 << 9) - 1;
        assert!(is_key_of_winner([(1 << 27) - 1, 0], 131, squares));
        assert!(!is_key_of_winner([1 << 27, 0], 131, squares));
        assert!(!is_key_of_winner([0, 1], 131, squares));
        assert!(!is_key_of_winner([0, 0], 132, squares) && !is_key_of_winner([0, 0], 127, squares));
        assert!(is_key_of_winner([u64::MAX, 1], 128, (1 << 22) - 1));
        assert!(!is_key_of_winner([0, 0], 128, (1 << 43) - 1));
    }
}
