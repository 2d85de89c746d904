//! The game as two hypergraphs, one for the open lines of each player.

use super::hypergraph;
use super::prover::LineQuestion;
use super::prover_grid::ProverGrid;
use crate::solve::proof_table::ProofKey;

/// The edges of both players for all positions on the current path of a search.
///
/// An edge is the set of empty squares of a line that its owner can still complete.
pub(super) struct EdgeStacks<'a> {
    pub(super) grid: &'a ProverGrid,
    attack: Vec<u64>,
    defence: Vec<u64>,
}

/// A position on the path: its marks, and the start of its edges in both stacks.
#[derive(Clone, Copy)]
pub(super) struct EdgeNode {
    pub(super) attacker: u64,
    defender: u64,
    attack: usize,
    defence: usize,
}

impl<'a> EdgeStacks<'a> {
    pub(super) fn new(grid: &'a ProverGrid) -> Self {
        Self { grid, attack: Vec::new(), defence: Vec::new() }
    }

    /// Starts a path at the position of a question; if a player already has a line, returns whether that is the attacker.
    pub(super) fn set_up(&mut self, question: LineQuestion) -> Result<EdgeNode, bool> {
        let LineQuestion { attacker, defender, .. } = question;
        self.attack = hypergraph::edges(self.grid, attacker, defender);
        self.defence = hypergraph::edges(self.grid, defender, attacker);
        if self.attack.contains(&0) || self.defence.contains(&0) {
            return Err(self.attack.contains(&0));
        }
        Ok(EdgeNode { attacker, defender, attack: 0, defence: 0 })
    }

    /// Returns the attacker's edges in the latest position, which must be `node`.
    pub(super) fn attack(&self, node: EdgeNode) -> &[u64] {
        &self.attack[node.attack..]
    }

    /// Returns the defender's edges in the latest position, which must be `node`.
    pub(super) fn defence(&self, node: EdgeNode) -> &[u64] {
        &self.defence[node.defence..]
    }

    /// Adds the position after the attacker takes `square`.
    pub(super) fn after_attacker(&mut self, node: EdgeNode, square: u64) -> EdgeNode {
        EdgeNode {
            attacker: node.attacker | square,
            defender: node.defender,
            attack: hypergraph::push_after_maker(&mut self.attack, node.attack, square),
            defence: hypergraph::push_after_breaker(&mut self.defence, node.defence, square),
        }
    }

    /// Adds the position after the defender takes `square`.
    pub(super) fn after_defender(&mut self, node: EdgeNode, square: u64) -> EdgeNode {
        EdgeNode {
            attacker: node.attacker,
            defender: node.defender | square,
            attack: hypergraph::push_after_breaker(&mut self.attack, node.attack, square),
            defence: hypergraph::push_after_maker(&mut self.defence, node.defence, square),
        }
    }

    /// Removes `node`, the latest position.
    pub(super) fn take_back(&mut self, node: EdgeNode) {
        self.attack.truncate(node.attack);
        self.defence.truncate(node.defence);
    }

    /// Returns the key of a position, and the index of the symmetry that produces it.
    ///
    /// Squares and marks on no open line are left out. Neither player benefits from them, and because an extra mark never
    /// hurts its owner, neither player is ever forced to weaken their position.
    pub(super) fn canonical(&self, node: EdgeNode) -> (ProofKey, usize) {
        let edges = self.attack(node).iter().chain(self.defence(node));
        let empty = edges.fold(0, |set, edge| set | edge);
        let attacker = empty | self.grid.useful_marks(node.attacker, empty);
        let defender = empty | self.grid.useful_marks(node.defender, empty);
        self.grid.canonical([attacker, defender])
    }
}

/// The short edges of a hypergraph.
pub(super) struct Threats {
    /// The squares that complete an edge immediately.
    pub(super) singles: u64,
    /// The squares shared by two or more edges of two squares: a move there is a double threat.
    pub(super) forks: u64,
}

impl Threats {
    pub(super) fn new(edges: &[u64]) -> Self {
        let (mut singles, mut pairs, mut forks) = (0, 0, 0);
        for &edge in edges {
            match edge.count_ones() {
                1 => singles |= edge,
                2 => {
                    forks |= pairs & edge;
                    pairs |= edge;
                }
                _ => (),
            }
        }
        Self { singles, forks }
    }
}

/// Returns the squares of all edges of two squares: a move there threatens to complete one.
pub(super) fn threatening(edges: &[u64]) -> u64 {
    edges.iter().filter(|edge| edge.count_ones() == 2).fold(0, |all, edge| all | edge)
}

/// Returns the union of the two-square edges that contain `fork`, and their number.
pub(super) fn star(edges: &[u64], fork: u64) -> (u64, u32) {
    let rays = edges.iter().filter(|&&edge| edge & fork != 0 && edge.count_ones() == 2);
    rays.fold((0, 0), |(all, count), ray| (all | ray, count + 1))
}
