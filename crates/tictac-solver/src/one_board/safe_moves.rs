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

use crate::bit_position::{BitMove, BitPosition, squares_of};
use crate::byte_symmetry::ByteSymmetry;
use crate::geometry::Geometry;
use crate::one_board::fillings::Fillings;
use crate::one_board::safe_board::SafeBoard;
use crate::one_board::safe_sums::SafeSum;
use crate::one_board::static_eval::{RankedMoves, weight, without};
use crate::one_board::transposition::BoundsKey;
use crate::score::Score;
use crate::tuning::{SearchTuning, Technique};
use tictac::{Goal, Rules};

/// What the evaluation of positions needs to know about a grid.
#[derive(Clone, Debug)]
pub(crate) struct SafeGrid {
    rules: Rules,
    /// The number of marks from which a player chooses.
    pub(crate) n_marks: usize,
    pub(crate) lines: Vec<u64>,
    /// For each line, those whose edges it may contain, because they share at least two squares, and whether they come before it.
    pub(crate) overlapping: Vec<Vec<(u64, bool)>>,
    symmetries: Vec<ByteSymmetry>,
    /// For each symmetry that is its own inverse, the squares that it maps to themselves.
    fixed: Vec<Option<u64>>,
    tuning: SearchTuning,
    /// The symmetries, with images under the usual numbers of squares.
    key_symmetries: Vec<ByteSymmetry>,
    /// The squares of each column, under their usual numbers.
    columns: Vec<u64>,
}

/// What has to be searched to know the winner of a position.
#[expect(clippy::large_enum_variant, reason = "short-lived on the stack, where a box would cost more")]
pub(crate) enum SafeNode {
    /// The moves on the whole board, which may end in a draw.
    Whole(WholeNode),
    /// The player who makes the last safe move wins.
    Sum(SafeSum),
}

/// A position in which a safe move exists and matters.
pub(crate) struct WholeNode {
    /// Moves of which at least one decides who wins.
    pub(crate) moves: RankedMoves,
    /// The same for all positions with the same edges up to symmetry.
    pub(crate) key: BoundsKey,
    /// Whether the player to move does not win, because the other player can mirror every move.
    pub(crate) is_mirrored: bool,
}

/// The largest number of squares of which three sets fit into a key.
const MAX_SQUARES: usize = 42;

/// Added to two bits about the board in a key, so that these keys differ from those of exact scores.
const KEY_OF_WINNER: u32 = 128;
/// Added to the size of the heap beside a part.
pub(crate) const KEY_OF_PART: u32 = 132;

/// A win and a loss of unknown length.
pub(crate) const WIN: Score = Score::WORST_WIN;
pub(crate) const LOSS: Score = Score::WORST_WIN.for_other();

impl SafeGrid {
    /// Returns the grid of `rules`, or `None` if this evaluation does not apply to them.
    pub(crate) fn new(rules: Rules, geometry: &Geometry) -> Option<SafeGrid> {
        let tuning = geometry.tuning;
        let n_squares = rules.grid().len();
        let applies = !rules.marks_name_players() && rules.goal() == Goal::Avoid;
        if !applies || n_squares > MAX_SQUARES || !tuning.uses(Technique::Edges) {
            return None;
        }
        let symmetries = geometry.byte_symmetries();
        let fixed = (0..symmetries.len()).map(|number| {
            let mirror = geometry.mirrors.iter().find(|mirror| mirror.symmetry == number);
            mirror.filter(|_| tuning.uses(Technique::Mirror)).map(|mirror| mirror.fixed)
        });
        let n_columns = rules.grid().columns();
        let column =
            |first: usize| (first..n_squares).step_by(n_columns).fold(0, |set, square| set | 1 << square);
        Some(SafeGrid {
            rules,
            n_marks: rules.marks().n_choices(),
            lines: geometry.lines.clone(),
            overlapping: overlapping(&geometry.lines),
            fixed: fixed.collect(),
            tuning,
            key_symmetries: to_usual_numbers(&symmetries, &tuning.square_numbers(n_squares as u32)),
            symmetries,
            columns: (0..n_columns).map(column).collect(),
        })
    }

