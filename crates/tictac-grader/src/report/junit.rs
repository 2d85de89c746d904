//! `JUnit` XML, as most CI systems read it.

use std::fmt::Write as _;

use super::exhibit::{in_one_line, plain};
use super::{Feedback, Finding, Report, Verdict};
use crate::requirement::Kind;

pub(super) fn render(reports: &[Report], feedback: Feedback) -> String {
    let mut out =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tictac grade\">\n");
    for report in reports {
        suite(report, feedback, &mut out).expect("a string takes every text");
    }
    out.push_str("</testsuites>\n");
    out
}

fn suite(report: &Report, feedback: Feedback, out: &mut String) -> std::fmt::Result {
    // What never changes the verdict must not turn a build red: it is told as skipped.
    let is_failure =
        |finding: &&Finding| finding.requirement.kind == Kind::Required && !finding.causes.is_empty();
    let is_skipped = |finding: &&Finding| {
        matches!(finding.verdict(), Verdict::Untried | Verdict::Unseen)
            || (finding.requirement.kind != Kind::Required && !finding.causes.is_empty())
    };
    writeln!(
        out,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">",
        report.assignment,
        report.findings.len(),
        report.findings.iter().filter(is_failure).count(),
        report.findings.iter().filter(is_skipped).count(),
    )?;
    writeln!(out, "    <properties><property name=\"seed\" value=\"{}\"/></properties>", report.seed)?;
    for finding in &report.findings {
        let name =
            if feedback.names_rule() { finding.requirement.says } else { finding.requirement.short_id() };
        write!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\"",
            escape(finding.requirement.id),
            escape(name)
        )?;
        let why_skipped = match finding.verdict() {
            Verdict::Untried => Some("not tried"),
            Verdict::Unseen => Some("never seen to work"),
            _ => None,
        };
        if let Some(why) = why_skipped {
            writeln!(out, "><skipped message=\"{why}\"/></testcase>")?;
            continue;
        }
        let Some(cause) = finding.causes.first() else {
            writeln!(out, "/>")?;
            continue;
        };
        let message = if feedback.cause(finding).is_some() {
            in_one_line(cause, feedback)
        } else {
            "failed".to_owned()
        };
        let element = if is_failure(&finding) { "failure" } else { "skipped" };
        let detail = plain(report, finding, feedback);
        writeln!(
            out,
            ">\n      <{element} message=\"{}\">{}</{element}>\n    </testcase>",
            escape(&message),
            escape(&detail)
        )?;
    }
    writeln!(out, "  </testsuite>")
}

/// Escapes text for XML, in which most control characters cannot be written at all.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
