//! The proof that a multiplication table gives the winner of every sum of any number of games.
//!
//! The value of a sum is the product of the values of its games. The table is correct if every sum satisfies the rule
//! "losing if and only if it has options and none of them is losing", with *losing* determined by the values; this follows by
//! induction over the sums. Whether a sum satisfies the rule depends only on the pair (its value, the set of its options'
//! values), and the pair after adding one game depends only on the pair before:
//!
//! ```text
//! (v, D) + game (w, E) = (v·w, D·w ∪ v·E)
//! ```
//!
//! It is therefore enough to check the pairs that can be reached from the empty sum (1, ∅), which are finitely many.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::several_boards::quotient::games::{DistinctGames, FINISHED, GameIndex};
use crate::several_boards::quotient::sums::{QuickHasher, Sum};
use crate::several_boards::quotient::table::{Element, Elements, QuotientTable};

/// The reason why a table was not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unproved {
    /// The products are not commutative or associative, or the finished game is not their identity.
    NoMonoid,
    /// This sum violates the rule.
    Refuted(Sum),
    /// The number of pairs exceeds the limit.
    TooManyPairs,
    /// The caller has stopped the proof.
    Stopped,
}

/// The value of a sum and the set of its options' values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ValuePair {
    value: Element,
    options: Elements,
}

/// A pair that was reached by adding `game` to the sum of the pair at index `before`.
struct ReachedPair {
    pair: ValuePair,
    before: usize,
    game: GameIndex,
}

/// Proves that `table` is correct for every sum of `games`, and returns the number of pairs checked, of which there may be
/// `max_pairs`, unless `stop` returns true.
pub(crate) fn prove(
    games: &DistinctGames,
    table: &QuotientTable,
    max_pairs: usize,
    stop: &dyn Fn() -> bool,
) -> Result<usize, Unproved> {
    check_monoid(table, stop)?;
    let empty_sum = ValuePair { value: Element::ONE, options: Elements::default() };
    let single_games = distinct_pairs(games, table);
    let mut known: HashSet<ValuePair, BuildHasherDefault<QuickHasher>> = HashSet::default();
    known.insert(empty_sum);
    let mut reached = vec![ReachedPair { pair: empty_sum, before: 0, game: FINISHED }];
    // In the empty sum the other player has completed the last line, so it is a win.
    if table.is_loss(Element::ONE) {
        return Err(Unproved::Refuted(Sum::new()));
    }
    let mut before = 0;
    while before < reached.len() {
        if stop() {
            return Err(Unproved::Stopped);
        }
        for &(game, single) in &single_games {
            let pair = add(table, reached[before].pair, single);
            if known.contains(&pair) {
                continue;
            }
            if table.is_loss(pair.value) == pair.options.intersects(&table.losses) {
                return Err(Unproved::Refuted(sum_that_reaches(&reached, before, game)));
            }
            if reached.len() >= max_pairs {
                return Err(Unproved::TooManyPairs);
            }
            known.insert(pair);
            reached.push(ReachedPair { pair, before, game });
        }
        before += 1;
    }
    Ok(reached.len())
}

/// Checks that the products are those of a commutative monoid whose identity is the value of the finished game.
fn check_monoid(table: &QuotientTable, stop: &dyn Fn() -> bool) -> Result<(), Unproved> {
    let values: Elements = table.values.iter().copied().collect();
    if !table.is_commutative_monoid(&values) || table.value(FINISHED) != Element::ONE {
        return Err(Unproved::NoMonoid);
    }
    for value in values.iter() {
        if stop() {
            return Err(Unproved::Stopped);
        }
        if !table.associates(value) {
            return Err(Unproved::NoMonoid);
        }
    }
    Ok(())
}

/// Returns the distinct pairs of the living games, each with the first game that has it.
fn distinct_pairs(games: &DistinctGames, table: &QuotientTable) -> Vec<(GameIndex, ValuePair)> {
    let mut known = HashSet::new();
    let pair_of = |game: GameIndex| {
        let options = games.options(game).iter().map(|&option| table.value(option)).collect();
        (game, ValuePair { value: table.value(game), options })
    };
    games.living().map(pair_of).filter(|(_, pair)| known.insert(*pair)).collect()
}

fn add(table: &QuotientTable, sum: ValuePair, game: ValuePair) -> ValuePair {
    let moves_in_game = game.options.iter().map(|option| table.product(sum.value, option));
    let moves_in_sum = sum.options.iter().map(|option| table.product(option, game.value));
    ValuePair {
        value: table.product(sum.value, game.value),
        options: moves_in_game.chain(moves_in_sum).collect(),
    }
}

fn sum_that_reaches(reached: &[ReachedPair], mut before: usize, last: GameIndex) -> Sum {
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
    use crate::geometry::Geometry;

    fn notakto() -> (DistinctGames, QuotientTable) {
        let games = DistinctGames::new(&Geometry::new(tictac::Rules::NOTAKTO), &|| false).unwrap();
        let table = crate::several_boards::quotient::learn(&games, &|| false).unwrap();
        (games, table)
    }

    fn check(games: &DistinctGames, table: &QuotientTable, max_pairs: usize) -> Result<usize, Unproved> {
        prove(games, table, max_pairs, &|| false)
    }

    #[test]
    fn the_quotient_is_learned_and_proved_without_simplest_forms() {
        let (games, table) = notakto();
        assert_eq!(table.n_elements(), 18);
        assert_eq!(check(&games, &table, 1000), Ok(285));
    }

    #[test]
    fn any_single_wrong_product_is_refused() {
        let (games, table) = notakto();
        for one in table.elements() {
            for other in table.elements().filter(|&other| other >= one) {
                for wrong in table.elements().filter(|&wrong| wrong != table.product(one, other)) {
                    // Wrong on one side of the diagonal, and on both.
                    let mut half = table.clone();
                    half.products[one.index()][other.index()] = wrong;
                    let mut full = half.clone();
                    full.products[other.index()][one.index()] = wrong;
                    assert!(check(&games, &half, 1000).is_err());
                    assert!(check(&games, &full, 1000).is_err());
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
            let wrong = QuotientTable { losses, ..table.clone() };
            assert!(matches!(check(&games, &wrong, 1000), Err(Unproved::Refuted(_))), "{element:?}");
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
                let table = QuotientTable { values, ..table.clone() };
                assert!(check(&games, &table, 1000).is_err(), "{game} as {wrong:?}");
            }
        }
    }

    #[test]
    fn a_proof_keeps_its_limit() {
        let (games, table) = notakto();
        assert_eq!(check(&games, &table, 284), Err(Unproved::TooManyPairs));
    }
}
