//! The game as two hypergraphs, one for the open lines of each player.

use crate::plain::coverage::Coverage;
use crate::plain::hypergraph::Hypergraph;
use crate::plain::line_tables::LineTables;
use crate::plain::prover::LineQuestion;
use crate::plain::prover_grid::ProverGrid;
use crate::tables::proof_table::ProofKey;
use crate::tuning::Technique;

/// The lines of a grid with its symmetries.
#[derive(Clone, Copy)]
pub(crate) struct LineGrid<'a, const N: usize> {
    pub(crate) grid: &'a ProverGrid,
    pub(crate) tables: &'a LineTables<N>,
}

/// A position in which the lines of both players count.
#[derive(Clone, Copy)]
pub(crate) struct EdgeNode<const N: usize> {
    /// The attacker's edges.
    pub(crate) attack: Hypergraph<N>,
    /// The defender's edges.
    pub(crate) defence: Hypergraph<N>,
}

impl<const N: usize> LineGrid<'_, N> {
    /// Returns whether the search uses a technique.
    pub(crate) fn uses(&self, technique: Technique) -> bool {
        self.grid.geometry.tuning.uses(technique)
    }

    /// Returns the position of a question; if a player already has a line, returns whether that is the attacker.
    pub(crate) fn node(&self, question: LineQuestion) -> Result<EdgeNode<N>, bool> {
        let LineQuestion { attacker, defender, .. } = question;
        let attack = Hypergraph::new(self.tables, attacker, defender).ok_or(true)?;
        let defence = Hypergraph::new(self.tables, defender, attacker).ok_or(false)?;
        Ok(EdgeNode { attack, defence })
    }

    /// Returns the position after the attacker takes `square`.
    #[inline]
    pub(crate) fn after_attacker(&self, node: &EdgeNode<N>, square: usize) -> EdgeNode<N> {
        EdgeNode {
            attack: node.attack.after_maker(self.tables, square),
            defence: node.defence.after_breaker(self.tables, square),
        }
    }

    /// Returns the position after the defender takes `square`.
    #[inline]
    pub(crate) fn after_defender(&self, node: &EdgeNode<N>, square: usize) -> EdgeNode<N> {
        EdgeNode {
            attack: node.attack.after_breaker(self.tables, square),
            defence: node.defence.after_maker(self.tables, square),
        }
    }

    /// Returns the empty squares on open lines of either player.
    pub(crate) fn empty_squares(&self, node: &EdgeNode<N>) -> u64 {
        node.attack.empty_squares(self.tables) | node.defence.empty_squares(self.tables)
    }

    /// Returns the squares that no other square dominates.
    pub(crate) fn undominated(&self, node: &EdgeNode<N>) -> u64 {
        if !self.uses(Technique::Domination) {
            return self.empty_squares(node);
        }
        // A line that both players can complete has no marks, so its edge is the same for both.
        let lines = node.attack.lines().or(node.defence.lines());
        Coverage::new(self.tables, lines, node.attack.maker | node.defence.maker).undominated(self.tables)
    }

    /// Returns the key of a position, and the index of the symmetry that produces it.
    ///
    /// Squares and marks on no open line are left out. Neither player benefits from them, and because an extra mark never
    /// hurts its owner, neither player is ever forced to weaken their position.
    pub(crate) fn canonical(&self, node: &EdgeNode<N>) -> (ProofKey, usize) {
        let [attack, defence] = [&node.attack, &node.defence].map(|graph| graph.squares(self.tables));
        let empty = attack & !node.attack.maker | defence & !node.defence.maker;
        self.grid.canonical([empty | attack, empty | defence])
    }
}
