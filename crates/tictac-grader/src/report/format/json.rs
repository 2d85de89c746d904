//! JSON. Bytes are escaped as for `printf`: `\n`, `\000`, `%%`.

use std::fmt::{self, Write as _};

use serde::Serialize;

use super::RenderOptions;
use crate::points::Points;
use crate::report::bytes::escape;
use crate::report::details::{behaviour_text, command};
use crate::report::{Cause, Consistency, Feedback, Finding, Report, RequirementStatus};
use crate::run::{RunExit, RunOutput};

#[derive(Serialize)]
struct JsonDocument<'a> {
    version: u32,
    reports: Vec<ReportView<'a>>,
}

#[derive(Serialize)]
struct ReportView<'a> {
    assignment: &'a str,
    command: &'a [String],
    seed: u64,
    cases: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<PositionsView>,
    skipped: usize,
    busy: usize,
    fault: bool,
    score: Points,
    max_score: Points,
    bonus: Points,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_hand: Option<Points>,
    requirements: Vec<FindingView<'a>>,
}

#[derive(Serialize)]
struct PositionsView {
    asked: usize,
    all: usize,
}

#[derive(Serialize)]
struct FindingView<'a> {
    id: &'a str,
    kind: &'a str,
    verdict: &'a str,
    points: Points,
    /// `null` if a person gives the points.
    earned: Option<Points>,
    cases: usize,
    failed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    says: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    causes: Vec<CauseView>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
}

#[derive(Serialize)]
struct CauseView {
    behaviour: String,
    cases: usize,
    flaky: bool,
    neighbours: usize,
    failing_neighbours: usize,
    arguments: Vec<String>,
    input: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<OutputView>,
    actual: OutputView,
    command: String,
}

#[derive(Serialize)]
struct OutputView {
    stdout: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    ending: String,
}

pub(super) fn write(out: &mut String, reports: &[Report], options: RenderOptions) -> fmt::Result {
    let reports = reports.iter().map(|report| report_view(report, options.feedback)).collect();
    let document = serde_json::to_string_pretty(&JsonDocument { version: 1, reports });
    writeln!(out, "{}", document.expect("the document can be serialised"))
}

fn report_view(report: &Report, feedback: Feedback) -> ReportView<'_> {
    let (score, max_score) = report.score();
    ReportView {
        assignment: report.assignment.name(),
        command: &report.command,
        seed: report.seed,
        cases: report.n_cases,
        positions: report.positions.map(|each| PositionsView { asked: each.n_asked, all: each.n_all }),
        skipped: report.n_skipped,
        busy: report.n_busy,
        fault: report.has_fault(),
        score,
        max_score,
        bonus: report.bonus(),
        by_hand: Some(report.by_hand()).filter(|&points| points > Points::ZERO),
        requirements: report.findings.iter().map(|finding| finding_view(report, finding, feedback)).collect(),
    }
}

fn finding_view<'a>(report: &Report, finding: &'a Finding, feedback: Feedback) -> FindingView<'a> {
    let requirement = finding.requirement;
    let causes: &[Cause] = if feedback.cause(finding).is_some() { &finding.causes } else { &[] };
    FindingView {
        id: requirement.id,
        kind: requirement.kind.name(),
        verdict: match finding.status() {
            RequirementStatus::Unseen => "unseen",
            RequirementStatus::Untried => "untried",
            status => status.words(),
        },
        points: finding.points,
        earned: Some(finding.earned()).filter(|_| finding.status() != RequirementStatus::ByHand),
        cases: finding.n_cases,
        failed: finding.n_failed(),
        says: feedback.shows_rule().then_some(requirement.rule),
        source: feedback.shows_rule().then_some(requirement.source),
        hint: requirement.hint.filter(|_| feedback.shows_rule() && !finding.causes.is_empty()),
        causes: causes.iter().map(|cause| cause_view(report, cause, feedback)).collect(),
        remarks: if feedback.shows_rule() { &finding.remarks } else { &[] },
    }
}

fn cause_view(report: &Report, cause: &Cause, feedback: Feedback) -> CauseView {
    let example = &cause.smallest;
    CauseView {
        behaviour: behaviour_text(&cause.behaviour, feedback),
        cases: cause.n_cases,
        flaky: cause.consistency != Consistency::Always,
        neighbours: cause.n_neighbours,
        failing_neighbours: cause.n_bad_neighbours,
        arguments: example.case.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        input: escape(&example.case.input),
        expected: feedback
            .shows_expected()
            .then(|| OutputView { stderr: None, ..output_view(&example.expected) }),
        actual: output_view(&example.actual),
        command: command(report, example),
    }
}

fn output_view(output: &RunOutput) -> OutputView {
    let (status, signal) = match output.exit {
        RunExit::Status(status) => (Some(status), None),
        RunExit::Signal(signal) => (None, Some(signal)),
        _ => (None, None),
    };
    let (stdout, stderr) = (escape(&output.stdout), Some(escape(&output.stderr)));
    OutputView { stdout, stderr, status, signal, ending: output.exit.to_string() }
}
