//! Swiss system: players with about the same number of points meet, and no two players meet twice.
//!
//! The pairing follows the Dutch system of FIDE in its main rules, which docs/tournaments.md lists. It is not that system to the letter: where FIDE
//! compares all candidates for a whole score group, players are paired here one after the other, from the top. A pair is taken only if all
//! others can still be paired, so that a pairing is found whenever there is one.

use tictac::Player;

use super::matching::{MeetingGraph, MeetingPlan};
use super::{FloatDirection, PlayerHistory, PlayerPair, with_sides};
use crate::tournament::event::FinishReason;

/// The largest number of players.
pub(crate) const MAX_PLAYERS: usize = 512;

/// Returns the next round. Matches are in the order of the better player's rank; a bye is the last.
pub(crate) fn next_round(history: &[PlayerHistory]) -> Result<Vec<PlayerPair>, FinishReason> {
    let mut ranked: Vec<usize> = (0..history.len()).filter(|&player| history[player].is_active).collect();
    ranked.sort_by_key(|&player| (std::cmp::Reverse(history[player].points), player));
    if ranked.len() < 2 {
        return Err(FinishReason::TooFewPlayers);
    }
    let has_met = have_met(history);
    let may_meet = |one: usize, other: usize| !has_met[ranked[one] * history.len() + ranked[other]];
    let required: Vec<_> = ranked.iter().map(|&player| history[player].required_side()).collect();
    let balances = |one: usize, other: usize| required[one].is_none() || required[one] != required[other];
    // Sides give way only if there is no other pairing.
    let strict = MeetingGraph::new(ranked.len(), |one, other| may_meet(one, other) && balances(one, other));
    pair_all(history, &ranked, &strict)
        .or_else(|| pair_all(history, &ranked, &MeetingGraph::new(ranked.len(), may_meet)))
        .ok_or(FinishReason::OnlyRematches)
}

/// Returns a matrix of the players who have met.
fn have_met(history: &[PlayerHistory]) -> Vec<bool> {
    let n = history.len();
    let mut has_met = vec![false; n * n];
    for (player, PlayerHistory { opponents, .. }) in history.iter().enumerate() {
        for &other in opponents {
            has_met[player * n + other] = true;
            has_met[other * n + player] = true;
        }
    }
    has_met
}

/// Pairs all active players by a graph of those who may meet, in which a vertex is the rank of a player.
fn pair_all(history: &[PlayerHistory], ranked: &[usize], graph: &MeetingGraph) -> Option<Vec<PlayerPair>> {
    let n = ranked.len();
    let without =
        |bye: Option<usize>| MeetingPlan::new(graph, (0..n).map(|rank| Some(rank) != bye).collect());
    let (bye, mut plan) = if n.is_multiple_of(2) {
        (None, without(None)?)
    } else {
        // The lowest player who has had no bye, and without whom all others can be paired.
        let mut ranks = (0..n).rev().filter(|&rank| !history[ranked[rank]].had_bye);
        ranks.find_map(|rank| Some((Some(rank), without(Some(rank))?)))?
    };
    let due: Vec<Option<Player>> = ranked.iter().map(|&player| history[player].due_side()).collect();
    let mut open: Vec<usize> = (0..n).filter(|&rank| Some(rank) != bye).collect();
    let mut pairs = Vec::with_capacity(n.div_ceil(2));
    while let [top, ..] = open[..] {
        let candidates = candidates(history, ranked, &due, &open);
        let other = candidates.into_iter().find(|&other| plan.take(top, other));
        let other = other.expect("the plan always has a pair for every player who is left");
        open.retain(|&rank| rank != top && rank != other);
        pairs.push(with_sides(history, ranked[top], ranked[other], pairs.len()));
    }
    pairs.extend(bye.map(|rank| PlayerPair::bye(ranked[rank])));
    Some(pairs)
}

