//! A self-contained HTML page.

use std::fmt::Write as _;

use tictac::notation::Picture;
use tictac::{Board, Rules};

use super::{RenderOptions, ReportFormat, escape_xml};
use crate::assignment::Assignment;
use crate::judge::games::last_board;
use crate::judge::topics;
use crate::report::bytes::SYMBOLS;
use crate::report::details::details;
use crate::report::{Example, Feedback, Finding, Report, RequirementStatus};
use crate::requirement::RequirementKind;

pub(super) const FORMAT: ReportFormat = ReportFormat { name: "html", render, render_error: None };

const STYLE: &str = include_str!("page.css");

fn render(reports: &[Report], options: RenderOptions) -> String {
    let names: Vec<&str> = reports.iter().map(|report| report.assignment.name()).collect();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Report: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escape_xml(&names.join(", "))
    );
    for report in reports {
        write_report(&mut out, report, options.feedback).expect("writing to a string cannot fail");
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn write_report(out: &mut String, report: &Report, feedback: Feedback) -> std::fmt::Result {
    let score = report.score_text();
    let (earned, rest) = score.split_once(' ').unwrap_or_default();
    let (class, verdict) =
        if report.has_fault() { ("bad", "Faults found") } else { ("good", "No fault found") };
    writeln!(out, "<main>\n<header>\n<h1>{}</h1>", report.assignment)?;
    writeln!(out, "<p class=\"score {class}\"><strong>{earned}</strong> {rest} · {verdict}</p>")?;
    writeln!(
        out,
        "<p class=\"quiet\"><code>{}</code> · {} cases · seed {}{}</p>\n</header>",
        escape_xml(&report.command.join(" ")),
        report.n_cases,
        report.seed,
        if report.n_skipped > 0 {
            format!(" · {} skipped after time-outs", report.n_skipped)
        } else {
            String::new()
        }
    )?;
    for kind in [RequirementKind::Required, RequirementKind::Bonus, RequirementKind::Robustness] {
        let mut findings = report.findings_of(kind).peekable();
        if findings.peek().is_none() {
            continue;
        }
        let heading = match kind {
            RequirementKind::Required => "Required",
            RequirementKind::Bonus => "Bonus",
            RequirementKind::Robustness => "Robustness (no points)",
        };
        writeln!(out, "<h2>{heading}</h2>\n<ul>")?;
        findings.try_for_each(|finding| write_finding(out, report, finding, feedback))?;
        writeln!(out, "</ul>")?;
    }
    writeln!(out, "</main>")
}

fn write_finding(
    out: &mut String,
    report: &Report,
    finding: &Finding,
    feedback: Feedback,
) -> std::fmt::Result {
    let status = finding.status();
    let (class, _) = finding.style();
    let points = match status {
        _ if finding.is_of(RequirementKind::Robustness) => String::new(),
        RequirementStatus::Untried => status.words().to_owned(),
        _ => format!("{}/{}", finding.earned(), finding.points),
    };
    writeln!(out, "<li class=\"{class}\">")?;
    write!(
        out,
        "<p class=\"line\"><span class=\"mark\" role=\"img\" aria-label=\"{}\">{}</span> <b>{}</b> ",
        status.words(),
        status.symbol(),
        finding.requirement.short_id()
    )?;
    writeln!(out, "<span class=\"points\">{points}</span></p>")?;
    if feedback.shows_rule() {
        let rule = escape_xml(finding.requirement.rule);
        writeln!(out, "<p class=\"says\">{rule}{}</p>", finding.note())?;
    }
    let lines = details(report, finding, feedback);
    if !lines.is_empty() {
        writeln!(out, "<div class=\"case\"><pre tabindex=\"0\">")?;
        for line in lines {
            line.iter().try_for_each(|(role, text)| {
                write!(out, "<span class=\"{}\">{}</span>", role.style().0, with_names(&escape_xml(text)))
            })?;
            writeln!(out)?;
        }
        writeln!(out, "</pre>")?;
        write_boards(out, report, finding, feedback)?;
        writeln!(out, "</div>")?;
    }
    writeln!(out, "</li>")
}

/// Replaces the symbols for invisible characters with their names, because few fonts have the symbols.
fn with_names(text: &str) -> String {
    let name = |c: char| SYMBOLS.iter().find(|(_, symbol, _)| *symbol == c).map(|(.., name)| name);
    text.chars()
        .map(|c| match name(c) {
            Some(name) => format!("<span class=\"sign\">{name}</span>"),
            None => c.to_string(),
        })
        .collect()
}

fn write_boards(
    out: &mut String,
    report: &Report,
    finding: &Finding,
    feedback: Feedback,
) -> std::fmt::Result {
    let Some(cause) = feedback.cause(finding) else { return Ok(()) };
    let boards = boards(report.assignment, &cause.smallest, feedback);
    if boards.is_empty() {
        return Ok(());
    }
    writeln!(out, "<div class=\"boards\">")?;
    for (caption, board) in boards {
        let picture = Picture::new(&Rules::CLASSIC, [board]);
        writeln!(out, "<figure>{picture}<figcaption>{caption}</figcaption></figure>")?;
    }
    writeln!(out, "</div>")
}

/// Returns the boards that explain a case, with captions: for a record the last legal position, for a game the last board
/// that was expected and the last that was drawn.
fn boards(assignment: Assignment, example: &Example, feedback: Feedback) -> Vec<(&'static str, Board)> {
    let drawn = |stdout| last_board(assignment, stdout);
    let boards = match assignment {
        Assignment::MoveCheck => Vec::new(),
        Assignment::GameCheck => {
            let lines = topics::lines(&example.case.input);
            let longest = (1..=lines.len().min(9)).rev().find_map(|n| topics::position_after(&lines[..n]));
            vec![("last legal position", longest.map(|position| position.board()))]
        }
        _ => vec![
            ("last expected board", drawn(&example.expected.stdout).filter(|_| feedback.shows_expected())),
            ("last board of your program", drawn(&example.actual.stdout)),
        ],
    };
    boards.into_iter().filter_map(|(caption, board)| Some((caption, board?))).collect()
}
