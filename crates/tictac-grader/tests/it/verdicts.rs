//! Which requirements are blamed for the faults of a program.

use std::time::Duration;

use tictac_grader::run::{Channel, LimitChanges, RunExit, RunOutput};
use tictac_grader::{
    Comparison, CourseProgram, Finding, GradeSettings, RenderOptions, Report, ReportFormat,
    RequirementStatus, grade, judge_output, render,
};

use crate::formats::wrong_report;
use crate::{few_cases, fixture_with, grade_fixture};

#[test]
fn our_own_programs_have_no_faults() {
    for assignment in CourseProgram::ALL {
        let report = grade_fixture("right", assignment, &few_cases(400));
        let blamed: Vec<&str> = report.blamed().collect();
        assert_eq!(blamed, [""; 0], "{assignment}");
        assert_eq!(report.score().0, report.score().1);
    }
}

#[test]
fn our_own_programs_have_no_faults_byte_for_byte_and_in_a_terminal() {
    for assignment in [CourseProgram::Tictactoe, CourseProgram::Notakto] {
        let exact = GradeSettings { comparison: Some(Comparison::Exact), ..few_cases(150) };
        for channel in [Channel::Pipe, Channel::Terminal] {
            let report = grade_fixture("right", assignment, &GradeSettings { channel, ..exact.clone() });
            assert_eq!(report.blamed().collect::<Vec<_>>(), [""; 0], "{assignment} {channel:?}");
        }
    }
}

#[test]
fn a_fault_is_shrunk_to_its_smallest_input_and_blamed_on_its_requirement() {
    let report = wrong_report();
    assert_eq!(report.blamed().collect::<Vec<_>>(), ["game-check/comment", "game-check/draw"]);
    let comment = report.finding("game-check/comment").unwrap();
    assert_eq!(comment.causes[0].smallest.case.input, b"1 X A1#\n");
    assert_eq!(comment.causes[0].n_bad_neighbours, 0);
    assert_eq!(comment.status(), RequirementStatus::Broken);
    let draw = report.finding("game-check/draw").unwrap();
    assert_eq!(draw.causes[0].smallest.case.input.len(), 9 * 7);
    assert!(draw.causes[0].behaviour.actual.contains("SIGABRT"), "{}", draw.causes[0].behaviour);
    assert!(report.has_fault());
}

#[test]
fn a_program_that_knows_only_the_examples_is_caught() {
    let report = grade_fixture("examples-only", CourseProgram::GameCheck, &few_cases(600));
    let blamed: Vec<&str> = report.blamed().collect();
    for id in ["game-check/number", "game-check/taken", "game-check/win-row", "game-check/turn"] {
        assert!(blamed.contains(&id), "{id} not in {blamed:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let report = || format!("{:?}", grade_fixture("wrong", CourseProgram::GameCheck, &few_cases(300)));
    assert_eq!(report(), report());
}

#[test]
fn a_silent_program_earns_no_points() {
    for assignment in CourseProgram::ALL {
        let report = grade_fixture("silent", assignment, &few_cases(80));
        assert_eq!(report.score().0, 0, "{assignment}");
        assert!(report.has_fault(), "{assignment}");
        assert!(
            report.findings.iter().any(|finding| finding.status() == RequirementStatus::Unseen),
            "{assignment}"
        );
    }
}

#[test]
fn after_three_time_outs_the_cases_of_a_requirement_are_skipped() {
    let limits = LimitChanges { wall: Some(Duration::from_millis(500)), ..LimitChanges::default() };
    let report = grade_fixture(
        "hangs-on-comments",
        CourseProgram::MoveCheck,
        &GradeSettings { limits, ..few_cases(160) },
    );
    assert!(report.n_skipped > 0 && report.n_cases + report.n_skipped == 160, "{report:?}");
    let comment = report.finding("move-check/comment").unwrap();
    assert_eq!(comment.status(), RequirementStatus::Broken);
    assert_eq!(comment.causes[0].smallest.actual.exit, RunExit::TimedOut);
}

/// Grades a fixture that counts its runs, one run at a time, so that it does the same each time.
fn grade_counting(behaviour: &str, settings: &GradeSettings) -> Report {
    let counter = tempfile::NamedTempFile::new().unwrap();
    let program = fixture_with(&[behaviour.into(), "move-check".into(), counter.path().into()]);
    let settings = GradeSettings { n_threads: 1, ..settings.clone() };
    grade(CourseProgram::MoveCheck, &program, &settings, &mut |_| {}).unwrap()
}

#[test]
fn a_program_that_fails_only_sometimes_is_flaky() {
    let report = grade_counting("sometimes-wrong", &few_cases(40));
    let statuses: Vec<RequirementStatus> = report.findings.iter().map(Finding::status).collect();
    assert!(statuses.contains(&RequirementStatus::Flaky), "{statuses:?}");
    assert!(!statuses.contains(&RequirementStatus::Broken), "{statuses:?}");
}

#[test]
fn a_run_that_took_too_long_is_tried_again() {
    let limits = LimitChanges { wall: Some(Duration::from_secs(2)), ..LimitChanges::default() };
    let report = grade_counting("sometimes-hangs", &GradeSettings { limits, ..few_cases(6) });
    assert_eq!(report.blamed().collect::<Vec<_>>(), [""; 0]);
    assert!(report.n_busy > 0);
    for format in ReportFormat::ALL {
        let text = render(std::slice::from_ref(&report), format, RenderOptions::default());
        assert!(text.contains("busy"), "{format}: {text}");
    }
}

/// The fuzz target `grader` tries any output.
#[test]
fn an_output_is_judged_without_a_program() {
    let judge = |stdout: &[u8]| {
        let output = RunOutput { stdout: stdout.to_vec(), stderr: Vec::new(), exit: RunExit::Status(0) };
        judge_output(CourseProgram::GameCheck, b"1 X B2\n", &output, Comparison::Exact)
    };
    assert_eq!(judge(b"Game in progress: O's turn.\n"), None);
    assert!(judge(b"Game in progress: X's turn.\n").is_some());
    assert!(judge(b"\xff\0").is_some());
}
