//! Facts and values of every position of a game, for the replay.

use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::State as AxumState;
use serde::{Deserialize, Serialize};
use tictac::solve::{Answer, Oracle, Question, Value};
use tictac::{Move, Outcome, Player, State, Status, Verdict};

use super::link::state_after;
use crate::app::AppState;
use crate::event::Side;
use crate::failure::Failure;
use crate::guard::Client;
use crate::hosted_game::{line_names, reason_of};
use crate::service::rules_within;

/// The body of a request: a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JudgeRequest {
    rules: String,
    #[serde(default)]
    moves: Vec<String>,
}

/// The facts about a game: one entry per position, including the start.
#[derive(Debug, Serialize)]
pub(super) struct JudgedGame {
    version: u32,
    rules: String,
    plies: Vec<PositionFacts>,
    /// The best play after the last move, if one player can force a win.
    line: Vec<String>,
}

#[derive(Debug, Serialize)]
struct PositionFacts {
    to_move: Option<Side>,
    outcome: Option<&'static str>,
    lines: Vec<Vec<String>>,
    finished: Vec<usize>,
    dead: Option<&'static str>,
    value: Option<String>,
    distance: Option<u32>,
    moves: Vec<MoveFacts>,
}

#[derive(Debug, Serialize)]
struct MoveFacts {
    #[serde(rename = "move")]
    mv: String,
    value: Option<String>,
    distance: Option<u32>,
    verdict: Option<String>,
}

/// `POST /api/v1/judge`
pub(super) async fn judge(
    AxumState(state): AxumState<AppState>,
    Client(address): Client,
    body: Bytes,
) -> Result<Json<JudgedGame>, Failure> {
    let request: JudgeRequest =
        serde_json::from_slice(&body).map_err(|error| Failure::BadRequest(error.to_string()))?;
    state.throttle.analysis(address)?;
    let limits = &state.service.config.limits;
    let rules = rules_within(&request.rules, limits)?;
    if request.moves.len() > rules.max_moves() {
        return Err(Failure::BadRequest("more moves than squares".to_owned()));
    }
    // An illegal game is refused before any work is done.
    state_after(&rules, &request.moves)?;
    let time = limits.thinking;
    state.service.metrics.analyses.inc();
    let work = move |oracle: &mut Oracle| judge_game(oracle, &request.moves, time);
    state.service.engines.with_oracle(rules, work).await?.map(Json)
}

fn judge_game(oracle: &mut Oracle, moves: &[String], time: Duration) -> Result<JudgedGame, Failure> {
    let rules = *oracle.rules();
    let deadline = Instant::now() + time;
    let mut states = Vec::with_capacity(moves.len() + 1);
    for n_moves in 0..=moves.len() {
        states.push(state_after(&rules, &moves[..n_moves])?);
    }
    // Late positions are solved first because they are easier. If time runs out, only the opening stays unsolved.
    let mut plies: Vec<PositionFacts> = Vec::with_capacity(states.len());
    for (ply, state) in states.iter().enumerate().rev() {
        // One hard position must not use up the time of all others.
        let now = Instant::now();
        let share = deadline.saturating_duration_since(now) / (ply as u32 + 1);
        let until = now + share * 2;
        plies.push(facts(state, oracle, &|| Instant::now() >= until.min(deadline)));
    }
    plies.reverse();
    let line = match (states.last(), plies.last().and_then(|last| last.value.as_deref())) {
        (Some(last), Some("win" | "loss")) => oracle.principal_line(last, &|| Instant::now() >= deadline),
        _ => Vec::new(),
    };
    let line = line.into_iter().map(|mv| mv.display(&rules).to_string()).collect();
    Ok(JudgedGame { version: crate::wire::VERSION, rules: rules.to_string(), plies, line })
}

/// Solves every move until `stop` returns true.
fn answers(state: &State, oracle: &mut Oracle, stop: &dyn Fn() -> bool) -> Vec<(Move, Answer)> {
    if oracle.is_quick() {
        return oracle.moves(state, Question::Strong, stop);
    }
    // Setting up a prover takes time even if it is stopped at once; on large boards that adds up over all moves.
    let mut answer = |mv| match state.after(mv) {
        Ok(after) if !stop() => oracle.solve(&after, Question::Strong, stop).for_mover(),
        _ => Answer::UNKNOWN,
    };
    state.moves().map(|mv| (mv, answer(mv))).collect()
}

fn facts(state: &State, oracle: &mut Oracle, stop: &dyn Fn() -> bool) -> PositionFacts {
    let rules = state.rules();
    let answers = answers(state, oracle, stop);
    let (to_move, outcome) = match state.status() {
        Status::ToMove(player) => (Some(Side::from(player)), None),
        Status::Over(Outcome::Draw) => (None, Some("draw")),
        Status::Over(Outcome::Win(Player::First)) => (None, Some("first")),
        Status::Over(Outcome::Win(Player::Second)) => (None, Some("second")),
    };
    let best = if to_move.is_some() { Answer::from_moves(&answers) } else { Answer::UNKNOWN };
    let n_boards = state.n_boards();
    let has_line = |board: &usize| n_boards > 1 && !state.lines(board - 1).is_empty();
    PositionFacts {
        to_move,
        outcome,
        lines: line_names(state),
        finished: (1..=n_boards).filter(has_line).collect(),
        dead: to_move.and_then(|_| state.dead()).map(reason_of),
        value: best.value().as_ref().map(Value::to_string),
        distance: best.distance,
        moves: answers
            .iter()
            .map(|(mv, answer)| MoveFacts {
                mv: mv.display(rules).to_string(),
                value: answer.value().as_ref().map(Value::to_string),
                distance: answer.distance,
                verdict: Verdict::of(&best, answer).as_ref().map(Verdict::to_string),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(rules: &str, moves: &[&str]) -> JudgedGame {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let mut oracle = Oracle::new(&rules.parse().unwrap(), 16 << 20);
        judge_game(&mut oracle, &moves, Duration::from_secs(2)).unwrap()
    }

    #[test]
    fn every_position_of_a_game_has_its_facts() {
        let judged = ask("3,3,3", &["X A1", "O A2", "X B1", "O C1", "X B2"]);
        assert_eq!(judged.plies.len(), 6);
        assert_eq!(judged.plies[0].value.as_deref(), Some("draw"));
        assert_eq!(judged.plies[2].value.as_deref(), Some("win"));
        let last = &judged.plies[5];
        assert_eq!((last.value.as_deref(), last.distance), (Some("loss"), Some(2)));
        assert_eq!(judged.line.len(), 2);
    }

    #[test]
    fn every_move_has_the_verdict_of_the_library() {
        let judged = ask("3,3,3", &["X A1", "O A2"]);
        let verdict = |ply: usize, mv: &str| {
            judged.plies[ply].moves.iter().find(|facts| facts.mv == mv)?.verdict.as_deref()
        };
        assert_eq!(verdict(1, "O A2"), Some("blunder"));
        assert_eq!(verdict(1, "O B2"), Some("best"));
        assert_eq!(verdict(2, "X B1"), Some("best"));
        assert_eq!(verdict(2, "X C2"), Some("mistake"));
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
