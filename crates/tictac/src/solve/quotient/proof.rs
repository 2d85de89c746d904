//! The proof that a multiplication table tells the winner of every sum, however many games it has.
//!
//! Let every sum have a value, the product of its games' values. The table is right if every sum obeys the
//! rule "losing if and only if it has options and none of them is losing" with *losing* read off the values;
//! then induction over the sums does the rest. Whether a sum obeys depends only on the pair (its value, the
//! set of its options' values), and adding one game to a sum changes its pair in a way that depends only on
//! the pair:
//!
//! ```text
//! (v, D) + game (w, E) = (v·w, D·w ∪ v·E)
//! ```
//!
//! So it is enough to look at the pairs that can be reached from the empty sum (1, ∅), and these are finitely
//! many.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::solve::quotient::games::{FINISHED, Game, Games};
use crate::solve::quotient::sums::{QuickHasher, Sum};
use crate::solve::quotient::table::{Element, Elements, Table};

/// Why a table was not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unproved {
    /// The products do not commute, are not associative, or have another identity than the finished game.
    NoMonoid,
    /// This sum breaks the rule.
    Refuted(Sum),
    /// There are more pairs than the limit.
    TooManyPairs,
}

/// A value and the values of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Pair {
    value: Element,
    options: Elements,
}

/// A pair that was reached, and how: by adding `game` to the sum of the pair at `before`.
struct Reached {
    pair: Pair,
    before: usize,
    game: Game,
}

/// Proves that `table` is right for every sum of `games`, and returns the number of pairs that had to be
/// looked at.
///
/// # Errors
///
/// Returns what is wrong with the table, or that `max_pairs` were not enough.
pub(crate) fn prove(games: &Games, table: &Table, max_pairs: usize) -> Result<usize, Unproved> {
    if !table.is_commutative_monoid() || table.value(FINISHED) != Element::ONE {
        return Err(Unproved::NoMonoid);
    }
    let empty_sum = Pair { value: Element::ONE, options: Elements::default() };
    let single_games = distinct_pairs(games, table);
    let mut known: HashSet<Pair, BuildHasherDefault<QuickHasher>> = HashSet::default();
    known.insert(empty_sum);
    let mut reached = vec![Reached { pair: empty_sum, before: 0, game: FINISHED }];
    // With nothing left the other player has completed the last line: the empty sum is a win.
    if table.is_loss(Element::ONE) {
        return Err(Unproved::Refuted(Sum::new()));
    }
    let mut before = 0;
    while before < reached.len() {
        for &(game, single) in &single_games {
            let pair = add(table, reached[before].pair, single);
            if known.contains(&pair) {
                continue;
            }
            if table.is_loss(pair.value) == pair.options.intersects(table.losses()) {
                return Err(Unproved::Refuted(sum_that_reaches(&reached, before, game)));
            }
            if reached.len() >= max_pairs {
                return Err(Unproved::TooManyPairs);
            }
            known.insert(pair);
            reached.push(Reached { pair, before, game });
        }
        before += 1;
    }
    Ok(reached.len())
}

/// Returns the pairs of the living games, each pair once and with the first game that has it.
fn distinct_pairs(games: &Games, table: &Table) -> Vec<(Game, Pair)> {
    let mut known = HashSet::new();
    let pair_of = |game: Game| {
        let options = games.options(game).iter().map(|&option| table.value(option)).collect();
        (game, Pair { value: table.value(game), options })
    };
    games.living().map(pair_of).filter(|(_, pair)| known.insert(*pair)).collect()
}

fn add(table: &Table, sum: Pair, game: Pair) -> Pair {
    let by_the_game = game.options.iter().map(|option| table.product(sum.value, option));
    let by_the_rest = sum.options.iter().map(|option| table.product(option, game.value));
    Pair { value: table.product(sum.value, game.value), options: by_the_game.chain(by_the_rest).collect() }
}

fn sum_that_reaches(reached: &[Reached], mut before: usize, last: Game) -> Sum {
    let mut sum = vec![last];
    while before != 0 {
        sum.push(reached[before].game);
        before = reached[before].before;
    }
    sum.sort_unstable();
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::geometry::Geometry;
    use crate::solve::quotient::learner::Learner;

    fn notakto() -> (Games, Table) {
        let games = Games::of(&Geometry::new(crate::Rules::NOTAKTO)).unwrap();
        let mut learner = Learner::new(&games, 100_000).unwrap();
        loop {
            let table = learner.table().unwrap();
            match prove(&games, &table, 1000) {
                Ok(_) => return (games, table),
                Err(Unproved::Refuted(sum)) => learner.refute(&sum).unwrap(),
                Err(unproved) => panic!("{unproved:?}"),
            }
        }
    }

    #[test]
    fn the_quotient_can_be_learned_and_proved_without_merging_equal_games() {
        let (games, table) = notakto();
        assert_eq!(table.n_elements(), 18);
        assert_eq!(prove(&games, &table, 1000), Ok(285));
    }

    #[test]
    fn a_wrong_product_is_refused_wherever_it_stands() {
        let (games, table) = notakto();
        for one in table.elements() {
            for other in table.elements().filter(|&other| other >= one) {
                for wrong in table.elements().filter(|&wrong| wrong != table.product(one, other)) {
                    // Wrong on one side of the diagonal only, and then on both.
                    let half = table.clone().with_product(one, other, wrong);
                    let full = half.clone().with_product(other, one, wrong);
                    assert!(prove(&games, &half, 1000).is_err());
                    assert!(prove(&games, &full, 1000).is_err());
                }
            }
        }
    }

    #[test]
    fn a_wrong_loss_is_refused() {
        let (games, table) = notakto();
        for element in table.elements() {
            let losses =
                table.elements().filter(|&other| table.is_loss(other) != (other == element)).collect();
            let wrong = table.clone().with_losses(losses);
            assert!(matches!(prove(&games, &wrong, 1000), Err(Unproved::Refuted(_))), "{element:?}");
        }
    }

    #[test]
    fn a_wrong_value_of_a_game_is_refused() {
        let (games, table) = notakto();
        for game in std::iter::once(FINISHED).chain(games.living()) {
            for wrong in table.elements().filter(|&wrong| wrong != table.value(game)) {
                let mut values: Vec<_> =
                    std::iter::once(FINISHED).chain(games.living()).map(|game| table.value(game)).collect();
                values[usize::from(game)] = wrong;
                assert!(
                    prove(&games, &table.clone().with_values(values), 1000).is_err(),
                    "{game} as {wrong:?}"
                );
            }
        }
    }

    #[test]
    fn a_proof_keeps_its_limit() {
        let (games, table) = notakto();
        assert_eq!(prove(&games, &table, 284), Err(Unproved::TooManyPairs));
    }
}
