//! The tree of tests that tells classes of sums apart.

use crate::solve::quotient::sums::Sum;

/// The number of a class of equivalent sums; class 0 is that of the empty sum.
pub(crate) type Class = usize;

/// The place of a node in the tree.
pub(crate) type NodeId = usize;

/// What a sum meets on its way down.
#[derive(Debug)]
pub(crate) enum Node {
    /// Is sum + test a loss? The way goes on at one of the two nodes.
    Ask { test: Sum, if_win: NodeId, if_loss: NodeId },
    /// All sums that arrive here are held to be of this class.
    Leaf(Class),
}

/// A binary tree of tests with the classes as its leaves.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    parents: Vec<NodeId>,
    /// The leaf of every class.
    leaves: Vec<NodeId>,
}

impl Tree {
    /// The node where all ways begin.
    pub(crate) const ROOT: NodeId = 0;

    /// Returns the tree that only asks for the outcome: class 0 wins, class 1 loses.
    pub(crate) fn new() -> Tree {
        let root = Node::Ask { test: Sum::new(), if_win: 1, if_loss: 2 };
        Tree {
            nodes: vec![root, Node::Leaf(0), Node::Leaf(1)],
            parents: vec![Tree::ROOT; 3],
            leaves: vec![1, 2],
        }
    }

    pub(crate) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node]
    }

    pub(crate) fn leaf(&self, class: Class) -> NodeId {
        self.leaves[class]
    }

    /// Turns the leaf of class `old` into a test that sends the class `new` another way: to loss, if
    /// `new_loses`.
    pub(crate) fn split(&mut self, old: Class, new: Class, test: Sum, new_loses: bool) {
        let parent = self.leaf(old);
        let first = self.nodes.len();
        let (if_win, if_loss) = if new_loses { (first, first + 1) } else { (first + 1, first) };
        self.nodes[parent] = Node::Ask { test, if_win, if_loss };
        self.nodes.extend([Node::Leaf(old), Node::Leaf(new)]);
        self.parents.extend([parent, parent]);
        self.leaves[old] = first;
        debug_assert_eq!(self.leaves.len(), new);
        self.leaves.push(first + 1);
    }

    /// Returns a test that gives two different classes different outcomes: the one where their ways part.
    pub(crate) fn separating_test(&self, one: Class, other: Class) -> &Sum {
        let ancestors = self.ancestors(self.leaf(one));
        let parting = self.ancestors(self.leaf(other)).into_iter().find(|node| ancestors.contains(node));
        match parting.map(|node| &self.nodes[node]) {
            Some(Node::Ask { test, .. }) => test,
            _ => unreachable!("all ways begin at the root and part at a test"),
        }
    }

    /// Returns the nodes above `node`, the root last.
    fn ancestors(&self, mut node: NodeId) -> Vec<NodeId> {
        let mut ancestors = Vec::new();
        while node != Tree::ROOT {
            node = self.parents[node];
            ancestors.push(node);
        }
        ancestors
    }
}
