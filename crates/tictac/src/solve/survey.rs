//! What can be said about a position without playing on: its score, bounds, and which moves are worth a try.

use super::geometry::Geometry;
use super::score::Score;
use super::standing::{Standing, Step, squares_of};
use super::transposition::Bounds;
use crate::rules::{Goal, Marks, Rules};

/// The result of looking at a position that is not finished.
#[expect(clippy::large_enum_variant, reason = "it lives for a moment on the stack, a box would cost more")]
pub(crate) enum Survey {
    /// The score follows from the rules at once.
    Known(Score),
    /// One of the moves attains the score, which lies within the bounds; only squares of `live` lie on a line
    /// that can still be completed.
    Open { bounds: Bounds, moves: Moves, live: u64 },
}

/// Moves in the order in which they should be tried.
pub(crate) struct Moves {
    /// Rank, set and square of each move in one number, so that sorting numbers sorts moves.
    ranked: [u32; 128],
    len: usize,
}

impl Moves {
    fn new() -> Self {
        Self { ranked: [0; 128], len: 0 }
    }

    /// Adds a move; the highest rank is tried first.
    fn push(&mut self, mv: Step, rank: u32) {
        let set = mv.set as u32;
        self.ranked[self.len] = !rank << 7 | set << 6 | mv.square;
        self.len += 1;
    }

    fn sorted(mut self) -> Self {
        self.ranked[..self.len].sort_unstable();
        self
    }

    /// Iterates over the moves in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Step> {
        let moves = self.ranked[..self.len].iter();
        moves.map(|ranked| Step { square: ranked & 63, set: (ranked >> 6 & 1) as usize })
    }
}

/// Looks at a position that has no line and is not full.
pub(crate) fn survey(rules: Rules, geometry: &Geometry, standing: Standing) -> Survey {
    match rules.marks() {
        Marks::Own => survey_own(rules, geometry, standing),
        Marks::Either | Marks::OnlyX => survey_shared(rules, geometry, standing),
    }
}

/// With own marks the lines open to either player decide what is urgent, what is hopeless, and what to try
/// first.
fn survey_own(rules: Rules, geometry: &Geometry, standing: Standing) -> Survey {
    let empty = rules.squares().bits() & !standing.occupied();
    let ply = standing.ply();
    let prospects = Prospects::new(geometry, standing, empty);
    let [mine, theirs] = prospects.completing;
    let candidates = match rules.goal() {
        Goal::Complete if mine != 0 => return Survey::Known(Score::win_at(ply + 1)),
        Goal::Complete if theirs & theirs.wrapping_sub(1) != 0 => {
            return Survey::Known(Score::loss_at(ply + 2));
        }
        Goal::Complete if theirs != 0 => theirs,
        Goal::Complete => prospects.live.undominated(empty),
        Goal::Avoid if empty & !mine == 0 => return Survey::Known(Score::loss_at(ply + 1)),
        Goal::Avoid => prospects.live.undominating(empty & !mine),
    };
    let bounds = soonest(rules, ply).and(prospects.bounds(rules.goal(), empty.count_ones()));
    let mut moves = Moves::new();
    for square in squares_of(candidates) {
        let weight = prospects.weights[square as usize];
        let rank = if rules.goal() == Goal::Complete { weight } else { MAX_RANK - weight };
        moves.push(Step { square, set: 0 }, rank);
    }
    Survey::Open { bounds, moves: moves.sorted(), live: prospects.live.squares }
}

/// Where both players write the same marks, what completes a line for one completes it for the other: a
/// player who may complete lines must not leave one that lacks a single square, and one who must not has to
/// find a safe square.
fn survey_shared(rules: Rules, geometry: &Geometry, standing: Standing) -> Survey {
    let empty = rules.squares().bits() & !standing.occupied();
    let ply = standing.ply();
    let completing = standing.sets.map(|set| geometry.completing(set) & empty);
    if rules.goal() == Goal::Complete && completing.iter().any(|&squares| squares != 0) {
        return Survey::Known(Score::win_at(ply + 1));
    }
    let live = LiveLines::of_shared(geometry, standing, empty);
    if live.squares == 0 {
        return Survey::Known(Score::DRAW);
    }
    let n_sets = if rules.marks() == Marks::Either { 2 } else { 1 };
    let mut moves = Moves::new();
    for square in squares_of(live.distinct(empty)) {
        let is_dead = live.squares >> square & 1 == 0;
        // On a dead square both marks are the same.
        let n_sets = if is_dead { 1 } else { n_sets };
        for (set, completing) in completing.iter().enumerate().take(n_sets) {
            let is_safe = match rules.goal() {
                Goal::Complete => {
                    !geometry.threatens(square, standing.sets[set] | 1 << square, empty & !(1 << square))
                }
                Goal::Avoid => completing >> square & 1 == 0,
            };
            if is_safe {
                let mv = Step { square, set };
                moves.push(mv, live.rank(rules.marks(), mv));
            }
        }
    }
    match (moves.len, rules.goal()) {
        (0, Goal::Complete) => Survey::Known(Score::loss_at(ply + 2)),
        (0, Goal::Avoid) => Survey::Known(Score::loss_at(ply + 1)),
        _ => Survey::Open { bounds: soonest(rules, ply), moves: moves.sorted(), live: live.squares },
    }
}

