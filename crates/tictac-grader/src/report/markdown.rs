//! For an issue, a pull request or a wiki.

use std::fmt::Write as _;

use super::exhibit::plain;
use super::{Feedback, Finding, Report, Verdict};
use crate::requirement::Kind;

pub(super) fn render(reports: &[Report], feedback: Feedback) -> String {
    let mut out = String::new();
    for (number, report) in reports.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        section(report, feedback, &mut out).expect("a string takes every text");
    }
    out
}

fn section(report: &Report, feedback: Feedback, out: &mut String) -> std::fmt::Result {
    writeln!(out, "# {}: {}\n", report.assignment, report.points_in_words())?;
    writeln!(out, "{} cases, seed {}.\n", report.n_cases, report.seed)?;
    writeln!(out, "| | requirement | points | |\n|---|---|---|---|")?;
    for finding in &report.findings {
        let says = if feedback.names_rule() { finding.requirement.says } else { "" };
        let (mark, points) = (mark(finding), points(finding));
        writeln!(
            out,
            "| {mark} | `{}` | {points} | {} |",
            finding.requirement.short_id(),
            says.replace('|', "\\|")
        )?;
    }
    for finding in &report.findings {
        let detail = plain(report, finding, feedback);
        if !detail.is_empty() {
            let fence = fence(&detail);
            writeln!(
                out,
                "\n## ✗ {}\n\n{}\n\n{fence}text\n{detail}{fence}",
                finding.requirement.id,
                sentence(finding)
            )?;
        }
    }
    Ok(())
}

fn sentence(finding: &Finding) -> String {
    let says = finding.requirement.says;
    let mut chars = says.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

fn mark(finding: &Finding) -> &'static str {
    match finding.verdict() {
        Verdict::Fulfilled => "✓",
        Verdict::Broken => "✗",
        Verdict::Flaky => "✗ flaky",
        Verdict::Unseen => "never seen to work",
        Verdict::Untried => "not tried",
    }
}

fn points(finding: &Finding) -> String {
    match finding.requirement.kind {
        Kind::Robustness => "robustness".to_owned(),
        Kind::Bonus => format!("+{} bonus", finding.earned()),
        Kind::Required => format!("{}/{}", finding.earned(), finding.points),
    }
}

/// Returns a fence that the text itself does not contain.
fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}