    /// Returns the winner as a score, or what has to be searched, in a position without a line.
    pub(crate) fn evaluate(&self, position: BitPosition, fillings: &mut Fillings) -> Result<SafeNode, Score> {
        let empty = self.rules.squares().bits() & !position.occupied();
        let board = self.board(empty, position.sets);
        if self.tuning.uses(Technique::Parts) && !fillings.can_fill(&board, self.n_marks) {
            return Ok(SafeNode::Sum(self.split(&board)));
        }
        let lines = board.edges().fold(0, |all, edge| all | edge.line);
        let is_blocked = board.blocked(self.n_marks) != 0;
        let free = empty & !lines & !board.blocked(self.n_marks);
        let is_odd = !free.count_ones().is_multiple_of(2);
        if lines == 0 {
            // The first player without a safe move loses, unless the board is full.
            return Err(match (is_blocked, is_odd) {
                (false, _) => Score::DRAW,
                (true, true) => WIN,
                (true, false) => LOSS,
            });
        }
        let moves = self.moves(&board, is_odd.then(|| free.trailing_zeros()));
        let planes = [empty & lines, board.sets[0] & lines, board.sets[1] & lines];
        let ply = KEY_OF_WINNER + u32::from(is_odd) + 2 * u32::from(is_blocked);
        Ok(SafeNode::Whole(WholeNode {
            moves,
            key: BoundsKey { sets: self.least_image(planes, false), ply },
            is_mirrored: !is_odd && self.is_mirrored(planes),
        }))
    }

    /// Returns the safe moves on edges and on a free square. Interchangeable moves are left out.
    pub(crate) fn moves(&self, board: &SafeBoard, free: Option<u32>) -> RankedMoves {
        let unsafe_squares = board.sets.map(|set| set & board.empty);
        let mut common = [u64::MAX; 64];
        for square in squares_of(unsafe_squares[0] | unsafe_squares[1]) {
            common[square as usize] = 1 << square;
        }
        let mut weights = [[0; 64]; 2];
        let mut squares = 0;
        for edge in board.edges() {
            squares |= edge.squares;
            for square in squares_of(edge.squares) {
                common[square as usize] &= edge.squares;
                weights[edge.set()][square as usize] += weight(edge.squares.count_ones());
            }
        }
        // Squares on exactly the same edges are interchangeable.
        let distinct = without(&common, squares, self.tuning, |lesser, greater| {
            (common[greater as usize] >> lesser & 1 != 0).then(|| lesser.max(greater))
        });
        let mut moves = RankedMoves::new();
        for square in squares_of(distinct) {
            for set in (0..self.n_marks).filter(|&set| unsafe_squares[set] >> square & 1 == 0) {
                let [own, other] = [set, 1 - set].map(|set| weights[set][square as usize]);
                moves.push(BitMove { square, set }, self.rank(own, other));
            }
        }
        if let Some(square) = free {
            moves.push(BitMove { square, set: usize::from(unsafe_squares[0] >> square & 1 != 0) }, 0);
        }
        moves.sorted(self.tuning)
    }

    /// Returns the rank of a move with these weights of its own edges, and of those of the other mark, which it removes.
    ///
    /// If lines are short, its own edges count three times as much: of six formulas, this one needed the
    /// fewest nodes for 4,4,3, 5,4,4 and 6,3,3 wild misère. Games with longer lines are draws, which are found by removing edges.
    fn rank(&self, own: u32, other: u32) -> u32 {
        const SHORT_LINE: usize = 4;
        if !self.rules.marks().are_chosen() {
            own
        } else if self.rules.line_length() <= SHORT_LINE {
            3 * own + other
        } else {
            other
        }
    }

    /// Returns whether the other player can answer every move at the mirrored square with the other mark.
    ///
    /// A mirrored answer is safe: if it filled an edge, the move before it would have filled the mirrored edge, unless the
    /// edge contained the square of that move, which has the wrong mark.
    pub(crate) fn is_mirrored(&self, [empty, first, second]: [u64; 3]) -> bool {
        let all = empty | first | second;
        self.rules.marks().are_chosen()
            && self.symmetries.iter().zip(&self.fixed).any(|(symmetry, fixed)| {
                fixed.is_some_and(|fixed| fixed & all == 0)
                    && symmetry.apply(empty) == empty
                    && symmetry.apply(first) == second
            })
    }

