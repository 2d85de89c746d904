//! Tests that students write.

use std::fs;
use std::path::Path;

use tictac_grader::{
    Assignment, GradeSettings, RenderOptions, Report, ReportFormat, RequirementStatus, SuiteReport,
    build_unit, grade, render,
};

const REQUIREMENTS: &str = "[grammar]\nnumber = '-3..3'\n\
    [[requirement]]\nid = 'sign'\npoints = 5\nsource = 's'\nrule = 'the sign of a number'\n\
    inputs = [\"'sign(' number ')\\\\n'\"]\ncases = 'all'\n\
    [[requirement]]\nid = 'valid'\npoints = 3\nsource = 's'\nrule = 'valid'\ntests = 'valid'\n\
    [[requirement]]\nid = 'some'\npoints = 1\nsource = 's'\nrule = 'some'\ncatches = 30\n\
    [[requirement]]\nid = 'all'\npoints = 1\nsource = 's'\nrule = 'all'\ncatches = 100\n";

/// Writes an assignment that asks for a function `sign` and tests of it.
fn write_assignment(folder: &Path, framework: &str, language: &str, end: &str, sources: [&str; 3]) {
    for subfolder in ["right", "wrong"] {
        fs::create_dir_all(folder.join(subfolder)).unwrap();
    }
    let given = if end == "cpp" { "given = ['sign.h']\n" } else { "" };
    let form = format!(
        "title = 'Sign'\n[unit]\nlanguage = '{language}'\nfiles = ['sign.{end}']\n{given}[[unit.function]]\nname = 'sign'\n\
         arguments = ['int']\nreturns = 'int'\n[tests]\nframework = '{framework}'\nfiles = ['test_sign.{end}']\nmutants = 3\n\
         [tests.hints]\n'zero.{end}' = 'the sign of zero'\n[reference]\nsource = 'reference.{end}'\n{REQUIREMENTS}"
    );
    fs::write(folder.join("assignment.toml"), form).unwrap();
    fs::write(folder.join("sign.h"), "int sign(int number);\n").unwrap();
    fs::write(folder.join(format!("reference.{end}")), sources[0]).unwrap();
    fs::write(folder.join(format!("right/other.{end}")), sources[1]).unwrap();
    fs::write(folder.join(format!("wrong/zero.{end}")), sources[2]).unwrap();
}

/// Grades a submission with these tests; `None` if the library for them is not installed.
fn graded(assignment: &Path, end: &str, tests: &str) -> Option<Report> {
    let folder = tempfile::tempdir().unwrap();
    let source = assignment.join(format!("reference.{end}"));
    fs::copy(source, folder.path().join(format!("sign.{end}"))).unwrap();
    fs::write(folder.path().join(format!("test_sign.{end}")), tests).unwrap();
    let assignment = Assignment::load(assignment).unwrap();
    let settings = GradeSettings::default();
    let program = build_unit(assignment, folder.path(), &settings).unwrap();
    match grade(assignment, &program, &settings, &mut |_| {}) {
        Ok(report) => Some(report),
        Err(error) if error.to_string().contains("is not installed") => None,
        Err(error) => panic!("{error}"),
    }
}

fn is_fulfilled(report: &Report, id: &str) -> bool {
    let mut findings = report.findings.iter();
    let finding = findings.find(|finding| finding.requirement.short_id() == id).unwrap();
    finding.status() == RequirementStatus::Fulfilled
}

/// Checks what is found about two tests: one that is right and catches the bug in `wrong/`, and one that fails on right
/// implementations.
fn check_suite(report: &Report, names: [&str; 2]) -> SuiteReport {
    let suite = report.tests.clone().unwrap();
    assert_eq!(suite.problem, None);
    let found: Vec<&str> = suite.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(found, names, "{suite:?}");
    assert!(suite.bugs.len() > 1, "mutants are made as well: {suite:?}");
    assert_eq!(suite.tests[0].problem, None);
    assert!(suite.tests[0].caught.contains(&0), "{suite:?}");
    assert!(suite.tests[1].problem.is_some());
    assert!(suite.tests[1].caught.is_empty(), "an invalid test catches nothing");
    assert!(is_fulfilled(report, "sign") && !is_fulfilled(report, "valid"));
    suite
}

const PYTHON: [&str; 3] = [
    "def sign(number):\n    if number > 0:\n        return 1\n    if number < 0:\n        return -1\n    return 0\n",
    "def sign(number):\n    return (number > 0) - (number < 0)\n",
    "def sign(number):\n    return 1 if number >= 0 else -1\n",
];