/// Returns the possible opponents of the highest player who is left, best first.
///
/// In a score group, the upper half meets the lower half, in the same order. If their number is odd, the lowest player who did not already
/// meet a lower one in the last round is left for the next score group. Pairs in which both players are due the same side come after the
/// others of a score group.
fn candidates(
    history: &[PlayerHistory],
    ranked: &[usize],
    due: &[Option<Player>],
    open: &[usize],
) -> Vec<usize> {
    let points = |rank: usize| history[ranked[rank]].points;
    let floated = |rank: usize, direction| history[ranked[rank]].float == Some(direction);
    let top = open[0];
    let group: Vec<usize> = open.iter().copied().take_while(|&rank| points(rank) == points(top)).collect();
    let mut downs = group.iter().rev().filter(|&&rank| rank != top && !floated(rank, FloatDirection::Down));
    let left_over = if group.len() % 2 == 1 { downs.next().or(group.last()).copied() } else { None };
    let half = group.len() / 2;
    let mut keyed = Vec::with_capacity(open.len());
    let (mut n_groups, mut last_points, mut place) = (0, points(top), 0);
    for &rank in &open[1..] {
        if points(rank) != last_points {
            (n_groups, last_points) = (n_groups + 1, points(rank));
        }
        let is_left_over = Some(rank) == left_over;
        place += usize::from(!is_left_over);
        // Within the group, `place` counts without the player who is left for the next one.
        let (detour, distance) = match n_groups {
            0 if place >= half => (0, place - half),
            0 => (1, half - place),
            _ => (usize::from(floated(rank, FloatDirection::Up)), place),
        };
        let is_same_side = due[top].is_some() && due[top] == due[rank];
        keyed.push(((n_groups, is_left_over, is_same_side, detour, distance), rank));
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, rank)| rank).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::tournament::pairing::dice::Dice;

    fn entrants(n: usize) -> Vec<PlayerHistory> {
        vec![PlayerHistory { is_active: true, ..PlayerHistory::default() }; n]
    }

    /// Records a round in which `result` decides every match: the points of the first player, in halves.
    fn record(
        history: &mut [PlayerHistory],
        pairs: &[PlayerPair],
        mut result: impl FnMut(usize, usize) -> u32,
    ) {
        for pair in pairs {
            let Some([first, second]) = pair.players() else {
                let player = &mut history[pair.first.unwrap()];
                assert!(!player.had_bye, "a second bye");
                player.had_bye = true;
                player.points += 2;
                player.float = Some(FloatDirection::Down);
                continue;
            };
            let points = result(first, second);
            let float = |own: u32, other: u32| match own.cmp(&other) {
                std::cmp::Ordering::Greater => Some(FloatDirection::Down),
                std::cmp::Ordering::Less => Some(FloatDirection::Up),
                std::cmp::Ordering::Equal => None,
            };
            let (one, other) = (history[first].points, history[second].points);
            for (player, opponent, side, own, float) in [
                (first, second, Player::First, points, float(one, other)),
                (second, first, Player::Second, 2 - points, float(other, one)),
            ] {
                let player = &mut history[player];
                assert!(!player.opponents.contains(&opponent), "a rematch");
                player.opponents.push(opponent);
                player.sides.push(side);
                player.points += own;
                player.float = float;
            }
        }
    }

    #[track_caller]
    fn check_round(history: &[PlayerHistory], pairs: &[PlayerPair]) {
        let mut seen = HashSet::new();
        assert!(
            pairs
                .iter()
                .flat_map(|pair| [pair.first, pair.second])
                .flatten()
                .all(|player| seen.insert(player))
        );
        let n_active = history.iter().filter(|player| player.is_active).count();
        assert_eq!(seen.len(), n_active);
        assert!(seen.iter().all(|&player| history[player].is_active));
        assert_eq!(pairs.iter().filter(|pair| pair.second.is_none()).count(), n_active % 2);
    }

    #[test]
    fn the_upper_half_meets_the_lower_half_with_alternating_sides() {
        let pairs = next_round(&entrants(8)).unwrap();
        let expected = [(0, 4), (5, 1), (2, 6), (7, 3)].map(|(first, second)| PlayerPair::new(first, second));
        assert_eq!(pairs, expected);
        let odd = next_round(&entrants(5)).unwrap();
        assert_eq!(odd, [PlayerPair::new(0, 2), PlayerPair::new(3, 1), PlayerPair::bye(4)]);
    }

    #[test]
    fn winners_meet_winners() {
        let mut history = entrants(8);
        let pairs = next_round(&history).unwrap();
        record(&mut history, &pairs, |first, second| if first < second { 2 } else { 0 });
        let pairs = next_round(&history).unwrap();
        let sets: Vec<[usize; 2]> = pairs
            .iter()
            .filter_map(|pair| pair.players())
            .map(|[first, second]| [first.min(second), first.max(second)])
            .collect();
        // 0 and 2 were first and are due the other side, so each meets one of 1 and 3, who were second.
        assert_eq!(sets, [[0, 3], [1, 2], [4, 7], [5, 6]]);
    }

    #[test]
    fn random_tournaments_keep_every_rule() {
        let mut random = Dice(1);
        let mut n_unbalanced = 0;
        for game in 0..300 {
            let n = 2 + random.below(if game % 10 == 0 { 120 } else { 30 });
            let mut history = entrants(n);
            let most = n - 1 + n % 2;
            for round in 0..most.min(9) {
                let pairs = match next_round(&history) {
                    Ok(pairs) => pairs,
                    Err(reason) => {
                        assert!(
                            reason == FinishReason::OnlyRematches && 2 * round + 2 >= n || n < 3,
                            "{n} {round} {reason:?}"
                        );
                        break;
                    }
                };
                check_round(&history, &pairs);
                record(&mut history, &pairs, |_, _| random.below(3) as u32);
                let is_balanced =
                    |player: &PlayerHistory| player.balance().abs() <= 2 && !has_three_in_a_row(player);
                n_unbalanced += usize::from(!history.iter().all(is_balanced) && 3 * (round + 1) <= n);
                if random.below(6) == 0 {
                    let gone = random.below(n);
                    history[gone].is_active = false;
                }
                if random.below(6) == 0 {
                    history.push(entrants(1).remove(0));
                }
                if history.iter().filter(|player| player.is_active).count() < 2 {
                    break;
                }
            }
        }
        assert_eq!(n_unbalanced, 0, "sides that three rounds per player could have balanced");
    }

    fn has_three_in_a_row(player: &PlayerHistory) -> bool {
        player.sides.windows(3).any(|sides| sides[0] == sides[1] && sides[1] == sides[2])
    }

    /// Returns whether there is a round without rematches and second byes, by trying everything.
    fn is_possible(history: &[PlayerHistory], left: &[usize], may_bye: bool) -> bool {
        let [one, rest @ ..] = left else { return true };
        let without =
            |other: usize| rest.iter().copied().filter(|&player| player != other).collect::<Vec<_>>();
        may_bye && !history[*one].had_bye && is_possible(history, rest, false)
            || rest.iter().any(|&other| {
                !history[*one].opponents.contains(&other) && is_possible(history, &without(other), may_bye)
            })
    }

    #[test]
    fn a_round_is_found_exactly_if_there_is_one() {
        let mut random = Dice(5);
        let mut n_stuck = 0;
        for _ in 0..600 {
            let n = 2 + random.below(8);
            let mut history = entrants(n);
            for _ in 0..12 {
                let active: Vec<usize> = (0..n).filter(|&player| history[player].is_active).collect();
                if active.len() < 2 {
                    break;
                }
                let possible = is_possible(&history, &active, active.len() % 2 == 1);
                let round = next_round(&history);
                assert_eq!(round.is_ok(), possible, "{history:?}");
                let Ok(pairs) = round else {
                    n_stuck += 1;
                    break;
                };
                record(&mut history, &pairs, |_, _| random.below(3) as u32);
                if random.below(8) == 0 {
                    history[random.below(n)].is_active = false;
                }
            }
        }
        assert!(n_stuck > 300, "{n_stuck}");
    }

    #[test]
    fn five_hundred_players_are_paired_at_once() {
        let mut random = Dice(9);
        let mut history = entrants(MAX_PLAYERS);
        let mut longest = Duration::ZERO;
        for _ in 0..12 {
            let start = Instant::now();
            let pairs = next_round(&history).unwrap();
            longest = longest.max(start.elapsed());
            check_round(&history, &pairs);
            record(&mut history, &pairs, |_, _| [0, 2, 2, 1][random.below(4)]);
            assert!(history.iter().all(|player| player.balance().abs() <= 2 && !has_three_in_a_row(player)));
        }
        // An optimised build needs a few milliseconds; this one must not depend on what else the machine does.
        assert!(longest < Duration::from_secs(20), "{longest:?}");
    }
}
