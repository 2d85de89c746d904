//! A table of a whole class.

use super::Report;
use crate::assignment::Assignment;

/// One submission of a class.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of the submission.
    pub submission: String,
    /// The program that was graded.
    pub assignment: Assignment,
    /// What was found, or why nothing could be.
    pub result: Result<Report, String>,
}

/// Returns a table with a head: one line a submission and program.
pub fn csv(rows: &[Row]) -> String {
    let mut out = line([
        "submission",
        "assignment",
        "verdict",
        "score",
        "max_score",
        "broken",
        "robustness",
        "seed",
        "note",
    ]);
    for row in rows {
        let (name, assignment) = (row.submission.as_str(), row.assignment.name());
        out.push_str(&match &row.result {
            Err(note) => line([name, assignment, "not graded", "", "", "", "", "", note]),
            Ok(report) => {
                let (earned, possible) = report.score();
                let verdict = if report.has_fault() { "fault" } else { "fine" };
                let (robustness, broken): (Vec<&str>, Vec<&str>) = report.blamed().partition(|id| {
                    crate::Requirement::with_id(id).is_some_and(|each| each.kind == crate::Kind::Robustness)
                });
                line([
                    name,
                    assignment,
                    verdict,
                    &earned.to_string(),
                    &possible.to_string(),
                    &short(&broken),
                    &short(&robustness),
                    &report.seed.to_string(),
                    "",
                ])
            }
        });
    }
    out
}

fn short(ids: &[&str]) -> String {
    ids.iter().map(|id| id.split_once('/').map_or(*id, |(_, short)| short)).collect::<Vec<_>>().join(" ")
}

fn line<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let fields: Vec<String> = fields.into_iter().map(field).collect();
    fields.join(",") + "\r\n"
}

/// Returns a field that a spreadsheet reads as text: quoted where needed, and never as a formula.
fn field(text: &str) -> String {
    let text =
        if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_escaped_and_formulas_are_not_run() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"hi\"\n"), "\"say \"\"hi\"\"\n\"");
        assert_eq!(field("=1+1"), "'=1+1");
    }
}
