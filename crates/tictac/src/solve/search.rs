//! Depth-first search that proves bounds.

use super::geometry::Geometry;
use super::meter::Meter;
use super::score::Score;
use super::standing::Standing;
use super::survey::{Moves, Survey, survey};
use super::transposition::{Bounds, Key, Transpositions};
use super::view::View;
use crate::rules::{Goal, Marks, Rules};

/// What a search wants to know about a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Win, draw or loss.
    Value,
    /// The score itself.
    Score,
    /// Whether it is at least this.
    AtLeast(Score),
}

impl Aim {
    /// Returns whether bounds tell what is wanted.
    pub(crate) fn is_met(self, known: Bounds) -> bool {
        match self {
            Self::Value => known.worst.value() == known.best.value(),
            Self::Score => known.is_exact(),
            Self::AtLeast(target) => decided(known, target).is_some(),
        }
    }

    /// Returns the score to test next, while the aim is not met.
    ///
    /// Where own lines win, quick wins are the easiest to find: ask for the quickest result left, win or
    /// loss, and go on to slower ones. Otherwise games end late: ask who wins first, and then go from the
    /// slowest result to quicker ones.
    fn next_target(self, rules: Rules, known: Bounds) -> Score {
        let (worst, best) = (known.worst.0, known.best.0);
        Score(match self {
            Self::AtLeast(target) => target.0,
            _ if rules.goal() == Goal::Complete && rules.marks() == Marks::Own => {
                if best >= -worst {
                    best
                } else {
                    worst + 1
                }
            }
            _ if worst <= 0 && best > 0 => 1,
            _ if worst < 0 && best == 0 => 0,
            _ if worst > 0 => worst + 1,
            _ => best,
        })
    }
}

/// The caller or a limit has ended the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// A search with its memory.
pub(crate) struct Search<'solver> {
    rules: Rules,
    geometry: &'solver Geometry,
    memory: &'solver mut Transpositions,
    /// Nodes visited so far.
    nodes: u64,
    /// The search ends when it has visited so many.
    max_nodes: u64,
    stop: &'solver dyn Fn() -> bool,
    /// The number of nodes at which the caller is asked next.
    next_stop: u64,
    meter: &'solver Meter,
    /// Nodes that the meter has heard of.
    n_reported: u64,
}

/// How many nodes pass between two questions to the caller, about a millisecond.
const STOP_INTERVAL: u64 = 1024;

impl<'solver> Search<'solver> {
    /// Returns a search that ends after `max_nodes` nodes or when `stop`, which is asked now and then, returns true.
    pub(crate) fn new(
        rules: Rules,
        geometry: &'solver Geometry,
        memory: &'solver mut Transpositions,
        max_nodes: u64,
        stop: &'solver dyn Fn() -> bool,
        meter: &'solver Meter,
    ) -> Self {
        Self { rules, geometry, memory, nodes: 0, max_nodes, stop, next_stop: 0, meter, n_reported: 0 }
    }

    /// Returns the number of nodes visited so far.
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Narrows what is known about a position without a line until the aim is met or the search is stopped.
    pub(crate) fn narrow(&mut self, standing: Standing, aim: Aim) -> Bounds {
        let view = View::new(self.geometry, standing);
        let mut known = Bounds::UNKNOWN;
        while !aim.is_met(known) {
            let target = aim.next_target(self.rules, known);
            let Ok(score) = self.test(view, target) else { break };
            known = known.and(learned(score, target));
        }
        known
    }

    /// Returns a lower bound of the score if it is at least `target`, else an upper bound below `target`.
    fn test(&mut self, view: View, target: Score) -> Result<Score, Stopped> {
        let node = match self.look(view, target) {
            Glance::Decided(score) => return Ok(score),
            Glance::Open(node) => node,
        };
        if self.nodes >= self.max_nodes || self.nodes >= self.next_stop && self.is_stopped() {
            return Err(Stopped);
        }
        let before = self.nodes;
        let score = self.best_reply(&node, target)?;
        let known = node.known.and(learned(score, target));
        self.memory.insert(node.key, known, self.nodes - before);
        Ok(if score >= target { known.worst } else { known.best })
    }

