//! Static evaluation of a position: its score or bounds, and the moves worth searching.

use crate::bit_position::{BitMove, BitPosition, squares_of};
use crate::geometry::Geometry;
use crate::one_board::transposition::Bounds;
use crate::score::Score;
use crate::tuning::{SearchTuning, Technique};
use tictac::{Goal, Marks, Rules};

/// The static evaluation of a position that is not finished.
#[expect(clippy::large_enum_variant, reason = "short-lived on the stack, where a box would cost more")]
pub(crate) enum StaticEval {
    /// The score is known without a search.
    Known(Score),
    /// The score must be searched.
    Open {
        /// Bounds of the score.
        bounds: Bounds,
        /// Moves of which at least one attains the score.
        moves: RankedMoves,
        /// The squares on lines that can still be completed.
        live: u64,
    },
}

/// Moves in the order in which they should be searched.
pub(crate) struct RankedMoves {
    /// The rank, set and square of each move in one number, so that sorting the numbers sorts the moves.
    ranked: [u32; 128],
    len: usize,
}

impl RankedMoves {
    /// Returns an empty list.
    pub(crate) fn new() -> Self {
        Self { ranked: [0; 128], len: 0 }
    }

    /// Adds a move; the move with the highest rank comes first.
    pub(crate) fn push(&mut self, mv: BitMove, rank: u32) {
        let set = mv.set as u32;
        self.ranked[self.len] = !rank << 7 | set << 6 | mv.square;
        self.len += 1;
    }

    /// Returns the moves, the ones with the highest rank first.
    pub(crate) fn sorted(mut self, tuning: SearchTuning) -> Self {
        if tuning.uses(Technique::Order) {
            self.ranked[..self.len].sort_unstable();
        }
        self
    }

    /// Iterates over the moves in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = BitMove> {
        let moves = self.ranked[..self.len].iter();
        moves.map(|ranked| BitMove { square: ranked & 63, set: (ranked >> 6 & 1) as usize })
    }
}

/// Evaluates a position that has no line and is not full.
pub(crate) fn evaluate(rules: Rules, geometry: &Geometry, position: BitPosition) -> StaticEval {
    if rules.marks_name_players() {
        evaluate_own(rules, geometry, position)
    } else {
        evaluate_shared(rules, geometry, position)
    }
}

/// Evaluates a position in which each player has a mark, by the lines that each player can still complete.
fn evaluate_own(rules: Rules, geometry: &Geometry, position: BitPosition) -> StaticEval {
    let empty = rules.squares().bits() & !position.occupied();
    let ply = position.ply();
    let open = OpenLines::new(geometry, position, empty);
    let [mine, theirs] = open.completing;
    let candidates = match rules.goal() {
        Goal::Complete if mine != 0 => return StaticEval::Known(Score::win_at(ply + 1)),
        Goal::Complete if theirs & theirs.wrapping_sub(1) != 0 => {
            return StaticEval::Known(Score::loss_at(ply + 2));
        }
        Goal::Complete if theirs != 0 => theirs,
        Goal::Complete => open.live.undominated(empty),
        Goal::Avoid if empty & !mine == 0 => return StaticEval::Known(Score::loss_at(ply + 1)),
        Goal::Avoid => open.live.undominating(empty & !mine),
    };
    let mut bounds = soonest(rules, ply);
    if geometry.tuning.uses(Technique::Weights) {
        bounds = bounds.and(open.bounds(rules.goal(), empty.count_ones()));
    }
    let mut moves = RankedMoves::new();
    for square in squares_of(candidates) {
        let weight = open.weights[square as usize];
        let rank = if rules.goal() == Goal::Complete { weight } else { MAX_RANK - weight };
        moves.push(BitMove { square, set: 0 }, rank);
    }
    StaticEval::Open { bounds, moves: moves.sorted(geometry.tuning), live: open.live.squares }
}

