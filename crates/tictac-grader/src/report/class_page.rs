//! The table of a whole class as a self-contained HTML page that needs no script.
//!
//! Every row has its place in each order as a CSS variable, and the chosen radio button selects the variable.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::csv::{SubmissionRow, lost_points, notes};
use super::details::{input_text, plural};
use super::format::escape_xml;
use super::{Report, RequirementStatus};
use crate::points::Points;

const STYLE: &str = concat!(include_str!("format/page.css"), include_str!("class_page.css"));

/// How many characters of an input are shown.
const MAX_INPUT: usize = 160;

/// The orders that a reader can choose, with the id of the button and the text beside it.
const ORDERS: [(&str, &str); 4] = [
    ("by-name", "name"),
    ("by-assignment", "assignment"),
    ("by-least", "fewest points first"),
    ("by-most", "most points first"),
];

/// Returns the page. `link` returns the address of the page about a submission, if there is one.
pub fn class_page(rows: &[SubmissionRow], link: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    write_page(&mut out, rows, &link).expect("writing to a string cannot fail");
    out
}

fn write_page(
    out: &mut String,
    rows: &[SubmissionRow],
    link: &dyn Fn(&str) -> Option<String>,
) -> fmt::Result {
    writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Results of the class</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main class=\"class\">"
    )?;
    write_summary(out, rows)?;
    writeln!(out, "<span class=\"quiet\">Sort by</span>")?;
    for (at, (id, text)) in ORDERS.into_iter().enumerate() {
        let checked = if at == 0 { " checked" } else { "" };
        writeln!(
            out,
            "<input type=\"radio\" name=\"order\" id=\"{id}\"{checked}><label for=\"{id}\">{text}</label>"
        )?;
    }
    writeln!(
        out,
        "<table role=\"table\">\n<thead role=\"rowgroup\"><tr role=\"row\"><th role=\"columnheader\">Submission</th>\
         <th role=\"columnheader\">Assignment</th><th role=\"columnheader\">Points</th>\
         <th role=\"columnheader\">Explanation</th></tr></thead>\n<tbody role=\"rowgroup\">"
    )?;
    for (row, places) in rows.iter().zip(places(rows)) {
        write_row(out, row, places, link)?;
    }
    writeln!(out, "</tbody>\n</table>")?;
    write_broken(out, rows)?;
    write_groups(out, rows, link)?;
    writeln!(out, "</main>\n</body>\n</html>")
}

/// Returns the place of each row in each of the orders.
fn places(rows: &[SubmissionRow]) -> Vec<[usize; ORDERS.len()]> {
    let share = |row: &SubmissionRow| {
        let (earned, possible) = row.result.as_ref().map_or((Points::ZERO, Points::ZERO), Report::score);
        // Not every program is worth the same.
        if possible > Points::ZERO { earned.to_f64() / possible.to_f64() } else { -1.0 }
    };
    let mut places = vec![[0; ORDERS.len()]; rows.len()];
    for (order, (id, _)) in ORDERS.into_iter().enumerate() {
        let mut sorted: Vec<usize> = (0..rows.len()).collect();
        match id {
            "by-assignment" => sorted.sort_by_key(|&at| rows[at].assignment),
            "by-least" => sorted.sort_by(|&a, &b| share(&rows[a]).total_cmp(&share(&rows[b]))),
            "by-most" => sorted.sort_by(|&a, &b| share(&rows[b]).total_cmp(&share(&rows[a]))),
            _ => sorted.sort_by_key(|&at| rows[at].submission.to_lowercase()),
        }
        sorted.into_iter().enumerate().for_each(|(place, at)| places[at][order] = place);
    }
    places
}

fn write_summary(out: &mut String, rows: &[SubmissionRow]) -> fmt::Result {
    let reports: Vec<&Report> = rows.iter().filter_map(|row| row.result.as_ref().ok()).collect();
    let n_fine = reports.iter().filter(|report| !report.has_fault()).count();
    let (n, n_missing) = (rows.len(), rows.len() - reports.len());
    writeln!(out, "<h1>Results of the class</h1>")?;
    write!(out, "<p class=\"quiet\">{n} {}, {n_fine} without a fault", plural(n, "program"))?;
    if n_missing > 0 {
        write!(out, ", {n_missing} not graded")?;
    }
    if !reports.is_empty() {
        let earned: Points = reports.iter().map(|report| report.score().0).sum();
        write!(out, "; {:.1} points on average", earned.to_f64() / reports.len() as f64)?;
    }
    writeln!(out, "</p>")
}

