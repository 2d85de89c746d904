//! The table of a whole class.

use super::{Finding, Report};
use crate::assignment::Assignment;
use crate::requirement::RequirementKind;

/// One program of one submission.
#[derive(Clone, Debug)]
pub struct SubmissionRow {
    /// The name of the submission.
    pub submission: String,
    /// The assignment of the program.
    pub assignment: Assignment,
    /// The report, or why the program could not be graded.
    pub result: Result<Report, String>,
}

/// Returns the table as CSV with a header line.
pub fn csv(rows: &[SubmissionRow]) -> String {
    let mut out = "submission,assignment,verdict,score,max_score,broken,robustness,seed,note\r\n".to_owned();
    for row in rows {
        let (name, assignment) = (row.submission.as_str(), row.assignment.name());
        out.push_str(&match &row.result {
            Err(note) => line([name, assignment, "not graded", "", "", "", "", "", note]),
            Ok(report) => {
                let (earned, possible) = report.score();
                let verdict = if report.has_fault() { "fault" } else { "fine" };
                let (robustness, broken): (Vec<&Finding>, Vec<&Finding>) =
                    report.broken().partition(|finding| finding.is_of(RequirementKind::Robustness));
                line([
                    name,
                    assignment,
                    verdict,
                    &earned.to_string(),
                    &possible.to_string(),
                    &short_ids(&broken),
                    &short_ids(&robustness),
                    &report.seed.to_string(),
                    "",
                ])
            }
        });
    }
    out
}

fn short_ids(findings: &[&Finding]) -> String {
    findings.iter().map(|finding| finding.requirement.short_id()).collect::<Vec<_>>().join(" ")
}

fn line(fields: [&str; 9]) -> String {
    fields.map(field).join(",") + "\r\n"
}

/// Quotes a field if necessary, and keeps a spreadsheet from reading it as a formula.
fn field(text: &str) -> String {
    let text =
        if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_formulas_are_defused() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"hi\"\n"), "\"say \"\"hi\"\"\n\"");
        assert_eq!(field("=1+1"), "'=1+1");
    }
}
