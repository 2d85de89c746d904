//! Depth-first search that proves bounds.

use super::geometry::Geometry;
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
    /// Where own lines win, quick wins are the easiest to find: ask for the quickest result left, win or loss, and go on
    /// to slower ones. Otherwise games end late: ask who wins first, and then go from the slowest result to quicker ones.
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
    ) -> Self {
        Self { rules, geometry, memory, nodes: 0, max_nodes, stop, next_stop: 0 }
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