fn write_row(
    out: &mut String,
    row: &SubmissionRow,
    places: [usize; ORDERS.len()],
    link: &dyn Fn(&str) -> Option<String>,
) -> fmt::Result {
    let name = linked(&row.submission, link);
    let (class, points, explanation) = match &row.result {
        Err(note) => ("open", "not graded".to_owned(), note.clone()),
        Ok(report) => {
            let class = if report.has_fault() { "bad" } else { "good" };
            let parts = [lost_points(report), notes(report)].concat();
            (class, report.score_text(), parts.join("; "))
        }
    };
    let style: Vec<String> =
        ORDERS.iter().zip(places).map(|((id, _), place)| format!("--{id}:{place}")).collect();
    writeln!(
        out,
        "<tr role=\"row\" class=\"{class}\" style=\"{}\"><td role=\"cell\">{name}</td><td role=\"cell\">{}</td>\
         <td role=\"cell\" class=\"score\">{points}</td><td role=\"cell\">{}</td></tr>",
        style.join(";"),
        row.assignment,
        escape_xml(&explanation)
    )
}

/// Writes which submissions fail with the same smallest input or call, the largest group first: one explanation serves all of them.
fn write_groups(
    out: &mut String,
    rows: &[SubmissionRow],
    link: &dyn Fn(&str) -> Option<String>,
) -> fmt::Result {
    let mut groups: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    for row in rows {
        let Ok(report) = &row.result else { continue };
        for (finding, cause) in report.broken().filter_map(|each| Some((each, each.causes.first()?))) {
            let key = (finding.requirement.id, input_text(report, &cause.smallest));
            groups.entry(key).or_default().push(&row.submission);
        }
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    if groups.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h2>Who fails with the same smallest input</h2>\n<ul>")?;
    for ((id, input), names) in groups {
        let (n, programs) = (names.len(), plural(names.len(), "program"));
        let shown: String = input.chars().take(MAX_INPUT).collect();
        let dots = if shown.len() < input.len() { "…" } else { "" };
        let names: Vec<String> = names.into_iter().map(|name| linked(name, link)).collect();
        let (shown, names) = (escape_xml(&shown), names.join(", "));
        writeln!(out, "<li>{n} {programs}: <b>{id}</b> <code>{shown}{dots}</code><br>{names}</li>")?;
    }
    writeln!(out, "</ul>")
}

/// Returns the name of a submission, with a link to its page if there is one.
fn linked(submission: &str, link: &dyn Fn(&str) -> Option<String>) -> String {
    let name = escape_xml(submission);
    match link(submission) {
        Some(address) => format!("<a href=\"{}\">{name}</a>", escape_xml(&address)),
        None => name,
    }
}

/// Writes how many programs break each requirement, the most frequent first: what the class should hear about.
fn write_broken(out: &mut String, rows: &[SubmissionRow]) -> fmt::Result {
    let mut counts: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for report in rows.iter().filter_map(|row| row.result.as_ref().ok()) {
        let is_bad = |status| {
            !matches!(
                status,
                RequirementStatus::Fulfilled | RequirementStatus::Untried | RequirementStatus::ByHand
            )
        };
        for finding in report.findings.iter().filter(|finding| is_bad(finding.status())) {
            counts.entry(finding.requirement.id).or_insert((0, finding.requirement.rule)).0 += 1;
        }
    }
    let mut counts: Vec<(&str, (usize, &str))> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h2>What is not fulfilled</h2>\n<ul>")?;
    for (id, (n, rule)) in counts {
        let (programs, rule) = (plural(n, "program"), escape_xml(rule));
        writeln!(out, "<li>{n} {programs}: <b>{id}</b> <span class=\"quiet\">{rule}</span></li>")?;
    }
    writeln!(out, "</ul>")
}
