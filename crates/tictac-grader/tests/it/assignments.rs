//! Assignments that are described in a folder.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tictac_grader::run::Program;
use tictac_grader::{
    Assignment, CourseProgram, GradeSettings, RenderOptions, Report, ReportFormat, RequirementStatus,
    check_assignment, grade, render,
};

use crate::{few_cases, fixture_with};

fn example(name: &str) -> Assignment {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assignments").join(name);
    Assignment::load(&folder).unwrap()
}

fn grade_example(assignment: Assignment, program: &str, settings: &GradeSettings) -> Report {
    let program = Program::find(&assignment.folder().unwrap().join(program), &[]).unwrap();
    grade(assignment, &program, settings, &mut |_| {}).unwrap()
}

/// A folder with an assignment: add two numbers.
struct Sum {
    folder: tempfile::TempDir,
}

const SUM: &str = r#"
title = "Add two numbers"

[reference]
command = ["sh", "reference.sh"]

[limits]
seconds = 1.0

[[requirement]]
id = "sum"
points = 10
source = "page 1"
rule = "the sum is printed"
hint = "add them"
inputs = ["0..99 ' ' 0..99 '\n'"]
cases = 20
"#;

impl Sum {
    fn new(name: &str, form: &str, reference: &str) -> (Sum, Assignment) {
        let sum = Sum { folder: tempfile::tempdir().unwrap() };
        fs::write(sum.path("assignment.toml"), format!("name = {name:?}\n{form}")).unwrap();
        sum.script("reference.sh", reference);
        let assignment = Assignment::load(sum.folder.path()).unwrap();
        (sum, assignment)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn script(&self, name: &str, text: &str) -> Program {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Program::find(&path, &[]).unwrap()
    }
}

const ADD: &str = "read a b; echo $((a + b))";

#[test]
fn a_fault_is_found_shrunk_and_reported_in_every_format() {
    let (sum, assignment) = Sum::new("sum-report", SUM, ADD);
    let wrong = sum.script("wrong.sh", "read a b; if [ $a -gt 9 ]; then echo 0; else echo $((a + b)); fi");
    let report = grade(assignment, &wrong, &few_cases(100), &mut |_| {}).unwrap();
    assert_eq!(report.blamed().collect::<Vec<_>>(), ["sum-report/sum"]);
    assert_eq!(report.findings[0].causes[0].smallest.case.input, b"11 1\n");
    assert_eq!(report.score_text(), "0 of 10 points");
    for format in ReportFormat::ALL {
        let text = render(std::slice::from_ref(&report), format, RenderOptions::default());
        assert!(text.contains("sum-report"), "{format}: {text}");
    }
    let text = render(&[report], ReportFormat::Text, RenderOptions::default());
    assert!(text.contains("Hint: add them") && text.contains("page 1"), "{text}");
}

#[test]
fn the_right_program_earns_all_points_and_the_same_seed_gives_the_same_inputs() {
    let (sum, assignment) = Sum::new("sum-right", SUM, ADD);
    let right = sum.script("right.sh", ADD);
    let settings = few_cases(100);
    let report = |settings: &GradeSettings| grade(assignment, &right, settings, &mut |_| {}).unwrap();
    let first = report(&settings);
    assert_eq!((first.score_text().as_str(), first.n_cases), ("10 of 10 points", 20));
    assert_eq!(format!("{first:?}"), format!("{:?}", report(&settings)));
    assert_ne!(first.seed, report(&GradeSettings { seed: 2, ..settings }).seed);
}

#[test]
fn a_reference_that_fails_is_the_problem_of_the_teacher() {
    for (name, reference, message) in [
        ("sum-fails", "exit 3", "exits with status 3"),
        ("sum-hangs", "sleep 60", "did not exit within 1 s (`seconds` in [limits] allows more)"),
        ("sum-crashes", "kill -SEGV $$", "SIGSEGV"),
        ("sum-flakes", "echo $$", "does not always print the same"),
    ] {
        let (sum, assignment) = Sum::new(name, SUM, reference);
        let wrong = sum.script("wrong.sh", "echo 1");
        let error = grade(assignment, &wrong, &few_cases(4), &mut |_| {}).unwrap_err().to_string();
        assert!(error.starts_with("the reference of") && error.contains(message), "{name}: {error}");
    }
    let (sum, assignment) = Sum::new("sum-missing", &SUM.replace("\"sh\"", "\"no-such-shell\""), ADD);
    let wrong = sum.script("wrong.sh", "echo 1");
    let error = grade(assignment, &wrong, &few_cases(4), &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("no-such-shell") && error.contains("no such file"), "{error}");
}

#[test]
fn inputs_may_come_from_a_command() {
    let form = SUM.replace("inputs = [\"0..99 ' ' 0..99 '\\n'\"]", "generator = [\"sh\", \"inputs.sh\"]");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("assignment.toml"), format!("name = 'sum-command'\n{form}")).unwrap();
    fs::write(folder.path().join("inputs.sh"), "printf '1 2\\n%%%%\\n3 4\\n'; echo %%; echo \"$1 $1\"\n")
        .unwrap();
    fs::write(folder.path().join("reference.sh"), ADD).unwrap();
    let assignment = Assignment::load(folder.path()).unwrap();
    let sum = Sum { folder };
    let right = sum.script("right.sh", ADD);
    let report = grade(assignment, &right, &few_cases(100), &mut |_| {}).unwrap();
    assert_eq!((report.n_cases, report.score_text().as_str()), (3, "10 of 10 points"));
    fs::write(sum.path("inputs.sh"), "echo no; exit 4\n").unwrap();
    let right = sum.script("right.sh", ADD);
    let error = grade(assignment, &right, &few_cases(100), &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("the generator of sum-command/sum failed"), "{error}");
}

