//! Every format against a stored example. `UPDATE_SNAPSHOTS=1 cargo test -p tictac-grader` writes them anew.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use tictac_grader::report::{CsvRow, Visibility, csv};
use tictac_grader::{
    Assignment, Cause, Constancy, Feedback, Finding, Format, Report, Requirement, Style, render,
};

use crate::wrong_report;

fn rendered(format: Format, feedback: Feedback) -> String {
    render(std::slice::from_ref(wrong_report()), format, Style { feedback, ..Style::default() })
}

#[track_caller]
fn check_snapshot(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "{name} is not what is stored:\n{text}");
}

#[test]
fn every_format_is_as_it_is_stored() {
    for format in Format::ALL {
        check_snapshot(&format!("full.{format}.txt"), &rendered(format, Feedback::Full));
    }
}

#[test]
fn every_level_of_feedback_is_as_it_is_stored() {
    for feedback in Feedback::ALL {
        check_snapshot(&format!("{feedback}.text.txt"), &rendered(Format::Text, feedback));
    }
}

/// Returns a report with every verdict, every kind of requirement and more causes than are shown.
fn mixed_report() -> Report {
    let wrong = wrong_report();
    let comment = &wrong.finding("game-check/comment").unwrap().causes[0];
    let cause =
        |behaviour: &str, constancy| Cause { behaviour: behaviour.to_owned(), constancy, ..comment.clone() };
    let always = |behaviour: &str| cause(behaviour, Constancy::Always);
    let sometimes = cause("fails", Constancy::Sometimes { failed: 2, runs: 6 });
    let finding = |id: &str, causes: Vec<Cause>| {
        let requirement = Requirement::with_id(id).unwrap();
        Finding { requirement, points: requirement.points, n_cases: 70, is_seen: true, causes }
    };
    Report {
        assignment: Assignment::Tictactoe,
        command: vec!["play".to_owned(), "<a & b>".to_owned()],
        n_skipped: 9,
        findings: vec![
            finding("tictactoe/opening", vec![]),
            finding("tictactoe/board", ["a", "b", "c", "d", "e", "f", "g"].map(always).to_vec()),
            finding("tictactoe/turns", vec![sometimes]),
            Finding { is_seen: false, ..finding("tictactoe/range", vec![]) },
            Finding { n_cases: 0, ..finding("tictactoe/taken", vec![]) },
            finding("tictactoe/early-tie", vec![]),
            finding("tictactoe/long", vec![always("crashes")]),
            finding("tictactoe/bytes", vec![]),
        ],
        ..wrong.clone()
    }
}

#[test]
fn every_verdict_and_kind_of_requirement_is_as_it_is_stored() {
    let report = mixed_report();
    for format in Format::ALL {
        let text = render(std::slice::from_ref(&report), format, Style::default());
        check_snapshot(&format!("mixed.{format}.txt"), &text);
    }
}

#[test]
fn only_required_faults_count_and_untried_points_are_not_asked_for() {
    let mut report = mixed_report();
    assert_eq!((report.score(), report.bonus(), report.has_fault()), ((5, 5 + 10 + 12 + 10), 5, true));
    report.findings.retain(|finding| finding.requirement.points == 0 || finding.causes.is_empty());
    assert!(!report.has_fault(), "robustness is no fault");
}

#[test]
fn a_class_is_a_table_with_broken_requirements_apart_from_robustness() {
    let row = |name: &str, result| CsvRow {
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
fn who_may_see_less_sees_nothing_of_the_rest() {
    for format in Format::ALL {
        let verdict = rendered(format, Feedback::Verdict);
        assert!(!verdict.contains("a comment begins"), "{format}: {verdict}");
        let hint = rendered(format, Feedback::Hint);
        assert!(hint.contains("a comment begins") && !hint.contains("A1#"), "{format}: {hint}");
        let input = rendered(format, Feedback::InputOnly);
        assert!(input.contains("A1#") && !input.contains("Expected"), "{format}: {input}");
    }
}

/// What Gradescope documents of its results file, and nothing that it does not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Results {
    score: Option<f64>,
    execution_time: Option<f64>,
    output: Option<String>,
    output_format: Option<OutputFormat>,
    test_output_format: Option<OutputFormat>,
    test_name_format: Option<OutputFormat>,
    visibility: Option<Seen>,
    stdout_visibility: Option<Seen>,
    extra_data: Option<serde_json::Value>,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Test {
    score: Option<f64>,
    max_score: Option<f64>,
    status: Option<Status>,
    name: Option<String>,
    name_format: Option<OutputFormat>,
    number: Option<String>,
    output: Option<String>,
    output_format: Option<OutputFormat>,
    tags: Option<Vec<String>>,
    visibility: Option<Seen>,
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
enum Seen {
    Visible,
    Hidden,
    AfterDueDate,
    AfterPublished,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "snake_case")]
enum Status {
    Passed,
    Failed,
}

#[test]
fn gradescope_understands_its_file() {
    for visibility in Visibility::ALL {
        let style = Style { visibility, ..Style::default() };
        let text = render(std::slice::from_ref(wrong_report()), Format::Gradescope, style);
        let results: Results = serde_json::from_str(&text).unwrap();
        let earned: f64 = results.tests.iter().filter_map(|test| test.score).sum();
        let possible: f64 = results.tests.iter().filter_map(|test| test.max_score).sum();
        assert_eq!((earned, possible), (93.0, 100.0));
        let n_failed = results.tests.iter().filter(|test| test.status == Some(Status::Failed)).count();
        assert_eq!(n_failed, 2);
    }
}