    /// Returns the best score of a move, or that of the first which reaches `target`.
    fn best_reply(&mut self, node: &Node, target: Score) -> Result<Score, Stopped> {
        // The child must stay at or below the negative of the target: test whether it is above.
        let child_target = Score(1 - target.0);
        let mut score = Score::WORST;
        for mv in node.moves.iter() {
            let child = node.view.after(self.geometry, self.rules.marks(), mv);
            let reply = self.test(child, child_target)?;
            score = score.max(reply.for_other());
            if score >= target {
                break;
            }
        }
        Ok(score)
    }

    fn is_stopped(&mut self) -> bool {
        self.next_stop = self.nodes + STOP_INTERVAL;
        let (used, room) = self.memory.fill();
        self.meter.report(self.nodes - self.n_reported, used, room);
        self.n_reported = self.nodes;
        (self.stop)()
    }

    /// Decides a test from what can be seen at once or is remembered, or prepares to play on.
    fn look(&mut self, mut view: View, target: Score) -> Glance {
        self.nodes += 1;
        let standing = view.standing();
        if standing.occupied() == self.rules.squares().bits() {
            return Glance::Decided(Score::DRAW);
        }
        let (bounds, moves, live) = match survey(self.rules, self.geometry, standing) {
            Survey::Known(score) => return Glance::Decided(score),
            Survey::Open { bounds, moves, live } => (bounds, moves, live),
        };
        if let Some(score) = decided(bounds, target) {
            return Glance::Decided(score);
        }
        view.bury(self.geometry, self.rules.squares().bits() & !live);
        if target > Score::DRAW
            && self.mirror_counts()
            && view.is_mirrored(self.geometry, self.rules.squares().bits())
        {
            return Glance::Decided(Score::DRAW);
        }
        let key = view.key(self.rules.marks());
        let known = self.memory.find(key).map_or(bounds, |known| known.and(bounds));
        match decided(known, target) {
            Some(score) => Glance::Decided(score),
            None => Glance::Open(Node { view, key, known, moves }),
        }
    }

    /// Returns whether play in the mirror keeps a player from losing.
    fn mirror_counts(&self) -> bool {
        match self.rules.marks() {
            Marks::Own => self.rules.goal() == Goal::Avoid,
            Marks::Either => true,
            Marks::OnlyX => false,
        }
    }
}

/// What a look at a position gives.
#[expect(clippy::large_enum_variant, reason = "it lives for a moment on the stack, a box would cost more")]
enum Glance {
    /// The test is decided by this bound.
    Decided(Score),
    /// The moves must be tried.
    Open(Node),
}

/// A position whose moves must be tried.
struct Node {
    view: View,
    key: Key,
    known: Bounds,
    moves: Moves,
}

/// Returns what a test with `target` has proved by the answer `score`.
fn learned(score: Score, target: Score) -> Bounds {
    if score >= target {
        Bounds { worst: score, best: Score::BEST }
    } else {
        Bounds { worst: Score::WORST, best: score }
    }
}

