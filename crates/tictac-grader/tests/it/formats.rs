//! Snapshots of every report format. `UPDATE_SNAPSHOTS=1 cargo test -p tictac-grader` updates them.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use tictac_grader::report::{SubmissionRow, Visibility, csv};
use tictac_grader::{
    Assignment, Behaviour, Cause, Consistency, Feedback, Finding, RenderOptions, Report, ReportFormat,
    Requirement, render,
};

use crate::wrong_report;

fn rendered(format: ReportFormat, feedback: Feedback) -> String {
    render(
        std::slice::from_ref(wrong_report()),
        format,
        RenderOptions { feedback, ..RenderOptions::default() },
    )
}

#[track_caller]
fn check_snapshot(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "{name} differs from the snapshot:\n{text}");
}

#[test]
fn every_format_matches_its_snapshot() {
    for format in ReportFormat::ALL {
        check_snapshot(&format!("full.{format}.txt"), &rendered(format, Feedback::Full));
    }
}

#[test]
fn every_feedback_level_matches_its_snapshot() {
    for feedback in Feedback::ALL {
        check_snapshot(&format!("{feedback}.text.txt"), &rendered(ReportFormat::default(), feedback));
    }
}

/// Returns a report with every requirement status and kind, and more causes than are shown.
fn mixed_report() -> Report {
    let wrong = wrong_report();
    let comment = &wrong.finding("game-check/comment").unwrap().causes[0];
    let cause = |actual: &str, consistency| {
        let behaviour = Behaviour { actual: actual.to_owned(), expected: None };
        Cause { behaviour, consistency, ..comment.clone() }
    };
    let always = |actual: &str| cause(actual, Consistency::Always);
    let sometimes = cause("fails", Consistency::Sometimes { failed: 2, runs: 6 });
    let finding = |id: &str, causes: Vec<Cause>| {
        let requirement = Requirement::with_id(id).unwrap();
        Finding { requirement, points: requirement.points, n_cases: 70, has_passed: true, causes }
    };
    Report {
        assignment: Assignment::Tictactoe,
        command: vec!["play".to_owned(), "<a & b>".to_owned()],
        n_skipped: 9,
        findings: vec![
            finding("tictactoe/opening", vec![]),
            finding("tictactoe/board", ["a", "b", "c", "d", "e", "f", "g"].map(always).to_vec()),
            finding("tictactoe/turns", vec![sometimes]),
            Finding { has_passed: false, ..finding("tictactoe/range", vec![]) },
            Finding { n_cases: 0, ..finding("tictactoe/taken", vec![]) },
            finding("tictactoe/early-tie", vec![]),
            finding("tictactoe/long", vec![always("crashes")]),
            finding("tictactoe/bytes", vec![]),
        ],
        ..wrong.clone()
    }
}

#[test]
fn every_requirement_status_and_kind_matches_its_snapshot() {
    let report = mixed_report();
    for format in ReportFormat::ALL {
        let text = render(std::slice::from_ref(&report), format, RenderOptions::default());
        check_snapshot(&format!("mixed.{format}.txt"), &text);
    }
}

#[test]
fn only_required_faults_count_and_untried_requirements_are_left_out_of_the_score() {
    let mut report = mixed_report();
    assert_eq!((report.score(), report.bonus(), report.has_fault()), ((5, 5 + 10 + 12 + 10), 5, true));
    report.findings.retain(|finding| finding.requirement.points == 0 || finding.causes.is_empty());
    assert!(!report.has_fault(), "robustness does not count as a fault");
}

#[test]
fn the_table_of_a_class_lists_broken_requirements_and_robustness_separately() {
    let row = |name: &str, result| SubmissionRow {
        submission: name.to_owned(),
        assignment: Assignment::Tictactoe,
        result,
    };
    let table = csv(&[row("ada", Ok(mixed_report())), row("ben, jr", Err("no program".to_owned()))]);
    assert_eq!(
        table,
        "submission,assignment,verdict,score,max_score,broken,robustness,seed,note\r\n\
         ada,tictactoe,fault,5,37,board turns,long,1,\r\n\
         \"ben, jr\",tictactoe,not graded,,,,,,no program\r\n"
    );
}

#[test]
fn a_lower_feedback_level_hides_the_rest() {
    for format in ReportFormat::ALL {
        let verdict = rendered(format, Feedback::Verdict);
        assert!(!verdict.contains("a comment starts"), "{format}: {verdict}");
        let hint = rendered(format, Feedback::Hint);
        assert!(hint.contains("a comment starts") && !hint.contains("A1#"), "{format}: {hint}");
        let input = rendered(format, Feedback::InputOnly);
        assert!(input.contains("A1#") && !input.contains("Expected"), "{format}: {input}");
    }
}

/// The fields that Gradescope documents for its results file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct ResultsFile {
    score: Option<f64>,
    execution_time: Option<f64>,
    output: Option<String>,
    output_format: Option<OutputFormat>,
    test_output_format: Option<OutputFormat>,
    test_name_format: Option<OutputFormat>,
    visibility: Option<TestVisibility>,
    stdout_visibility: Option<TestVisibility>,
    extra_data: Option<serde_json::Value>,
    tests: Vec<ResultsTest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct ResultsTest {
    score: Option<f64>,
    max_score: Option<f64>,
    status: Option<TestStatus>,
    name: Option<String>,
    name_format: Option<OutputFormat>,
    number: Option<String>,
    output: Option<String>,
    output_format: Option<OutputFormat>,
    tags: Option<Vec<String>>,
    visibility: Option<TestVisibility>,
    extra_data: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum OutputFormat {
    Text,
    Html,
    SimpleFormat,
    Md,
    Ansi,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum TestVisibility {
    Visible,
    Hidden,
    AfterDueDate,
    AfterPublished,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "snake_case")]
enum TestStatus {
    Passed,
    Failed,
}

#[test]
fn the_gradescope_file_has_only_documented_fields() {
    for visibility in Visibility::ALL {
        let options = RenderOptions { visibility, ..RenderOptions::default() };
        let text = render(std::slice::from_ref(wrong_report()), "gradescope".parse().unwrap(), options);
        let results: ResultsFile = serde_json::from_str(&text).unwrap();
        let earned: f64 = results.tests.iter().filter_map(|test| test.score).sum();
        let possible: f64 = results.tests.iter().filter_map(|test| test.max_score).sum();
        assert_eq!((earned, possible), (93.0, 100.0));
        let n_failed = results.tests.iter().filter(|test| test.status == Some(TestStatus::Failed)).count();
        assert_eq!(n_failed, 2);
    }
}