/// Evaluates a position in which both players write the same marks.
///
/// A square that completes a line does so for either player. If lines win, a player must not leave a line one square short;
/// if lines lose, a player needs a square that completes none.
fn evaluate_shared(rules: Rules, geometry: &Geometry, position: BitPosition) -> StaticEval {
    let empty = rules.squares().bits() & !position.occupied();
    let ply = position.ply();
    let completing = position.sets.map(|set| geometry.completing(set) & empty);
    if rules.goal() == Goal::Complete && completing.iter().any(|&squares| squares != 0) {
        return StaticEval::Known(Score::win_at(ply + 1));
    }
    let live = LiveLines::of_shared(geometry, position, empty);
    if live.squares == 0 {
        return StaticEval::Known(Score::DRAW);
    }
    let n_sets = rules.marks().n_choices();
    let mut moves = RankedMoves::new();
    for square in squares_of(live.distinct(empty)) {
        let is_dead = live.squares >> square & 1 == 0;
        // On a dead square both marks are equivalent.
        let n_sets = if is_dead { 1 } else { n_sets };
        for (set, completing) in completing.iter().enumerate().take(n_sets) {
            let is_safe = match rules.goal() {
                Goal::Complete => {
                    !geometry.threatens(square, position.sets[set] | 1 << square, empty & !(1 << square))
                }
                Goal::Avoid => completing >> square & 1 == 0,
            };
            if is_safe {
                let mv = BitMove { square, set };
                moves.push(mv, live.rank(rules.marks(), mv));
            }
        }
    }
    match (moves.len, rules.goal()) {
        (0, Goal::Complete) => StaticEval::Known(Score::loss_at(ply + 2)),
        (0, Goal::Avoid) => StaticEval::Known(Score::loss_at(ply + 1)),
        _ => StaticEval::Open {
            bounds: soonest(rules, ply),
            moves: moves.sorted(geometry.tuning),
            live: live.squares,
        },
    }
}

/// The lines that at least one player can still complete, with properties of each empty square.
struct LiveLines {
    /// The squares on live lines.
    squares: u64,
    /// For each empty square, the squares that all live lines through it share; all squares if there is no such line.
    common: [u64; 64],
    /// For each mark and square, the weight of the lines through the square that can still be filled with the mark.
    weights: [[u32; 64]; 2],
    tuning: SearchTuning,
}

impl LiveLines {
    fn new(tuning: SearchTuning) -> Self {
        Self { squares: 0, common: [u64::MAX; 64], weights: [[0; 64]; 2], tuning }
    }

    /// Returns the rank of a move. The order was chosen by measuring node counts: with wild marks, moves that block the most
    /// lines of the other mark come first; with X only, moves that add the most to lines.
    fn rank(&self, marks: Marks, mv: BitMove) -> u32 {
        let set = if marks.are_chosen() { 1 - mv.set } else { mv.set };
        self.weights[set][mv.square as usize]
    }

    /// Returns the lines that do not hold both marks.
    fn of_shared(geometry: &Geometry, position: BitPosition, empty: u64) -> Self {
        let [x, o] = position.sets;
        let mut live = Self::new(geometry.tuning);
        for &line in geometry.lines.iter().filter(|&line| line & x == 0 || line & o == 0) {
            live.squares |= line;
            let weight = weight((line & empty).count_ones());
            for square in squares_of(line & empty) {
                live.common[square as usize] &= line;
                if line & o == 0 {
                    live.weights[0][square as usize] += weight;
                }
                if line & x == 0 {
                    live.weights[1][square as usize] += weight;
                }
            }
        }
        live
    }

    /// Returns whether every live line through `square` also passes through `other`.
    fn is_within(&self, square: u32, other: u32) -> bool {
        self.common[square as usize] >> other & 1 != 0
    }

    /// Returns one square of each group on exactly the same live lines, whose squares are interchangeable.
    fn distinct(&self, squares: u64) -> u64 {
        without(&self.common, squares, self.tuning, |lesser, greater| {
            (self.is_within(greater, lesser)).then(|| lesser.max(greater))
        })
    }

    /// Returns the squares worth taking to complete lines, without those whose live lines all pass through another square.
    ///
    /// Taking that other square instead is at least as good: the player continues as if the two squares were exchanged. If
    /// the opponent then takes the lesser square, the opponent has fewer lines than under the exchange.
    fn undominated(&self, squares: u64) -> u64 {
        without(&self.common, squares, self.tuning, |lesser, greater| {
            Some(if self.is_within(greater, lesser) { lesser.max(greater) } else { lesser })
        })
    }

    /// Returns the squares worth taking to avoid lines, without those that all live lines of another square pass through, by
    /// the reverse argument.
    fn undominating(&self, squares: u64) -> u64 {
        without(&self.common, squares, self.tuning, |lesser, greater| {
            Some(if self.is_within(greater, lesser) { lesser.max(greater) } else { greater })
        })
    }
}

