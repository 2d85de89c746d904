//! A search that asks the rules for everything: for boards on which marks drop, edges are joined, squares are missing, or lines
//! are not ordinary.
//!
//! The other methods use facts that hold on ordinary boards only: that any empty square may be played, that more marks never
//! remove a line, that a player who mirrors the opponent does not lose, that an additional mark is never a disadvantage
//! (strategy stealing), and that a pair of empty squares can be shared (pairing). None of them is used here.

use crate::bit_position::{BitPosition, squares_of};
use crate::geometry::Geometry;
use crate::meter::Meter;
use crate::one_board::search::{STOP_INTERVAL, SearchAim, decided, proved_bounds};
use crate::one_board::transposition::{Bounds, BoundsKey, Transpositions};
use crate::score::Score;
use tictac::{Goal, Rules, SquareSet};

/// A search of one set of rules, with the positions that it remembers.
pub(crate) struct RulesSearch<'solver> {
    pub(crate) rules: Rules,
    pub(crate) geometry: &'solver Geometry,
    pub(crate) transpositions: &'solver Transpositions,
    pub(crate) stop: &'solver dyn Fn() -> bool,
    pub(crate) meter: &'solver Meter,
    /// The number of positions visited so far.
    pub(crate) nodes: u64,
}

impl RulesSearch<'_> {
    /// Narrows the bounds of a position that is not finished until the aim is met or the search is stopped.
    pub(crate) fn narrow(&mut self, position: BitPosition, aim: SearchAim) -> Bounds {
        let mut known = Bounds::UNKNOWN;
        while !aim.is_met(known) {
            let target = aim.next_target(self.rules, known);
            let Some(score) = self.test(position, target) else { break };
            known = known.and(proved_bounds(score, target));
            if aim == SearchAim::Value {
                self.meter.narrow(known.worst.value(), known.best.value());
            }
        }
        known
    }

    /// Returns a lower bound of the score if it is at least `target`, and otherwise an upper bound below `target`; `None` if
    /// the search was stopped.
    fn test(&mut self, position: BitPosition, target: Score) -> Option<Score> {
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes.is_multiple_of(STOP_INTERVAL) {
            let (used, capacity) = self.transpositions.fill();
            self.meter.report(STOP_INTERVAL, used, capacity);
            if (self.stop)() {
                return None;
            }
        }
        // No one can win earlier than with the next mark, or where lines lose, with the one after it.
        let n_marks = position.ply() + if self.rules.goal() == Goal::Complete { 1 } else { 2 };
        let soonest = Bounds { best: Score::win_at(n_marks.min(66)), ..Bounds::UNKNOWN };
        let key = self.key(position);
        let known = self.transpositions.find(key).map_or(soonest, |known| known.and(soonest));
        if let Some(score) = decided(known, target) {
            return Some(score);
        }
        let score = self.best_reply(position, target)?;
        let known = known.and(proved_bounds(score, target));
        self.transpositions.insert(key, known, self.nodes - before);
        Some(if score >= target { known.worst } else { known.best })
    }

    /// Returns the best score of a move, or the score of the first move that reaches `target`: moves that end the game first.
    fn best_reply(&mut self, position: BitPosition, target: Score) -> Option<Score> {
        let mut score = Score::WORST;
        let mut open = Vec::with_capacity(16);
        for (square, child) in self.children(position) {
            match self.finished_score(child) {
                Some(end) => score = score.max(end.for_other()),
                None => open.push((square, child)),
            }
        }
        open.sort_by_key(|&(square, _)| std::cmp::Reverse(self.geometry.through(square).len()));
        for (_, child) in open {
            if score >= target {
                break;
            }
            score = score.max(self.test(child, Score(1 - target.0))?.for_other());
        }
        Some(score)
    }

    /// Returns the positions after each legal move, with its square.
    fn children(&self, position: BitPosition) -> impl Iterator<Item = (u32, BitPosition)> + use<> {
        let playable = self.rules.playable_squares(SquareSet::from_bits(position.occupied()));
        let marks = self.rules.marks();
        squares_of(playable.bits()).flat_map(move |square| {
            (0..marks.n_choices()).map(move |set| {
                let mut sets = position.sets;
                sets[set] |= 1 << square;
                if marks.name_players() {
                    sets.swap(0, 1);
                }
                (square, BitPosition { sets })
            })
        })
    }

    /// Returns the score of a position if it is finished.
    fn finished_score(&self, position: BitPosition) -> Option<Score> {
        finished_score(&self.rules, position)
    }

    /// Returns a key that is the same for positions that differ only by a symmetry.
    fn key(&self, position: BitPosition) -> BoundsKey {
        let [first, second] = position.sets.map(|set| self.geometry.images_of(set));
        let sets = first.into_iter().zip(second).map(|(first, second)| [first, second]).min();
        BoundsKey { sets: sets.unwrap_or(position.sets), ply: position.ply() }
    }
}

/// Returns the score of a position if it is finished, by the lines of the rules.
pub(crate) fn finished_score(rules: &Rules, position: BitPosition) -> Option<Score> {
    let has_line = position.sets.iter().any(|&set| rules.lines().any_in(SquareSet::from_bits(set)));
    match rules.goal() {
        Goal::Complete if has_line => Some(Score::loss_at(position.ply())),
        Goal::Avoid if has_line => Some(Score::win_at(position.ply())),
        _ if position.occupied() == rules.squares().bits() => Some(Score::DRAW),
        _ => None,
    }
}