/// The lines that can still be completed by somebody, seen from the empty squares.
struct LiveLines {
    /// The squares on live lines.
    squares: u64,
    /// For each empty square the squares that all live lines through it share; everything if there is none.
    common: [u64; 64],
    /// For each mark and square the weight of the lines through it that can become all that mark.
    weights: [[u32; 64]; 2],
}

impl LiveLines {
    fn new() -> Self {
        Self { squares: 0, common: [u64::MAX; 64], weights: [[0; 64]; 2] }
    }

    /// Returns how early a move should be tried, found by counting nodes: with wild marks what kills the most
    /// lines of the other mark, with X-only what adds most to lines.
    fn rank(&self, marks: Marks, mv: Step) -> u32 {
        let set = if marks == Marks::Either { 1 - mv.set } else { mv.set };
        self.weights[set][mv.square as usize]
    }

    /// Returns the lines that do not bear both marks.
    fn of_shared(geometry: &Geometry, standing: Standing, empty: u64) -> Self {
        let [x, o] = standing.sets;
        let mut live = Self::new();
        for &line in geometry.lines().iter().filter(|&line| line & x == 0 || line & o == 0) {
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

    /// Returns one square of each group on exactly the same live lines: exchanging two of them changes
    /// nothing.
    fn distinct(&self, squares: u64) -> u64 {
        self.without(squares, |lesser, greater| {
            (self.is_within(greater, lesser)).then(|| lesser.max(greater))
        })
    }

    /// Returns the squares worth taking to make lines: not those whose live lines all pass through another.
    ///
    /// Taking that other one is as good: play on as if the two were exchanged. Where the opponent then takes
    /// the lesser square, he is pictured on the greater, and has less than is feared.
    fn undominated(&self, squares: u64) -> u64 {
        self.without(squares, |lesser, greater| {
            Some(if self.is_within(greater, lesser) { lesser.max(greater) } else { lesser })
        })
    }

    /// Returns the squares worth taking to avoid lines: not those that all live lines of another pass
    /// through, for the same reason turned round.
    fn undominating(&self, squares: u64) -> u64 {
        self.without(squares, |lesser, greater| {
            Some(if self.is_within(greater, lesser) { lesser.max(greater) } else { greater })
        })
    }

    /// Returns `squares` without those that `superfluous` names, asked for each pair of which the live lines
    /// of the lesser all pass through the greater.
    fn without(&self, squares: u64, superfluous: impl Fn(u32, u32) -> Option<u32>) -> u64 {
        let mut kept = squares;
        for lesser in squares_of(squares) {
            for greater in squares_of(self.common[lesser as usize] & squares & !(1 << lesser)) {
                if let Some(square) = superfluous(lesser, greater) {
                    kept &= !(1 << square);
                }
            }
        }
        kept
    }
}

/// Returns the quickest win and loss that are left when nothing is decided at once and a safe move exists.
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

/// The weight of a line with all its squares marked. One that lacks `e` squares weighs `2^-e` of it, rounded
/// up, so that a sum below a limit is below it for certain.
const WHOLE: u32 = 1 << 16;
/// Above the weight of every square: fewer than 256 lines pass through one.
const MAX_RANK: u32 = (1 << 25) - 1;

fn weight(n_missing: u32) -> u32 {
    (WHOLE >> n_missing.min(16)).max(1)
}

/// The lines still open to each player, weighed.
struct Prospects {
    /// The empty squares that complete a line of the mover, and of the other.
    completing: [u64; 2],
    /// The weight of the lines open to the mover, and to the other.
    total: [u32; 2],
    /// The weight of the open lines through each square.
    weights: [u32; 64],
    /// The lines open to somebody.
    live: LiveLines,
}

impl Prospects {
    fn new(geometry: &Geometry, standing: Standing, empty: u64) -> Self {
        let [mine, theirs] = standing.sets;
        let mut prospects =
            Self { completing: [0; 2], total: [0; 2], weights: [0; 64], live: LiveLines::new() };
        for line in geometry.lines() {
            if line & theirs == 0 {
                prospects.add(0, *line, empty);
            }
            if line & mine == 0 {
                prospects.add(1, *line, empty);
            }
        }
        prospects
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

    /// Returns who cannot win, by the sum of weights.
    ///
    /// To prevent lines (Erdős and Selfridge): always take the heaviest square. What the maker then adds is
    /// no more than what the breaker has just removed, so the sum never rises above what it is before a
    /// breaker's move, and a maker's move before that at most doubles it; a completed line would weigh 1.
    ///
    /// To avoid lines: always take the lightest square. What that adds is no more than what the other's next
    /// move removes; only a last move, which no other follows, may double the sum.
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
