//! Depth-first search that proves bounds of a score.

use crate::bit_position::{BitMove, BitPosition};
use crate::geometry::Geometry;
use crate::meter::Meter;
use crate::one_board::fillings::Fillings;
use crate::one_board::images::PositionImages;
use crate::one_board::safe_moves::{SafeGrid, SafeNode, WholeNode};
use crate::one_board::safe_sums::SafeSum;
use crate::one_board::static_eval::{RankedMoves, StaticEval, evaluate};
use crate::one_board::transposition::{Bounds, BoundsKey, Transpositions};
use crate::score::Score;
use crate::tuning::Technique;
use tictac::{Goal, Rules};

/// The information about a score that a search has to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchAim {
    /// The value: win, draw or loss.
    Value,
    /// The exact score.
    Score,
    /// Whether the score is at least this.
    AtLeast(Score),
}

impl SearchAim {
    /// Returns whether bounds provide the information.
    pub(crate) fn is_met(self, known: Bounds) -> bool {
        match self {
            Self::Value => known.worst.value() == known.best.value(),
            Self::Score => known.is_exact(),
            Self::AtLeast(target) => decided(known, target).is_some(),
        }
    }

    /// Returns the score to test next, while the aim is not met.
    ///
    /// If a player's own line wins, quick wins are the easiest to find, so the quickest remaining result is tested first.
    /// In other games, which end late, the value is tested first, and then results from the slowest to the quickest.
    pub(crate) fn next_target(self, rules: Rules, known: Bounds) -> Score {
        let (worst, best) = (known.worst.0, known.best.0);
        Score(match self {
            Self::AtLeast(target) => target.0,
            _ if rules.is_mnk() && best >= -worst => best,
            _ if rules.is_mnk() => worst + 1,
            _ if worst <= 0 && best > 0 => 1,
            _ if worst < 0 && best == 0 => 0,
            _ if worst > 0 => worst + 1,
            _ => best,
        })
    }
}

/// A search with its transposition table.
pub(crate) struct BoundSearch<'solver> {
    rules: Rules,
    geometry: &'solver Geometry,
    /// The evaluation for searches that only ask who wins, where it applies.
    pub(crate) safe_grid: Option<&'solver SafeGrid>,
    fillings: Fillings,
    pub(crate) transpositions: &'solver Transpositions,
    /// The number of nodes visited so far.
    pub(crate) nodes: u64,
    /// The number of nodes at which the search ends.
    max_nodes: u64,
    stop: &'solver dyn Fn() -> bool,
    /// The number of nodes at which `stop` is called next.
    next_stop: u64,
    meter: &'solver Meter,
}

/// The number of nodes between two calls of `stop`: a millisecond of work on the largest boards.
pub(crate) const STOP_INTERVAL: u64 = 256;

impl<'solver> BoundSearch<'solver> {
    /// Returns a search that ends after `max_nodes` nodes or when `stop`, which is called regularly, returns true.
    pub(crate) fn new(
        rules: Rules,
        geometry: &'solver Geometry,
        transpositions: &'solver Transpositions,
        max_nodes: u64,
        stop: &'solver dyn Fn() -> bool,
        meter: &'solver Meter,
    ) -> Self {
        Self {
            rules,
            geometry,
            safe_grid: None,
            fillings: Fillings::default(),
            transpositions,
            nodes: 0,
            max_nodes,
            stop,
            next_stop: 0,
            meter,
        }
    }

    /// Narrows the bounds of a position without a line until the aim is met or the search is stopped.
    pub(crate) fn narrow(&mut self, position: BitPosition, aim: SearchAim) -> Bounds {
        let images = PositionImages::new(self.geometry, position);
        let mut known = Bounds::UNKNOWN;
        while !aim.is_met(known) {
            let target = aim.next_target(self.rules, known);
            let Some(score) = self.test(images, target) else { break };
            known = known.and(proved_bounds(score, target));
            if aim == SearchAim::Value {
                self.meter.narrow(known.worst.value(), known.best.value());
            }
        }
        known
    }

    /// Returns a lower bound of the score if it is at least `target`, and otherwise an upper bound below `target`; `None` if
    /// the search was ended by the caller or by its limit.
    fn test(&mut self, images: PositionImages, target: Score) -> Option<Score> {
        let node = match self.probe(images, target) {
            Ok(Probed::Sum(grid, sum)) => return self.winner_of_sum(grid, &sum),
            Ok(Probed::Open(node)) => node,
            // What is known about the position of the question is returned even if the caller has no time.
            Err(_) if self.nodes > 1 && self.nodes >= self.next_stop && self.poll_stop() => return None,
            Err(score) => return Some(score),
        };
        if self.is_over() {
            return None;
        }
        let before = self.nodes;
        let score = self.best_reply(&node, target)?;
        let known = node.known.and(proved_bounds(score, target));
        self.remember(node.key, known, before);
        Some(if score >= target { known.worst } else { known.best })
    }

