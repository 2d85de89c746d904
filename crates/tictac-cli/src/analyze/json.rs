//! Analyses as JSON; `docs/analysis.md` lists the fields.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use tictac::{JudgedMove, Rules};
use tictac_archive::GameReport;

use super::analysis::GameAnalysis;
use crate::json::{AnswerJson, ErrorJson};

#[derive(Serialize)]
struct AnalysisJson<'a> {
    file: &'a str,
    game: u64,
    line: u64,
    outcome: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<&'a str, Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<RatingJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_losing_move: Option<LosingMoveJson>,
    errors: Vec<ErrorJson<'a>>,
}

#[derive(Serialize)]
struct RatingJson {
    number: usize,
    #[serde(rename = "move")]
    mv: String,
    verdict: Option<String>,
    before: AnswerJson,
    after: AnswerJson,
    best: Vec<String>,
}

#[derive(Serialize)]
struct LosingMoveJson {
    number: usize,
    is_surely_first: bool,
    punishment: Vec<String>,
}

/// Returns the JSON object of a game.
pub(super) fn game(file: &str, report: &GameReport, analysis: &GameAnalysis) -> serde_json::Result<String> {
    let rules = &analysis.game.rules;
    let moves = (1..).zip(&analysis.judged).map(|(number, judged)| RatingJson::of(number, judged, rules));
    let losing_move = analysis.turning_point.as_ref().map(|point| LosingMoveJson {
        number: point.index + 1,
        is_surely_first: point.is_surely_first,
        punishment: point.punishment.iter().map(|&mv| mv.display(rules).to_string()).collect(),
    });
    serde_json::to_string(&AnalysisJson {
        rules: Some(rules.to_string()),
        moves: Some(moves.collect()),
        first_losing_move: losing_move,
        ..AnalysisJson::of(file, report)
    })
}

/// Returns the JSON object of a game with errors.
pub(super) fn bad(file: &str, report: &GameReport) -> serde_json::Result<String> {
    serde_json::to_string(&AnalysisJson::of(file, report))
}

impl<'a> AnalysisJson<'a> {
    fn of(file: &'a str, report: &'a GameReport) -> AnalysisJson<'a> {
        AnalysisJson {
            file,
            game: report.game,
            line: report.line,
            outcome: report.ending.name(),
            tags: report.tags.iter().map(|tag| (tag.name.as_str(), tag.text())).collect(),
            rules: None,
            moves: None,
            first_losing_move: None,
            errors: report.faults.iter().map(ErrorJson::of).collect(),
        }
    }
}

impl RatingJson {
    fn of(number: usize, judged: &JudgedMove, rules: &Rules) -> RatingJson {
        let is_known = judged.before.value().is_some();
        RatingJson {
            number,
            mv: judged.mv.display(rules).to_string(),
            verdict: judged.verdict.map(|verdict| verdict.to_string()),
            before: AnswerJson::of(&judged.before),
            after: AnswerJson::of(&judged.after),
            best: judged.best.iter().filter(|_| is_known).map(|&mv| mv.display(rules).to_string()).collect(),
        }
    }
}
