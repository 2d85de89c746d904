//! Tests of `tictac show`.

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

use crate::{folder, tictac};

/// The record and the diagram of document 000.
const RECORD: &str = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";
const DIAGRAM: &str = "   1   2   3
A  O |   | O
  ---+---+---
B  X | X | X
  ---+---+---
C    | O | X
";

#[track_caller]
fn check_position(arguments: &[&str], standing: &str) {
    let stdout = tictac([&["show"], arguments].concat()).succeed();
    let shown = stdout.rsplit_once("\n\n").map_or(stdout.as_str(), |(_, standing)| standing);
    assert_eq!(shown, format!("{standing}\n"), "{arguments:?}");
}

#[track_caller]
fn check_bad_record(record: &str, complaint: &str) {
    assert_eq!(tictac(["show"]).stdin(record).fail(1), complaint, "{record:?}");
}

#[test]
fn a_record_is_drawn_exactly_as_in_the_document() {
    let stdout = tictac(["show", "-"]).stdin(RECORD).succeed();
    assert_eq!(stdout, format!("{DIAGRAM}\nX wins (B1-B2-B3)\n"));
    assert_eq!(tictac(["show", "--quiet"]).stdin(RECORD).succeed(), DIAGRAM);
}

#[test]
fn a_record_can_come_from_a_file() {
    let folder = folder("a_record_can_come_from_a_file");
    let path = folder.join("game.ttt");
    fs::write(&path, RECORD).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(tictac(["show", "-q", path]).succeed(), DIAGRAM);

    fs::write(path, "1 X B2\n2 O B2\n").unwrap();
    let complaint = tictac(["show", path]).fail(1);
    assert!(
        complaint
            .starts_with(&format!("{path}:2:5: error[E0207]: B2 is already taken (X played it at move 1)\n")),
        "{complaint}"
    );
}

#[test]
fn a_file_named_like_a_position_needs_a_dot_and_a_slash() {
    let folder = folder("a_file_named_like_a_position");
    fs::create_dir(folder.join("X.O")).unwrap();
    fs::write(folder.join("X.O/X"), RECORD).unwrap();
    let mut file = tictac(["show", "-q", "./X.O/X"]);
    file.command.current_dir(&folder);
    assert_eq!(file.succeed(), DIAGRAM);
    let mut position = tictac(["show", "-q", "X.O/X"]);
    position.command.current_dir(&folder);
    assert!(
        position.fail(1).starts_with(
            "<position>: error[E0601]: expected X, O or a full stop at column 6, found the end\n"
        )
    );
}

#[test]
fn the_first_moves_of_a_record_can_be_drawn_whatever_follows() {
    let record = "1 X B2\n2 O C2\nnonsense";
    let stdout = tictac(["show", "--move", "2"]).stdin(record).succeed();
    assert!(stdout.ends_with("C    | O |\n\nX to move\n"), "{stdout}");
    assert!(tictac(["show", "--move", "0"]).stdin(record).succeed().ends_with("\n\nnew game\n"));
    let too_far = tictac(["show", "--move", "8"]).stdin(RECORD).fail(2);
    assert_eq!(too_far, "tictac: there is no move 8: <stdin> has 7 moves\n");
    tictac(["show", "--move", "1", "X../.../... O"]).fail(2);
}

#[test]
fn the_status_is_printed_below_the_board() {
    check_position(&["X.O/.X./... O"], "O to move");
    check_position(&[".../.../... O"], "O to move");
    check_position(&["xxx/oo./... o"], "X wins (A1-A2-A3)");
    check_position(&["XXX/XOO/XOO O"], "X wins (A1-A2-A3, A1-B1-C1)");
    check_position(&["XOX/XOO/OXX O"], "drawn");
    check_position(&["--rules", "misere", "XXX/OO./... O"], "O wins: X completed A1-A2-A3");
    check_position(&["--rules", "wild", "XO./.../... 1"], "player 1 to move");
    check_position(&["--rules", "notakto", "XXX/.../..."], "player 2 wins: player 1 completed A1-A2-A3");
    check_position(&["--rules", "3,3,3 x-only", "XXX/.../... 2"], "player 1 wins (A1-A2-A3)");
    check_position(&["--rules", "1,4,2", "X.O. X"], "X to move");
}

#[test]
fn a_dead_position_is_announced_with_the_reason() {
    check_position(
        &["XOX/XOO/OX. X"],
        "X to move\ndead: no line can be completed, because every line holds both marks",
    );
    check_position(&["XOX/.O./OXX O"], "O to move");
    check_position(
        &["XOX/OOX/OX. O"],
        "O to move\ndead: no line can be completed, because every line holds both marks or needs more moves \
         than are left",
    );
}

