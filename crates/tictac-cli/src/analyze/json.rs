//! Analyses as JSON; `docs/analysis.md` lists the fields.

use serde_json::{Value, json};
use tictac::Rules;
use tictac_archive::GameReport;
use tictac_solver::{JudgedMove, Refutation};

use super::analysis::GameAnalysis;
use crate::json::{errors, names, tags, with_answer};

/// Returns the JSON object of a game; a game with errors has no analysis.
pub(super) fn game(file: &str, report: &GameReport, analysis: Option<&GameAnalysis>) -> Value {
    let (game, line, outcome) = (report.game, report.line, report.ending.name());
    let mut object = json!({ "file": file, "game": game, "line": line, "outcome": outcome });
    if !report.tags.is_empty() {
        object["tags"] = json!(tags(report));
    }
    if let Some(analysis) = analysis {
        let rules = &analysis.game.rules;
        object["rules"] = json!(rules.to_string());
        object["moves"] =
            (1..).zip(&analysis.judged).map(|(number, judged)| rating(number, judged, rules)).collect();
        if let Some(point) = analysis.turning_point().filter(|point| point.judged.is_error()) {
            object["first_losing_move"] = json!({
                "number": point.index + 1,
                "is_surely_first": point.is_surely_first,
                "punishment": names(point.punishment(), rules),
            });
        }
    }
    object["errors"] = errors(report);
    object
}

fn rating(number: usize, judged: &JudgedMove, rules: &Rules) -> Value {
    let (punished_by, missed) = match &judged.refutation {
        Some(Refutation::Punishes(moves)) => (names(moves, rules), Vec::new()),
        Some(Refutation::Keeps(moves)) => (Vec::new(), names(moves, rules)),
        None => (Vec::new(), Vec::new()),
    };
    let best = if judged.before.value().is_some() { names(&judged.best, rules) } else { Vec::new() };
    json!({
        "number": number,
        "move": judged.mv.display(rules).to_string(),
        "verdict": judged.verdict.map(|verdict| verdict.to_string()),
        "before": with_answer(json!({}), &judged.before),
        "after": with_answer(json!({}), &judged.after),
        "best": best,
        "estimate": judged.estimate.map(|verdict| verdict.to_string()),
        "reason": judged.reason(),
        "punished_by": punished_by,
        "missed": missed,
    })
}
