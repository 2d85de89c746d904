//! The `results.json` of a Gradescope autograder.

use std::fmt::{self, Write as _};

use serde::Serialize;

use super::RenderOptions;
use crate::names::named_values;
use crate::points::Points;
use crate::report::details::plain_details;
use crate::report::{Finding, Report, RequirementStatus};
use crate::requirement::RequirementKind;

/// When students see the results on Gradescope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Students always see them.
    #[default]
    Visible,
    /// Students never see them.
    Hidden,
    /// Students see them after the due date.
    AfterDueDate,
    /// Students see them when the grades are published.
    AfterPublished,
}

named_values! { Visibility, "visibility",
    Visible => "visible",
    Hidden => "hidden",
    AfterDueDate => "after_due_date",
    AfterPublished => "after_published",
}

#[derive(Serialize)]
struct GradescopeResults {
    output: String,
    output_format: &'static str,
    visibility: &'static str,
    stdout_visibility: &'static str,
    tests: Vec<GradescopeTest>,
}

#[derive(Serialize)]
struct GradescopeTest {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<Points>,
    status: &'static str,
    name: String,
    name_format: &'static str,
    number: String,
    output: String,
    output_format: &'static str,
    tags: Vec<&'static str>,
    visibility: &'static str,
}

pub(super) fn write(out: &mut String, reports: &[Report], options: RenderOptions) -> fmt::Result {
    let results = GradescopeResults {
        output: reports.iter().map(summary).collect(),
        output_format: "text",
        visibility: "visible",
        stdout_visibility: "hidden",
        tests: (1..).zip(reports).flat_map(|(number, report)| tests(number, report, options)).collect(),
    };
    writeln!(out, "{}", serde_json::to_string_pretty(&results).expect("the results can be serialised"))
}

/// Gradescope shows students nothing but this file, so it must contain the error.
pub(super) fn render_error(message: &str) -> String {
    format!("{:#}\n", serde_json::json!({ "output": message, "score": 0 }))
}

fn summary(report: &Report) -> String {
    let verdict = if report.has_fault() { "at least one requirement is broken" } else { "no fault found" };
    let Report { assignment, seed, .. } = report;
    let mut text =
        format!("{assignment}: {verdict}; {}, {}, seed {seed}", report.score_text(), report.extent());
    report.circumstances().iter().for_each(|each| text.extend(["; ", each]));
    text + "\n"
}

fn tests(number: u32, report: &Report, options: RenderOptions) -> Vec<GradescopeTest> {
    let test = |(place, finding)| test(format!("{number}.{place}"), report, finding, options);
    (1..).zip(report.tried()).map(test).collect()
}

fn test(number: String, report: &Report, finding: &Finding, options: RenderOptions) -> GradescopeTest {
    let requirement = finding.requirement;
    // Points above the maximum are a bonus.
    let (score, max_score) = match requirement.kind {
        _ if finding.status() == RequirementStatus::ByHand => (None, None),
        RequirementKind::Bonus => (Some(finding.earned()), Some(Points::ZERO)),
        RequirementKind::Robustness => (None, None),
        _ => (Some(finding.earned()), Some(finding.points)),
    };
    let status = finding.status();
    let has_failed = !matches!(status, RequirementStatus::Fulfilled | RequirementStatus::ByHand);
    GradescopeTest {
        score,
        max_score,
        status: if has_failed { "failed" } else { "passed" },
        name: if options.feedback.shows_rule() {
            format!("{}: {}", requirement.id, requirement.rule)
        } else {
            requirement.id.to_owned()
        },
        name_format: "text",
        number,
        output: match status {
            RequirementStatus::Unseen => "No case about this requirement passed.\n".to_owned(),
            RequirementStatus::ByHand => format!("{} points are given by hand.\n", finding.points),
            _ => plain_details(report, finding, options.feedback),
        },
        output_format: "text",
        tags: vec![report.assignment.name(), requirement.kind.name()],
        visibility: options.visibility.name(),
    }
}