#[test]
fn an_empty_record_is_a_new_game() {
    let stdout = tictac(["show"]).succeed();
    assert!(stdout.ends_with("C    |   |\n\nnew game\n"), "{stdout}");
    assert!(tictac(["show", "--rules", "wild"]).succeed().ends_with("\n\nplayer 1 to move\n"));
}

#[test]
fn several_boards_are_drawn_one_under_the_other() {
    let stdout = tictac(["show", "X../.../...+XXX/.../..."]).succeed();
    let headings: Vec<&str> = stdout.lines().filter(|line| line.starts_with("Board")).collect();
    assert_eq!(headings, ["Board 1", "Board 2 (finished)"]);
    assert!(stdout.ends_with("\n\nplayer 1 to move\n"), "{stdout}");

    let record = "1 X 2.B2\n2 X 1.A1\n";
    let stdout = tictac(["show", "-r", "notakto boards=2"]).stdin(record).succeed();
    assert!(stdout.ends_with("\n\nplayer 1 to move\n"), "{stdout}");
    check_position(&["XXX/.../...+XXX/.../..."], "player 1 wins: player 2 completed the last line");
}

#[test]
fn rules_and_boards_must_agree() {
    let other_marks = tictac(["show", "--rules", "3,3,3", ".../.../...+.../.../..."]).fail(1);
    assert!(
        other_marks.starts_with("<position>: error[E0602]: several boards can be played only where"),
        "{other_marks}"
    );
    assert!(
        other_marks.ends_with("\n  = help: use --rules notakto or, for example, --rules '4,4,4 x-only'\n")
    );
    let other_number = tictac(["show", "--rules", "notakto boards=3", ".../.../...+.../.../..."]).fail(1);
    assert_eq!(
        other_number,
        "<position>: error[E0602]: the rules require 3 boards, but the position has 2\n"
    );
}

#[test]
fn a_bad_record_is_shown_with_place_line_and_caret() {
    check_bad_record(
        "1 X B2\n2 O B4\r\n3 X A1\n",
        "<stdin>:2:6: error[E0107]: expected a column number from 1 to 3, found '4'\n  |\n2 | 2 O B4\\r\n  |      ^\n",
    );
    // The place is that in the file, also behind tags.
    check_bad_record(
        "\n[Event \"club\"]\n[Rules \"4,4,4\"]\n1 X D4\n2 O E1\n",
        "<stdin>:5:5: error[E0106]: expected a row letter from A to D, found 'E'\n  |\n5 | 2 O E1\n  |     ^\n",
    );
    check_bad_record(
        "1 X B2\n2 X A1",
        "<stdin>:2:3: error[E0203]: it is O's turn\n  |\n2 | 2 X A1\n  |   ^\n  |\n  \
         = help: X made the previous move, and the players take turns\n",
    );
}

#[test]
fn tags_archives_and_compressed_records_are_accepted() {
    let folder = folder("show-archives");
    let archive = "[Event \"club\"]\n1 X A1\n2 O A2 # why?\n\n \n[Rules \"4,4,4\"]\n1 X D4\n\n1 O C3\n";
    fs::write(folder.join("a.ttt"), archive).unwrap();
    fs::write(folder.join("a.ttt.zst"), zstd_stored(archive.as_bytes())).unwrap();
    let shown = |name: &str| {
        let mut run = tictac(["show", name]);
        run.command.current_dir(&folder);
        run.succeed()
    };
    for name in ["a.ttt", "a.ttt.zst"] {
        assert!(shown(name).starts_with("   1   2   3\nA  X | O |\n"), "{}", shown(name));
        let second = shown(&format!("{name}#2"));
        assert!(
            second.starts_with("   1   2   3   4\n") && second.contains("D    |   |   | X\n"),
            "{second}"
        );
        assert!(shown(&format!("{name}#3")).ends_with("C    |   | O\n\nX to move\n"));
    }
    let mut run = tictac(["show", "a.ttt#4"]);
    run.command.current_dir(&folder);
    assert_eq!(run.fail(2), "tictac: there is no game 4: a.ttt has 3 games\n");
    assert!(tictac(["show"]).stdin("1 X B2\n\n").succeed().ends_with("\n\nO to move\n"));
    assert!(tictac(["show"]).stdin(archive).succeed().ends_with("\n\nX to move\n"));
}

/// A Zstandard frame with one block that is stored as it is.
fn zstd_stored(text: &[u8]) -> Vec<u8> {
    let n = u32::try_from(text.len()).unwrap();
    // One segment whose size, less than 256, takes one byte; then the last block, raw.
    let header = [0x28, 0xB5, 0x2F, 0xFD, 0x20, u8::try_from(n).unwrap()];
    [&header[..], &((n << 3) | 1).to_le_bytes()[..3], text].concat()
}

