//! Test Anything Protocol, version 14.

use std::fmt::Write as _;

use super::exhibit::plain;
use super::{Feedback, Finding, Report, Verdict};
use crate::requirement::Kind;

pub(super) fn render(reports: &[Report], feedback: Feedback) -> String {
    let all: Vec<(&Report, &Finding)> = reports
        .iter()
        .flat_map(|report| report.findings.iter().map(move |finding| (report, finding)))
        .collect();
    let mut out = format!("TAP version 14\n1..{}\n", all.len());
    for report in reports {
        let _ = writeln!(out, "# {}: {} cases, seed {}", report.assignment, report.n_cases, report.seed);
    }
    for (number, (report, finding)) in (1..).zip(all) {
        test_point(number, report, finding, feedback, &mut out).expect("a string takes every text");
    }
    out
}

fn test_point(
    number: usize,
    report: &Report,
    finding: &Finding,
    feedback: Feedback,
    out: &mut String,
) -> std::fmt::Result {
    let is_fine = finding.causes.is_empty() && finding.verdict() != Verdict::Unseen;
    let ok = if is_fine { "ok" } else { "not ok" };
    // A number sign would begin a directive.
    let says = if feedback.names_rule() {
        format!(": {}", finding.requirement.says.replace('#', "\\#"))
    } else {
        String::new()
    };
    // What never changes the verdict is a to-do: it may fail.
    let directive = match (finding.verdict(), finding.requirement.kind) {
        (Verdict::Untried, _) => " # SKIP not tried",
        (Verdict::Unseen, _) => " # TODO never seen to work",
        (_, Kind::Required) => "",
        (_, Kind::Bonus) => " # TODO bonus",
        (_, Kind::Robustness) => " # TODO robustness",
    };
    writeln!(out, "{ok} {number} - {}{says}{directive}", finding.requirement.id)?;
    let detail = plain(report, finding, feedback);
    if !detail.is_empty() {
        writeln!(out, "  ---\n  message: |")?;
        detail.lines().try_for_each(|line| writeln!(out, "{}", format!("    {line}").trim_end()))?;
        writeln!(out, "  ...")?;
    }
    Ok(())
}
