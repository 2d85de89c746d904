//! Findings as JSON; `docs/solve.md` lists the fields.

use serde_json::{Value, json};
use tictac::{Mark, Move, Player, State};
use tictac_solver::Answer;

use super::checkpoint::RunTotals;
use super::report::SolveReport;
use crate::json::{names, with_answer};

/// Returns the JSON object of `tictac solve --json`.
pub(super) fn object(report: &SolveReport) -> Value {
    let (state, rules) = (&report.state, report.state.rules());
    let position = json!({
        "rules": rules.to_string(),
        "position": state.to_string(),
        "to_move": to_move(state),
    });
    let mut object = with_answer(position, &report.found.answer);
    let mv = |&(mv, ref answer): &(Move, Answer)| {
        with_answer(json!({ "move": mv.display(rules).to_string() }), answer)
    };
    object["moves"] = report.found.moves.iter().map(mv).collect();
    if !report.found.line.is_empty() {
        object["line"] = json!(names(&report.found.line, rules));
    }
    if let Some(why) = &report.found.why {
        object["why"] = json!(why);
    }
    object["method"] = json!(report.found.method);
    object["nodes"] = json!(report.found.nodes);
    object["seconds"] = json!(report.elapsed.as_secs_f64());
    if let Some(RunTotals { runs, nodes, seconds }) = report.all_runs {
        object["all_runs"] = json!({ "runs": runs, "nodes": nodes, "seconds": seconds });
    }
    object["proven"] = json!(report.found.are_proven());
    object
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
