//! A match as a series of games between two players, who swap their sides after every game.

/// The games that are added to a drawn match of a knock-out. The first one that is won decides it.
pub(crate) const EXTRA_GAMES: usize = 2;

/// How a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeriesState {
    /// Another game is needed. It is begun by this player: 0 or 1.
    Next(usize),
    /// Player 0 or 1 has won.
    Won(usize),
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

/// Returns how a match of `best_of` games stands after these games, each won by player 0, by player 1 or by neither.
pub(crate) fn state(results: &[Option<usize>], best_of: usize, drawn: DrawnMatch) -> SeriesState {
    let wins = [0, 1].map(|player| results.iter().filter(|winner| **winner == Some(player)).count());
    let leader = usize::from(wins[0] <= wins[1]);
    let lead = wins[0].abs_diff(wins[1]);
    let n_left = best_of.saturating_sub(results.len());
    let all = if drawn == DrawnMatch::IsDecided { best_of + EXTRA_GAMES } else { best_of };
    if lead > n_left {
        SeriesState::Won(leader)
    } else if results.len() < all {
        SeriesState::Next(results.len() % 2)
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
        let results: Vec<Option<usize>> =
            results.chars().map(|winner| winner.to_digit(10).map(|player| player as usize)).collect();
        assert_eq!(state(&results, best_of, DrawnMatch::Stands), points);
        assert_eq!(state(&results, best_of, DrawnMatch::IsDecided), knock_out);
    }

    #[test]
    fn a_match_ends_when_it_is_decided() {
        use SeriesState::{DrawOdds, Drawn, Next, Won};
        check("", 1, [Next(0), Next(0)]);
        check("0", 1, [Won(0), Won(0)]);
        check("-", 1, [Drawn, Next(1)]);
        check("--", 1, [Drawn, Next(0)]);
        check("-1", 1, [Won(1), Won(1)]);
        check("---", 1, [Drawn, DrawOdds]);
        check("0", 3, [Next(1), Next(1)]);
        check("00", 3, [Won(0), Won(0)]);
        check("0-", 3, [Next(0), Next(0)]);
        check("01", 3, [Next(0), Next(0)]);
        check("0--", 3, [Won(0), Won(0)]);
        check("01-", 3, [Drawn, Next(1)]);
        check("01---", 3, [Drawn, DrawOdds]);
        check("0101", 4, [Drawn, Next(0)]);
    }
}
