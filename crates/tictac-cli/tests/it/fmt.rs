//! Tests of `tictac fmt`.

use std::fs;

use crate::{folder, tictac};

const UNTIDY: &str = "1 x b2  #c\r\n2 O a1\n\n\n[O \"Bob\"]\n[Rules \"misère\"]\n1 X A1";
const TIDY: &str = "1 X B2 # c\n2 O A1\n\n[Rules \"3,3,3 misere\"]\n[O \"Bob\"]\n1 X A1\n";

#[test]
fn stdin_is_copied_to_stdout() {
    assert_eq!(tictac(["fmt", "-"]).stdin(UNTIDY).succeed(), TIDY);
    assert_eq!(tictac(["fmt"]).stdin(TIDY).succeed(), TIDY);
    assert_eq!(tictac(["fmt"]).stdin("").succeed(), "");
}

#[test]
fn files_and_folders_are_rewritten_silently() {
    let folder = folder("files_and_folders_are_rewritten");
    fs::create_dir(folder.join("in")).unwrap();
    let paths = [folder.join("a.ttt"), folder.join("in/b.ttt")];
    for path in &paths {
        fs::write(path, UNTIDY).unwrap();
    }
    assert_eq!(tictac(["fmt", folder.to_str().unwrap()]).succeed(), "");
    for path in &paths {
        assert_eq!(fs::read_to_string(path).unwrap(), TIDY);
    }
    assert_eq!(tictac(["fmt", "--check", folder.to_str().unwrap()]).succeed(), "");
}

#[test]
fn check_shows_a_diff_and_writes_nothing() {
    let folder = folder("check_shows_what_would_change");
    fs::write(folder.join("a.ttt"), UNTIDY).unwrap();
    let mut check = tictac(["fmt", "--check", "a.ttt"]);
    check.command.current_dir(&folder);
    let ended = check.run();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(1), ""));
    assert_eq!(
        ended.stdout,
        "a.ttt:1: would change\n-1 x b2  #c\\r\n-2 O a1\n+1 X B2 # c\n+2 O A1\n\
         a.ttt:4: would change\n-\n+[Rules \"3,3,3 misere\"]\n-[Rules \"misère\"]\n-1 X A1  (no newline at end of file)\n+1 X A1\n"
    );
    assert_eq!(fs::read_to_string(folder.join("a.ttt")).unwrap(), UNTIDY);
}

#[test]
fn an_error_is_shown_as_by_check_and_nothing_is_written() {
    let text = "1 X A1\n2 O A1\n\n1 x b2\n";
    let shown = tictac(["fmt"]).stdin(text).fail(1);
    let checked = tictac(["check"]).stdin(text).run().stdout;
    assert!(shown.starts_with("<stdin>:2:5: error[E0207]: A1 is already taken"), "{shown}");
    assert!(checked.starts_with(&shown), "{shown}");

    let folder = folder("an_error_is_shown_as_by_check");
    let path = folder.join("bad.ttt");
    fs::write(&path, text).unwrap();
    tictac(["fmt", path.to_str().unwrap()]).fail(1);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn an_unreadable_file_gives_status_two_and_the_rest_is_formatted() {
    let folder = folder("what_cannot_be_read");
    let path = folder.join("a.ttt");
    fs::write(&path, UNTIDY).unwrap();
    let none = folder.join("none.ttt");
    let complaint = tictac(["fmt", none.to_str().unwrap(), path.to_str().unwrap()]).fail(2);
    assert!(complaint.starts_with("tictac: cannot format "), "{complaint}");
    assert_eq!(fs::read_to_string(&path).unwrap(), TIDY);
}

#[test]
fn check_reads_stdin_and_shows_spaces_at_the_end_of_a_line() {
    let ended = tictac(["fmt", "--check"]).stdin("1 X B2  \n").run();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(1), ""));
    assert_eq!(ended.stdout, "<stdin>:1: would change\n-1 X B2··\n+1 X B2\n");
    assert_eq!(tictac(["fmt", "--check"]).stdin(TIDY).succeed(), "");
}

#[test]
fn check_shows_the_first_differences_and_counts_the_games_after_them() {
    let ended = tictac(["fmt", "--check"]).stdin(["1 x b2\n"; 10].join("\n")).run();
    assert_eq!(ended.stdout.matches("\n-1 x b2\n").count(), 6, "{}", ended.stdout);
    assert!(ended.stdout.ends_with("+1 X B2\n… and 4 more games\n"), "{}", ended.stdout);
}
