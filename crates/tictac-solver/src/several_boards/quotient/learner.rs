//! Learning a misère quotient from the outcomes of selected sums.
//!
//! Two sums are equivalent if no third sum, added to both, gives them different outcomes. The learner keeps one
//! representative of each class found so far and a tree of tests that distinguishes the classes, so every class is known to
//! differ from all others. The learner cannot detect that classes are missing. For that, the caller passes a sum that
//! contradicts the table, and a class is split in two. If the quotient is finite, this process ends.
//!
//! The method is Angluin's (learning an automaton from queries and counterexamples), with the tree of Kearns and Vazirani and
//! the treatment of counterexamples of Rivest and Schapire, for words whose letters commute. Few games become letters: a
//! game that no test distinguishes from a sum of letters is identified with that sum until a counterexample refutes it.

use crate::several_boards::quotient::NoQuotient;
use crate::several_boards::quotient::games::{DistinctGames, GameIndex, SINGLE_MOVE};
use crate::several_boards::quotient::sums::{Sum, SumOutcomes, replace, sum_of};
use crate::several_boards::quotient::table::{Element, Elements, MAX_ELEMENTS, QuotientTable};
use crate::several_boards::quotient::tree::{Class, NodeId, TestTree, TreeNode};

/// The classes found so far, and the effect of adding a letter to each.
pub(crate) struct Learner<'a> {
    games: &'a DistinctGames,
    sums: SumOutcomes<'a>,
    tree: TestTree,
    representatives: Vec<Sum>,
    letters: Vec<Letter>,
    /// The class of each living game as a sum of one game; [`SINGLE_MOVE`] is first.
    values: Vec<TreePosition>,
}

/// A game that is not known to be equivalent to a sum of other letters.
#[derive(Debug)]
struct Letter {
    game: GameIndex,
    /// The class of "representative + this game" for every class.
    steps: Vec<TreePosition>,
}

impl Letter {
    fn new(game: GameIndex, n_classes: usize) -> Letter {
        Letter { game, steps: vec![AT_ROOT; n_classes] }
    }
}

/// A node that a sum has reached in the tree. It is a leaf, with its class, except between a split and `classify_all`.
#[derive(Clone, Copy, Debug)]
struct TreePosition {
    node: NodeId,
    class: Class,
}

const AT_ROOT: TreePosition = TreePosition { node: TestTree::ROOT, class: 0 };

impl TreePosition {
    /// Moves `sum`, which has reached this node, down to a leaf.
    fn descend(
        &mut self,
        sum: &[GameIndex],
        tree: &TestTree,
        sums: &mut SumOutcomes<'_>,
    ) -> Result<(), NoQuotient> {
        loop {
            match &tree.nodes[self.node] {
                TreeNode::Test { test, if_win, if_loss } => {
                    self.node = if is_loss(sums, &sum_of(&[sum, test]))? { *if_loss } else { *if_win };
                }
                TreeNode::Leaf(class) => {
                    self.class = *class;
                    return Ok(());
                }
            }
        }
    }
}

impl<'a> Learner<'a> {
    /// Returns a learner with two classes: the empty sum, which is a win, and the single move, which is a loss.
    pub(crate) fn new(
        games: &'a DistinctGames,
        max_sums: usize,
        stop: &'a dyn Fn() -> bool,
    ) -> Result<Self, NoQuotient> {
        let representatives = vec![Sum::new(), vec![SINGLE_MOVE]];
        let mut learner = Learner {
            games,
            sums: SumOutcomes::new(games, max_sums, stop),
            tree: TestTree::new(),
            letters: vec![Letter::new(SINGLE_MOVE, representatives.len())],
            representatives,
            values: vec![AT_ROOT; games.n_living()],
        };
        learner.classify_all()?;
        Ok(learner)
    }

    /// Returns a multiplication table that agrees with all outcomes searched so far.
    pub(crate) fn table(&mut self) -> Result<QuotientTable, NoQuotient> {
        self.settle()?;
        let mut losses = Elements::default();
        for class in 0..self.n_classes() {
            if is_loss(&mut self.sums, &self.representatives[class])? {
                losses.insert(Element::new(class));
            }
        }
        let values = self.values.iter().map(|value| Element::new(value.class));
        let values = std::iter::once(Element::ONE).chain(values).collect();
        Ok(QuotientTable::new(self.n_classes(), |one, other| self.product(one, other), losses, values))
    }

    /// Learns until adding letters commutes, so that the class of a sum does not depend on the order of its games.
    fn settle(&mut self) -> Result<(), NoQuotient> {
        loop {
            let mut split = false;
            let mut class = 0;
            while class < self.n_classes() {
                for second in 0..self.letters.len() {
                    for first in 0..second {
                        split |= self.compare_orders(class, first, second)?;
                    }
                }
                class += 1;
            }
            if !split {
                return Ok(());
            }
        }
    }

    /// Splits a class because of a sum that, alone or together with its options, contradicts the settled table.
    pub(crate) fn refute(&mut self, sum: &[GameIndex]) -> Result<(), NoQuotient> {
        let mut suspects = vec![sum.to_vec()];
        for (place, &game) in sum.iter().enumerate() {
            for &option in self.games.options(game) {
                let mut next = Sum::new();
                replace(sum, place, option, &mut next);
                suspects.push(next);
            }
        }
        for suspect in suspects {
            let class = suspect.iter().fold(0, |class, &game| self.product(class, self.value(game)));
            if self.is_loss_together(class, &[])? != is_loss(&mut self.sums, &suspect)? {
                return self.refute_outcome(suspect);
            }
        }
        unreachable!("a sum contradicts the table only if it or one of its options has the wrong outcome")
    }

