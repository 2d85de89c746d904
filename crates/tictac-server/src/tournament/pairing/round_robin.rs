//! Round robin: everyone meets everyone once, by Berger tables.

use super::{PlayerHistory, PlayerPair};
use crate::tournament::event::FinishReason;

/// The largest number of players.
pub(crate) const MAX_PLAYERS: usize = 40;

/// Returns the next round: the first one of the table in which active players meet for the first time.
///
/// If players enter late, the table of all players is used from then on. Pairs that have met are left out, and so are those of players
/// who have left.
pub(crate) fn next_round(history: &[PlayerHistory]) -> Result<Vec<PlayerPair>, FinishReason> {
    if history.iter().filter(|player| player.is_active).count() < 2 {
        return Err(FinishReason::TooFewPlayers);
    }
    let is_due = |pair: &PlayerPair| {
        pair.players().is_some_and(|[first, second]| {
            history[first].is_active
                && history[second].is_active
                && !history[first].opponents.contains(&second)
        })
    };
    let mut rounds = (0..n_rounds(history.len())).map(|round| table_round(history.len(), round));
    let round = rounds.find(|round| round.iter().any(is_due)).ok_or(FinishReason::Complete)?;
    let mut pairs: Vec<PlayerPair> = round.into_iter().filter(is_due).collect();
    let is_paired =
        |player: usize| pairs.iter().any(|pair| [pair.first, pair.second].contains(&Some(player)));
    let free: Vec<usize> =
        (0..history.len()).filter(|&player| history[player].is_active && !is_paired(player)).collect();
    pairs.extend(free.into_iter().map(PlayerPair::bye));
    Ok(pairs)
}

/// Returns the number of rounds of the table.
pub(crate) const fn n_rounds(n_players: usize) -> usize {
    if n_players < 2 { 0 } else { n_players - 1 + n_players % 2 }
}

/// Returns a round of the Berger table, counted from 0. With an odd number of players, one of them has a bye.
fn table_round(n_players: usize, round: usize) -> Vec<PlayerPair> {
    // The table is written for an even number of players, counted from 1. The last of them stands for the bye.
    let n = n_players + n_players % 2;
    let last = n;
    let is_bye = n > n_players;
    let mut pairs = Vec::with_capacity(n / 2);
    for one in 1..last {
        // In every round, the sum of two numbers is the same but for multiples of n - 1.
        let other = (round + 2 + 2 * (n - 1) - one) % (n - 1);
        let other = if other == 0 { n - 1 } else { other };
        if other == one {
            let pair = if is_bye {
                PlayerPair::bye(one - 1)
            } else if one <= n / 2 {
                PlayerPair::new(one - 1, last - 1)
            } else {
                PlayerPair::new(last - 1, one - 1)
            };
            pairs.push(pair);
        } else if one < other {
            let is_lower_first = (one + other) % 2 == 1;
            let (first, second) = if is_lower_first { (one, other) } else { (other, one) };
            pairs.push(PlayerPair::new(first - 1, second - 1));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use tictac::Player;

    use super::*;
    use crate::tournament::pairing::knock_out;

    fn entrants(n: usize) -> Vec<PlayerHistory> {
        vec![PlayerHistory { is_active: true, ..PlayerHistory::default() }; n]
    }

    fn record(history: &mut [PlayerHistory], pairs: &[PlayerPair]) {
        for pair in pairs {
            if let Some([first, second]) = pair.players() {
                history[first].opponents.push(second);
                history[first].sides.push(Player::First);
                history[second].opponents.push(first);
                history[second].sides.push(Player::Second);
            }
        }
    }

    #[test]
    fn the_tables_are_those_of_fide() {
        let text = |n: usize| -> Vec<String> {
            (0..n_rounds(n))
                .map(|round| {
                    let mut pairs: Vec<[usize; 2]> =
                        table_round(n, round).iter().filter_map(|pair| pair.players()).collect();
                    pairs.sort_by_key(|pair| !pair.contains(&(n - 1)));
                    let pairs = pairs.iter().map(|[first, second]| format!("{}-{}", first + 1, second + 1));
                    pairs.collect::<Vec<_>>().join(" ")
                })
                .collect()
        };
        assert_eq!(text(4), ["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
        let six = ["1-6 2-5 3-4", "6-4 1-2 5-3", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 5-1 4-2"];
        assert_eq!(text(6), six);
    }

    #[test]
    fn everyone_meets_everyone_once_with_balanced_sides() {
        for n in 2..=MAX_PLAYERS {
            let mut history = entrants(n);
            let mut rounds = 0;
            while let Ok(pairs) = next_round(&history) {
                let mut seen = vec![0; n];
                for player in pairs.iter().flat_map(|pair| [pair.first, pair.second]).flatten() {
                    seen[player] += 1;
                }
                assert!(seen.iter().all(|&times| times == 1), "{n} players, round {rounds}: {pairs:?}");
                record(&mut history, &pairs);
                rounds += 1;
            }
            assert_eq!(rounds, n_rounds(n), "{n} players");
            for player in &mut history {
                player.opponents.sort_unstable();
                player.opponents.dedup();
                assert_eq!(player.opponents.len(), n - 1, "{n} players");
                assert!(player.balance().abs() <= 1, "{n} players: {:?}", player.sides);
            }
        }
    }

    #[test]
    fn late_and_absent_players_repeat_no_match() {
        for (n, late, gone) in [(6, 2, 1), (7, 1, 2), (3, 5, 0), (20, 3, 4), (2, 1, 0)] {
            let mut history = entrants(n);
            for _ in 0..2 {
                let pairs = next_round(&history).unwrap_or_default();
                record(&mut history, &pairs);
            }
            history.extend(entrants(late));
            for player in history.iter_mut().take(gone) {
                player.is_active = false;
            }
            let mut rounds = 0;
            while let Ok(pairs) = next_round(&history) {
                record(&mut history, &pairs);
                rounds += 1;
                assert!(rounds < 100);
            }
            for (number, player) in history.iter().enumerate().filter(|(_, player)| player.is_active) {
                for other in (0..history.len()).filter(|&other| other != number) {
                    let n_met = player.opponents.iter().filter(|&&met| met == other).count();
                    assert!(n_met == 1 || n_met == 0 && !history[other].is_active, "{n} {late} {gone}");
                }
            }
        }
        assert_eq!(next_round(&entrants(1)), Err(FinishReason::TooFewPlayers));
        assert!(knock_out::first_round(&[]).is_err());
    }
}
