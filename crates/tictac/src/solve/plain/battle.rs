//! The real game as two hypergraphs, one for the lines of each player.

use super::field::Field;
use super::hypergraph;
use super::question::Contest;
use super::table::Key;

/// The edges of both players for all positions on the path of a search.
///
/// An edge is the set of empty squares of a line that its owner can still complete.
pub(super) struct Battle<'a> {
    pub(super) field: &'a Field,
    attack: Vec<u64>,
    defence: Vec<u64>,
}

/// A position on the path: its marks, and where its edges start in both stacks.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) attacker: u64,
    defender: u64,
    attack: usize,
    defence: usize,
}

impl<'a> Battle<'a> {
    pub(super) fn new(field: &'a Field) -> Self {
        Self { field, attack: Vec::new(), defence: Vec::new() }
    }

    /// Starts with the position of a contest; a winner, if there is one already, is the error.
    pub(super) fn set_up(&mut self, contest: Contest) -> Result<Node, bool> {
        let Contest { attacker, defender, .. } = contest;
        self.attack = hypergraph::edges(self.field, attacker, defender);
        self.defence = hypergraph::edges(self.field, defender, attacker);
        if self.attack.contains(&0) || self.defence.contains(&0) {
            return Err(self.attack.contains(&0));
        }
        Ok(Node { attacker, defender, attack: 0, defence: 0 })
    }

    /// The attacker's edges in the latest position, which must be `node`.
    pub(super) fn attack(&self, node: Node) -> &[u64] {
        &self.attack[node.attack..]
    }

    /// The defender's edges in the latest position, which must be `node`.
    pub(super) fn defence(&self, node: Node) -> &[u64] {
        &self.defence[node.defence..]
    }

    /// Goes on to the position after the attacker takes `square`.
    pub(super) fn after_attacker(&mut self, node: Node, square: u64) -> Node {
        Node {
            attacker: node.attacker | square,
            defender: node.defender,
            attack: hypergraph::push_after_maker(&mut self.attack, node.attack, square),
            defence: hypergraph::push_after_breaker(&mut self.defence, node.defence, square),
        }
    }

    /// Goes on to the position after the defender takes `square`.
    pub(super) fn after_defender(&mut self, node: Node, square: u64) -> Node {
        Node {
            attacker: node.attacker,
            defender: node.defender | square,
            attack: hypergraph::push_after_breaker(&mut self.attack, node.attack, square),
            defence: hypergraph::push_after_maker(&mut self.defence, node.defence, square),
        }
    }

    /// Goes back from `node` to the position before it.
    pub(super) fn take_back(&mut self, node: Node) {
        self.attack.truncate(node.attack);
        self.defence.truncate(node.defence);
    }

    /// Returns the key of a position, and the index of the symmetry that leads to it.
    ///
    /// Squares and marks on no open line are left out: neither player profits from them, and
    /// since a mark of one's own never hurts, nobody is ever forced to spoil his position.
    pub(super) fn canonical(&self, node: Node) -> (Key, usize) {
        let edges = self.attack(node).iter().chain(self.defence(node));
        let empty = edges.fold(0, |set, edge| set | edge);
        let attacker = empty | self.field.useful_marks(node.attacker, empty);
        let defender = empty | self.field.useful_marks(node.defender, empty);
        self.field.canonical([attacker, defender])
    }
}

/// The short edges of a hypergraph.
pub(super) struct Threats {
    /// The squares that complete an edge at once.
    pub(super) singles: u64,
    /// The squares that two or more edges of two share: playing there makes a double threat.
    pub(super) forks: u64,
}

impl Threats {
    pub(super) fn of(edges: &[u64]) -> Self {
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

/// Returns the squares of all edges of two: playing there threatens to complete one.
pub(super) fn threatening(edges: &[u64]) -> u64 {
    edges.iter().filter(|edge| edge.count_ones() == 2).fold(0, |all, edge| all | edge)
}

/// Returns all squares of the edges of two that contain `fork`, and how many edges these are.
pub(super) fn star(edges: &[u64], fork: u64) -> (u64, u32) {
    let rays = edges.iter().filter(|&&edge| edge & fork != 0 && edge.count_ones() == 2);
    rays.fold((0, 0), |(all, count), ray| (all | ray, count + 1))
}
