//! For a program. Bytes are written as `printf` would take them: `\n`, `\000`, `%%`.

use serde::Serialize;

use super::exhibit::{command, told};
use super::visible::escaped;
use super::{Cause, Constancy, Feedback, Finding, Report, Verdict};
use crate::requirement::Kind;
use crate::run::Ending;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    reports: Vec<ReportView<'a>>,
}

#[derive(Serialize)]
struct ReportView<'a> {
    assignment: &'a str,
    command: &'a [String],
    seed: u64,
    cases: usize,
    skipped: usize,
    fault: bool,
    score: u32,
    max_score: u32,
    bonus: u32,
    requirements: Vec<FindingView<'a>>,
}

#[derive(Serialize)]
struct FindingView<'a> {
    id: &'a str,
    kind: &'a str,
    verdict: &'a str,
    points: u32,
    earned: u32,
    cases: usize,
    failed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    says: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    causes: Vec<CauseView<'a>>,
}

#[derive(Serialize)]
struct CauseView<'a> {
    behaviour: &'a str,
    cases: usize,
    flaky: bool,
    neighbours: usize,
    failing_neighbours: usize,
    arguments: Vec<String>,
    input: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Outcome>,
    actual: Outcome,
    command: String,
}

#[derive(Serialize)]
struct Outcome {
    stdout: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    ending: String,
}

pub(super) fn render(reports: &[Report], feedback: Feedback) -> String {
    let document =
        Document { version: 1, reports: reports.iter().map(|report| view(report, feedback)).collect() };
    let mut text = serde_json::to_string_pretty(&document).expect("the view is plain data");
    text.push('\n');
    text
}

fn view(report: &Report, feedback: Feedback) -> ReportView<'_> {
    let (score, max_score) = report.score();
    ReportView {
        assignment: report.assignment.name(),
        command: &report.command,
        seed: report.seed,
        cases: report.n_cases,
        skipped: report.n_skipped,
        fault: report.has_fault(),
        score,
        max_score,
        bonus: report.bonus(),
        requirements: report.findings.iter().map(|finding| finding_view(report, finding, feedback)).collect(),
    }
}

fn finding_view<'a>(report: &Report, finding: &'a Finding, feedback: Feedback) -> FindingView<'a> {
    let requirement = finding.requirement;
    let causes: &[Cause] = if feedback.cause(finding).is_some() { &finding.causes } else { &[] };
    FindingView {
        id: requirement.id,
        kind: kind_name(requirement.kind),
        verdict: verdict_name(finding.verdict()),
        points: finding.points,
        earned: finding.earned(),
        cases: finding.n_cases,
        failed: finding.n_failed(),
        says: feedback.names_rule().then_some(requirement.says),
        source: feedback.names_rule().then_some(requirement.source),
        causes: causes.iter().map(|cause| cause_view(report, cause, feedback)).collect(),
    }
}

fn cause_view<'a>(report: &Report, cause: &'a Cause, feedback: Feedback) -> CauseView<'a> {
    let example = &cause.smallest;
    let (status, signal) = match example.actual.ending {
        Ending::Exited(status) => (Some(status), None),
        Ending::Signalled(signal) => (None, Some(signal)),
        _ => (None, None),
    };
    CauseView {
        behaviour: told(cause, feedback),
        cases: cause.n_cases,
        flaky: cause.constancy != Constancy::Always,
        neighbours: cause.n_neighbours,
        failing_neighbours: cause.n_bad_neighbours,
        arguments: example.case.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        input: escaped(&example.case.input),
        expected: feedback.shows_answer().then(|| Outcome {
            stdout: escaped(&example.expected.stdout),
            stderr: None,
            status: Some(example.expected.status),
            signal: None,
            ending: format!("exit status {}", example.expected.status),
        }),
        actual: Outcome {
            stdout: escaped(&example.actual.stdout),
            stderr: Some(escaped(&example.actual.stderr)),
            status,
            signal,
            ending: example.actual.ending.to_string(),
        },
        command: command(report, example),
    }
}

pub(super) const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Required => "required",
        Kind::Bonus => "bonus",
        Kind::Robustness => "robustness",
    }
}

pub(super) const fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fulfilled => "fulfilled",
        Verdict::Broken => "broken",
        Verdict::Flaky => "flaky",
        Verdict::Unseen => "unseen",
        Verdict::Untried => "untried",
    }
}