#[test]
fn what_is_missing_in_an_assignment_is_listed() {
    let form = SUM.replace("\"page 1\"", "\"TODO\"")
        + "\n[[requirement]]\nid='more'\npoints=1\nsource='x'\nrule=''\n";
    let (sum, assignment) = Sum::new("sum-draft", &form, ADD);
    let draft = check_assignment(assignment, &few_cases(100), &mut |_| {}).unwrap();
    let problems = draft.problems.join("\n");
    for part in ["sum: `source`", "more: `rule`", "more: no input tests it", "right/ has no", "wrong/ has no"]
    {
        assert!(problems.contains(part), "{part}: {problems}");
    }
    assert!(!draft.is_complete());
    sum.script("right/fine.sh", ADD);
    sum.script("right/wrong.sh", "echo 7");
    sum.script("wrong/fine.sh", ADD);
    let check = check_assignment(assignment, &few_cases(100), &mut |_| {}).unwrap();
    let results: Vec<(&str, bool)> =
        check.programs.iter().map(|program| (program.name.as_str(), program.is_as_expected)).collect();
    assert_eq!(results, [("right/fine.sh", true), ("right/wrong.sh", false), ("wrong/fine.sh", false)]);
}

#[test]
fn what_an_assignment_cannot_compare_generate_or_pack_is_listed() {
    let phrases = "[comparison]\noutput = \"phrases\"\nphrase = [{ means = \"the sum\", says = [\"sum {n}\"] }, \
                   { means = \"an error\", says = [\"error\"] }]\n";
    let (sum, _) = Sum::new("sum-phrases", SUM, "read a b; echo Sum $((a + b))");
    let elsewhere = tempfile::tempdir().unwrap();
    fs::copy(sum.path("reference.sh"), elsewhere.path().join("reference.sh")).unwrap();
    fs::remove_file(sum.path("reference.sh")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("reference.sh"), sum.path("reference.sh")).unwrap();
    let form = SUM
        .replace("[limits]", &format!("{phrases}[limits]"))
        .replace(r#"0..99 '\n'"]"#, r#"0..99 '\n'", "0..9 ' ' 0..9 (' 123456789'{1000}){8} '\n'"]"#);
    fs::write(sum.path("assignment.toml"), format!("name = \"sum-unsaid\"\n{form}")).unwrap();
    let assignment = Assignment::load(sum.folder.path()).unwrap();
    let problems = check_assignment(assignment, &few_cases(20), &mut |_| {}).unwrap().problems.join("\n");
    for part in [
        "never shows the phrase for \"an error\"",
        "the reference reference.sh is not in the folder",
        "sum: 20 of 40 generated inputs had more than 64 KiB",
    ] {
        assert!(problems.contains(part), "{part}: {problems}");
    }
    assert!(!problems.contains("the phrase for \"the sum\""), "{problems}");
}

#[test]
fn a_wrong_status_is_blamed_beside_a_wrong_wording() {
    let more = "[[requirement]]\nid = \"status\"\npoints = 3\nsource = \"page 2\"\nrule = \"the status is 0\"\n\
                covers = \"status\"\n[[requirement]]\nid = \"wording\"\npoints = 2\nsource = \"page 3\"\n\
                rule = \"only the number is printed\"\ncovers = \"wording\"\n";
    let (sum, assignment) = Sum::new("sum-status", &format!("{SUM}{more}"), "read a b; echo $((a + b))");
    let wrong = sum.script("wrong.sh", "read a b; echo $((a + b)).; exit 4");
    let report = grade(assignment, &wrong, &few_cases(100), &mut |_| {}).unwrap();
    assert_eq!(report.blamed().collect::<Vec<_>>(), ["sum-status/status", "sum-status/wording"]);
    assert_eq!(report.score_text(), "10 of 15 points");
}

#[test]
fn the_folder_of_an_assignment_has_one_name_and_one_meaning() {
    let (sum, assignment) = Sum::new("sum-twice", SUM, ADD);
    assert_eq!(Assignment::load(sum.folder.path()).unwrap(), assignment);
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("assignment.toml"), format!("name = 'sum-twice'\n{SUM}")).unwrap();
    assert!(Assignment::load(other.path()).unwrap_err().message.contains("also called"));
    assert!(Assignment::load(&other.path().join("none")).unwrap_err().message.contains("no such folder"));
    fs::write(other.path().join("assignment.toml"), "title = 3").unwrap();
    let error = Assignment::load(other.path()).unwrap_err();
    let place = error.place.unwrap();
    assert_eq!((place.line, place.text.as_str(), place.range), (1, "title = 3", 8..9));
    fs::write(other.path().join("assignment.toml"), "#".repeat(2 << 20)).unwrap();
    assert!(Assignment::load(other.path()).unwrap_err().message.contains("1 MiB"));
}

