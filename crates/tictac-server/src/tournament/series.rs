//! A match as a series of games between two players, who swap their sides after every game.

use tictac::Player;

/// The games that are added to a drawn match of a knock-out. The first one that is won decides it.
pub(crate) const EXTRA_GAMES: usize = 2;

/// How a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeriesState {
    /// Another game is needed. It is begun by the player who was in this place in the first game.
    Next(Player),
    /// The player who was in this place in the first game has won.
    Won(Player),
    Drawn,
    /// The match is drawn even after the extra games. The player who was second in its first game goes on.
    DrawOdds,
}

/// What happens after a drawn match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DrawnMatch {
    /// Both players get half a point.
    Stands,
    /// Extra games decide who goes on, and then draw odds.
    IsDecided,
}

/// Returns how a match of `best_of` games stands after these games, each won by the first player of the match, the second or neither.
pub(crate) fn state(results: &[Option<Player>], best_of: usize, drawn: DrawnMatch) -> SeriesState {
    let wins = Player::BOTH.map(|player| results.iter().filter(|winner| **winner == Some(player)).count());
    let leader = if wins[0] > wins[1] { Player::First } else { Player::Second };
    let lead = wins[0].abs_diff(wins[1]);
    let n_left = best_of.saturating_sub(results.len());
    let all = if drawn == DrawnMatch::IsDecided { best_of + EXTRA_GAMES } else { best_of };
    if lead > n_left {
        SeriesState::Won(leader)
    } else if results.len() < all {
        SeriesState::Next(Player::after_moves(results.len()))
    } else if drawn == DrawnMatch::IsDecided {
        SeriesState::DrawOdds
    } else {
        SeriesState::Drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(results: &str, best_of: usize, [points, knock_out]: [SeriesState; 2]) {
        let winner = |digit: char| digit.to_digit(10).map(|player| Player::BOTH[player as usize]);
        let results: Vec<Option<Player>> = results.chars().map(winner).collect();
        assert_eq!(state(&results, best_of, DrawnMatch::Stands), points);
        assert_eq!(state(&results, best_of, DrawnMatch::IsDecided), knock_out);
    }

    #[test]
    fn a_match_ends_when_it_is_decided() {
        use SeriesState::{DrawOdds, Drawn};
        let [next_first, next_second] = Player::BOTH.map(SeriesState::Next);
        let [won_first, won_second] = Player::BOTH.map(SeriesState::Won);
        check("", 1, [next_first, next_first]);
        check("0", 1, [won_first, won_first]);
        check("-", 1, [Drawn, next_second]);
        check("--", 1, [Drawn, next_first]);
        check("-1", 1, [won_second, won_second]);
        check("---", 1, [Drawn, DrawOdds]);
        check("0", 3, [next_second, next_second]);
        check("00", 3, [won_first, won_first]);
        check("0-", 3, [next_first, next_first]);
        check("01", 3, [next_first, next_first]);
        check("0--", 3, [won_first, won_first]);
        check("01-", 3, [Drawn, next_second]);
        check("01---", 3, [Drawn, DrawOdds]);
        check("0101", 4, [Drawn, next_first]);
    }
}
