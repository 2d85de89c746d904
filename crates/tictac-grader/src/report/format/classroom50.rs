//! The `result.json` of Classroom 50, the successor of GitHub Classroom (schema `classroom50/result/v1`).
//!
//! The runner of Classroom 50 says in environment variables which submission is graded. A score must not be greater than its
//! maximum, so a bonus is reported without points.

use std::fmt::{self, Write as _};

use serde::Serialize;

use super::RenderOptions;
use crate::points::Points;
use crate::report::details::plain_details;
use crate::report::{Finding, Report, RequirementStatus};
use crate::requirement::RequirementKind;

#[derive(Serialize)]
struct Classroom50Result {
    schema: &'static str,
    classroom: String,
    assignment: String,
    assignment_type: String,
    owner: String,
    submission: String,
    commit: String,
    release: String,
    review: String,
    datetime: String,
    score: Points,
    #[serde(rename = "max-score")]
    max_score: Points,
    tests: Vec<Classroom50Test>,
}

#[derive(Serialize)]
struct Classroom50Test {
    #[serde(rename = "test-name")]
    name: String,
    passed: bool,
    score: Points,
    #[serde(rename = "max-score")]
    max_score: Points,
    /// A field of our own, which the schema permits.
    #[serde(skip_serializing_if = "String::is_empty")]
    output: String,
}

pub(super) fn write(out: &mut String, reports: &[Report], options: RenderOptions) -> fmt::Result {
    let tests = reports.iter().flat_map(|report| tests(report, options)).collect();
    writeln!(out, "{}", result(tests, options))
}

/// Renders the reason why nothing could be graded, as a test without points.
pub(super) fn render_error(message: &str, options: RenderOptions) -> String {
    let name = "the program can be graded".to_owned();
    let test = Classroom50Test {
        name,
        passed: false,
        score: Points::ZERO,
        max_score: Points::ZERO,
        output: message.to_owned(),
    };
    result(vec![test], options) + "\n"
}

fn result(tests: Vec<Classroom50Test>, options: RenderOptions) -> String {
    // The schema requires every field; outside of Classroom 50 nothing is known about the submission.
    let known = |name| (options.environment)(name).filter(|value| !value.is_empty());
    let or_unknown = |name| known(name).unwrap_or_else(|| "unknown".to_owned());
    let commit = or_unknown("COMMIT_URL");
    let result = Classroom50Result {
        schema: "classroom50/result/v1",
        classroom: or_unknown("CLASSROOM"),
        assignment: or_unknown("ASSIGNMENT"),
        assignment_type: known("ASSIGNMENT_TYPE").unwrap_or_else(|| "individual".to_owned()),
        owner: known("OWNER").unwrap_or_else(|| or_unknown("USERNAME")),
        submission: known("SUBMISSION_TAG").unwrap_or_else(|| "submit/unknown".to_owned()),
        release: or_unknown("RELEASE_URL"),
        review: known("REVIEW_URL").unwrap_or_else(|| commit.clone()),
        commit,
        datetime: utc(options.time),
        score: tests.iter().map(|test| test.score).sum(),
        max_score: tests.iter().map(|test| test.max_score).sum(),
        tests,
    };
    serde_json::to_string_pretty(&result).expect("the result can be serialised")
}

fn tests(report: &Report, options: RenderOptions) -> Vec<Classroom50Test> {
    let mut tests: Vec<Classroom50Test> =
        report.tried().map(|finding| test(report, finding, options)).collect();
    let circumstances = report.circumstances();
    if !circumstances.is_empty() {
        let name = format!("{}: note", report.assignment);
        let output = circumstances.join("\n");
        tests.push(Classroom50Test {
            name,
            passed: true,
            score: Points::ZERO,
            max_score: Points::ZERO,
            output,
        });
    }
    tests
}

fn test(report: &Report, finding: &Finding, options: RenderOptions) -> Classroom50Test {
    let requirement = finding.requirement;
    let rule = if options.feedback.shows_rule() { format!(": {}", requirement.rule) } else { String::new() };
    let note = match (requirement.kind, finding.earned()) {
        _ if finding.status() == RequirementStatus::ByHand => format!(" ({} points by hand)", finding.points),
        (RequirementKind::Required, _) => String::new(),
        (RequirementKind::Bonus, earned) if earned > Points::ZERO => {
            format!(" (+{} bonus points)", finding.earned())
        }
        (kind, _) => format!(" ({})", kind.name()),
    };
    let (score, max_score) = match requirement.kind {
        RequirementKind::Required | RequirementKind::Style
            if finding.status() != RequirementStatus::ByHand =>
        {
            (finding.earned(), finding.points)
        }
        _ => (Points::ZERO, Points::ZERO),
    };
    Classroom50Test {
        name: format!("{}{rule}{note}{}", requirement.id, finding.note()),
        passed: matches!(finding.status(), RequirementStatus::Fulfilled | RequirementStatus::ByHand),
        score,
        max_score,
        output: plain_details(report, finding, options.feedback),
    }
}

/// Returns a time in seconds since 1970 as `2026-08-31T12:00:00Z`.
fn utc(time: u64) -> String {
    let (days, second) = (time / 86_400, time % 86_400);
    // The Gregorian calendar repeats every 400 years of 146,097 days; years start in March, so that a leap day is the last.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_868_799), "2000-02-29T23:59:59Z");
        assert_eq!(utc(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(utc(1_780_324_321), "2026-06-01T14:32:01Z");
    }
}
