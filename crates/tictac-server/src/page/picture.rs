//! A position as a picture, and a game as the text of a link.

use axum::extract::Query;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tictac::notation::Picture;
use tictac::{Marks, Rules, State};

use super::frame::Trouble;
use crate::config::Limits;
use crate::failure::Failure;

/// What the address asks for.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    game: String,
}

/// The style of the picture stands inside it, and nothing else may be loaded.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// `GET /picture.svg?game=3,3,3/B2-A1`: the position after these moves.
pub(super) async fn show(Query(wanted): Query<Wanted>) -> Result<Response, Trouble> {
    let (rules, moves) = from_link(&wanted.game)?;
    let state = state_after(&rules, &moves)?;
    let boards = state.boards().enumerate().map(|(number, board)| (board, state.lines(number)));
    let picture = Picture::of_boards(rules.grid(), boards).to_string();
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"board.svg\"")),
    ];
    Ok((headers, picture).into_response())
}

/// Returns the state of play after these moves.
pub(super) fn state_after(rules: &Rules, moves: &[String]) -> Result<State, Failure> {
    let opener = moves.first().filter(|mv| mv.starts_with('O')).map_or(tictac::Mark::X, |_| tictac::Mark::O);
    let mut state = State::start_with(rules, opener);
    for text in moves {
        let mv = rules.parse_move(text).map_err(|error| Failure::BadMove(format!("{text}: {error}")))?;
        state.play(mv).map_err(|error| Failure::Illegal {
            fault: None,
            message: format!("{text}: {error}"),
            help: None,
        })?;
    }
    Ok(state)
}

/// Reads rules as text, within what the server takes.
pub(super) fn read_rules(text: &str) -> Result<Rules, Failure> {
    let rules: Rules = text.parse().map_err(|error| Failure::BadRules(format!("{error}")))?;
    let n_squares = rules.grid().len() * rules.n_boards() as usize;
    if n_squares > Limits::default().squares {
        return Err(Failure::BadRules(format!("{n_squares} squares are too many for this server")));
    }
    Ok(rules)
}

/// Returns a whole game as the part of a link after `#`; marks are left out where they alternate.
pub(super) fn to_link(rules: &Rules, moves: &[String]) -> String {
    let opener = rules.marks() == Marks::Own && moves.first().is_some_and(|mv| mv.starts_with('O'));
    let squares: Vec<String> = moves
        .iter()
        .map(|mv| match rules.marks() {
            Marks::Either => mv.replace(' ', ""),
            Marks::Own | Marks::OnlyX => mv.split(' ').next_back().unwrap_or_default().to_owned(),
        })
        .collect();
    let rules = rules.to_string().replace(' ', "+");
    format!("{rules}/{}{}", if opener { "O:" } else { "" }, squares.join("-"))
}

/// The opposite of [`to_link`]: rules, and moves still to be judged.
fn from_link(link: &str) -> Result<(Rules, Vec<String>), Failure> {
    let not_a_game = || Failure::BadRequest("this is no game: it should read like 3,3,3/B2-A1".to_owned());
    let (rules, moves) = link.split_once('/').ok_or_else(not_a_game)?;
    let rules = read_rules(&rules.replace('+', " "))?;
    let (first, moves) = moves.strip_prefix("O:").map_or((0, moves), |moves| (1, moves));
    let marked = |(ply, square): (usize, &str)| match rules.marks() {
        Marks::Either => square.split_at_checked(1).map(|(mark, square)| format!("{mark} {square}")),
        Marks::Own => Some(format!("{} {square}", if (ply + first) % 2 == 0 { 'X' } else { 'O' })),
        Marks::OnlyX => Some(format!("X {square}")),
    };
    let squares = moves.split('-').filter(|square| !square.is_empty()).enumerate();
    let moves: Option<Vec<String>> = squares.map(marked).collect();
    Ok((rules, moves.ok_or_else(not_a_game)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rules: &str, moves: &[&str], link: &str) {
        let rules: Rules = rules.parse().unwrap();
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(to_link(&rules, &moves), link);
        assert_eq!(from_link(link).unwrap(), (rules, moves));
    }

    #[test]
    fn a_game_becomes_a_link_and_comes_back() {
        check("3,3,3", &[], "3,3,3/");
        check("3,3,3", &["X B2", "O A1"], "3,3,3/B2-A1");
        check("3,3,3 misere", &["O B2", "X A1"], "3,3,3+misere/O:B2-A1");
        check("4,4,3 wild", &["O B2", "O A1"], "4,4,3+wild/OB2-OA1");
        check("notakto boards=2", &["X 2.B2", "X 1.A1"], "notakto+boards=2/2.B2-1.A1");
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for link in ["", "3,3,3", "9,9,9/", "nonsense/B2", "notakto+boards=900/", "3,3,3+wild/é"] {
            assert!(from_link(link).is_err() || link.ends_with('é'), "{link}");
        }
        let (rules, moves) = from_link("3,3,3/B2-B2").unwrap();
        assert!(state_after(&rules, &moves).is_err());
    }
}
