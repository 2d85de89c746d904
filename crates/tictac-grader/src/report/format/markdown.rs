//! Markdown for an issue, a pull request or a wiki.

use std::fmt::{self, Write as _};

use super::RenderOptions;
use crate::report::details::plain_details;
use crate::report::{Feedback, Finding, Report, RequirementStatus};
use crate::requirement::RequirementKind;

pub(super) fn write(out: &mut String, reports: &[Report], options: RenderOptions) -> fmt::Result {
    for (number, report) in reports.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        write_report(out, report, options.feedback)?;
    }
    Ok(())
}

fn write_report(out: &mut String, report: &Report, feedback: Feedback) -> fmt::Result {
    writeln!(out, "# {}: {}\n", report.assignment, report.score_text())?;
    write!(out, "{}, seed {}", report.extent(), report.seed)?;
    report.circumstances().iter().try_for_each(|each| write!(out, "; {each}"))?;
    writeln!(out, ".\n")?;
    writeln!(out, "| | requirement | points | |\n|---|---|---|---|")?;
    for finding in &report.findings {
        let rule = if feedback.shows_rule() { finding.requirement.rule } else { "" };
        writeln!(
            out,
            "| {} | `{}` | {} | {} |",
            status_cell(finding.status()),
            finding.requirement.short_id(),
            points_cell(finding),
            rule.replace('|', "\\|")
        )?;
    }
    for finding in &report.findings {
        let details = plain_details(report, finding, feedback);
        if !details.is_empty() {
            let fence = fence(&details);
            let (id, rule) = (finding.requirement.id, sentence(finding.requirement.rule));
            writeln!(out, "\n## ✗ {id}\n\n{rule}\n\n{fence}text\n{details}{fence}")?;
        }
    }
    Ok(())
}

/// Returns a rule as a sentence, with a capital letter and a full stop.
pub(super) fn sentence(rule: &str) -> String {
    let mut chars = rule.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

fn status_cell(status: RequirementStatus) -> &'static str {
    match status {
        RequirementStatus::Flaky => "✗ flaky",
        RequirementStatus::Unseen | RequirementStatus::Untried | RequirementStatus::ByHand => status.words(),
        _ => status.symbol(),
    }
}

fn points_cell(finding: &Finding) -> String {
    match finding.requirement.kind {
        RequirementKind::Robustness => "robustness".to_owned(),
        RequirementKind::Bonus => format!("+{} bonus", finding.earned()),
        _ => finding.points_text().trim_start().to_owned(),
    }
}

/// Returns a code fence that does not occur in the text.
pub(super) fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}
