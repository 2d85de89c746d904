//! Facts and values of every position of a game, for the replay.

use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::State as AxumState;
use serde::{Deserialize, Serialize};
use tictac::solve::{Answer, Oracle, Question, Value};
use tictac::{Move, Outcome, Playable, State, Status};

use super::picture::{read_rules, state_after};
use crate::app::AppState;
use crate::event::Side;
use crate::failure::Failure;
use crate::guard::Client;
use crate::table::reason_of;

/// What is asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    rules: String,
    #[serde(default)]
    moves: Vec<String>,
}

/// What is answered: one entry for each position, the start included.
#[derive(Debug, Serialize)]
pub(super) struct Judged {
    version: u32,
    rules: String,
    plies: Vec<Facts>,
    /// Best play after the last move, where somebody wins.
    line: Vec<String>,
}

/// Everything about one position.
#[derive(Debug, Serialize)]
struct Facts {
    to_move: Option<Side>,
    outcome: Option<&'static str>,
    lines: Vec<Vec<String>>,
    finished: Vec<usize>,
    dead: Option<&'static str>,
    value: Option<&'static str>,
    distance: Option<u32>,
    moves: Vec<JudgedMove>,
}

#[derive(Debug, Serialize)]
struct JudgedMove {
    #[serde(rename = "move")]
    mv: String,
    value: Option<&'static str>,
    distance: Option<u32>,
}

/// `POST /api/v1/judge`
pub(super) async fn judge(
    AxumState(state): AxumState<AppState>,
    Client(address): Client,

    body: Bytes,
) -> Result<Json<Judged>, Failure> {
    let asked: Asked =
        serde_json::from_slice(&body).map_err(|error| Failure::BadRequest(error.to_string()))?;
    state.throttle().analysis(address)?;
    let rules = read_rules(&asked.rules)?;
    if asked.moves.len() > rules.max_moves() {
        return Err(Failure::BadRequest("more moves than squares".to_owned()));
    }
    // The last position is asked for first, so that a bad record is refused before any work is done.
    state_after(&rules, &asked.moves)?;
    let time = state.config().limits.thinking;
    state.service().metrics().analyses.inc();
    let work = move |oracle: &mut Oracle| judged(oracle, &asked.moves, time);
    let judged = state.service().computer().with_oracle(rules, work).await;
    judged.map_err(|_| Failure::TooMany("analyses at once"))?.map(Json)
}

fn judged(oracle: &mut Oracle, moves: &[String], time: Duration) -> Result<Judged, Failure> {
    let rules = *oracle.rules();
    let end = Instant::now() + time;
    let mut states = Vec::with_capacity(moves.len() + 1);
    for n_moves in 0..=moves.len() {
        states.push(state_after(&rules, &moves[..n_moves])?);
    }
    // From the end backwards: late positions are quick, and where time runs out it is the opening that stays open.
    let mut plies: Vec<Facts> = Vec::with_capacity(states.len());
    for (ply, state) in states.iter().enumerate().rev() {
        // Each position gets a fair part of what is left, so that one hard one does not starve all others.
        let now = Instant::now();
        let share = end.saturating_duration_since(now) / (ply as u32 + 1);
        let until = now + share * 2;
        plies.push(facts(state, oracle, &|| Instant::now() >= until.min(end)));
    }
    plies.reverse();
    let line = match (states.last(), plies.last()) {
        (Some(last), Some(Facts { value: Some("win" | "loss"), .. })) => {
            oracle.principal_line(last, &|| Instant::now() >= end)
        }
        _ => Vec::new(),
    };
    let line = line.into_iter().map(|mv| rules.written(mv).to_string()).collect();
    Ok(Judged { version: crate::wire::VERSION, rules: rules.to_string(), plies, line })
}