    /// Returns the best score of a move, or the score of the first move that reaches `target`.
    fn best_reply(&mut self, node: &OpenNode, target: Score) -> Option<Score> {
        // The target is reached if the child's score is not greater than its negative.
        let child_target = Score(1 - target.0);
        let mut score = Score::WORST;
        let mut put_off = 0_u128;
        for (index, mv) in node.moves.iter().enumerate() {
            // The first move often decides the test, so all threads search it together.
            if index > 0 && self.is_busy(node, mv) {
                put_off |= 1 << index;
                continue;
            }
            score = score.max(self.reply(node, mv, child_target)?);
            if score >= target {
                return Some(score);
            }
        }
        for (_, mv) in node.moves.iter().enumerate().filter(|&(index, _)| put_off >> index & 1 != 0) {
            score = score.max(self.reply(node, mv, child_target)?);
            if score >= target {
                break;
            }
        }
        Some(score)
    }

    /// Returns a bound of the score of a move for the player who makes it, by a test of the position after it.
    fn reply(&mut self, node: &OpenNode, mv: BitMove, child_target: Score) -> Option<Score> {
        let transpositions = self.transpositions;
        let _guard = transpositions.busy.as_ref().map(|busy| busy.enter(node.key.sets, mv.number()));
        let child = node.images.after(self.geometry, self.rules.marks(), mv);
        Some(self.test(child, child_target)?.for_other())
    }

    /// Returns whether another thread is searching a move.
    fn is_busy(&self, node: &OpenNode, mv: BitMove) -> bool {
        let busy = self.transpositions.busy.as_ref();
        busy.is_some_and(|busy| busy.is_busy(node.key.sets, mv.number()))
    }

    /// Reports to the meter and returns whether the caller stops the search.
    fn poll_stop(&mut self) -> bool {
        let n_reported = self.next_stop.saturating_sub(STOP_INTERVAL);
        self.next_stop = self.nodes + STOP_INTERVAL;
        let (used, capacity) = self.transpositions.fill();
        self.meter.report(self.nodes - n_reported, used, capacity);
        (self.stop)()
    }

    /// Prepares the search of the moves, or returns the bound by which static evaluation or the transposition table decides
    /// the test.
    fn probe(&mut self, mut images: PositionImages, target: Score) -> Result<Probed<'solver>, Score> {
        self.nodes += 1;
        let position = images.position();
        if position.occupied() == self.rules.squares().bits() {
            return Err(Score::DRAW);
        }
        if let Some(grid) = self.safe_grid {
            return self.probe_winner(grid, images, target);
        }
        let (bounds, moves, live) = match evaluate(self.rules, self.geometry, position) {
            StaticEval::Known(score) => return Err(score),
            StaticEval::Open { bounds, moves, live } => (bounds, moves, live),
        };
        if let Some(score) = decided(bounds, target) {
            return Err(score);
        }
        if self.uses(Technique::DeadSquares) {
            images.add_dead(self.geometry, self.rules.squares().bits() & !live);
        }
        if target > Score::DRAW
            && self.uses(Technique::Mirror)
            && self.mirroring_draws()
            && images.is_mirrored(self.geometry, self.rules.squares().bits())
        {
            return Err(Score::DRAW);
        }
        let key = images.key(self.geometry, self.rules.marks());
        let known = self.transpositions.find(key).map_or(bounds, |known| known.and(bounds));
        match decided(known, target) {
            Some(score) => Err(score),
            None => Ok(Probed::Open(OpenNode { images, key, known, moves })),
        }
    }

    /// Does the same if only the winner matters.
    fn probe_winner(
        &mut self,
        grid: &'solver SafeGrid,
        images: PositionImages,
        target: Score,
    ) -> Result<Probed<'solver>, Score> {
        let WholeNode { moves, key, is_mirrored } =
            match grid.evaluate(images.position(), &mut self.fillings)? {
                SafeNode::Sum(sum) => return Ok(Probed::Sum(grid, sum)),
                SafeNode::Whole(node) => node,
            };
        let best = if is_mirrored { Score::DRAW } else { Score::BEST };
        let bounds = Bounds { best, ..Bounds::UNKNOWN };
        let known = self.transpositions.find(key).map_or(bounds, |known| known.and(bounds));
        match decided(known, target) {
            Some(score) => Err(score),
            None => Ok(Probed::Open(OpenNode { images, key, known, moves })),
        }
    }

    /// Stores what was proved since the search had visited `before` nodes.
    pub(crate) fn remember(&self, key: BoundsKey, known: Bounds, before: u64) {
        if self.uses(Technique::Memory) {
            self.transpositions.insert(key, known, self.nodes - before);
        }
    }

    /// Returns whether the search ends here, because of its limit or the caller.
    pub(crate) fn is_over(&mut self) -> bool {
        self.nodes >= self.max_nodes || self.nodes >= self.next_stop && self.poll_stop()
    }

    fn uses(&self, technique: Technique) -> bool {
        self.geometry.tuning.uses(technique)
    }

    /// Returns whether mirroring the opponent's moves avoids a loss.
    fn mirroring_draws(&self) -> bool {
        let marks = self.rules.marks();
        marks.are_chosen() || (marks.name_players() && self.rules.goal() == Goal::Avoid)
    }
}

