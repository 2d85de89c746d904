//! For a person in a terminal.

use std::fmt::Write as _;

use super::exhibit::{Part, cases, exhibit};
use super::{Finding, Report, Style, Verdict};
use crate::requirement::Kind;

pub(super) fn render(reports: &[Report], style: Style) -> String {
    let mut out = String::new();
    for (number, report) in reports.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let writer = Writer { report, style };
        writer.write(&mut out).expect("a string takes every text");
    }
    out
}

struct Writer<'a> {
    report: &'a Report,
    style: Style,
}

/// Colours by their numbers; each looks well on dark and on light ground.
const GREEN: &str = "32";
const RED: &str = "31";
const YELLOW: &str = "33";
const CYAN: &str = "36";
const BOLD: &str = "1";
const DIM: &str = "2";

impl Writer<'_> {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let report = self.report;
        let title = format!("{} · {}", report.assignment, report.command.join(" "));
        writeln!(out, "{}", self.paint(BOLD, &title))?;
        writeln!(
            out,
            "{} cases, seed {}{}",
            report.n_cases,
            report.seed,
            if report.n_skipped > 0 {
                format!("; {} more were left out after repeated time-outs", report.n_skipped)
            } else {
                String::new()
            }
        )?;
        for kind in [Kind::Required, Kind::Bonus, Kind::Robustness] {
            self.write_kind(out, kind)?;
        }
        self.write_sum(out)
    }

    fn write_kind(&self, out: &mut String, kind: Kind) -> std::fmt::Result {
        let own: Vec<&Finding> =
            self.report.findings.iter().filter(|finding| finding.requirement.kind == kind).collect();
        if own.is_empty() {
            return Ok(());
        }
        let heading = match kind {
            Kind::Required => "Required by the document",
            Kind::Bonus => "Bonus (never changes the verdict)",
            Kind::Robustness => "Robustness (the document leaves it open: worth no points)",
        };
        writeln!(out, "\n{}", self.paint(BOLD, heading))?;
        own.into_iter().try_for_each(|finding| self.write_finding(out, finding))
    }

    fn write_finding(&self, out: &mut String, finding: &Finding) -> std::fmt::Result {
        let is_robustness = finding.requirement.kind == Kind::Robustness;
        let (mark, colour) = match finding.verdict() {
            Verdict::Fulfilled => ("✓", GREEN),
            Verdict::Broken if is_robustness => ("✗", YELLOW),
            Verdict::Broken => ("✗", RED),
            Verdict::Flaky => ("✗", YELLOW),
            Verdict::Unseen | Verdict::Untried => ("·", DIM),
        };
        let points = match finding.verdict() {
            Verdict::Untried => "not tried".to_owned(),
            _ if is_robustness => String::new(),
            _ => format!("{:>2}/{}", finding.earned(), finding.points),
        };
        let says = if self.style.feedback.names_rule() { finding.requirement.says } else { "" };
        let note = if finding.verdict() == Verdict::Unseen { " (never seen to work)" } else { "" };
        let line = format!("{:13} {points:>9}  {says}{note}", finding.requirement.short_id());
        writeln!(out, "{} {}", self.paint(colour, mark), line.trim_end())?;
        self.write_exhibit(out, finding)
    }

    fn write_exhibit(&self, out: &mut String, finding: &Finding) -> std::fmt::Result {
        let lines = exhibit(self.report, finding, self.style.feedback);
        let has_lines = !lines.is_empty();
        for line in lines {
            let text: String = line.iter().map(|(part, text)| self.paint_part(*part, text)).collect();
            writeln!(out, "{}", format!("    {text}").trim_end())?;
        }
        if has_lines {
            writeln!(out)?;
        }
        Ok(())
    }

    fn write_sum(&self, out: &mut String) -> std::fmt::Result {
        let broken = |kind: Kind| {
            let own = self.report.findings.iter().filter(move |finding| finding.requirement.kind == kind);
            own.filter(|finding| !finding.causes.is_empty()).count()
        };
        let faults = broken(Kind::Required);
        let open = broken(Kind::Robustness);
        let (verdict, colour) = match faults {
            0 => ("No fault found".to_owned(), GREEN),
            1 => ("1 requirement is broken".to_owned(), RED),
            n => (format!("{n} requirements are broken"), RED),
        };
        writeln!(out, "\n{} · {}", self.paint(colour, &verdict), self.report.points_in_words())?;
        if open > 0 {
            let findings = if open == 1 { "finding" } else { "findings" };
            writeln!(out, "{open} {findings} about robustness, which cost no points")?;
        }
        if self.report.n_cases == 0 {
            writeln!(out, "No {} were tried.", cases(0))?;
        }
        Ok(())
    }

    fn paint_part(&self, part: Part, text: &str) -> String {
        match part {
            Part::Plain => text.to_owned(),
            Part::Title => self.paint(BOLD, text),
            Part::Expected => self.paint(GREEN, text),
            Part::Actual => self.paint(RED, text),
            Part::Command => self.paint(CYAN, text),
            Part::Remark => self.paint(DIM, text),
        }
    }

    fn paint(&self, colour: &str, text: &str) -> String {
        if self.style.has_colour && !text.is_empty() {
            format!("\u{1b}[{colour}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}
