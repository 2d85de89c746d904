//! Learning a misère quotient by asking for the outcomes of well-chosen sums.
//!
//! Two sums are equivalent if no third sum, added to both, gives them different outcomes. The learner keeps
//! one representative of each class found so far and a tree of tests that tells the classes apart. So every
//! class comes with proof that it differs from all others. What it cannot see is whether there are more:
//! whoever finds a sum that contradicts the table hands it in, and a class is split in two. If the quotient
//! is finite, that ends.
//!
//! The idea is Angluin's (learning an automaton from queries and counterexamples), with the tree of Kearns
//! and Vazirani and the way Rivest and Schapire use a counterexample, for words whose letters commute. Few
//! games are letters: a game that no test tells from a sum of other letters is taken for that sum until a
//! counterexample says otherwise.

use crate::solve::quotient::games::{Game, Games, SINGLE_MOVE};
use crate::solve::quotient::sums::{Sum, Sums, Unfinished, replace, sum_of};
use crate::solve::quotient::table::{Element, Elements, MAX_ELEMENTS, Table};
use crate::solve::quotient::tree::{Class, Node, NodeId, Tree};

/// Why learning stopped without a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// There are more classes than the limit.
    TooManyClasses,
    /// More sums than the limit would have to be searched.
    TooManySums,
}

impl From<Unfinished> for Stuck {
    fn from(_: Unfinished) -> Self {
        Stuck::TooManySums
    }
}

/// The classes found so far, and what adding a letter does to them.
#[derive(Debug)]
pub(crate) struct Learner<'a> {
    games: &'a Games,
    sums: Sums<'a>,
    tree: Tree,
    representatives: Vec<Sum>,
    letters: Vec<Letter>,
    /// Where each living game, as a sum of one, has arrived in the tree; game 1 stands first.
    values: Vec<Arrival>,
}

/// A game that is no sum of others, as far as we know.
#[derive(Debug)]
struct Letter {
    game: Game,
    /// Where "representative + this game" has arrived, for every class.
    steps: Vec<Arrival>,
}

impl Letter {
    fn new(game: Game, n_classes: usize) -> Letter {
        Letter { game, steps: vec![DEPARTURE; n_classes] }
    }
}

/// A leaf of the tree, and its class; after a split it may be an inner node until `arrive_all` moves on.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    node: NodeId,
    class: Class,
}

const DEPARTURE: Arrival = Arrival { node: Tree::ROOT, class: 0 };

impl Arrival {
    /// Lets `sum`, which has come this far, go on to a leaf.
    fn go_on(&mut self, sum: &[Game], tree: &Tree, sums: &mut Sums<'_>) -> Result<(), Stuck> {
        loop {
            match tree.node(self.node) {
                Node::Ask { test, if_win, if_loss } => {
                    self.node = if sums.is_loss(&sum_of(&[sum, test]))? { *if_loss } else { *if_win };
                }
                Node::Leaf(class) => {
                    self.class = *class;
                    return Ok(());
                }
            }
        }
    }
}

impl<'a> Learner<'a> {
    /// Returns a learner that knows two classes: the empty sum, which is a win, and the single move, which is
    /// a loss.
    pub(crate) fn new(games: &'a Games, max_sums: usize) -> Result<Self, Stuck> {
        let representatives = vec![Sum::new(), vec![SINGLE_MOVE]];
        let mut learner = Learner {
            games,
            sums: Sums::new(games, max_sums),
            tree: Tree::new(),
            letters: vec![Letter::new(SINGLE_MOVE, representatives.len())],
            representatives,
            values: vec![DEPARTURE; games.n_living()],
        };
        learner.arrive_all()?;
        Ok(learner)
    }

    /// Returns the number of sums whose outcomes had to be searched so far.
    pub(crate) fn n_searched(&self) -> usize {
        self.sums.n_searched()
    }

    /// Returns a multiplication table that agrees with all that was asked so far.
    pub(crate) fn table(&mut self) -> Result<Table, Stuck> {
        self.settle()?;
        let mut losses = Elements::default();
        for class in 0..self.n_classes() {
            if self.sums.is_loss(&self.representatives[class])? {
                losses.insert(Element::new(class));
            }
        }
        let values = self.values.iter().map(|value| Element::new(value.class));
        let values = std::iter::once(Element::ONE).chain(values).collect();
        Ok(Table::new(self.n_classes(), |one, other| self.product(one, other), losses, values))
    }

    /// Learns until adding letters commutes: until the class of a sum does not depend on the order of its
    /// games.
    fn settle(&mut self) -> Result<(), Stuck> {
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

    /// Takes a sum that contradicts the settled table, alone or together with its options, and splits a
    /// class.
    pub(crate) fn refute(&mut self, sum: &[Game]) -> Result<(), Stuck> {
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
            if self.is_loss_together(class, &[])? != self.sums.is_loss(&suspect)? {
                return self.refute_outcome(suspect);
            }
        }
        unreachable!("a sum contradicts the table only if it or one of its options has the wrong outcome")
    }

