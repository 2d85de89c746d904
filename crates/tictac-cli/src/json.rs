//! JSON objects and lists of moves that several commands print; `docs/check.md` and `docs/solve.md` list the fields.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde::Serialize;
use serde_json::{Value, json};
use tictac::{Move, Rules};
use tictac_archive::{GameReport, PlacedFault, Totals};
use tictac_solver::Answer;

/// A checked game. Archives have millions of them, so the object is written without building a [`Value`] first.
#[derive(Serialize)]
struct GameJson<'a> {
    file: &'a str,
    game: u64,
    line: u64,
    outcome: &'static str,
    moves: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<&'a str, Cow<'a, str>>,
    errors: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    unjudged_lines: Option<NonZeroU64>,
}

pub(crate) fn game(file: &str, report: &GameReport) -> serde_json::Result<String> {
    serde_json::to_string(&GameJson {
        file,
        game: report.game,
        line: report.line,
        outcome: report.ending.name(),
        moves: report.moves,
        tags: tags(report),
        errors: errors(report),
        unjudged_lines: NonZeroU64::new(report.unjudged_lines),
    })
}

pub(crate) fn tags(report: &GameReport) -> BTreeMap<&str, Cow<'_, str>> {
    report.tags.iter().map(|tag| (tag.name.as_str(), tag.text())).collect()
}

pub(crate) fn errors(report: &GameReport) -> Value {
    let error = |PlacedFault { line, column, fault, .. }: &PlacedFault| {
        let (code, message, help) = (fault.code.name(), &fault.message, &fault.help);
        json!({ "line": line, "column": column, "code": code, "message": message, "help": help })
    };
    report.faults.iter().map(error).collect()
}

pub(crate) fn totals(totals: &Totals) -> Value {
    json!({
        "games": totals.games(),
        "moves": totals.moves,
        "x_won": totals.x_won,
        "o_won": totals.o_won,
        "drawn": totals.drawn,
        "unfinished": totals.unfinished,
        "bad": totals.bad,
    })
}

/// Adds the value of a position or a move to an object: if it is not known, the worst and the best possible value.
pub(crate) fn with_answer(mut object: Value, answer: &Answer) -> Value {
    let value = answer.value().map(|value| value.to_string());
    object["value"] = json!(value);
    if value.is_none() {
        object["bounds"] = json!([answer.worst, answer.best].map(|value| value.to_string()));
    }
    object["distance"] = json!(answer.distance);
    object
}

/// Returns moves as they are written in records.
pub(crate) fn names(moves: &[Move], rules: &Rules) -> Vec<String> {
    moves.iter().map(|mv| mv.display(rules).to_string()).collect()
}

/// Returns the short names of the first six moves, such as `A1, A3, C1`, and how many more there are.
pub(crate) fn first_names(moves: &[Move], rules: &Rules) -> String {
    const MAX_NAMED: usize = 6;
    let mut names: Vec<String> = moves.iter().take(MAX_NAMED).map(|mv| mv.name(rules).to_string()).collect();
    if moves.len() > MAX_NAMED {
        names.push(format!("{} more", moves.len() - MAX_NAMED));
    }
    names.join(", ")
}
