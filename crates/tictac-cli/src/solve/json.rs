//! Findings as JSON; `docs/solve.md` lists the fields.

use serde::Serialize;
use tictac::solve::Answer;
use tictac::{Mark, Move, Player, State};

use super::findings::Findings;
use crate::json::{AnswerJson, names};

/// The JSON object of `tictac solve --json`.
#[derive(Serialize)]
pub(super) struct FindingsJson {
    rules: String,
    position: String,
    to_move: &'static str,
    #[serde(flatten)]
    answer: AnswerJson,
    moves: Vec<MoveJson>,
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
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    answer: AnswerJson,
}

impl FindingsJson {
    pub(super) fn of(findings: &Findings) -> FindingsJson {
        let rules = findings.state.rules();
        let mv = |&(mv, ref answer): &(Move, Answer)| MoveJson {
            mv: mv.display(rules).to_string(),
            answer: AnswerJson::of(answer),
        };
        FindingsJson {
            rules: rules.to_string(),
            position: findings.state.to_string(),
            to_move: to_move(&findings.state),
            answer: AnswerJson::of(&findings.answer),
            moves: findings.moves.iter().map(mv).collect(),
            line: names(&findings.line, rules),
            why: findings.why.clone(),
            method: findings.method,
            nodes: findings.nodes,
            seconds: findings.elapsed.as_secs_f64(),
            proven: findings.is_proven(),
        }
    }
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
