//! A self-contained HTML page.

use std::fmt::{self, Write as _};

use tictac::notation::Picture;
use tictac::{Board, Rules};

use super::{RenderOptions, escape_xml};
use crate::assignment::{Assignment, CourseProgram};
use crate::judge::games::last_board;
use crate::judge::topics;
use crate::report::bytes::SYMBOLS;
use crate::report::details::details;
use crate::report::{Example, Feedback, Finding, Report, RequirementStatus};
use crate::requirement::RequirementKind;

const STYLE: &str = include_str!("page.css");

pub(super) fn write(out: &mut String, reports: &[Report], options: RenderOptions) -> fmt::Result {
    let names: Vec<&str> = reports.iter().map(|report| report.assignment.name()).collect();
    writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Report: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>",
        names.join(", ")
    )?;
    reports.iter().try_for_each(|report| write_report(out, report, options.feedback))?;
    writeln!(out, "</body>\n</html>")
}

fn write_report(out: &mut String, report: &Report, feedback: Feedback) -> fmt::Result {
    let score = report.score_text();
    let (earned, rest) = score.split_once(' ').unwrap_or_default();
    let (class, verdict) =
        if report.has_fault() { ("bad", "Faults found") } else { ("good", "No fault found") };
    writeln!(out, "<main>\n<header>\n<h1>{}</h1>", report.assignment)?;
    writeln!(out, "<p class=\"score {class}\"><strong>{earned}</strong> {rest} · {verdict}</p>")?;
    let Report { command, seed, .. } = report;
    let command = escape_xml(&command.join(" "));
    write!(out, "<p class=\"quiet\"><code>{command}</code> · {} · seed {seed}", report.extent())?;
    report.circumstances().iter().try_for_each(|each| write!(out, " · {each}"))?;
    writeln!(out, "</p>\n</header>")?;
    for kind in RequirementKind::ALL {
        let mut findings = report.findings_of(kind).peekable();
        if findings.peek().is_none() {
            continue;
        }
        let heading = match kind {
            RequirementKind::Required => "Required",
            RequirementKind::Style => "Style",
            RequirementKind::Manual => "By hand",
            RequirementKind::Bonus => "Bonus",
            RequirementKind::Robustness => "Robustness (no points)",
        };
        writeln!(out, "<h2>{heading}</h2>\n<ul>")?;
        findings.try_for_each(|finding| write_finding(out, report, finding, feedback))?;
        writeln!(out, "</ul>")?;
    }
    writeln!(out, "</main>")
}

fn write_finding(out: &mut String, report: &Report, finding: &Finding, feedback: Feedback) -> fmt::Result {
    let status = finding.status();
    let (class, _) = finding.style();
    let points = match status {
        _ if finding.is_of(RequirementKind::Robustness) => String::new(),
        RequirementStatus::Untried => status.words().to_owned(),
        _ => finding.points_text().trim_start().to_owned(),
    };
    let (words, symbol, id) = (status.words(), status.symbol(), finding.requirement.short_id());
    write!(out, "<li class=\"{class}\">\n<p class=\"line\">")?;
    write!(out, "<span class=\"mark\" role=\"img\" aria-label=\"{words}\">{symbol}</span> <b>{id}</b> ")?;
    writeln!(out, "<span class=\"points\">{points}</span></p>")?;
    if feedback.shows_rule() {
        let rule = escape_xml(finding.requirement.rule);
        writeln!(out, "<p class=\"says\">{rule}{}</p>", finding.note())?;
    }
    let lines = details(report, finding, feedback);
    if !lines.is_empty() {
        writeln!(out, "<div class=\"case\"><pre tabindex=\"0\">")?;
        for line in lines {
            // A comparison has columns, which must stay in place; everything else may be wrapped.
            let (start, end) =
                if line.len() > 1 { ("<span class=\"columns\">", "</span>") } else { ("", "") };
            write!(out, "{start}")?;
            line.iter().try_for_each(|(role, text)| {
                write!(out, "<span class=\"{}\">{}</span>", role.style().0, with_names(&escape_xml(text)))
            })?;
            writeln!(out, "{end}")?;
        }
        writeln!(out, "</pre>")?;
        if let Some(cause) = feedback.cause(finding) {
            write_boards(out, &boards(report.assignment, &cause.smallest, feedback))?;
        }
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

fn write_boards(out: &mut String, boards: &[(&str, Board)]) -> fmt::Result {
    if boards.is_empty() {
        return Ok(());
    }
    writeln!(out, "<div class=\"boards\">")?;
    for (caption, board) in boards {
        let picture = Picture::new(&Rules::CLASSIC, [*board]);
        writeln!(out, "<figure>{picture}<figcaption>{caption}</figcaption></figure>")?;
    }
    writeln!(out, "</div>")
}

/// Returns the boards that explain a case, with captions: for a record the last legal position, for a game the last board
/// that was expected and the last that was drawn.
fn boards(assignment: Assignment, example: &Example, feedback: Feedback) -> Vec<(&'static str, Board)> {
    let drawn = |stdout| last_board(assignment, stdout);
    let boards = match assignment.course() {
        None | Some(CourseProgram::MoveCheck) => Vec::new(),
        Some(CourseProgram::GameCheck) => {
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
