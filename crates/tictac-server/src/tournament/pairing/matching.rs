//! Perfect matchings in a graph, by Edmonds' blossom algorithm.

use std::collections::VecDeque;

/// The players who may meet: an edge for every allowed pair.
#[derive(Clone, Debug)]
pub(super) struct MeetingGraph {
    n: usize,
    edges: Vec<bool>,
}

impl MeetingGraph {
    pub(super) fn new(n: usize, may_meet: impl Fn(usize, usize) -> bool) -> MeetingGraph {
        let edges = (0..n * n).map(|at| at / n != at % n && may_meet(at / n, at % n)).collect();
        MeetingGraph { n, edges }
    }

    pub(super) fn may_meet(&self, one: usize, other: usize) -> bool {
        self.edges[one * self.n + other]
    }
}

/// A matching of those vertices of a graph that are not taken out.
#[derive(Clone, Debug)]
pub(super) struct MeetingPlan<'a> {
    graph: &'a MeetingGraph,
    is_left: Vec<bool>,
    mate: Vec<Option<usize>>,
}

impl<'a> MeetingPlan<'a> {
    /// Returns a perfect matching of the vertices of `is_left`, or `None` if there is none.
    pub(super) fn new(graph: &'a MeetingGraph, is_left: Vec<bool>) -> Option<MeetingPlan<'a>> {
        let mut plan = MeetingPlan { graph, mate: vec![None; graph.n], is_left };
        for vertex in 0..graph.n {
            let free = |other: &usize| plan.is_edge(vertex, *other) && plan.mate[*other].is_none();
            if plan.is_left[vertex]
                && plan.mate[vertex].is_none()
                && let Some(other) = (0..graph.n).find(free)
            {
                plan.mate[vertex] = Some(other);
                plan.mate[other] = Some(vertex);
            }
        }
        let is_perfect = (0..graph.n).all(|root| !plan.is_exposed(root) || plan.augment(root));
        is_perfect.then_some(plan)
    }

    /// Takes a pair out, if it is allowed and all others can still be paired.
    pub(super) fn take(&mut self, one: usize, other: usize) -> bool {
        if !self.is_edge(one, other) {
            return false;
        }
        let mates = [self.mate[one].take(), self.mate[other].take()];
        self.is_left[one] = false;
        self.is_left[other] = false;
        if mates[0] == Some(other) {
            return true;
        }
        let [Some(first), Some(second)] = mates else { return true };
        self.mate[first] = None;
        self.mate[second] = None;
        if self.augment(first) {
            return true;
        }
        for (vertex, mate) in [(one, first), (other, second)] {
            self.is_left[vertex] = true;
            self.mate[vertex] = Some(mate);
            self.mate[mate] = Some(vertex);
        }
        false
    }

    fn is_edge(&self, one: usize, other: usize) -> bool {
        self.is_left[one] && self.is_left[other] && self.graph.may_meet(one, other)
    }

    fn is_exposed(&self, vertex: usize) -> bool {
        self.is_left[vertex] && self.mate[vertex].is_none()
    }

    /// Enlarges the matching by a path from `root` to another vertex without a mate; returns false if there is none.
    fn augment(&mut self, root: usize) -> bool {
        let mut search = PathSearch::new(self, root);
        let Some(end) = search.run() else { return false };
        let parent = search.parent;
        let mut at = Some(end);
        while let Some(vertex) = at {
            let previous = parent[vertex].expect("every vertex of the path but the root has a parent");
            at = self.mate[previous];
            self.mate[vertex] = Some(previous);
            self.mate[previous] = Some(vertex);
        }
        true
    }
}

/// A search for an augmenting path, in which odd cycles are contracted to their bases.
struct PathSearch<'a> {
    plan: &'a MeetingPlan<'a>,
    root: usize,
    parent: Vec<Option<usize>>,
    base: Vec<usize>,
    is_reached: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> PathSearch<'a> {
    fn new(plan: &'a MeetingPlan<'a>, root: usize) -> PathSearch<'a> {
        let n = plan.graph.n;
        let mut is_reached = vec![false; n];
        is_reached[root] = true;
        let queue = VecDeque::from([root]);
        PathSearch { plan, root, parent: vec![None; n], base: (0..n).collect(), is_reached, queue }
    }

    /// Returns the end of a path.
    fn run(&mut self) -> Option<usize> {
        while let Some(vertex) = self.queue.pop_front() {
            for to in 0..self.plan.graph.n {
                let mate = self.plan.mate[to];
                let is_same = self.base[vertex] == self.base[to] || self.plan.mate[vertex] == Some(to);
                if is_same || !self.plan.is_edge(vertex, to) {
                    continue;
                }
                if to == self.root || mate.is_some_and(|mate| self.parent[mate].is_some()) {
                    self.contract(vertex, to);
                } else if self.parent[to].is_none() {
                    self.parent[to] = Some(vertex);
                    let Some(mate) = mate else { return Some(to) };
                    self.is_reached[mate] = true;
                    self.queue.push_back(mate);
                }
            }
        }
        None
    }

    /// Contracts the odd cycle that an edge closes.
    fn contract(&mut self, one: usize, other: usize) {
        let base = self.common_base(one, other);
        let mut is_in_cycle = vec![false; self.base.len()];
        self.mark_path(one, base, other, &mut is_in_cycle);
        self.mark_path(other, base, one, &mut is_in_cycle);
        for vertex in 0..self.base.len() {
            if is_in_cycle[self.base[vertex]] {
                self.base[vertex] = base;
                if !self.is_reached[vertex] {
                    self.is_reached[vertex] = true;
                    self.queue.push_back(vertex);
                }
            }
        }
    }

    fn common_base(&self, one: usize, other: usize) -> usize {
        let mut is_on_path = vec![false; self.base.len()];
        let mut at = self.base[one];
        loop {
            is_on_path[at] = true;
            match self.plan.mate[at].and_then(|mate| self.parent[mate]) {
                Some(parent) => at = self.base[parent],
                None => break,
            }
        }
        let mut at = self.base[other];
        while !is_on_path[at] {
            let parent = self.plan.mate[at].and_then(|mate| self.parent[mate]);
            at = self.base[parent.expect("both paths end at the root")];
        }
        at
    }

    fn mark_path(&mut self, from: usize, base: usize, child: usize, is_in_cycle: &mut [bool]) {
        let (mut at, mut child) = (from, child);
        while self.base[at] != base {
            let mate = self.plan.mate[at].expect("an inner vertex of a path has a mate");
            is_in_cycle[self.base[at]] = true;
            is_in_cycle[self.base[mate]] = true;
            self.parent[at] = Some(child);
            child = mate;
            at = self.parent[mate].expect("the mate was reached from its parent");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::pairing::dice::Dice;

    /// Returns whether the vertices can be paired, by trying everything.
    fn can_pair(graph: &MeetingGraph, left: &[usize]) -> bool {
        let [one, rest @ ..] = left else { return true };
        rest.iter().any(|other| {
            let others: Vec<usize> = rest.iter().copied().filter(|vertex| vertex != other).collect();
            graph.may_meet(*one, *other) && can_pair(graph, &others)
        })
    }

    #[test]
    fn a_matching_is_found_exactly_if_there_is_one() {
        let mut dice = Dice(7);
        let mut random = || dice.below(usize::MAX);
        let mut n_found = 0;
        for round in 0..3_000 {
            let n = 2 + 2 * (round % 5);
            let density = 1 + random() % 9;
            let mut allowed = vec![false; n * n];
            for at in 0..n * n {
                let (one, other) = (at / n, at % n);
                allowed[at] = if one < other { random() % 10 < density } else { allowed[other * n + one] };
            }
            for at in 0..n * n {
                allowed[at] = allowed[(at % n).min(at / n) * n + (at % n).max(at / n)];
            }
            let graph = MeetingGraph::new(n, |one, other| allowed[one * n + other]);
            let mut left: Vec<usize> = (0..n).collect();
            let plan = MeetingPlan::new(&graph, vec![true; n]);
            assert_eq!(plan.is_some(), can_pair(&graph, &left), "{graph:?}");
            let Some(mut plan) = plan else { continue };
            n_found += 1;
            // Pairs are taken out exactly if the rest can still be paired.
            while left.len() > 1 {
                let (one, other) = (left[random() % left.len()], left[random() % left.len()]);
                let rest: Vec<usize> = left.iter().copied().filter(|v| *v != one && *v != other).collect();
                let is_possible = graph.may_meet(one, other) && can_pair(&graph, &rest);
                assert_eq!(plan.take(one, other), is_possible, "{graph:?} {left:?} {one} {other}");
                if is_possible {
                    left = rest;
                }
            }
        }
        assert!((500..2_900).contains(&n_found), "{n_found} of 3000 graphs");
    }
}
