//! The examiner at work on small programs.

// The functions that tests share are tests too.
#![allow(clippy::unwrap_used)]

mod formats;
mod hostile;
mod verdicts;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use tictac_grader::{Assignment, Report, Settings, grade};

/// The program of `examples/fixture.rs`, which cargo builds together with the tests.
fn fixture() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().unwrap().parent().unwrap();
    folder.join("examples").join("fixture")
}

fn grade_fixture(manner: &str, assignment: Assignment, settings: &Settings) -> Report {
    let command: Vec<OsString> = vec![fixture().into(), manner.into(), assignment.name().into()];
    grade(assignment, &command, settings).unwrap()
}

/// A report with two faults, graded once; its command is one that a student could have typed.
fn wrong_report() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| {
        let mut report = grade_fixture("wrong", Assignment::GameCheck, &Settings::default());
        report.command = vec!["./game-check".to_owned()];
        report
    })
}

fn few_cases(n: usize) -> Settings {
    Settings { max_cases: n, n_threads: 2, ..Settings::default() }
}
