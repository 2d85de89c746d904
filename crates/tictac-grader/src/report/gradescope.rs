//! `results.json` of Gradescope's autograder.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::exhibit::plain;
use super::json::kind_name;
use super::{Feedback, Finding, Report, Style, Verdict};
use crate::requirement::Kind;

/// When students see the tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Always.
    #[default]
    Visible,
    /// Never.
    Hidden,
    /// After the due date.
    AfterDueDate,
    /// After grades are published.
    AfterPublished,
}

impl Visibility {
    /// All of them.
    pub const ALL: [Visibility; 4] =
        [Visibility::Visible, Visibility::Hidden, Visibility::AfterDueDate, Visibility::AfterPublished];

    /// Returns the word that Gradescope uses.
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
            format!(
                "no such visibility: {name:?}; there are {}",
                Visibility::ALL.map(Visibility::name).join(", ")
            )
        })
    }
}

#[derive(Serialize)]
struct Results {
    output: String,
    output_format: &'static str,
    visibility: &'static str,
    stdout_visibility: &'static str,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
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

pub(super) fn render(reports: &[Report], style: Style) -> String {
    let results = Results {
        output: reports.iter().map(summary).collect(),
        output_format: "text",
        visibility: "visible",
        stdout_visibility: "hidden",
        tests: (1..).zip(reports).flat_map(|(number, report)| tests(number, report, style)).collect(),
    };
    let mut text = serde_json::to_string_pretty(&results).expect("the view is plain data");
    text.push('\n');
    text
}

fn summary(report: &Report) -> String {
    let verdict = if report.has_fault() { "at least one requirement is broken" } else { "no fault found" };
    format!(
        "{}: {verdict}; {}, {} cases, seed {}\n",
        report.assignment,
        report.points_in_words(),
        report.n_cases,
        report.seed
    )
}

fn tests(number: u32, report: &Report, style: Style) -> Vec<Test> {
    let tried = report.findings.iter().filter(|finding| finding.verdict() != Verdict::Untried);
    (1..)
        .zip(tried)
        .map(|(place, finding)| test(format!("{number}.{place}"), report, finding, style))
        .collect()
}

fn test(number: String, report: &Report, finding: &Finding, style: Style) -> Test {
    let requirement = finding.requirement;
    // A bonus adds points without being asked for; robustness has none to give.
    let (score, max_score) = match requirement.kind {
        Kind::Required => (Some(finding.earned()), Some(finding.points)),
        Kind::Bonus => (Some(finding.earned()), Some(0)),
        Kind::Robustness => (None, None),
    };
    let is_unseen = finding.verdict() == Verdict::Unseen;
    Test {
        score,
        max_score,
        status: if finding.causes.is_empty() && !is_unseen { "passed" } else { "failed" },
        name: name(finding, style.feedback),
        name_format: "text",
        number,
        output: if is_unseen {
            "No case about this was answered rightly, so it was never seen to work.\n".to_owned()
        } else {
            plain(report, finding, style.feedback)
        },
        output_format: "text",
        tags: vec![report.assignment.name(), kind_name(requirement.kind)],
        visibility: style.visibility.name(),
    }
}

fn name(finding: &Finding, feedback: Feedback) -> String {
    if feedback.names_rule() {
        format!("{}: {}", finding.requirement.id, finding.requirement.says)
    } else {
        finding.requirement.id.to_owned()
    }
}
