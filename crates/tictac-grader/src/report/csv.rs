//! The table of a whole class.

use tictac_archive::without_formula;

use super::{Finding, Report, RequirementStatus};
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
    let mut out = "submission,assignment,verdict,score,max_score,bonus,lost,robustness,seed,note,by_hand\r\n"
        .to_owned();
    for row in rows {
        let (name, assignment) = (row.submission.as_str(), row.assignment.name());
        out.push_str(&match &row.result {
            Err(note) => line([name, assignment, "not graded", "", "", "", "", "", "", note, ""]),
            Ok(report) => {
                let (earned, possible) = report.score();
                line([
                    name,
                    assignment,
                    if report.has_fault() { "fault" } else { "fine" },
                    &earned.to_string(),
                    &possible.to_string(),
                    &report.bonus().to_string(),
                    &lost_points(report).join("; "),
                    &robustness(report),
                    &report.seed.to_string(),
                    &notes(report).join("; "),
                    &report.by_hand().to_string(),
                ])
            }
        });
    }
    out
}

/// Returns the requirements that lost points with their numbers, by the reason; together they explain the score.
pub(super) fn lost_points(report: &Report) -> Vec<String> {
    let counted: Vec<&Finding> = report.counted().collect();
    [RequirementStatus::Broken, RequirementStatus::Flaky, RequirementStatus::Unseen]
        .into_iter()
        .filter_map(|status| {
            let with_status = counted.iter().filter(|finding| finding.status() == status);
            let lost: Vec<String> = with_status
                .map(|finding| format!("{} {}", finding.requirement.short_id(), finding.points))
                .collect();
            (!lost.is_empty()).then(|| format!("{}: {}", status.words(), lost.join(", ")))
        })
        .collect()
}

fn robustness(report: &Report) -> String {
    let broken = report.broken().filter(|finding| finding.is_of(RequirementKind::Robustness));
    broken.map(|finding| finding.requirement.short_id()).collect::<Vec<_>>().join(" ")
}

/// Returns what else a reader of the score should know.
pub(super) fn notes(report: &Report) -> Vec<String> {
    let untried = report.findings.iter().filter(|finding| finding.status() == RequirementStatus::Untried);
    let untried: Vec<&str> = untried.map(|finding| finding.requirement.short_id()).collect();
    let mut notes = report.circumstances();
    if !untried.is_empty() {
        notes.push(format!("not tried: {}", untried.join(" ")));
    }
    notes
}

/// Returns a line of CSV.
pub(super) fn line(fields: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    fields.into_iter().map(|text| field(text.as_ref())).collect::<Vec<_>>().join(",") + "\r\n"
}

/// Quotes a field if necessary, and keeps a spreadsheet from reading it as a formula.
fn field(text: &str) -> String {
    let text = without_formula(text);
    let is_quoted = text.contains([',', '"', '\n', '\r']);
    if is_quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_formulas_are_escaped() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"hi\"\n"), "\"say \"\"hi\"\"\n\"");
        assert_eq!(field("=1+1"), "'=1+1");
    }
}
