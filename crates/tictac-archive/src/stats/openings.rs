//! The first moves of all games, as a tree.

use std::collections::BTreeMap;

use tictac::{Move, Outcome, Rules};

use super::representative::{GameSymmetry, Symmetries};
use super::results::Results;

/// The largest number of openings in a tree.
const MAX_OPENINGS: usize = 200_000;

/// The first moves of all games of one set of rules, as a tree. Games that O opened are counted with X and O exchanged.
#[derive(Clone, Debug)]
pub struct Openings {
    rules: Rules,
    symmetries: Symmetries,
    depth: usize,
    // The first node is the root, the empty board.
    nodes: Vec<OpeningNode>,
    /// The number of games whose opening was cut short because the tree was full.
    pub n_cut: u64,
}

#[derive(Clone, Debug, Default)]
struct OpeningNode {
    results: Results,
    replies: BTreeMap<Move, usize>,
}

/// Some first moves, and the results of the games that start with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The first moves.
    pub moves: Vec<Move>,
    /// The results of the games.
    pub results: Results,
    /// The continuations, the most frequent first.
    pub replies: Vec<Opening>,
}

impl Openings {
    pub(super) fn new(rules: &Rules, symmetries: Symmetries, depth: usize) -> Openings {
        Openings { rules: *rules, symmetries, depth, nodes: vec![OpeningNode::default()], n_cut: 0 }
    }

    /// Returns the openings of at least `min_games` games each; the root is the empty board.
    pub fn tree(&self, min_games: u64) -> Opening {
        self.opening(0, &mut Vec::new(), min_games)
    }

    fn opening(&self, at: usize, moves: &mut Vec<Move>, min_games: u64) -> Opening {
        let node = &self.nodes[at];
        let mut replies: Vec<Opening> = Vec::new();
        for (&mv, &reply) in &node.replies {
            if self.nodes[reply].results.games() >= min_games {
                moves.push(mv);
                replies.push(self.opening(reply, moves, min_games));
                moves.pop();
            }
        }
        // The sort is stable, so equally frequent replies stay in the order of their squares.
        replies.sort_by_key(|opening| std::cmp::Reverse(opening.results.games()));
        Opening { moves: moves.clone(), results: node.results, replies }
    }

    pub(super) fn count(&mut self, moves: &[Move], outcome: Option<Outcome>, n_games: u64) {
        let mut symmetry = GameSymmetry::new(&self.rules, self.symmetries);
        let mut at = 0;
        self.nodes[at].results.count(outcome, n_games);
        for &mv in &moves[..moves.len().min(self.depth)] {
            let Some(reply) = self.reply(at, symmetry.next(mv)) else {
                self.n_cut += n_games;
                return;
            };
            at = reply;
            self.nodes[at].results.count(outcome, n_games);
        }
    }

    pub(super) fn add(&mut self, other: &Openings) {
        self.n_cut += other.n_cut;
        self.add_below(0, other, 0);
    }

    fn add_below(&mut self, at: usize, other: &Openings, there: usize) {
        let node = &other.nodes[there];
        self.nodes[at].results.add(&node.results);
        for (&mv, &reply) in &node.replies {
            match self.reply(at, mv) {
                Some(own) => self.add_below(own, other, reply),
                None => self.n_cut += other.nodes[reply].results.games(),
            }
        }
    }

    /// Returns the index of a reply, which is added unless the tree is full.
    fn reply(&mut self, at: usize, mv: Move) -> Option<usize> {
        let n_nodes = self.nodes.len();
        if n_nodes == MAX_OPENINGS {
            return self.nodes[at].replies.get(&mv).copied();
        }
        let reply = *self.nodes[at].replies.entry(mv).or_insert(n_nodes);
        if reply == n_nodes {
            self.nodes.push(OpeningNode::default());
        }
        Some(reply)
    }
}
