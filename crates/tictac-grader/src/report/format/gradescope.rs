//! The `results.json` of a Gradescope autograder.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::{RenderOptions, ReportFormat};
use crate::report::details::plain_details;
use crate::report::{Feedback, Finding, Report, RequirementStatus};
use crate::requirement::RequirementKind;

pub(super) const FORMAT: ReportFormat =
    ReportFormat { name: "gradescope", render, render_error: Some(render_error) };

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

impl Visibility {
    /// Every visibility that Gradescope supports.
    pub const ALL: [Visibility; 4] =
        [Visibility::Visible, Visibility::Hidden, Visibility::AfterDueDate, Visibility::AfterPublished];

    /// Returns the name that Gradescope uses.
    pub const fn name(self) -> &'static str {
        match self {
            Visibility::Visible => "visible",
            Visibility::Hidden => "hidden",
            Visibility::AfterDueDate => "after_due_date",
            Visibility::AfterPublished => "after_published",
        }
    }
}

impl fmt::Display for Visibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Visibility {
    type Err = String;

    fn from_str(name: &str) -> Result<Visibility, String> {
        let found = Visibility::ALL.into_iter().find(|visibility| visibility.name() == name);
        found.ok_or_else(|| {
            let names = Visibility::ALL.map(Visibility::name).join(", ");
            format!("unknown visibility {name:?}; expected one of {names}")
        })
    }
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
    score: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<u32>,
    status: &'static str,
    name: String,
    name_format: &'static str,
    number: String,
    output: String,
    output_format: &'static str,
    tags: Vec<&'static str>,
    visibility: &'static str,
}

fn render(reports: &[Report], options: RenderOptions) -> String {
    let results = GradescopeResults {
        output: reports.iter().map(summary).collect(),
        output_format: "text",
        visibility: "visible",
        stdout_visibility: "hidden",
        tests: (1..).zip(reports).flat_map(|(number, report)| tests(number, report, options)).collect(),
    };
    let mut text = serde_json::to_string_pretty(&results).expect("the results can be serialised");
    text.push('\n');
    text
}

/// Gradescope shows students nothing but this file, so it must contain the error.
fn render_error(message: &str) -> String {
    format!("{:#}\n", serde_json::json!({ "score": 0, "output": message }))
}

fn summary(report: &Report) -> String {
    let verdict = if report.has_fault() { "at least one requirement is broken" } else { "no fault found" };
    format!(
        "{}: {verdict}; {}, {} cases, seed {}\n",
        report.assignment,
        report.score_text(),
        report.n_cases,
        report.seed
    )
}

fn tests(number: u32, report: &Report, options: RenderOptions) -> Vec<GradescopeTest> {
    let tried = report.findings.iter().filter(|finding| finding.status() != RequirementStatus::Untried);
    (1..)
        .zip(tried)
        .map(|(place, finding)| test(format!("{number}.{place}"), report, finding, options))
        .collect()
}

fn test(number: String, report: &Report, finding: &Finding, options: RenderOptions) -> GradescopeTest {
    let requirement = finding.requirement;
    // Points above the maximum are a bonus.
    let (score, max_score) = match requirement.kind {
        RequirementKind::Required => (Some(finding.earned()), Some(finding.points)),
        RequirementKind::Bonus => (Some(finding.earned()), Some(0)),
        RequirementKind::Robustness => (None, None),
    };
    let is_unseen = finding.status() == RequirementStatus::Unseen;
    GradescopeTest {
        score,
        max_score,
        status: if finding.causes.is_empty() && !is_unseen { "passed" } else { "failed" },
        name: name(finding, options.feedback),
        name_format: "text",
        number,
        output: if is_unseen {
            "No case about this requirement passed.\n".to_owned()
        } else {
            plain_details(report, finding, options.feedback)
        },
        output_format: "text",
        tags: vec![report.assignment.name(), requirement.kind.name()],
        visibility: options.visibility.name(),
    }
}

fn name(finding: &Finding, feedback: Feedback) -> String {
    if feedback.shows_rule() {
        format!("{}: {}", finding.requirement.id, finding.requirement.rule)
    } else {
        finding.requirement.id.to_owned()
    }
}
