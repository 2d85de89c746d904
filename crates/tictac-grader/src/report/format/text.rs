//! Text for a terminal.

use std::fmt::{self, Write as _};

use super::RenderOptions;
use crate::report::details::{details, plural};
use crate::report::{Finding, Report, RequirementStatus};
use crate::requirement::RequirementKind;

pub(super) fn write(out: &mut String, reports: &[Report], options: RenderOptions) -> fmt::Result {
    for (number, report) in reports.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        TextWriter { report, options }.write_to(out)?;
    }
    Ok(())
}

struct TextWriter<'a> {
    report: &'a Report,
    options: RenderOptions,
}

/// ANSI colour codes that are readable on a dark and on a light background.
const GREEN: &str = "32";
const RED: &str = "31";
const BOLD: &str = "1";

impl TextWriter<'_> {
    fn write_to(&self, out: &mut String) -> fmt::Result {
        let report = self.report;
        let title = format!("{} · {}", report.assignment, report.command.join(" "));
        writeln!(out, "{}", self.paint(BOLD, &title))?;
        write!(out, "{}, seed {}", report.extent(), report.seed)?;
        report.circumstances().iter().try_for_each(|each| write!(out, "; {each}"))?;
        writeln!(out)?;
        RequirementKind::ALL.into_iter().try_for_each(|kind| self.write_kind(out, kind))?;
        self.write_summary(out)
    }

    fn write_kind(&self, out: &mut String, kind: RequirementKind) -> fmt::Result {
        let mut findings = self.report.findings_of(kind).peekable();
        if findings.peek().is_none() {
            return Ok(());
        }
        let heading = match kind {
            RequirementKind::Required => "Required",
            RequirementKind::Style => "Style",
            RequirementKind::Manual => "By hand (a person gives these points)",
            RequirementKind::Bonus => "Bonus (extra points)",
            RequirementKind::Robustness => "Robustness (not specified by the document, no points)",
        };
        writeln!(out, "\n{}", self.paint(BOLD, heading))?;
        findings.try_for_each(|finding| self.write_finding(out, finding))
    }

    fn write_finding(&self, out: &mut String, finding: &Finding) -> fmt::Result {
        let status = finding.status();
        let (_, colour) = finding.style();
        let points = match status {
            RequirementStatus::Untried => status.words().to_owned(),
            _ if finding.is_of(RequirementKind::Robustness) => String::new(),
            _ => finding.points_text(),
        };
        let rule = if self.options.feedback.shows_rule() { finding.requirement.rule } else { "" };
        let note = finding.note();
        let line = format!("{:13} {points:>9}  {rule}{note}", finding.requirement.short_id());
        writeln!(out, "{} {}", self.paint(colour, status.symbol()), line.trim_end())?;
        let lines = details(self.report, finding, self.options.feedback);
        for line in &lines {
            let text: String = line.iter().map(|(role, text)| self.paint(role.style().1, text)).collect();
            writeln!(out, "{}", format!("    {text}").trim_end())?;
        }
        if lines.is_empty() { Ok(()) } else { writeln!(out) }
    }

    fn write_summary(&self, out: &mut String) -> fmt::Result {
        let n_broken = |kind| self.report.broken().filter(|finding| finding.requirement.kind == kind).count();
        let (verdict, colour) = match n_broken(RequirementKind::Required) {
            0 => ("No fault found".to_owned(), GREEN),
            1 => ("1 requirement is broken".to_owned(), RED),
            n => (format!("{n} requirements are broken"), RED),
        };
        writeln!(out, "\n{} · {}", self.paint(colour, &verdict), self.report.score_text())?;
        let n_findings = n_broken(RequirementKind::Robustness);
        if n_findings > 0 {
            let findings = plural(n_findings, "finding");
            writeln!(out, "{n_findings} {findings} about robustness, no points lost")?;
        }
        if self.report.n_cases == 0 {
            writeln!(out, "No cases were tried.")?;
        }
        Ok(())
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.options.has_colour && !text.is_empty() && !colour.is_empty() {
            format!("\u{1b}[{colour}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}
