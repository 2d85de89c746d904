//! Test Anything Protocol, version 14.

use std::fmt::Write as _;

use super::{RenderOptions, ReportFormat};
use crate::report::details::plain_details;
use crate::report::{Feedback, Finding, Report, RequirementStatus};
use crate::requirement::RequirementKind;

pub(super) const FORMAT: ReportFormat = ReportFormat { name: "tap", render, render_error: None };

fn render(reports: &[Report], options: RenderOptions) -> String {
    let all: Vec<(&Report, &Finding)> = reports
        .iter()
        .flat_map(|report| report.findings.iter().map(move |finding| (report, finding)))
        .collect();
    let mut out = format!("TAP version 14\n1..{}\n", all.len());
    for report in reports {
        let _ = writeln!(out, "# {}: {} cases, seed {}", report.assignment, report.n_cases, report.seed);
    }
    for (number, (report, finding)) in (1..).zip(all) {
        write_test_point(&mut out, number, report, finding, options.feedback)
            .expect("writing to a string cannot fail");
    }
    out
}

fn write_test_point(
    out: &mut String,
    number: usize,
    report: &Report,
    finding: &Finding,
    feedback: Feedback,
) -> std::fmt::Result {
    let status = finding.status();
    let ok = if finding.causes.is_empty() && status != RequirementStatus::Unseen { "ok" } else { "not ok" };
    // An unescaped # would start a directive.
    let rule = if feedback.shows_rule() {
        format!(": {}", finding.requirement.rule.replace('#', "\\#"))
    } else {
        String::new()
    };
    // A test marked TODO may fail: bonus and robustness must not fail the whole report.
    let directive = match (status, finding.requirement.kind) {
        (RequirementStatus::Untried, _) => format!(" # SKIP {}", status.words()),
        (RequirementStatus::Unseen, _) => format!(" # TODO {}", status.words()),
        (_, RequirementKind::Required) => String::new(),
        (_, kind) => format!(" # TODO {}", kind.name()),
    };
    writeln!(out, "{ok} {number} - {}{rule}{directive}", finding.requirement.id)?;
    let details = plain_details(report, finding, feedback);
    if !details.is_empty() {
        writeln!(out, "  ---\n  message: |")?;
        details.lines().try_for_each(|line| writeln!(out, "{}", format!("    {line}").trim_end()))?;
        writeln!(out, "  ...")?;
    }
    Ok(())
}