#[test]
fn one_mistake_costs_one_requirement_of_the_leap_years() {
    let leap_years = example("leap-years");
    for (program, blamed) in
        [("wrong/every-fourth.sh", "leap-years/centuries"), ("wrong/without-the-last.sh", "leap-years/range")]
    {
        let report = grade_example(leap_years, program, &few_cases(usize::MAX));
        assert_eq!(report.blamed().collect::<Vec<_>>(), [blamed], "{program}");
        assert!(
            report.findings.iter().all(|finding| finding.status() != RequirementStatus::Unseen),
            "{program}"
        );
    }
}

/// Checks that the programs of an example are judged as they should be.
#[track_caller]
fn check_example(name: &str) {
    let check = check_assignment(example(name), &few_cases(usize::MAX), &mut |_| {}).unwrap();
    assert!(check.is_complete(), "{check:#?}");
    assert_eq!(check.untested, [""; 0], "a wrong program for each requirement");
    assert!(check.programs.len() > 6, "{check:?}");
}

#[test]
fn the_leap_years_tell_right_programs_from_wrong_ones() {
    check_example("leap-years");
}

#[test]
fn the_french_course_tells_right_programs_from_wrong_ones() {
    check_example("morpion");
}

/// A program can be graded against a copy of a built-in form, and scores the same.
#[test]
fn a_copy_of_a_built_in_form_grades_in_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let text = include_str!("../../assignments/notakto/assignment.toml");
    fs::write(folder.path().join("assignment.toml"), format!("name = 'my-notakto'\n{text}")).unwrap();
    let copy = Assignment::load(folder.path()).unwrap();
    let program = fixture_with(&["silent".into()]);
    let findings = |assignment: Assignment| {
        let report = grade(assignment, &program, &few_cases(60), &mut |_| {}).unwrap();
        let findings = report.findings.iter();
        findings
            .map(|finding| (finding.requirement.short_id(), finding.status(), finding.n_cases))
            .collect::<Vec<_>>()
    };
    assert_eq!(findings(copy), findings(CourseProgram::Notakto.into()));
}
