//! Knock-out: the winner of a match goes on. Seeds that are close to each other meet late.

use super::{PlayerHistory, PlayerPair, with_sides};
use crate::tournament::event::FinishReason;

/// The largest number of players.
pub(crate) const MAX_PLAYERS: usize = 512;

/// Returns the first round for players in the order of their seeds.
///
/// If the bracket has more places than players, the best seeds have no opponent in this round.
pub(crate) fn first_round(history: &[PlayerHistory]) -> Result<Vec<PlayerPair>, FinishReason> {
    let entered = |player: &usize| history.get(*player).is_some_and(|player| player.is_active);
    if (0..history.len()).filter(|player| entered(player)).count() < 2 {
        return Err(FinishReason::TooFewPlayers);
    }
    let places = bracket(history.len().next_power_of_two());
    let places: Vec<Option<usize>> = places.into_iter().map(|seed| Some(seed).filter(entered)).collect();
    Ok(pairs_of(history, &places))
}

/// Returns the round after the one with these winners, in the order of its matches.
///
/// A match without an active winner leaves its place in the bracket empty.
pub(crate) fn next_round(
    history: &[PlayerHistory],
    winners: &[Option<usize>],
) -> Result<Vec<PlayerPair>, FinishReason> {
    let left = winners.iter().flatten().filter(|&&player| history[player].is_active).count();
    match left {
        _ if winners.len() < 2 => Err(FinishReason::Complete),
        0 | 1 => Err(FinishReason::TooFewPlayers),
        _ => {
            let is_active = |player: &usize| history[*player].is_active;
            let places: Vec<Option<usize>> = winners.iter().map(|winner| winner.filter(is_active)).collect();
            Ok(pairs_of(history, &places))
        }
    }
}

fn pairs_of(history: &[PlayerHistory], places: &[Option<usize>]) -> Vec<PlayerPair> {
    let pair = |(board, places): (usize, &[Option<usize>])| match places {
        [Some(one), Some(other)] => with_sides(history, *one.min(other), *one.max(other), board),
        [Some(player), _] | [None, Some(player)] => PlayerPair::bye(*player),
        _ => PlayerPair { first: None, second: None },
    };
    places.chunks(2).enumerate().map(pair).collect()
}

/// Returns the seeds, from 0, in the order of their places in a bracket: the best two can meet only in the final, the best four only in
/// the semi-finals, and so on.
fn bracket(size: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < size {
        let all = 2 * places.len() - 1;
        places = places.into_iter().flat_map(|seed| [seed, all - seed]).collect();
    }
    places
}

#[cfg(test)]
mod tests {
    use tictac::Player;

    use super::*;
    use crate::tournament::pairing::dice::Dice;

    fn entrants(n: usize) -> Vec<PlayerHistory> {
        vec![PlayerHistory { is_active: true, ..PlayerHistory::default() }; n]
    }

    #[test]
    fn seeds_have_their_places() {
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        let mut places = bracket(512);
        // If the better seed always wins, each round has the best seeds that are left.
        while places.len() > 1 {
            assert!(places.iter().all(|&seed| seed < places.len()));
            assert!(places.chunks(2).all(|pair| pair[0] + pair[1] == places.len() - 1));
            places = places.chunks(2).map(|pair| pair[0].min(pair[1])).collect();
        }
    }

    #[test]
    fn the_best_seeds_have_the_byes() {
        for n in 2..=200 {
            let pairs = first_round(&entrants(n)).unwrap();
            let mut byes: Vec<usize> =
                pairs.iter().filter(|pair| pair.second.is_none()).filter_map(|pair| pair.first).collect();
            byes.sort_unstable();
            let n_byes = n.next_power_of_two() - n;
            assert_eq!(byes, (0..n_byes).collect::<Vec<_>>(), "{n} players");
            assert!(pairs.iter().all(|pair| pair.first.is_some()));
        }
    }

    #[test]
    fn every_tournament_has_one_winner_and_repeats_no_match() {
        let mut dice = Dice(3);
        let mut random = |n| dice.below(n);
        for n in (2..=MAX_PLAYERS).step_by(7) {
            let mut history = entrants(n);
            let (mut round, mut rounds, mut met) =
                (first_round(&history), 0, std::collections::HashSet::new());
            let mut winners = Vec::new();
            while let Ok(pairs) = round {
                rounds += 1;
                for [first, second] in pairs.iter().filter_map(|pair| pair.players()) {
                    assert!(met.insert((first.min(second), first.max(second))), "{n}");
                    history[first].sides.push(Player::First);
                    history[second].sides.push(Player::Second);
                }
                winners = pairs
                    .iter()
                    .map(|pair| pair.players().map_or(pair.first, |players| Some(players[random(2)])))
                    .collect();
                // Now and then a winner leaves before the next round.
                let gone = winners.iter().flatten().nth(random(winners.len())).copied();
                if let Some(gone) = gone.filter(|_| random(9) == 0) {
                    history[gone].is_active = false;
                }
                round = next_round(&history, &winners);
            }
            assert!(winners.len() == 1 || round == Err(FinishReason::TooFewPlayers), "{n}: {winners:?}");
            assert!(rounds <= n.next_power_of_two().ilog2(), "{n}");
        }
    }
}
