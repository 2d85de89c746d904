//! `tictac grade` in a workflow of GitHub Actions.

use std::fs;

use crate::{folder, tictac};

/// Writes a program that is wrong for most inputs, with a name that must be escaped.
fn wrong_program(test: &str) -> (std::path::PathBuf, String) {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder(test);
    let path = folder.join("100%,game:check.sh");
    fs::write(&path, "#!/bin/sh\necho 'Game in progress: New game.'\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let program = path.to_str().unwrap().to_owned();
    (folder, program)
}

#[test]
fn the_format_github_writes_one_line_per_fault_with_its_source() {
    let (_, program) = wrong_program("github-format");
    let ended = tictac(["grade", "game-check", "--cases", "20", "--format", "github", &program]).run();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(1), ""));
    assert!(ended.stdout.lines().count() > 1, "{}", ended.stdout);
    for line in ended.stdout.lines().filter(|line| !line.starts_with("::notice ")) {
        assert!(line.starts_with("::error file=") || line.starts_with("::warning file="), "{line}");
        assert!(line.contains("100%25%2Cgame%3Acheck.sh,line=1,title=game-check/"), "{line}");
    }
}

#[test]
fn a_summary_is_appended_and_the_report_stays_as_it_is() {
    let (folder, program) = wrong_program("github-summary");
    let summary = folder.join("summary.md");
    fs::write(&summary, "earlier\n").unwrap();
    let arguments = ["grade", "game-check", "--cases", "20", "--format", "junit", &program];
    let plain = tictac(arguments).run();
    assert_eq!(plain.stderr, "");
    let mut command = tictac(arguments);
    command.command.env("GITHUB_STEP_SUMMARY", &summary);
    let ended = command.run();
    assert_eq!((ended.status, ended.stdout), (Some(1), plain.stdout));
    assert!(ended.stderr.lines().all(|line| line.starts_with("::")), "{}", ended.stderr);
    assert!(ended.stderr.contains("::error file="), "{}", ended.stderr);
    let text = fs::read_to_string(&summary).unwrap();
    assert!(text.starts_with("earlier\n### ❌ game-check: "), "{text}");
    assert!(text.contains("<details><summary>✗ <code>game-check/"), "{text}");
}

#[test]
fn a_summary_that_cannot_be_written_is_an_error_after_the_report() {
    let (folder, program) = wrong_program("github-nowhere");
    let mut command = tictac(["grade", "game-check", "--cases", "1", &program]);
    command.command.env("GITHUB_STEP_SUMMARY", folder.join("missing/summary.md"));
    let ended = command.run();
    assert_eq!(ended.status, Some(2));
    assert!(ended.stdout.contains("No fault found"), "{}", ended.stdout);
    assert!(ended.stderr.contains("the file that GITHUB_STEP_SUMMARY names"), "{}", ended.stderr);
}
