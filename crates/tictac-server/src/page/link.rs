//! A whole game as text in a link, such as `3,3,3/B2-A1`.

use tictac::{Game, Mark, Player, Rules};

use crate::config::ServerLimits;
use crate::failure::Failure;
use crate::hosted_game::game_of;
use crate::service::rules_within;

/// Returns a game as the part of a link after `#`. A mark is written only where a player can choose it.
pub(super) fn to_link(game: &Game) -> String {
    let rules = game.rules();
    let opens_with_o =
        rules.marks_name_players() && game.moves().first().is_some_and(|mv| mv.mark == Mark::O);
    let squares: Vec<String> =
        game.moves().iter().map(|mv| mv.name(rules).to_string().replace(' ', "")).collect();
    let opener = if opens_with_o { "O:" } else { "" };
    format!("{}/{opener}{}", rules.to_string().replace(' ', "+"), squares.join("-"))
}

/// Returns the game of a link: the part after `#`.
pub(super) fn game_of_link(link: &str, limits: &ServerLimits) -> Result<Game, Failure> {
    let (rules, moves) = from_link(link, limits)?;
    game_of(&rules, &moves)
}

/// Parses the part of a link after `#` into rules and moves. The moves may still be illegal.
pub(super) fn from_link(link: &str, limits: &ServerLimits) -> Result<(Rules, Vec<String>), Failure> {
    let no_game = || Failure::BadRequest("not a game: expected something like 3,3,3/B2-A1".to_owned());
    let (rules, moves) = link.split_once('/').ok_or_else(no_game)?;
    let rules = rules_within(Some(&rules.replace('+', " ")), limits)?;
    let (opener, moves) = moves.strip_prefix("O:").map_or((Mark::X, moves), |moves| (Mark::O, moves));
    let with_mark = |(ply, square): (usize, &str)| match rules.marks_of(Player::after_moves(ply), opener) {
        [mark] => Some(format!("{mark} {square}")),
        _ => square.split_at_checked(1).map(|(mark, square)| format!("{mark} {square}")),
    };
    let squares = moves.split('-').filter(|square| !square.is_empty()).enumerate();
    let moves: Option<Vec<String>> = squares.map(with_mark).collect();
    Ok((rules, moves.ok_or_else(no_game)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rules: &str, moves: &[&str], link: &str) {
        let rules: Rules = rules.parse().unwrap();
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(to_link(&game_of(&rules, &moves).unwrap()), link);
        assert_eq!(from_link(link, &ServerLimits::default()).unwrap(), (rules, moves));
    }

    #[test]
    fn a_link_is_parsed_back_into_the_same_game() {
        check("3,3,3", &[], "3,3,3/");
        check("3,3,3", &["X B2", "O A1"], "3,3,3/B2-A1");
        check("3,3,3 misere", &["O B2", "X A1"], "3,3,3+misere/O:B2-A1");
        check("4,4,3 wild", &["O B2", "O A1"], "4,4,3+wild/OB2-OA1");
        check("notakto boards=2", &["X 2.B2", "X 1.A1"], "notakto+boards=2/2.B2-1.A1");
    }

    #[test]
    fn links_without_a_game_are_refused() {
        for link in ["", "3,3,3", "9,9,9/", "nonsense/B2", "notakto+boards=900/", "3,3,3+wild/é"] {
            assert!(from_link(link, &ServerLimits::default()).is_err(), "{link}");
        }
        assert!(game_of_link("3,3,3/B2-B2", &ServerLimits::default()).is_err());
    }
}