#[test]
fn tests_with_unittest_are_valid_and_thorough_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let assignment = folder.path().join("sign-unittest");
    write_assignment(&assignment, "unittest", "python", "py", PYTHON);
    let head = "import unittest\nfrom sign import sign\n\nclass SignTest(unittest.TestCase):\n";
    let right = "    def test_a(self):\n        self.assertEqual(sign(0), 0)\n";
    let invalid = "    def test_b(self):\n        self.assertEqual(sign(5), 5)\n";
    let report = graded(&assignment, "py", &[head, right, invalid].concat()).unwrap();
    let suite = check_suite(&report, ["SignTest.test_a", "SignTest.test_b"]);
    assert!(suite.tests[1].problem.as_deref().unwrap().contains("1 != 5"), "{suite:?}");
    let text = render(&[report], ReportFormat::Text, RenderOptions::default());
    assert!(text.contains("SignTest.test_b fails on a right implementation"), "{text}");

    let thorough = "    def test_c(self):\n        for n in range(-3, 4):\n            with self.subTest(n):\n                \
                    self.assertEqual(sign(n), (n > 0) - (n < 0))\n";
    let report = graded(&assignment, "py", &[head, thorough].concat()).unwrap();
    assert!(["valid", "some", "all"].iter().all(|id| is_fulfilled(&report, id)), "{:?}", report.tests);

    let nothing = "    def test_d(self):\n        sign(1)\n";
    let report = graded(&assignment, "py", &[head, nothing].concat()).unwrap();
    assert!(is_fulfilled(&report, "valid") && !is_fulfilled(&report, "all"));
    let text = render(&[report], ReportFormat::Text, RenderOptions::default());
    assert!(text.contains("the sign of zero"), "{text}");
    assert!(!text.contains("number >= 0"), "the code of a bug is not shown: {text}");
}

#[test]
fn a_test_that_exits_or_never_ends_has_failed_and_the_others_are_run() {
    let folder = tempfile::tempdir().unwrap();
    let assignment = folder.path().join("sign-endless");
    write_assignment(&assignment, "unittest", "python", "py", PYTHON);
    let tests = "import os, unittest\nfrom sign import sign\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        \
                 os._exit(0)\n    def test_b(self):\n        while True: pass\n    def test_c(self):\n        \
                 self.assertEqual(sign(0), 0)\n";
    let suite = graded(&assignment, "py", tests).unwrap().tests.unwrap();
    let is_valid: Vec<bool> = suite.tests.iter().map(|test| test.problem.is_none()).collect();
    assert_eq!(is_valid, [false, false, true], "{suite:?}");
    assert!(suite.tests[2].caught.contains(&0));
    let broken = graded(&assignment, "py", "import nothing_like_this\n").unwrap();
    assert!(!is_fulfilled(&broken, "valid") && !is_fulfilled(&broken, "some"));
}

#[test]
fn functions_of_pytest_are_run_with_its_fixtures() {
    let folder = tempfile::tempdir().unwrap();
    let assignment = folder.path().join("sign-pytest");
    write_assignment(&assignment, "pytest", "python", "py", PYTHON);
    let tests = "import pytest\nfrom sign import sign\n\n@pytest.fixture\ndef zero():\n    return 0\n\n\
                 def test_a(zero):\n    assert sign(zero) == 0\n\ndef test_b():\n    assert sign(5) == 5\n";
    if let Some(report) = graded(&assignment, "py", tests) {
        check_suite(&report, ["test_a", "test_b"]);
    }
}

const CPP: [&str; 3] = [
    "#include \"sign.h\"\nint sign(int number) {\n    if (number > 0) return 1;\n    if (number < 0) return -1;\n    return 0;\n}\n",
    "#include <iostream>\n#include \"sign.h\"\nint sign(int n) { return (n > 0) - (n < 0); }\nint main() { std::cout << sign(1); }\n",
    "#include \"sign.h\"\nint sign(int number) { return number >= 0 ? 1 : -1; }\n",
];

#[test]
fn tests_with_googletest_are_linked_with_every_implementation() {
    let folder = tempfile::tempdir().unwrap();
    let assignment = folder.path().join("sign-googletest");
    write_assignment(&assignment, "googletest", "c++", "cpp", CPP);
    let tests = "#include <gtest/gtest.h>\n#include \"sign.cpp\"\nTEST(Sign, Zero) { EXPECT_EQ(sign(0), 0); }\n\
                 TEST(Sign, Crash) { *(volatile int*)nullptr = sign(5); }\nint main(int argc, char** argv) {\n    \
                 testing::InitGoogleTest(&argc, argv);\n    return RUN_ALL_TESTS();\n}\n";
    if let Some(report) = graded(&assignment, "cpp", tests) {
        check_suite(&report, ["Sign.Zero", "Sign.Crash"]);
    }
}

#[test]
fn tests_with_catch2_are_linked_with_every_implementation() {
    let folder = tempfile::tempdir().unwrap();
    let assignment = folder.path().join("sign-catch2");
    write_assignment(&assignment, "catch2", "c++", "cpp", CPP);
    let tests = "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n#include \"sign.h\"\n\
                 TEST_CASE(\"zero, one\") { REQUIRE(sign(0) == 0); }\nTEST_CASE(\"five\") { REQUIRE(sign(5) == 5); }\n";
    if let Some(report) = graded(&assignment, "cpp", tests) {
        let suite = check_suite(&report, ["zero, one", "five"]);
        assert!(suite.tests[1].problem.as_deref().unwrap().contains("test_sign.cpp:5"), "{suite:?}");
    }
}
