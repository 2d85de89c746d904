//! Grades small programs.

// `unwrap` is fine in functions that only tests use.
#![allow(clippy::unwrap_used)]

mod assignments;
mod formats;
mod functions;
mod hostile;
mod load;
mod suites;
mod verdicts;

use std::ffi::OsString;
use std::path::PathBuf;

use tictac_grader::run::Program;
use tictac_grader::{CourseProgram, GradeSettings, Report, grade};

/// Returns the path of `examples/fixture.rs`, which cargo builds with the tests.
fn fixture() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().unwrap().parent().unwrap();
    folder.join("examples").join("fixture")
}

/// Returns the fixture with these arguments.
fn fixture_with(arguments: &[OsString]) -> Program {
    Program::find(&fixture(), arguments).unwrap()
}

fn grade_fixture(behaviour: &str, assignment: CourseProgram, settings: &GradeSettings) -> Report {
    let program = fixture_with(&[behaviour.into(), assignment.name().into()]);
    grade(assignment, &program, settings, &mut |_| {}).unwrap()
}

/// Grades a program with two faults. Its command is replaced, because the path of the fixture varies.
fn grade_wrong_program() -> Report {
    let mut report = grade_fixture("wrong", CourseProgram::GameCheck, &GradeSettings::default());
    report.command = vec!["./game-check".to_owned()];
    report
}

fn few_cases(n: usize) -> GradeSettings {
    GradeSettings { max_cases: n, n_threads: 2, ..GradeSettings::default() }
}
