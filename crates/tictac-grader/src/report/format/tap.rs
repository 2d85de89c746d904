//! Test Anything Protocol, version 14.

use std::fmt::{self, Write as _};

use super::RenderOptions;
use crate::report::details::plain_details;
use crate::report::{Feedback, Finding, Report, RequirementStatus};
use crate::requirement::RequirementKind;

pub(super) fn write(out: &mut String, reports: &[Report], options: RenderOptions) -> fmt::Result {
    let n_tests: usize = reports.iter().map(|report| report.findings.len()).sum();
    writeln!(out, "TAP version 14\n1..{n_tests}")?;
    for report in reports {
        let Report { assignment, seed, .. } = report;
        writeln!(out, "# {assignment}: {}, seed {seed}", report.extent())?;
        report.circumstances().iter().try_for_each(|each| writeln!(out, "# {each}"))?;
    }
    let all = reports.iter().flat_map(|report| report.findings.iter().map(move |finding| (report, finding)));
    (1..).zip(all).try_for_each(|(number, (report, finding))| {
        write_test_point(out, number, report, finding, options.feedback)
    })
}

fn write_test_point(
    out: &mut String,
    number: usize,
    report: &Report,
    finding: &Finding,
    feedback: Feedback,
) -> fmt::Result {
    let status = finding.status();
    let has_failed =
        matches!(status, RequirementStatus::Broken | RequirementStatus::Flaky | RequirementStatus::Unseen);
    let ok = if has_failed { "not ok" } else { "ok" };
    // An unescaped # would start a directive.
    let rule = if feedback.shows_rule() {
        format!(": {}", finding.requirement.rule.replace('#', "\\#"))
    } else {
        String::new()
    };
    // A test marked TODO may fail: bonus and robustness must not fail the whole report.
    let directive = match (status, finding.requirement.kind) {
        (RequirementStatus::ByHand, _) => format!(" # SKIP {} points by hand", finding.points),
        (RequirementStatus::Untried, _) => format!(" # SKIP {}", status.words()),
        (RequirementStatus::Unseen, RequirementKind::Required) => format!(" ({})", status.words()),
        (RequirementStatus::Unseen, _) => format!(" # TODO {}", status.words()),
        (_, RequirementKind::Required | RequirementKind::Style) => String::new(),
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