/// What a test has to search.
#[expect(clippy::large_enum_variant, reason = "short-lived on the stack, where a box would cost more")]
enum Probed<'solver> {
    /// The moves of a position.
    Open(OpenNode),
    /// A sum of parts.
    Sum(&'solver SafeGrid, SafeSum),
}

/// A position whose moves must be searched.
struct OpenNode {
    images: PositionImages,
    key: BoundsKey,
    known: Bounds,
    moves: RankedMoves,
}

/// Returns the bounds that a test with `target` and the result `score` proves.
pub(crate) fn proved_bounds(score: Score, target: Score) -> Bounds {
    if score >= target {
        Bounds { worst: score, best: Score::BEST }
    } else {
        Bounds { worst: Score::WORST, best: score }
    }
}

/// Returns the bound that decides a test with `target`, if there is one.
pub(crate) fn decided(known: Bounds, target: Score) -> Option<Score> {
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
    use crate::bit_position::squares_of;
    use crate::one_board::score_table::ScoreTable;
    use tictac::Grid;

    /// A linear congruential generator with a fixed seed.
    struct TestRng(u64);

    impl TestRng {
        fn below(&mut self, n: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as u32 % n
        }
    }

    fn variants(rows: usize, columns: usize, k: usize) -> impl Iterator<Item = Rules> {
        Rules::new(Grid::new(rows, columns).unwrap(), k).unwrap().variants()
    }

    /// Compares the search with a table of all positions.
    fn check(
        rules: Rules,
        geometry: &Geometry,
        table: &ScoreTable,
        memory: &Transpositions,
        position: BitPosition,
    ) {
        let never = || false;
        for aim in [SearchAim::Value, SearchAim::Score] {
            let meter = Meter::default();
            let mut search = BoundSearch::new(rules, geometry, memory, u64::MAX, &never, &meter);
            let safe_grid = SafeGrid::new(rules, geometry);
            if aim == SearchAim::Value {
                search.safe_grid = safe_grid.as_ref();
            }
            let known = search.narrow(position, aim);
            assert!(aim.is_met(known));
            let score = table.score(position);
            assert!(
                known.worst <= score && score <= known.best,
                "{rules:?} {position:?} {known:?} {score:?}"
            );
        }
    }

    fn has_ended(rules: Rules, geometry: &Geometry, position: BitPosition) -> bool {
        position.sets.iter().any(|&set| geometry.has_line(set))
            || position.occupied() == rules.squares().bits()
    }

    /// Plays random games and compares the results at each ply after the first few, where a search is quick.
    fn check_games(rules: Rules, geometry: &Geometry, table: &ScoreTable) {
        let memory = Transpositions::new(1 << 24, 1);
        let mut rng = TestRng(1);
        for _ in 0..15 {
            let mut position = BitPosition::EMPTY;
            while !has_ended(rules, geometry, position) {
                if position.ply() >= 5 {
                    check(rules, geometry, table, &memory, position);
                }
                let empty = rules.squares().bits() & !position.occupied();
                let square = squares_of(empty).nth(rng.below(empty.count_ones()) as usize).expect("not full");
                let set = if rules.marks().are_chosen() { rng.below(2) as usize } else { 0 };
                let images = PositionImages::new(geometry, position);
                position = images.after(geometry, rules.marks(), BitMove { square, set }).position();
            }
        }
    }

    /// Compares the results in random positions in which the marks of one player mirror those of the other.
    fn check_mirrored(rules: Rules, geometry: &Geometry, table: &ScoreTable) {
        let memory = Transpositions::new(1 << 24, 1);
        let mut rng = TestRng(2);
        for i in 0..100 {
            let mirror = geometry.mirrors[i % geometry.mirrors.len()];
            let mut sets = [0_u64; 2];
            for _ in 0..rng.below(6) + 2 {
                let square = rng.below(rules.grid().len() as u32);
                let image = geometry.images(square)[mirror.symmetry];
                if (sets[0] | sets[1] | mirror.fixed) >> square & 1 == 0 {
                    sets[0] |= 1 << square;
                    sets[1] |= image;
                }
            }
            let position = BitPosition { sets };
            if rules.only_mark().is_none() && !has_ended(rules, geometry, position) {
                check(rules, geometry, table, &memory, position);
            }
        }
    }

    #[test]
    fn search_and_table_agree_along_random_games_and_on_mirrored_positions() {
        // The table of a grid takes most of the time, so both comparisons share it.
        for (rows, columns, k) in [
            (3, 3, 3),
            (4, 4, 4),
            (4, 4, 3),
            (2, 7, 3),
            (2, 7, 4),
            (3, 5, 3),
            (5, 3, 4),
            (1, 13, 3),
            (4, 3, 2),
        ] {
            for rules in variants(rows, columns, k) {
                let geometry = Geometry::new(rules);
                let table = ScoreTable::from_root(rules, &geometry, BitPosition::EMPTY, &|| false).unwrap();
                check_games(rules, &geometry, &table);
                check_mirrored(rules, &geometry, &table);
            }
        }
    }
}
