//! Analyses as JSON; `docs/analysis.md` lists the fields.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use tictac::JudgedMove;
use tictac_archive::GameReport;

use super::analysis::GameAnalysis;
use crate::json::{AnswerJson, ErrorJson, names};

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

/// Returns the JSON object of a game; a game with errors has no analysis.
pub(super) fn game(
    file: &str,
    report: &GameReport,
    analysis: Option<&GameAnalysis>,
) -> serde_json::Result<String> {
    serde_json::to_string(&AnalysisJson {
        file,
        game: report.game,
        line: report.line,
        outcome: report.ending.name(),
        tags: report.tags.iter().map(|tag| (tag.name.as_str(), tag.text())).collect(),
        rules: analysis.map(|analysis| analysis.game.rules.to_string()),
        moves: analysis.map(ratings),
        first_losing_move: analysis.and_then(losing_move),
        errors: report.faults.iter().map(ErrorJson::of).collect(),
    })
}

fn ratings(analysis: &GameAnalysis) -> Vec<RatingJson> {
    let rating = |(number, judged): (usize, &JudgedMove)| RatingJson {
        number,
        mv: judged.mv.display(&analysis.game.rules).to_string(),
        verdict: judged.verdict.map(|verdict| verdict.to_string()),
        before: AnswerJson::of(&judged.before),
        after: AnswerJson::of(&judged.after),
        best: if judged.before.value().is_some() {
            names(&judged.best, &analysis.game.rules)
        } else {
            Vec::new()
        },
    };
    (1..).zip(&analysis.judged).map(rating).collect()
}

fn losing_move(analysis: &GameAnalysis) -> Option<LosingMoveJson> {
    analysis.turning_point.as_ref().map(|point| LosingMoveJson {
        number: point.index + 1,
        is_surely_first: point.is_surely_first,
        punishment: names(&point.punishment, &analysis.game.rules),
    })
}
