//! Assignments that ask for functions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tictac_grader::{
    Assignment, GradeSettings, RenderOptions, Report, ReportFormat, build_unit, grade, render,
};

/// Returns whether a compiler or interpreter is installed; a test without it is skipped.
fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn file(assignment: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assignments").join(assignment).join(name)
}

fn graded(assignment: &str, source: &Path, max_cases: usize) -> Report {
    let assignment = Assignment::find(assignment, Path::new(".")).unwrap();
    let settings = GradeSettings { max_cases, ..GradeSettings::default() };
    let program = build_unit(assignment, source, &settings).unwrap();
    grade(assignment, &program, &settings, &mut |_| {}).unwrap()
}

/// Grades a text in place of the student's file, and returns what is blamed with the smallest calls.
fn graded_text(assignment: &str, name: &str, text: &str, max_cases: usize) -> Vec<(&'static str, String)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    blamed(&graded(assignment, &path, max_cases))
}

fn blamed(report: &Report) -> Vec<(&'static str, String)> {
    let smallest = |finding: &tictac_grader::Finding| {
        String::from_utf8_lossy(&finding.causes[0].smallest.case.input).trim_end().to_owned()
    };
    report.broken().map(|finding| (finding.requirement.short_id(), smallest(finding))).collect()
}

fn notakto(change: impl Fn(&str) -> String) -> String {
    let reference = fs::read_to_string(file("notakto-functions", "reference.cpp")).unwrap();
    let changed = change(&reference);
    assert_ne!(changed, reference, "nothing was changed");
    changed
}

#[test]
fn a_right_function_in_another_style_has_no_fault() {
    if has("g++") {
        // It prints, keeps a static variable, has a main function, and returns int for bool.
        let report =
            graded("notakto-functions", &file("notakto-functions", "right/lists-lines.cpp"), usize::MAX);
        assert_eq!(blamed(&report), []);
        assert_eq!(report.score_text(), "38.5 of 38.5 points, 51.5 by hand");
    }
}

#[test]
fn the_smallest_failing_call_is_found() {
    if has("g++") {
        let text =
            notakto(|text| text.replace("        if (board[0][i]", "        if (i < 2 && board[0][i]"));
        let found = graded_text("notakto-functions", "notakto.cpp", &text, usize::MAX);
        assert_eq!(found, [("columns", "has_line([[0,0,1],[0,0,1],[0,0,1]])".to_owned())]);
    }
}

#[test]
fn a_missing_function_costs_its_own_points_only() {
    if has("g++") {
        let text = notakto(|text| text.replace("bool place_x", "bool placeX"));
        let found = graded_text("notakto-functions", "notakto.cpp", &text, 1500);
        assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), ["index", "place"]);
    }
}

#[test]
fn the_call_after_a_crash_is_still_tried() {
    if has("g++") {
        let crash =
            "#include <cstdlib>\nbool has_line(const bool board[3][3]) {\n    if (board[0][0]) abort();";
        let text = notakto(|text| text.replace("bool has_line(const bool board[3][3]) {", crash));
        let found = graded_text("notakto-functions", "notakto.cpp", &text, usize::MAX);
        let calls: Vec<&str> = found.iter().map(|(_, call)| call.as_str()).collect();
        assert!(calls.contains(&"has_line([[1,0,0],[0,0,0],[0,0,0]])"), "{found:?}");
        assert!(!calls.iter().any(|call| call.starts_with("place_x")), "{found:?}");
    }
}

#[test]
fn a_file_that_does_not_compile_is_shown_where_it_is_wrong() {
    if has("g++") {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notakto.cpp");
        fs::write(&path, "bool has_line(const bool board[3][3]) { return boardd[0][0]; }\n").unwrap();
        let assignment = Assignment::find("notakto-functions", Path::new(".")).unwrap();
        let error = build_unit(assignment, &path, &GradeSettings::default()).unwrap_err().to_string();
        assert!(error.contains("notakto.cpp:1:48"), "{error}");
    }
}

#[test]
fn functions_in_python_are_judged_at_every_position() {
    if has("python3") {
        let of = |name: &str| blamed(&graded("cs50-tictactoe", &file("cs50-tictactoe", name), 900));
        // It returns lists for sets and 1 for True, and asks for input when it is run as a program.
        assert_eq!(of("right/alpha-beta.py"), []);
        let found = of("wrong/greedy.py");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, "optimal");
        let changed = of("wrong/shallow-copy.py");
        assert_eq!(changed.iter().map(|(id, _)| *id).collect::<Vec<_>>(), ["result"]);
    }
}

