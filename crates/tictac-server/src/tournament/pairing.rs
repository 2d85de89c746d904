//! Pairing: who meets whom in a round. Pure functions of what has happened before; they use no storage, clock or random numbers.
//!
//! Players are numbered from 0 in the order of their start numbers, which is also the order of seeds.

#[cfg(test)]
pub(crate) mod dice;
pub(crate) mod knock_out;
mod matching;
pub(crate) mod round_robin;
pub(crate) mod swiss;

use tictac::Player;

/// What pairing needs to know about a player.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayerHistory {
    /// Whether the player takes part in the next round.
    pub(crate) is_active: bool,
    /// The points so far, in halves.
    pub(crate) points: u32,
    /// The players whom the player has met.
    pub(crate) opponents: Vec<usize>,
    /// The sides in the first games of the matches so far, oldest first.
    pub(crate) sides: Vec<Player>,
    /// Whether the player has had a round without an opponent.
    pub(crate) had_bye: bool,
    /// How the last opponent's points compared with those of the player.
    pub(crate) float: Option<FloatDirection>,
}

/// Whether a player was paired with one who had fewer or more points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatDirection {
    /// With a player who had fewer points.
    Down,
    /// With a player who had more points.
    Up,
}

/// Two players of a round. Either place may be empty: a player without an opponent has a bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayerPair {
    /// The player who moves first in the first game.
    pub(crate) first: Option<usize>,
    pub(crate) second: Option<usize>,
}

impl PlayerPair {
    pub(crate) const fn new(first: usize, second: usize) -> PlayerPair {
        PlayerPair { first: Some(first), second: Some(second) }
    }

    pub(crate) const fn bye(player: usize) -> PlayerPair {
        PlayerPair { first: Some(player), second: None }
    }

    /// Returns both players of a match; `None` for a bye or an empty place.
    pub(crate) fn players(self) -> Option<[usize; 2]> {
        Some([self.first?, self.second?])
    }
}

impl PlayerHistory {
    /// Returns how many more matches the player has begun as first than as second.
    pub(crate) fn balance(&self) -> i32 {
        self.sides.iter().map(|side| if *side == Player::First { 1 } else { -1 }).sum()
    }

    /// Returns the side that the player must get: the other one after two more matches on one side than on the other, or after the same
    /// side twice in a row.
    pub(crate) fn required_side(&self) -> Option<Player> {
        match (self.balance(), &self.sides[..]) {
            (2.., _) | (_, [.., Player::First, Player::First]) => Some(Player::Second),
            (..=-2, _) | (_, [.., Player::Second, Player::Second]) => Some(Player::First),
            _ => None,
        }
    }

    /// Returns the side that would balance the player's sides; `None` before the first match.
    fn due_side(&self) -> Option<Player> {
        self.required_side().or_else(|| match self.balance() {
            1.. => Some(Player::Second),
            ..0 => Some(Player::First),
            0 => self.sides.last().map(|&side| !side),
        })
    }
}

/// Returns the pair with its sides. `better` has the better rank; in the first round, `board` alternates the sides.
pub(crate) fn with_sides(history: &[PlayerHistory], better: usize, worse: usize, board: usize) -> PlayerPair {
    let (upper, lower) = (&history[better], &history[worse]);
    let is_first = |side: Player| side == Player::First;
    let better_is_first = match (upper.required_side(), lower.required_side()) {
        (Some(side), None) => is_first(side),
        (None, Some(side)) => !is_first(side),
        (Some(one), Some(other)) if one != other => is_first(one),
        _ => match (upper.due_side(), lower.due_side()) {
            (None, None) => board.is_multiple_of(2),
            (Some(side), None) => is_first(side),
            (None, Some(side)) => !is_first(side),
            (Some(one), Some(other)) if one != other => is_first(one),
            (Some(due), Some(_)) => match upper.balance().abs().cmp(&lower.balance().abs()) {
                std::cmp::Ordering::Less => !is_first(due),
                std::cmp::Ordering::Greater => is_first(due),
                std::cmp::Ordering::Equal => swapped_since(upper, lower).unwrap_or_else(|| is_first(due)),
            },
        },
    };
    if better_is_first { PlayerPair::new(better, worse) } else { PlayerPair::new(worse, better) }
}

/// Looks for the latest round in which the two had different sides, and returns whether swapping those makes the better player first.
fn swapped_since(upper: &PlayerHistory, lower: &PlayerHistory) -> Option<bool> {
    let sides = upper.sides.iter().rev().zip(lower.sides.iter().rev());
    sides.into_iter().find(|(one, other)| one != other).map(|(one, _)| *one == Player::Second)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(sides: &[Player]) -> PlayerHistory {
        PlayerHistory { sides: sides.to_vec(), is_active: true, ..PlayerHistory::default() }
    }

    #[track_caller]
    fn check(better: &[Player], worse: &[Player], better_is_first: bool) {
        let pair = with_sides(&[played(better), played(worse)], 0, 1, 0);
        assert_eq!(pair.first == Some(0), better_is_first, "{better:?} {worse:?}");
    }

    #[test]
    fn sides_follow_what_players_are_due() {
        use Player::{First, Second};
        check(&[First], &[Second], false);
        check(&[Second], &[First], true);
        // What a player must get comes before what the other one is due.
        check(&[First], &[Second, First, First], true);
        check(&[First, First], &[First], false);
        // Of two players who are due the same side, the one with the larger imbalance gets it.
        check(&[First, Second, First], &[First, First, Second, First], true);
        // Or else the side of the latest round with different sides is swapped.
        check(&[First, Second, Second, First], &[Second, First, Second, First], true);
        check(&[Second, First, Second, First], &[First, Second, Second, First], false);
        // Or else the better player gets the side that is due.
        check(&[First, Second], &[First, Second], true);
    }

    #[test]
    fn boards_of_the_first_round_alternate() {
        let history = [played(&[]), played(&[])];
        assert_eq!(with_sides(&history, 0, 1, 0), PlayerPair::new(0, 1));
        assert_eq!(with_sides(&history, 0, 1, 1), PlayerPair::new(1, 0));
    }
}
