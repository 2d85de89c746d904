//! Snapshots of every report format. `UPDATE_SNAPSHOTS=1 cargo test -p tictac-grader` updates them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Deserialize;
use tictac_grader::report::{Gradebook, SubmissionRow, Visibility, class_page, csv, gradebook};
use tictac_grader::{
    Assignment, Behaviour, Cause, Consistency, CourseProgram, Feedback, Finding, Points, PositionCoverage,
    RenderOptions, Report, ReportFormat, Requirement, render,
};

use crate::grade_wrong_program;

/// The report that the other snapshots show, as it is stored.
const STORED: &str = "wrong.report.json";

/// Returns a report with two faults. Grading takes seconds, so it is read, and one test compares it with what grading gives.
pub(crate) fn wrong_report() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| match fs::read_to_string(snapshot(STORED)) {
        Ok(stored) if !is_updating() => serde_json::from_str(&stored).unwrap(),
        _ => grade_wrong_program(),
    })
}

#[test]
fn the_stored_report_is_what_grading_gives() {
    check_snapshot(STORED, &(serde_json::to_string_pretty(&grade_wrong_program()).unwrap() + "\n"));
}

fn snapshot(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots").join(name)
}

fn is_updating() -> bool {
    std::env::var_os("UPDATE_SNAPSHOTS").is_some()
}

fn rendered(format: ReportFormat, feedback: Feedback) -> String {
    render(
        std::slice::from_ref(wrong_report()),
        format,
        RenderOptions { feedback, ..RenderOptions::default() },
    )
}

