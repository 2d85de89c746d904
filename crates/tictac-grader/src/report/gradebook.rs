//! The points of a class in the form that the gradebooks of Canvas and Moodle import.

use std::collections::BTreeMap;

use super::csv::{SubmissionRow, line, lost_points, notes};
use crate::assignment::Assignment;
use crate::names::named_values;
use crate::points::Points;
use crate::report::Report;

/// A gradebook that imports CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gradebook {
    /// Canvas finds students by their login.
    Canvas,
    /// Moodle finds students by their user name.
    Moodle,
}

named_values! { Gradebook, "gradebook",
    Canvas => "canvas",
    Moodle => "moodle",
}

/// Returns one line per submission and one column per assignment; the name of a submission is taken for the login of the
/// student. A program that could not be graded gets no points, not zero points.
pub fn gradebook(rows: &[SubmissionRow], gradebook: Gradebook) -> String {
    let mut assignments: Vec<Assignment> = rows.iter().map(|row| row.assignment).collect();
    assignments.sort_unstable();
    assignments.dedup();
    let mut students: BTreeMap<&str, Vec<&SubmissionRow>> = BTreeMap::new();
    for row in rows {
        students.entry(&row.submission).or_default().push(row);
    }
    match gradebook {
        Gradebook::Canvas => canvas(&assignments, &students),
        Gradebook::Moodle => moodle(&assignments, &students),
    }
}

fn canvas(assignments: &[Assignment], students: &BTreeMap<&str, Vec<&SubmissionRow>>) -> String {
    let names = assignments.iter().flat_map(|&assignment| {
        let by_hand = has_points_by_hand(assignment, students).then(|| format!("{assignment} (by hand)"));
        [assignment.name().to_owned()].into_iter().chain(by_hand)
    });
    let start = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"].map(str::to_owned);
    let mut out = line(start.into_iter().chain(names));
    let possible = assignments.iter().flat_map(|&assignment| {
        let most = |points: &dyn Fn(&Report) -> Points| {
            let most = reports(assignment, students).map(points).max();
            most.map(|points| points.to_string()).unwrap_or_default()
        };
        let by_hand = has_points_by_hand(assignment, students).then(|| most(&Report::by_hand));
        [most(&|report| report.score().1)].into_iter().chain(by_hand)
    });
    // Canvas recognises this line by its first field, with the spaces.
    out += &line(["    Points Possible", "", "", "", ""].map(str::to_owned).into_iter().chain(possible));
    for (name, rows) in students {
        let points = assignments.iter().flat_map(|&assignment| {
            let by_hand = has_points_by_hand(assignment, students).then(String::new);
            [points(rows, assignment)].into_iter().chain(by_hand)
        });
        out += &line([*name, "", "", *name, ""].map(str::to_owned).into_iter().chain(points));
    }
    out
}

fn moodle(assignments: &[Assignment], students: &BTreeMap<&str, Vec<&SubmissionRow>>) -> String {
    let names = assignments.iter().flat_map(|&name| {
        let by_hand = has_points_by_hand(name, students).then(|| format!("{name} (by hand)"));
        [name.to_string(), format!("{name} (feedback)")].into_iter().chain(by_hand)
    });
    let mut out = line(["username".to_owned()].into_iter().chain(names));
    for (name, rows) in students {
        let cells = assignments.iter().flat_map(|&assignment| {
            let by_hand = has_points_by_hand(assignment, students).then(String::new);
            [points(rows, assignment), feedback(rows, assignment)].into_iter().chain(by_hand)
        });
        out += &line([(*name).to_owned()].into_iter().chain(cells));
    }
    out
}

fn reports<'a>(
    assignment: Assignment,
    students: &'a BTreeMap<&str, Vec<&SubmissionRow>>,
) -> impl Iterator<Item = &'a Report> {
    let rows = students.values().flatten().filter(move |row| row.assignment == assignment);
    rows.filter_map(|row| row.result.as_ref().ok())
}

/// Returns whether the table has an empty column for the points that a person gives.
fn has_points_by_hand(assignment: Assignment, students: &BTreeMap<&str, Vec<&SubmissionRow>>) -> bool {
    reports(assignment, students).any(|report| report.by_hand() > Points::ZERO)
}

fn row_of<'a>(rows: &[&'a SubmissionRow], assignment: Assignment) -> Option<&'a SubmissionRow> {
    rows.iter().find(|row| row.assignment == assignment).copied()
}

/// Returns the points with the bonus; nothing if there are none.
fn points(rows: &[&SubmissionRow], assignment: Assignment) -> String {
    let report = row_of(rows, assignment).and_then(|row| row.result.as_ref().ok());
    report.map(|report| (report.score().0 + report.bonus()).to_string()).unwrap_or_default()
}

fn feedback(rows: &[&SubmissionRow], assignment: Assignment) -> String {
    match row_of(rows, assignment).map(|row| &row.result) {
        None => String::new(),
        Some(Err(note)) => note.clone(),
        Some(Ok(report)) => {
            [vec![report.score_text()], lost_points(report), notes(report)].concat().join("; ")
        }
    }
}
