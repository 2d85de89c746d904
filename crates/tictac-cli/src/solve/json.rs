//! Findings as JSON, for a program.

use serde::Serialize;
use tictac::solve::{Answer, Value};
use tictac::{Mark, Player, State};

use super::findings::Findings;
use super::words::value_in_a_word;

/// The one object of `tictac solve --json`; `docs/solve.md` names its fields.
#[derive(Serialize)]
pub(super) struct Object {
    rules: String,
    position: String,
    to_move: &'static str,
    value: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[&'static str; 2]>,
    distance: Option<u32>,
    moves: Vec<Reply>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    method: &'static str,
    nodes: u64,
    seconds: f64,
    proven: bool,
}

#[derive(Serialize)]
struct Reply {
    #[serde(rename = "move")]
    mv: String,
    value: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[&'static str; 2]>,
    distance: Option<u32>,
}

impl Object {
    pub(super) fn of(findings: &Findings) -> Object {
        let rules = findings.state.rules();
        let written = |mv: tictac::Move| mv.display(rules).to_string();
        Object {
            rules: rules.to_string(),
            position: findings.state.to_string(),
            to_move: to_move(&findings.state),
            value: word(&findings.answer),
            bounds: bounds(&findings.answer),
            distance: findings.answer.distance,
            moves: findings
                .moves
                .iter()
                .map(|(mv, answer)| Reply {
                    mv: written(*mv),
                    value: word(answer),
                    bounds: bounds(answer),
                    distance: answer.distance,
                })
                .collect(),
            line: findings.line.iter().map(|&mv| written(mv)).collect(),
            why: findings.why.clone(),
            method: findings.method,
            nodes: findings.nodes,
            seconds: findings.elapsed.as_secs_f64(),
            proven: findings.is_proven(),
        }
    }
}

fn word(answer: &Answer) -> Option<&'static str> {
    answer.value().map(value_in_a_word)
}

/// The worst and the best that is possible, where the value is not known.
fn bounds(answer: &Answer) -> Option<[&'static str; 2]> {
    let unknown = answer.value().is_none();
    unknown.then(|| [answer.worst, answer.best].map(|value: Value| value_in_a_word(value)))
}

fn to_move(state: &State) -> &'static str {
    let next = state.next_player();
    match (state.mark_of(next), next) {
        (Some(Mark::X), _) => "X",
        (Some(Mark::O), _) => "O",
        (None, Player::First) => "first",
        (None, Player::Second) => "second",
    }
}
