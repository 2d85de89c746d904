//! The tree of tests that distinguishes classes of sums.

use crate::several_boards::quotient::sums::Sum;

/// The number of a class of equivalent sums; class 0 is that of the empty sum.
pub(crate) type Class = usize;

/// The index of a node in the tree.
pub(crate) type NodeId = usize;

/// A node of the tree.
#[derive(Debug)]
pub(crate) enum TreeNode {
    /// A test: is sum + test a loss?
    Test { test: Sum, if_win: NodeId, if_loss: NodeId },
    /// All sums that reach this leaf are assumed to belong to this class.
    Leaf(Class),
}

/// A binary tree of tests whose leaves are the classes.
#[derive(Debug)]
pub(crate) struct TestTree {
    pub(crate) nodes: Vec<TreeNode>,
    parents: Vec<NodeId>,
    /// The leaf of every class.
    leaves: Vec<NodeId>,
}

impl TestTree {
    /// The root of the tree.
    pub(crate) const ROOT: NodeId = 0;

    /// Returns a tree that tests only the outcome: class 0 wins, class 1 loses.
    pub(crate) fn new() -> TestTree {
        let root = TreeNode::Test { test: Sum::new(), if_win: 1, if_loss: 2 };
        TestTree {
            nodes: vec![root, TreeNode::Leaf(0), TreeNode::Leaf(1)],
            parents: vec![TestTree::ROOT; 3],
            leaves: vec![1, 2],
        }
    }

    /// Replaces the leaf of class `old` by a test that separates the class `new` from it; `losing` is the one of the two
    /// that loses with the test added.
    pub(crate) fn split(&mut self, old: Class, new: Class, test: Sum, losing: Class) {
        let parent = self.leaves[old];
        let first = self.nodes.len();
        let (if_win, if_loss) = if losing == new { (first, first + 1) } else { (first + 1, first) };
        self.nodes[parent] = TreeNode::Test { test, if_win, if_loss };
        self.nodes.extend([TreeNode::Leaf(old), TreeNode::Leaf(new)]);
        self.parents.extend([parent, parent]);
        self.leaves[old] = first;
        debug_assert_eq!(self.leaves.len(), new);
        self.leaves.push(first + 1);
    }

    /// Returns a test that gives two different classes different outcomes: the lowest common ancestor of their leaves.
    pub(crate) fn separating_test(&self, one: Class, other: Class) -> &Sum {
        let ancestors = self.ancestors(self.leaves[one]);
        let common = self.ancestors(self.leaves[other]).into_iter().find(|node| ancestors.contains(node));
        match common.map(|node| &self.nodes[node]) {
            Some(TreeNode::Test { test, .. }) => test,
            _ => unreachable!("two leaves have a common ancestor, which is a test"),
        }
    }

    /// Returns the nodes above `node`, the root last.
    fn ancestors(&self, mut node: NodeId) -> Vec<NodeId> {
        let mut ancestors = Vec::new();
        while node != TestTree::ROOT {
            node = self.parents[node];
            ancestors.push(node);
        }
        ancestors
    }
}
