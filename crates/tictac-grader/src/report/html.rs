//! One page without anything from outside.

use std::fmt::Write as _;

use super::boards::boards;
use super::exhibit::{Part, exhibit};
use super::junit::escape;
use super::{Feedback, Finding, Report, Verdict};
use crate::requirement::Kind;

const STYLE: &str = include_str!("page.css");

pub(super) fn render(reports: &[Report], feedback: Feedback) -> String {
    let names: Vec<&str> = reports.iter().map(|report| report.assignment.name()).collect();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Report: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escape(&names.join(", "))
    );
    for report in reports {
        page(report, feedback, &mut out).expect("a string takes every text");
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn page(report: &Report, feedback: Feedback, out: &mut String) -> std::fmt::Result {
    let (earned, possible) = report.score();
    let (class, verdict) = if report.has_fault() { ("bad", "Not yet") } else { ("good", "No fault found") };
    let bonus = match report.bonus() {
        0 => String::new(),
        points => format!(" and {points} of bonus"),
    };
    writeln!(out, "<main>\n<header>\n<h1>{}</h1>", report.assignment)?;
    writeln!(
        out,
        "<p class=\"score {class}\"><strong>{earned}</strong> of {possible} points{bonus} · {verdict}</p>"
    )?;
    writeln!(
        out,
        "<p class=\"quiet\"><code>{}</code> · {} cases · seed {}{}</p>\n</header>",
        escape(&report.command.join(" ")),
        report.n_cases,
        report.seed,
        if report.n_skipped > 0 {
            format!(" · {} left out after time-outs", report.n_skipped)
        } else {
            String::new()
        }
    )?;
    for kind in [Kind::Required, Kind::Bonus, Kind::Robustness] {
        let own: Vec<&Finding> =
            report.findings.iter().filter(|finding| finding.requirement.kind == kind).collect();
        if own.is_empty() {
            continue;
        }
        let heading = match kind {
            Kind::Required => "Required",
            Kind::Bonus => "Bonus",
            Kind::Robustness => "Robustness, worth no points",
        };
        writeln!(out, "<h2>{heading}</h2>\n<ul>")?;
        own.into_iter().try_for_each(|finding| item(report, finding, feedback, out))?;
        writeln!(out, "</ul>")?;
    }
    writeln!(out, "</main>")
}

fn item(report: &Report, finding: &Finding, feedback: Feedback, out: &mut String) -> std::fmt::Result {
    let (class, mark, word) = match finding.verdict() {
        Verdict::Fulfilled => ("good", "✓", "fulfilled"),
        Verdict::Broken if finding.requirement.kind == Kind::Robustness => ("open", "✗", "broken"),
        Verdict::Broken => ("bad", "✗", "broken"),
        Verdict::Flaky => ("open", "✗", "flaky"),
        Verdict::Unseen => ("quiet", "·", "never seen to work"),
        Verdict::Untried => ("quiet", "·", "not tried"),
    };
    let points = match finding.requirement.kind {
        Kind::Robustness => String::new(),
        _ if finding.verdict() == Verdict::Untried => "not tried".to_owned(),
        _ => format!("{}/{}", finding.earned(), finding.points),
    };
    writeln!(out, "<li class=\"{class}\">")?;
    write!(
        out,
        "<p class=\"line\"><span class=\"mark\" role=\"img\" aria-label=\"{word}\">{mark}</span> <b>{}</b> ",
        finding.requirement.short_id()
    )?;
    writeln!(out, "<span class=\"points\">{points}</span></p>")?;
    if feedback.names_rule() {
        let note = if finding.verdict() == Verdict::Unseen { " (never seen to work)" } else { "" };
        writeln!(out, "<p class=\"says\">{}{note}</p>", escape(finding.requirement.says))?;
    }
    let lines = exhibit(report, finding, feedback);
    if !lines.is_empty() {
        writeln!(out, "<div class=\"case\"><pre tabindex=\"0\">")?;
        for line in lines {
            line.iter().try_for_each(|(part, text)| {
                write!(out, "<span class=\"{}\">{}</span>", class_of(*part), named(&escape(text)))
            })?;
            writeln!(out)?;
        }
        writeln!(out, "</pre>")?;
        draw(report, finding, feedback, out)?;
        writeln!(out, "</div>")?;
    }
    writeln!(out, "</li>")
}

/// Writes the signs for invisible characters as their names: few fonts have the signs, and an empty box tells nothing.
fn named(text: &str) -> String {
    const NAMES: [(char, &str); 9] = [
        ('␠', "SP"),
        ('␊', "LF"),
        ('␉', "TAB"),
        ('␍', "CR"),
        ('␀', "NUL"),
        ('␋', "VT"),
        ('␌', "FF"),
        ('␛', "ESC"),
        ('␡', "DEL"),
    ];
    let name = |sign: char| NAMES.iter().find(|(each, _)| *each == sign).map(|(_, name)| name);
    text.chars()
        .map(|sign| match name(sign) {
            Some(name) => format!("<span class=\"sign\">{name}</span>"),
            None => sign.to_string(),
        })
        .collect()
}

fn draw(report: &Report, finding: &Finding, feedback: Feedback, out: &mut String) -> std::fmt::Result {
    let Some(cause) = feedback.cause(finding) else { return Ok(()) };
    let drawn = boards(report.assignment, &cause.smallest, feedback.shows_answer());
    if drawn.is_empty() {
        return Ok(());
    }
    writeln!(out, "<div class=\"boards\">")?;
    for board in drawn {
        writeln!(out, "<figure>{}<figcaption>{}</figcaption></figure>", board.svg, board.caption)?;
    }
    writeln!(out, "</div>")
}

const fn class_of(part: Part) -> &'static str {
    match part {
        Part::Title => "title",
        Part::Plain => "plain",
        Part::Expected => "expected",
        Part::Actual => "actual",
        Part::Command => "command",
        Part::Remark => "remark",
    }
}