    /// Splits a class because of a sum to which the table gives the wrong outcome.
    fn refute_outcome(&mut self, mut sum: Sum) -> Result<(), Stuck> {
        let truth = self.sums.is_loss(&sum)?;
        // Each game is replaced by the letters it is taken for. If that changes the outcome, the game was
        // mistaken. Large games go first, so that a test is made of small ones.
        for game in sum.clone().into_iter().rev() {
            // A letter stands for itself (and a single move may have been cancelled by now).
            if self.is_letter(game) {
                continue;
            }
            let rest = without(&sum, game);
            let value = self.value(game);
            let replaced = sum_of(&[&rest, &self.representatives[value]]);
            if self.sums.is_loss(&replaced)? != truth {
                let new = self.new_class(vec![game])?;
                self.letters.push(Letter::new(game, self.n_classes()));
                self.tree.split(value, new, rest, truth);
                return self.arrive_all();
            }
            sum = replaced;
        }
        let letters: Vec<_> = sum.iter().map(|&game| self.letter(game)).collect();
        self.split_on_the_way(0, &letters, &[])
    }

    /// Adds two letters to a class in both orders, and splits a class if that makes a difference. Returns
    /// whether it did.
    fn compare_orders(&mut self, class: Class, first: usize, second: usize) -> Result<bool, Stuck> {
        let one = self.step(self.step(class, first), second);
        let other = self.step(self.step(class, second), first);
        if one == other {
            return Ok(false);
        }
        let test = self.tree.separating_test(one, other).clone();
        let games = [first, second].map(|letter| self.letters[letter].game);
        let truth = self.is_loss_together(class, &[&games, &test])?;
        let predicted = self.is_loss_together(one, &[&test])?;
        let wrong_way = if predicted == truth { [second, first] } else { [first, second] };
        self.split_on_the_way(class, &wrong_way, &test)?;
        Ok(true)
    }

    /// Follows the letters from `class`; the class at the end has another outcome with `test` than the sum
    /// itself has. So somewhere on the way a sum was taken for a class that it does not belong to: makes a
    /// class of it.
    fn split_on_the_way(&mut self, mut class: Class, letters: &[usize], test: &[Game]) -> Result<(), Stuck> {
        let games: Sum = letters.iter().map(|&letter| self.letters[letter].game).collect();
        let truth = self.is_loss_together(class, &[&games, test])?;
        for (done, &letter) in letters.iter().enumerate() {
            let next = self.step(class, letter);
            let test = sum_of(&[&games[done + 1..], test]);
            if self.is_loss_together(next, &[&test])? != truth {
                let sum = sum_of(&[&self.representatives[class], &games[done..=done]]);
                let new = self.new_class(sum)?;
                self.tree.split(next, new, test, truth);
                return self.arrive_all();
            }
            class = next;
        }
        unreachable!("the outcome changes somewhere on the way")
    }

    /// Lets every game, and every class with every letter added, go on to a leaf.
    fn arrive_all(&mut self) -> Result<(), Stuck> {
        let Learner { games, sums, tree, representatives, letters, values } = self;
        for (game, value) in games.living().zip(values) {
            value.go_on(&[game], tree, sums)?;
        }
        for letter in letters {
            for (representative, step) in representatives.iter().zip(&mut letter.steps) {
                step.go_on(&sum_of(&[representative, &[letter.game]]), tree, sums)?;
            }
        }
        Ok(())
    }

    fn n_classes(&self) -> usize {
        self.representatives.len()
    }

    /// Returns the class that the living `game` is held to be of.
    fn value(&self, game: Game) -> Class {
        self.values[usize::from(game) - 1].class
    }

    /// Returns the class of the sum of a sum of class `one` and the representative of `other`.
    fn product(&self, one: Class, other: Class) -> Class {
        self.representatives[other].iter().fold(one, |class, &game| self.step(class, self.letter(game)))
    }

    fn is_loss_together(&mut self, class: Class, others: &[&[Game]]) -> Result<bool, Stuck> {
        let sum = sum_of(&[&self.representatives[class], &others.concat()]);
        Ok(self.sums.is_loss(&sum)?)
    }

    fn new_class(&mut self, representative: Sum) -> Result<Class, Stuck> {
        let class = self.n_classes();
        if class >= MAX_ELEMENTS {
            return Err(Stuck::TooManyClasses);
        }
        self.representatives.push(representative);
        for letter in &mut self.letters {
            letter.steps.push(DEPARTURE);
        }
        Ok(class)
    }

    fn step(&self, class: Class, letter: usize) -> Class {
        self.letters[letter].steps[class].class
    }

    fn is_letter(&self, game: Game) -> bool {
        self.letters.iter().any(|letter| letter.game == game)
    }

    fn letter(&self, game: Game) -> usize {
        self.letters
            .iter()
            .position(|letter| letter.game == game)
            .expect("representatives are made of letters")
    }
}

/// Returns `sum` with one `game` less.
fn without(sum: &[Game], game: Game) -> Sum {
    let place = sum.iter().position(|&other| other == game).expect("the game is in the sum");
    [&sum[..place], &sum[place + 1..]].concat()
}