    /// Returns the least image of three sets under the symmetries and, if they may be moved, towards the first square.
    pub(crate) fn least_image(&self, planes: [u64; 3], may_move: bool) -> [u64; 2] {
        let mut least = [u64::MAX; 3];
        for symmetry in &self.key_symmetries {
            let [empty, first, second] = planes.map(|plane| symmetry.apply(plane));
            let distance = if may_move { self.distance(empty | first | second) } else { 0 };
            let [empty, first, second] = [empty >> distance, first >> distance, second >> distance];
            // If players choose their marks, exchanging X and O gives an equivalent position.
            let image = if self.n_marks == 2 && second < first {
                [empty, second, first]
            } else {
                [empty, first, second]
            };
            if image < least {
                least = image;
            }
        }
        let [empty, first, second] = least.map(u128::from);
        let n_squares = self.rules.grid().len();
        let all = empty | first << n_squares | second << (2 * n_squares);
        [all as u64, (all >> 64) as u64]
    }

    /// Returns how far a set can be moved towards the first square.
    fn distance(&self, set: u64) -> u32 {
        let n_columns = self.columns.len() as u32;
        let column = self.columns.iter().position(|column| column & set != 0).unwrap_or(0);
        set.trailing_zeros() / n_columns * n_columns + column as u32
    }
}

/// Returns for each line the lines that share at least two squares with it, and whether they come before it.
fn overlapping(lines: &[u64]) -> Vec<Vec<(u64, bool)>> {
    let of_line = |(number, &line): (usize, &u64)| {
        let others = lines.iter().enumerate().filter(|&(other, _)| other != number);
        let overlapping = others.filter(|&(_, other)| (line & other).count_ones() > 1);
        overlapping.map(|(other, &squares)| (squares, other < number)).collect()
    };
    lines.iter().enumerate().map(of_line).collect()
}

/// Returns symmetries whose images have their usual numbers; `numbers` are those of the search.
fn to_usual_numbers(symmetries: &[ByteSymmetry], numbers: &[u32]) -> Vec<ByteSymmetry> {
    let mut usual = vec![0; numbers.len()];
    for (square, &number) in (0..).zip(numbers) {
        usual[number as usize] = square;
    }
    let image =
        |symmetry: &ByteSymmetry, square: usize| usual[symmetry.apply(1 << square).trailing_zeros() as usize];
    let renumbered =
        |symmetry| (0..numbers.len()).map(|square| image(symmetry, square)).collect::<Vec<u32>>();
    symmetries.iter().map(|symmetry| ByteSymmetry::new(&renumbered(symmetry))).collect()
}

/// Returns whether saved numbers can be a key of a search for the winner on a board of `squares`.
pub(crate) fn is_key_of_winner(sets: [u64; 2], ply: u64, squares: u64) -> bool {
    let n_squares = squares.count_ones();
    let is_within = |set: u64, n_bits: u32| n_bits >= 64 || set >> n_bits == 0;
    (u64::from(KEY_OF_WINNER)..=u64::from(KEY_OF_PART + n_squares)).contains(&ply)
        && n_squares as usize <= MAX_SQUARES
        && is_within(sets[0], 3 * n_squares)
        && is_within(sets[1], (3 * n_squares).saturating_sub(64))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::meter::Meter;
    use crate::one_board::score_table::ScoreTable;
    use crate::one_board::search::{BoundSearch, SearchAim};
    use crate::one_board::transposition::Transpositions;

    /// Calls `check` with every position of a board that has no line and is not full.
    pub(crate) fn for_each_position(rules: Rules, geometry: &Geometry, mut check: impl FnMut(BitPosition)) {
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
        for rules in [
            "3,3,3 wild misere",
            "2,4,3 wild misere",
            "1,9,2 wild misere",
            "1,11,3 wild misere",
            "2,4,4 wild misere",
            "3,3,3 x-only misere",
            "4,3,3 x-only misere",
            "1,12,3 x-only misere",
            "2,2,1 wild misere",
        ] {
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
        assert!(is_key_of_winner([(1 << 27) - 1, 0], 141, squares));
        assert!(!is_key_of_winner([1 << 27, 0], 131, squares));
        assert!(!is_key_of_winner([0, 1], 131, squares));
        assert!(!is_key_of_winner([0, 0], 142, squares) && !is_key_of_winner([0, 0], 127, squares));
        assert!(is_key_of_winner([u64::MAX, 1], 128, (1 << 22) - 1));
        assert!(!is_key_of_winner([0, 0], 128, (1 << 43) - 1));
    }
}
