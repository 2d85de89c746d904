//! Analyses as JSON, for a program; `docs/analysis.md` names the fields.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use tictac::solve::{Answer, Value};
use tictac::{JudgedMove, Rules};
use tictac_archive::GameReport;

use super::analysis::Analysis;
use crate::check::json::Fault;

#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    game: u64,
    line: u64,
    outcome: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<&'a str, Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<Judgement>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_losing_move: Option<LosingMove>,
    errors: Vec<Fault<'a>>,
}

#[derive(Serialize)]
struct Judgement {
    number: usize,
    #[serde(rename = "move")]
    mv: String,
    verdict: Option<String>,
    before: Worth,
    after: Worth,
    best: Vec<String>,
}

#[derive(Serialize)]
struct Worth {
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[String; 2]>,
    distance: Option<u32>,
}

#[derive(Serialize)]
struct LosingMove {
    number: usize,
    is_surely_first: bool,
    punishment: Vec<String>,
}

/// Returns the object of a game.
pub(super) fn game(file: &str, report: &GameReport, analysis: &Analysis) -> serde_json::Result<String> {
    let rules = &analysis.game.rules;
    let moves = (1..).zip(&analysis.judged).map(|(number, judged)| Judgement::of(number, judged, rules));
    let losing_move = analysis.turning_point.as_ref().map(|point| LosingMove {
        number: point.place + 1,
        is_surely_first: point.is_surely_first,
        punishment: point.punishment.iter().map(|&mv| mv.display(rules).to_string()).collect(),
    });
    serde_json::to_string(&Object {
        rules: Some(rules.to_string()),
        moves: Some(moves.collect()),
        first_losing_move: losing_move,
        ..Object::of(file, report)
    })
}

/// Returns the object of a game with something wrong.
pub(super) fn bad(file: &str, report: &GameReport) -> serde_json::Result<String> {
    serde_json::to_string(&Object::of(file, report))
}

impl<'a> Object<'a> {
    fn of(file: &'a str, report: &'a GameReport) -> Object<'a> {
        Object {
            file,
            game: report.game,
            line: report.line,
            outcome: report.ending.name(),
            tags: report.tags.iter().map(|tag| (tag.name.as_str(), tag.text())).collect(),
            rules: None,
            moves: None,
            first_losing_move: None,
            errors: report.faults.iter().map(Fault::of).collect(),
        }
    }
}

impl Judgement {
    fn of(number: usize, judged: &JudgedMove, rules: &Rules) -> Judgement {
        let is_known = judged.before.value().is_some();
        Judgement {
            number,
            mv: judged.mv.display(rules).to_string(),
            verdict: judged.verdict.map(|verdict| verdict.to_string()),
            before: Worth::of(&judged.before),
            after: Worth::of(&judged.after),
            best: judged.best.iter().filter(|_| is_known).map(|&mv| mv.display(rules).to_string()).collect(),
        }
    }
}

impl Worth {
    fn of(answer: &Answer) -> Worth {
        let value = answer.value();
        let bounds = [answer.worst, answer.best].map(|value: Value| value.to_string());
        Worth {
            value: value.map(|value| value.to_string()),
            bounds: value.is_none().then_some(bounds),
            distance: answer.distance,
        }
    }
}