    /// Splits a class because of a sum for which the table gives the wrong outcome.
    fn refute_outcome(&mut self, mut sum: Sum) -> Result<(), NoQuotient> {
        let truth = is_loss(&mut self.sums, &sum)?;
        // Each game is replaced by the letters with which it is identified. If that changes the outcome, the
        // identification was wrong. Large games are replaced first, so that tests consist of small ones.
        for game in sum.clone().into_iter().rev() {
            // A letter is identified with itself. (A single move may have been cancelled by now.)
            if self.letters.iter().any(|letter| letter.game == game) {
                continue;
            }
            let rest = without(&sum, game);
            let value = self.value(game);
            let replaced = sum_of(&[&rest, &self.representatives[value]]);
            if is_loss(&mut self.sums, &replaced)? != truth {
                let new = self.new_class(vec![game])?;
                self.letters.push(Letter::new(game, self.n_classes()));
                self.tree.split(value, new, rest, if truth { new } else { value });
                return self.classify_all();
            }
            sum = replaced;
        }
        let letters: Vec<_> = sum.iter().map(|&game| self.letter(game)).collect();
        self.split_along(0, &letters, &[])
    }

    /// Adds two letters to a class in both orders, and splits a class if the results differ. Returns whether they did.
    fn compare_orders(&mut self, class: Class, first: usize, second: usize) -> Result<bool, NoQuotient> {
        let one = self.step(self.step(class, first), second);
        let other = self.step(self.step(class, second), first);
        if one == other {
            return Ok(false);
        }
        let test = self.tree.separating_test(one, other).clone();
        let games = [first, second].map(|letter| self.letters[letter].game);
        let truth = self.is_loss_together(class, &[&games, &test])?;
        let predicted = self.is_loss_together(one, &[&test])?;
        let wrong_order = if predicted == truth { [second, first] } else { [first, second] };
        self.split_along(class, &wrong_order, &test)?;
        Ok(true)
    }

    /// Adds the letters to `class` one by one, and makes a new class of the first sum that was assigned a wrong class.
    ///
    /// There is one, because the class at the end has a different outcome with `test` than the sum itself.
    fn split_along(
        &mut self,
        mut class: Class,
        letters: &[usize],
        test: &[GameIndex],
    ) -> Result<(), NoQuotient> {
        let games: Sum = letters.iter().map(|&letter| self.letters[letter].game).collect();
        let truth = self.is_loss_together(class, &[&games, test])?;
        for (done, &letter) in letters.iter().enumerate() {
            let next = self.step(class, letter);
            let test = sum_of(&[&games[done + 1..], test]);
            if self.is_loss_together(next, &[&test])? != truth {
                let sum = sum_of(&[&self.representatives[class], &games[done..=done]]);
                let new = self.new_class(sum)?;
                self.tree.split(next, new, test, if truth { new } else { next });
                return self.classify_all();
            }
            class = next;
        }
        unreachable!("the outcome changes at one of the letters")
    }

    /// Moves every game, and every class with every letter added, down to a leaf.
    fn classify_all(&mut self) -> Result<(), NoQuotient> {
        let Learner { games, sums, tree, representatives, letters, values } = self;
        for (game, value) in games.living().zip(values) {
            value.descend(&[game], tree, sums)?;
        }
        for letter in letters {
            for (representative, step) in representatives.iter().zip(&mut letter.steps) {
                step.descend(&sum_of(&[representative, &[letter.game]]), tree, sums)?;
            }
        }
        Ok(())
    }

    fn n_classes(&self) -> usize {
        self.representatives.len()
    }

    /// Returns the class of the living `game`.
    fn value(&self, game: GameIndex) -> Class {
        self.values[usize::from(game) - 1].class
    }

    /// Returns the class of a sum of class `one` plus the representative of `other`.
    fn product(&self, one: Class, other: Class) -> Class {
        self.representatives[other].iter().fold(one, |class, &game| self.step(class, self.letter(game)))
    }

    fn is_loss_together(&mut self, class: Class, others: &[&[GameIndex]]) -> Result<bool, NoQuotient> {
        let sum = sum_of(&[&self.representatives[class], &others.concat()]);
        is_loss(&mut self.sums, &sum)
    }

    fn new_class(&mut self, representative: Sum) -> Result<Class, NoQuotient> {
        let class = self.n_classes();
        if class >= MAX_ELEMENTS {
            return Err(NoQuotient::TOO_MANY_ELEMENTS);
        }
        self.representatives.push(representative);
        for letter in &mut self.letters {
            letter.steps.push(AT_ROOT);
        }
        Ok(class)
    }

    fn step(&self, class: Class, letter: usize) -> Class {
        self.letters[letter].steps[class].class
    }

    fn letter(&self, game: GameIndex) -> usize {
        self.letters
            .iter()
            .position(|letter| letter.game == game)
            .expect("representatives are made of letters")
    }
}

/// Returns `sum` without one occurrence of `game`.
fn without(sum: &[GameIndex], game: GameIndex) -> Sum {
    let place = sum.iter().position(|&other| other == game).expect("the game is in the sum");
    [&sum[..place], &sum[place + 1..]].concat()
}

fn is_loss(sums: &mut SumOutcomes<'_>, sum: &[GameIndex]) -> Result<bool, NoQuotient> {
    let outcome = sums.is_loss(sum);
    outcome.ok_or(if sums.is_stopped { NoQuotient::STOPPED } else { NoQuotient::TOO_MANY_SUMS })
}