#[test]
fn a_fault_is_reported_before_the_line_ends() {
    let mut command = tictac(["show", "-"]).command;
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // The line stays open, and so does the pipe: nothing else can be waited for.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"1 X B2\n2 O D4 and so").unwrap();
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert!(
        complaint.starts_with("<stdin>:2:5: error[E0106]: expected a row letter from A to C, found 'D'\n"),
        "{complaint}"
    );
    assert!(complaint.contains("\n2 | 2 O D4 and so\n"), "{complaint}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn control_characters_are_escaped() {
    let complaint = tictac(["show"]).stdin(b"1 X \x1b[2J\x07\xff\n").fail(1);
    assert!(complaint.contains(r"1 X \u{1b}[2J\u{7}\xff"), "{complaint:?}");
    assert!(!complaint.contains('\x1b'), "{complaint:?}");
}

#[test]
fn a_long_line_is_read_to_its_end_and_shown_in_part() {
    let mut record = b"1 X".to_vec();
    record.resize(1_000_000, b' ');
    record.extend(b"B2 # ");
    record.resize(2_000_000, b'c');
    assert!(tictac(["show"]).stdin(&record).succeed().ends_with("\n\nO to move\n"));
    record.extend(b"\n1 O A1\n");
    let complaint = tictac(["show"]).stdin(&record).fail(1);
    assert!(
        complaint.starts_with("<stdin>:2:1: error[E0202]: this is move 2, not 1\n  |\n2 | 1 O A1\n"),
        "{complaint}"
    );
    let culprit_far_away = [&record[..1_000_000], b"B9\n"].concat();
    let complaint = tictac(["show"]).stdin(culprit_far_away).fail(1);
    assert_eq!(
        complaint,
        "<stdin>:1:1000002: error[E0107]: expected a column number from 1 to 3, found '9'\n"
    );
}

#[test]
fn a_bad_position_is_shown_with_place_and_help() {
    assert_eq!(
        tictac(["show", "X.O/X... O"]).fail(1),
        "<position>: error[E0601]: expected '/' after a row of 3 at column 8, found '.'\n  |\n1 | X.O/X... O\n  |        ^\n  |\n  \
         = help: the rules are 3,3,3; choose others with --rules\n"
    );
    assert_eq!(
        tictac(["show", "XX./.../... O"]).fail(1),
        "<position>: error[E0602]: 2 X and 0 O cannot be on the board: players take turns\n"
    );
}

#[test]
fn an_unreadable_record_gives_status_two() {
    let complaint = tictac(["show", "no-such-file.ttt"]).fail(2);
    assert!(complaint.starts_with("tictac: cannot read no-such-file.ttt: "), "{complaint}");
    tictac(["show", env!("CARGO_TARGET_TMPDIR")]).fail(2);
    tictac(["show", "--rules", "9,9,9"]).fail(2);
}

#[test]
fn unicode_is_drawn_on_request() {
    let stdout = tictac(["show", "--unicode", "-q", "X.O/.X./... O"]).succeed();
    assert!(stdout.contains("A │ ╳ │   │ ◯ │\n"), "{stdout}");
}

#[test]
fn a_picture_is_written_to_a_file_or_to_stdout() {
    let folder = folder("a_picture_is_written");
    let path = folder.join("board.svg");
    let path = path.to_str().unwrap();
    for _ in 0..2 {
        assert_eq!(tictac(["show", "--svg", path, "XXX/OO./... O"]).succeed(), "");
    }
    let picture = tictac(["show", "--svg", "-", "XXX/OO./... O"]).succeed();
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"), "{picture}");
    assert_eq!(fs::read_to_string(path).unwrap(), picture);
}

#[test]
fn a_picture_never_replaces_a_record() {
    let folder = folder("a_picture_never_replaces_a_record");
    let path = folder.join("game.ttt");
    fs::write(&path, RECORD).unwrap();
    tictac(["show", "--svg", path.to_str().unwrap()]).fail(2);
    assert_eq!(fs::read_to_string(path).unwrap(), RECORD);
}

#[test]
fn output_without_a_terminal_has_no_colour_unless_requested() {
    let coloured = tictac(["show", "--color", "always", "X.O/.X./... O"]).succeed();
    assert!(coloured.contains("\x1b["), "{coloured:?}");
    let plain = tictac(["show", "X.O/.X./... O"]).succeed();
    assert!(!plain.contains('\x1b'), "{plain:?}");
    let complaint = tictac(["--color=always", "show"]).stdin("1").fail(1);
    assert!(complaint.contains("\x1b["), "{complaint:?}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    tictac(["show", "-r", "notakto boards=5000"]).succeed_with_a_closed_pipe();
    tictac(["show", "--svg", "-", "-r", "notakto boards=5000"]).succeed_with_a_closed_pipe();
}

#[test]
fn a_huge_size_is_quoted_as_written() {
    let complaint = tictac(["show", "--rules", "8,8,99999999999999999999"]).fail(2);
    assert!(complaint.contains("99999999999999999999 is far too large"), "{complaint}");
}