/// Returns `squares` without those that `superfluous` returns for a pair (lesser, greater) in which all lines of the lesser square
/// pass through the greater; `common` has the squares that all lines of each square share.
pub(crate) fn without(
    common: &[u64; 64],
    squares: u64,
    tuning: SearchTuning,
    superfluous: impl Fn(u32, u32) -> Option<u32>,
) -> u64 {
    let mut kept = squares;
    let lessers = if tuning.uses(Technique::Domination) { squares } else { 0 };
    for lesser in squares_of(lessers) {
        for greater in squares_of(common[lesser as usize] & squares & !(1 << lesser)) {
            if let Some(square) = superfluous(lesser, greater) {
                kept &= !(1 << square);
            }
        }
    }
    kept
}

/// Returns bounds by the quickest win and loss that remain if no move wins immediately and a safe move exists.
fn soonest(rules: Rules, ply: u32) -> Bounds {
    let (win, loss) = match rules.goal() {
        Goal::Complete => (ply + 3, ply + 4),
        Goal::Avoid => (ply + 2, ply + 3),
    };
    let full = rules.grid().len() as u32;
    Bounds {
        worst: if loss <= full { Score::loss_at(loss) } else { Score::DRAW },
        best: if win <= full { Score::win_at(win) } else { Score::DRAW },
    }
}

/// The weight of a completed line. A line with `e` empty squares weighs `2^-e` times as much, rounded up, so that a sum below
/// a limit is an exact proof.
const WHOLE: u32 = 1 << 16;
/// Greater than the weight of every square, because fewer than 256 lines pass through one.
const MAX_RANK: u32 = (1 << 25) - 1;

pub(crate) fn weight(n_missing: u32) -> u32 {
    (WHOLE >> n_missing.min(16)).max(1)
}

/// The lines that each player can still complete, with their weights.
struct OpenLines {
    /// The empty squares that complete a line of the player to move, and of the other player.
    completing: [u64; 2],
    /// The weight of the lines open to the player to move, and to the other player.
    total: [u32; 2],
    /// The weight of the open lines through each square.
    weights: [u32; 64],
    /// The lines open to at least one player.
    live: LiveLines,
}

impl OpenLines {
    fn new(geometry: &Geometry, position: BitPosition, empty: u64) -> Self {
        let [mine, theirs] = position.sets;
        let mut open = Self {
            completing: [0; 2],
            total: [0; 2],
            weights: [0; 64],
            live: LiveLines::new(geometry.tuning),
        };
        for line in &geometry.lines {
            if line & theirs == 0 {
                open.add(0, *line, empty);
            }
            if line & mine == 0 {
                open.add(1, *line, empty);
            }
        }
        open
    }

    /// Adds a line open to a player.
    fn add(&mut self, player: usize, line: u64, empty: u64) {
        let missing = line & empty;
        self.live.squares |= line;
        if missing.is_power_of_two() {
            self.completing[player] |= missing;
        }
        let weight = weight(missing.count_ones());
        self.total[player] += weight;
        for square in squares_of(missing) {
            self.weights[square as usize] += weight;
            self.live.common[square as usize] &= line;
        }
    }

    /// Returns bounds by the sums of weights.
    ///
    /// If lines win, a player prevents lines by always taking the heaviest square (Erdős and Selfridge). The opponent's next
    /// move then adds no more weight than was just removed, so the sum does not grow. If the opponent moves first, that move
    /// at most doubles the sum. A completed line would weigh 1.
    ///
    /// If lines lose, a player avoids lines by always taking the lightest square. This adds no more weight than the
    /// opponent's next move removes. Only a last move, which no other move follows, may double the sum.
    fn bounds(&self, goal: Goal, n_empty: u32) -> Bounds {
        let [mine, theirs] = self.total;
        let (i_cannot_win, i_cannot_lose) = match goal {
            Goal::Complete => (2 * mine < WHOLE, theirs < WHOLE),
            Goal::Avoid if n_empty.is_multiple_of(2) => (2 * theirs < WHOLE, mine < WHOLE),
            Goal::Avoid => (theirs < WHOLE, 2 * mine < WHOLE),
        };
        Bounds {
            worst: if i_cannot_lose { Score::DRAW } else { Score::WORST },
            best: if i_cannot_win { Score::DRAW } else { Score::BEST },
        }
    }
}