/// Returns what is proved about every move until `stop`.
fn answers(state: &State, oracle: &mut Oracle, stop: &dyn Fn() -> bool) -> Vec<(Move, Answer)> {
    if oracle.is_quick() {
        return oracle.moves(state, Question::Strong, stop);
    }
    // A prover that is stopped at once has still been set up; on large boards that alone takes too long for every move.
    let mut answer = |mv| match state.play(mv) {
        Ok(after) if !stop() => oracle.solve(&after, Question::Strong, stop).for_mover(),
        _ => Answer::UNKNOWN,
    };
    state.moves().map(|mv| (mv, answer(mv))).collect()
}

fn facts(state: &State, oracle: &mut Oracle, stop: &dyn Fn() -> bool) -> Facts {
    let rules = state.rules();
    let answers = answers(state, oracle, stop);
    let (to_move, outcome) = match state.status() {
        Status::ToMove(player) => (Some(Side::from(player)), None),
        Status::Over(Outcome::Draw) => (None, Some("draw")),
        Status::Over(Outcome::Win(tictac::Player::First)) => (None, Some("first")),
        Status::Over(Outcome::Win(tictac::Player::Second)) => (None, Some("second")),
    };
    let answer = if to_move.is_some() { Answer::from_moves(&answers) } else { Answer::UNKNOWN };
    let lines = |board: usize| state.lines(board).into_iter().map(move |line| (board, line));
    let many = state.n_boards() > 1;
    let name = |board: usize, square| {
        let name = rules.grid().name(square);
        if many { format!("{}.{name}", board + 1) } else { name.to_string() }
    };
    Facts {
        to_move,
        outcome,
        lines: (0..state.n_boards())
            .flat_map(lines)
            .map(|(board, line)| line.squares().iter().map(|square| name(board, square)).collect())
            .collect(),
        finished: (0..state.n_boards())
            .filter(|&n| many && !state.lines(n).is_empty())
            .map(|n| n + 1)
            .collect(),
        dead: to_move.and_then(|_| state.dead()).map(reason_of),
        value: answer.value().map(value_name),
        distance: answer.distance,
        moves: answers
            .iter()
            .map(|(mv, answer)| JudgedMove {
                mv: rules.written(*mv).to_string(),
                value: answer.value().map(value_name),
                distance: answer.distance,
            })
            .collect(),
    }
}

const fn value_name(value: Value) -> &'static str {
    match value {
        Value::Win => "win",
        Value::Draw => "draw",
        Value::Loss => "loss",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(rules: &str, moves: &[&str]) -> Judged {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let mut oracle = Oracle::new(&rules.parse().unwrap(), 16 << 20);
        judged(&mut oracle, &moves, Duration::from_secs(2)).unwrap()
    }

    #[test]
    fn every_position_of_a_game_has_its_facts() {
        let judged = ask("3,3,3", &["X A1", "O A2", "X B1", "O C1", "X B2"]);
        assert_eq!(judged.plies.len(), 6);
        assert_eq!(judged.plies[0].value, Some("draw"));
        assert_eq!(judged.plies[2].value, Some("win"));
        let last = &judged.plies[5];
        assert_eq!((last.value, last.distance), (Some("loss"), Some(2)));
        assert_eq!(judged.line.len(), 2);
    }

    #[test]
    fn an_ended_game_shows_its_line_and_its_winner() {
        let judged = ask("notakto boards=2", &["X 1.A1", "X 1.A2", "X 1.A3"]);
        let last = &judged.plies[3];
        assert_eq!((last.outcome, &last.finished[..]), (None, &[1][..]));
        assert_eq!(last.lines, [["1.A1", "1.A2", "1.A3"]]);
        let judged = ask("3,3,3", &["O A1", "X B1", "O A2", "X B2", "O A3"]);
        assert_eq!(judged.plies[5].outcome, Some("first"));
        assert_eq!(judged.plies[5].moves.len(), 0);
    }

    #[test]
    fn a_large_board_is_answered_in_time() {
        let start = Instant::now();
        let judged = ask("8,8,5", &["X D4", "O E5"]);
        assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
        assert_eq!(judged.plies.len(), 3);
    }
}
