//! JSON objects that several commands print; `docs/check.md` and `docs/solve.md` list the fields.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde::Serialize;
use tictac::solve::Answer;
use tictac::{Move, Rules};
use tictac_archive::{GameReport, PlacedFault, Totals};

#[derive(Serialize)]
struct GameJson<'a> {
    file: &'a str,
    game: u64,
    line: u64,
    outcome: &'static str,
    moves: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<&'a str, Cow<'a, str>>,
    errors: Vec<ErrorJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unjudged_lines: Option<NonZeroU64>,
}

/// An error in a game.
#[derive(Serialize)]
pub(crate) struct ErrorJson<'a> {
    line: u64,
    column: u64,
    code: &'static str,
    message: &'a str,
    help: Option<&'a str>,
}

/// The number of games and how they ended.
#[derive(Serialize)]
pub(crate) struct TotalsJson<'a> {
    games: u64,
    #[serde(flatten)]
    totals: &'a Totals,
}

/// The value of a position or a move.
#[derive(Serialize)]
pub(crate) struct AnswerJson {
    value: Option<String>,
    // The worst and the best possible value, if the value is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[String; 2]>,
    distance: Option<u32>,
}

impl AnswerJson {
    /// Returns the JSON object of an answer.
    pub(crate) fn of(answer: &Answer) -> AnswerJson {
        let value = answer.value().map(|value| value.to_string());
        let bounds = value.is_none().then(|| [answer.worst, answer.best].map(|value| value.to_string()));
        AnswerJson { value, bounds, distance: answer.distance }
    }
}

/// Returns moves as they are written in records.
pub(crate) fn names(moves: &[Move], rules: &Rules) -> Vec<String> {
    moves.iter().map(|mv| mv.display(rules).to_string()).collect()
}

/// Returns the JSON object of a game.
pub(crate) fn game(file: &str, report: &GameReport) -> serde_json::Result<String> {
    serde_json::to_string(&GameJson {
        file,
        game: report.game,
        line: report.line,
        outcome: report.ending.name(),
        moves: report.moves,
        tags: report.tags.iter().map(|tag| (tag.name.as_str(), tag.text())).collect(),
        errors: report.faults.iter().map(ErrorJson::of).collect(),
        unjudged_lines: NonZeroU64::new(report.unjudged_lines),
    })
}

impl<'a> TotalsJson<'a> {
    /// Returns the JSON object of the totals.
    pub(crate) fn of(totals: &'a Totals) -> TotalsJson<'a> {
        TotalsJson { games: totals.games(), totals }
    }
}

impl<'a> ErrorJson<'a> {
    /// Returns the JSON object of a fault.
    pub(crate) fn of(placed: &'a PlacedFault) -> ErrorJson<'a> {
        ErrorJson {
            line: placed.line,
            column: placed.column,
            code: placed.fault.code.name(),
            message: &placed.fault.message,
            help: placed.fault.help.as_deref(),
        }
    }
}