#[test]
fn a_function_that_exits_remembers_or_is_missing_is_blamed_alone() {
    if !has("python3") {
        return;
    }
    let reference = fs::read_to_string(file("cs50-tictactoe", "reference.py")).unwrap();
    let ids = |old: &str, new: &str| -> Vec<&str> {
        assert!(reference.contains(old));
        let found = graded_text("cs50-tictactoe", "tictactoe.py", &reference.replace(old, new), 900);
        found.into_iter().map(|(id, _)| id).collect()
    };
    assert_eq!(ids("def initial_state():", "def initial_state():\n    exit()"), ["initial-state"]);
    assert_eq!(ids("def utility(board):", "def utilty(board):"), ["utility"]);
    // The second call in the same process is wrong, but the first call in a process of its own is right.
    let remembers = "def initial_state():\n    global calls\n    calls += 1\n    print(calls)\n    if calls > 1: return 7";
    assert_eq!(ids("def initial_state():", &format!("calls = 0\n\n\n{remembers}")), [] as [&str; 0]);
}

#[test]
fn a_class_is_tried_by_sequences_of_calls() {
    if has("g++") {
        let of = |name: &str| blamed(&graded("tictactoe-class", &file("tictactoe-class", name), 2000));
        assert_eq!(of("right/with-main.cpp"), []);
        let found = of("wrong/accepts-row-zero.cpp");
        let call = "game = Tictactoe()\ngame.takeTurn(0,1,\"O\")";
        assert_eq!(found, [("take-turn", call.to_owned())]);
    }
}

/// Returns the folder of an example assignment.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assignments").join(name)
}

#[test]
fn values_of_an_enumeration_are_shown_by_their_names() {
    if !has("g++") {
        return;
    }
    let board = example("tictactoe-board");
    let of = |path: &Path| graded(board.to_str().unwrap(), path, 1500);
    assert_eq!(blamed(&of(&board.join("right/own-style.cpp"))), []);
    let report = of(&board.join("wrong/toggles-once.cpp"));
    let shown = render(&[report], ReportFormat::Text, RenderOptions::default());
    assert!(shown.contains("\"X\"           ≠ \"O\""), "{shown}");
}

#[test]
fn a_missing_method_costs_nothing_where_it_is_only_used() {
    if has("g++") {
        let board = example("tictactoe-board");
        let reference = fs::read_to_string(board.join("reference.cpp")).unwrap();
        let (before, rest) = reference.split_once("Piece TicTacToeBoard::toggleTurn() {").unwrap();
        let (_, after) = rest.split_once("\n}\n").unwrap();
        let text = [before, &after.replace("toggleTurn();", "turn = turn == X ? O : X;")].concat();
        let found = graded_text(board.to_str().unwrap(), "TicTacToeBoard.cpp", &text, 1500);
        assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), ["toggle"]);
    }
}

#[test]
fn functions_in_c_are_compared_with_a_reference_in_python() {
    if !has("gcc") || !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let assignment = folder.path().join("sums");
    fs::create_dir(&assignment).unwrap();
    let form = "title = 'Sums'\n[unit]\nlanguage = 'c'\nfiles = ['sums.c']\n[[unit.function]]\nname = 'sum'\n\
                arguments = ['int[3]', 'int']\nreturns = 'int'\n[reference]\nsource = 'reference.py'\n\
                [[requirement]]\nid = 'sum'\npoints = 1\nsource = 's'\nrule = 'r'\n\
                inputs = [\"'sum([' 0..3 ',' 0..3 ',' 0..3 '],' 0..3 ')\\\\n'\"]\ncases = 'all'\n";
    fs::write(assignment.join("assignment.toml"), form).unwrap();
    fs::write(assignment.join("reference.py"), "def sum(numbers, n):\n    total = 0\n    for i in range(n):\n        total += numbers[i]\n    return total\n").unwrap();
    let right =
        "int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n";
    let source = folder.path().join("mine.c");
    let of = |text: &str| {
        fs::write(&source, text).unwrap();
        blamed(&graded(assignment.to_str().unwrap(), &source, usize::MAX))
    };
    assert_eq!(of(right), []);
    assert_eq!(of(&right.replace("i = 0; i < n", "i = 1; i < n")), [("sum", "sum([1,0,0],1)".to_owned())]);
}