/// Returns the bound that answers a test with `target`, if there is one.
fn decided(known: Bounds, target: Score) -> Option<Score> {
    if known.worst >= target {
        Some(known.worst)
    } else if known.best < target {
        Some(known.best)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::solve::standing::{Step, squares_of};
    use crate::solve::table::Table;

    /// Numbers that look random and are the same every time.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as u32 % n
        }
    }

    fn plain(rows: u32, columns: u32, k: u32) -> Rules {
        let grid = Grid::new(rows as usize, columns as usize).unwrap();
        Rules::new(grid, k as usize).unwrap()
    }

    fn whole_table(rules: Rules) -> Table {
        Table::from_root(rules, &Geometry::new(rules), Standing::EMPTY, &|| false).unwrap()
    }

    fn variants(rows: u32, columns: u32, k: u32) -> Vec<Rules> {
        let marks = [Marks::Own, Marks::Either, Marks::OnlyX];
        let pairs = marks.iter().flat_map(|&marks| [Goal::Complete, Goal::Avoid].map(|goal| (marks, goal)));
        pairs.map(|(marks, goal)| plain(rows, columns, k).with_goal(goal).with_marks(marks)).collect()
    }

    /// Compares the search with the table of the whole board.
    fn check(
        rules: Rules,
        geometry: &Geometry,
        table: &Table,
        memory: &mut Transpositions,
        standing: Standing,
    ) {
        let never = || false;
        for aim in [Aim::Value, Aim::Score] {
            let known = Search::new(rules, geometry, memory, u64::MAX, &never, &Meter::default())
                .narrow(standing, aim);
            assert!(aim.is_met(known));
            let score = table.score(standing);
            assert!(
                known.worst <= score && score <= known.best,
                "{rules:?} {standing:?} {known:?} {score:?}"
            );
        }
    }

    fn has_ended(rules: Rules, geometry: &Geometry, standing: Standing) -> bool {
        standing.sets.iter().any(|&set| geometry.has_line(set))
            || standing.occupied() == rules.squares().bits()
    }

    /// Plays games at random and compares at each ply from `first_ply` on.
    fn check_games(rules: Rules, n_games: usize, first_ply: u32) {
        let geometry = Geometry::new(rules);
        let table = whole_table(rules);
        let mut memory = Transpositions::new(1 << 24);
        let mut dice = Dice(1);
        for _ in 0..n_games {
            let mut standing = Standing::EMPTY;
            while !has_ended(rules, &geometry, standing) {
                if standing.ply() >= first_ply {
                    check(rules, &geometry, &table, &mut memory, standing);
                }
                let empty = rules.squares().bits() & !standing.occupied();
                let square =
                    squares_of(empty).nth(dice.below(empty.count_ones()) as usize).expect("not full");
                let set = if rules.marks() == Marks::Either { dice.below(2) as usize } else { 0 };
                standing = standing.after(rules.marks(), Step { square, set });
            }
        }
    }

    #[test]
    fn search_and_table_agree_along_random_games() {
        for (rows, columns, k) in
            [(4, 4, 4), (4, 4, 3), (2, 7, 3), (3, 5, 3), (5, 3, 4), (1, 13, 3), (4, 3, 2)]
        {
            for rules in variants(rows, columns, k) {
                check_games(rules, 15, 5);
            }
        }
    }

    #[test]
    fn search_and_table_agree_on_mirrored_positions() {
        for (rows, columns, k) in [(4, 4, 4), (4, 4, 3), (3, 5, 3), (2, 7, 4), (3, 3, 3)] {
            for rules in variants(rows, columns, k) {
                let geometry = Geometry::new(rules);
                let table = whole_table(rules);
                let mut memory = Transpositions::new(1 << 24);
                let mut dice = Dice(2);
                for i in 0..100 {
                    let mirror = geometry.mirrors()[i % geometry.mirrors().len()];
                    let mut sets = [0_u64; 2];
                    for _ in 0..dice.below(6) + 2 {
                        let square = dice.below(rules.grid().len() as u32);
                        let image = geometry.images(square)[mirror.symmetry];
                        if (sets[0] | sets[1] | mirror.fixed) >> square & 1 == 0 {
                            sets[0] |= 1 << square;
                            sets[1] |= image;
                        }
                    }
                    let standing = Standing { sets };
                    if rules.marks() != Marks::OnlyX && !has_ended(rules, &geometry, standing) {
                        check(rules, &geometry, &table, &mut memory, standing);
                    }
                }
            }
        }
    }
}