#[track_caller]
fn check_snapshot(name: &str, text: &str) {
    let path = snapshot(name);
    if is_updating() {
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
        Finding {
            requirement,
            points: requirement.points,
            n_cases: 70,
            has_passed: true,
            causes,
            remarks: Vec::new(),
        }
    };
    Report {
        assignment: CourseProgram::Tictactoe.into(),
        command: vec!["play".to_owned(), "<a & b>".to_owned()],
        positions: Some(PositionCoverage { n_asked: 95, n_all: 5478 }),
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
    assert_eq!(report.score_text(), "5 of 37 points + 5 bonus points");
    assert!(report.has_fault());
    report.findings.retain(|finding| finding.requirement.points == Points::ZERO || finding.causes.is_empty());
    assert!(!report.has_fault(), "robustness does not count as a fault");
}

/// Returns a report on functions in which a person gives points, and a `TODO` is left.
fn rubric_report() -> Report {
    let assignment = Assignment::find("notakto-functions", Path::new("")).unwrap();
    let finding = |id: &str, n_cases, remarks: &[&str]| {
        let requirement = Requirement::with_id(&format!("notakto-functions/{id}")).unwrap();
        let remarks = remarks.iter().map(|&remark| remark.to_owned()).collect();
        let points = requirement.points;
        Finding { requirement, points, n_cases, has_passed: true, causes: Vec::new(), remarks }
    };
    let findings = vec![
        finding("draw-board", 512, &[]),
        finding("todo", 1, &["notakto.cpp:7: TODO is left"]),
        finding("format", 0, &["clang-format is not installed"]),
        finding("program", 0, &[]),
    ];
    Report { assignment, positions: None, findings, ..wrong_report().clone() }
}

#[test]
fn points_that_a_person_gives_have_a_field_in_every_format() {
    let report = rubric_report();
    assert_eq!(report.score_text(), "10 of 11.5 points, 11.5 by hand");
    assert!(!report.has_fault(), "the program works");
    for format in ReportFormat::ALL {
        let text = render(std::slice::from_ref(&report), format, RenderOptions::default());
        assert!(text.contains("notakto.cpp:7: TODO is left"), "{format}: {text}");
        let field = match format {
            ReportFormat::Text | ReportFormat::Html | ReportFormat::Markdown => "__/10",
            ReportFormat::Json => "\"earned\": null",
            ReportFormat::Gradescope => "10 points are given by hand",
            ReportFormat::Classroom50 | ReportFormat::Tap => "10 points by hand",
            ReportFormat::Junit => "skipped message=\"10 points by hand\"",
            ReportFormat::Comment => "11.5 by hand",
            // An annotation is about something that must be changed.
            ReportFormat::Github => "notakto-functions/todo",
        };
        assert!(text.contains(field), "{format}: {text}");
    }
    let row =
        SubmissionRow { submission: "ada".to_owned(), assignment: report.assignment, result: Ok(report) };
    let rows = [row];
    let canvas = gradebook(&rows, Gradebook::Canvas);
    assert!(canvas.contains("notakto-functions,notakto-functions (by hand)\r\n"), "{canvas}");
    assert!(
        canvas.contains("Points Possible,,,,,11.5,11.5\r\n") && canvas.contains("ada,,10,\r\n"),
        "{canvas}"
    );
    assert!(gradebook(&rows, Gradebook::Moodle).contains("(feedback),notakto-functions (by hand)"));
    assert!(csv(&rows).contains("broken: todo 1.5") && csv(&rows).ends_with(",11.5\r\n"));
}

fn class() -> Vec<SubmissionRow> {
    let row = |name: &str, assignment: CourseProgram, result| SubmissionRow {
        submission: name.to_owned(),
        assignment: assignment.into(),
        result,
    };
    vec![
        row("ada", CourseProgram::Tictactoe, Ok(mixed_report())),
        row("ben, jr", CourseProgram::Tictactoe, Err("no <program>".to_owned())),
        row("cy", CourseProgram::GameCheck, Ok(wrong_report().clone())),
    ]
}

#[test]
fn the_table_of_a_class_explains_every_lost_point() {
    assert_eq!(
        csv(&class()[..2]),
        "submission,assignment,verdict,score,max_score,bonus,lost,robustness,seed,note,by_hand\r\n\
         ada,tictactoe,fault,5,37,5,broken: board 10; flaky: turns 12; not seen to work: range 10,long,1,\
         9 more cases skipped after repeated time-outs; not tried: taken,0\r\n\
         \"ben, jr\",tictactoe,not graded,,,,,,,no <program>,\r\n"
    );
    for row in class() {
        let Ok(report) = row.result else { continue };
        let table = csv(&[SubmissionRow { result: Ok(report.clone()), ..row }]);
        let line = table.lines().nth(1).unwrap();
        let lost =
            &line[line.find("broken: ").unwrap()..line.find(",long").or(line.rfind("\",,1,")).unwrap()];
        let points = lost.split([' ', ',', ';']).filter_map(|word| word.parse::<u32>().ok());
        assert_eq!(Points::from(points.sum::<u32>()), report.score().1 - report.score().0, "{lost}");
    }
}

#[test]
fn a_gradebook_has_one_line_per_student_and_one_column_per_assignment() {
    assert_eq!(
        gradebook(&class(), Gradebook::Canvas),
        "Student,ID,SIS User ID,SIS Login ID,Section,game-check,tictactoe\r\n    \
         Points Possible,,,,,100,37\r\n\
         ada,,,ada,,,10\r\n\
         \"ben, jr\",,,\"ben, jr\",,,\r\n\
         cy,,,cy,,93,\r\n"
    );
    let moodle = gradebook(&class(), Gradebook::Moodle);
    let lines: Vec<&str> = moodle.lines().collect();
    assert_eq!(lines[0], "username,game-check,game-check (feedback),tictactoe,tictactoe (feedback)");
    assert_eq!(lines[2], "\"ben, jr\",,,,no <program>");
    assert_eq!(lines[3], "cy,93,\"93 of 100 points; broken: comment 3, draw 4\",,");
}

#[test]
fn the_page_of_a_class_matches_its_snapshot_and_has_no_script() {
    let link = |name: &str| (name != "cy").then(|| format!("pages/{name}.html"));
    let page = class_page(&class(), link);
    assert!(!page.contains("<script") && !page.contains(" onc"), "a script may not be allowed to run");
    check_snapshot("class.html.txt", &page);
}

#[test]
fn a_report_can_be_stored_and_read_back() {
    for report in [wrong_report().clone(), mixed_report()] {
        let text = serde_json::to_string(&report).unwrap();
        let read: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(format!("{read:?}"), format!("{report:?}"));
    }
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

/// The fields that the schema `classroom50/result/v1` requires or permits.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Classroom50File {
    schema: String,
    classroom: String,
    assignment: String,
    assignment_type: String,
    owner: String,
    submission: String,
    commit: String,
    release: String,
    review: String,
    datetime: String,
    graded_at: Option<String>,
    score: u32,
    #[serde(rename = "max-score")]
    max_score: u32,
    tests: Vec<Classroom50Row>,
    submitted_by: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Classroom50Row {
    #[serde(rename = "test-name")]
    name: String,
    passed: bool,
    score: u32,
    #[serde(rename = "max-score")]
    max_score: u32,
}

fn classroom50(report: &Report) -> Classroom50File {
    let environment = |name: &str| match name {
        "CLASSROOM" => Some("cs1".to_owned()),
        "SUBMISSION_TAG" => Some("submit/2026-09-01".to_owned()),
        "COMMIT_URL" => Some("https://example.org/commit/1".to_owned()),
        _ => None,
    };
    let options = RenderOptions { time: 1_780_324_321, environment, ..RenderOptions::default() };
    let text = render(std::slice::from_ref(report), ReportFormat::Classroom50, options);
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_classroom50_file_fits_its_schema() {
    let file = classroom50(wrong_report());
    assert_eq!((file.schema.as_str(), file.classroom.as_str()), ("classroom50/result/v1", "cs1"));
    assert_eq!(
        (file.submission.as_str(), file.datetime.as_str()),
        ("submit/2026-09-01", "2026-06-01T14:32:01Z")
    );
    assert_eq!(file.review, file.commit);
    assert_eq!((file.score, file.max_score), (93, 100));
    assert_eq!(file.tests.iter().map(|test| test.score).sum::<u32>(), file.score);
    assert_eq!(file.tests.iter().map(|test| test.max_score).sum::<u32>(), file.max_score);
    assert_eq!(file.tests.iter().filter(|test| !test.passed).count(), 2);
}

#[test]
fn no_classroom50_score_is_above_its_maximum() {
    let file = classroom50(&mixed_report());
    assert!(file.tests.iter().all(|test| test.score <= test.max_score && !test.name.is_empty()));
    assert!(file.score <= file.max_score);
    let bonus = file.tests.iter().find(|test| test.name.contains("early-tie")).unwrap();
    assert!(bonus.passed && bonus.name.contains("+5 bonus points"), "{}", bonus.name);
}

#[test]
fn a_comment_is_never_longer_than_a_pull_request_accepts() {
    let mut report = mixed_report();
    let mut cause = report.findings[1].causes[0].clone();
    cause.smallest.actual.stdout = "`é\n".repeat(20_000).into_bytes();
    cause.smallest.case.input = (0..30_000_u32).map(|n| b'a' + (n % 26) as u8).collect();
    for finding in &mut report.findings {
        finding.causes = vec![cause.clone()];
    }
    let reports = vec![report; 5];
    let text = render(&reports, ReportFormat::Comment, RenderOptions::default());
    assert!(text.chars().count() <= 65_536 && text.len() > 30_000, "{}", text.len());
    assert!(text.contains("more findings not shown here"), "{}", &text[text.len() - 300..]);
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
    let short = render(&[mixed_report()], ReportFormat::Comment, RenderOptions::default());
    assert!(!short.contains("not shown here") && short.matches("<details>").count() == 3, "{short}");
}
