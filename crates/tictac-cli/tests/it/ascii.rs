//! `--ascii`, before and after the subcommand.

use crate::tictac;

#[test]
fn ascii_output_is_ascii_and_carets_stay_under_the_error() {
    let archive = "1 X B2 # \u{e4}\u{65e5}\n2 O \u{1F600}\n\n[X \"Zo\u{eb}\" Ada]\n";
    let ended = tictac(["check", "--ascii"]).stdin(archive).run();
    assert!(ended.stdout.is_ascii() && ended.stdout.contains("found byte 0xF0"), "{}", ended.stdout);
    let picture = "4 | [X \"Zo\\u00eb\" Ada]\n  |               ^\n";
    assert!(ended.stdout.contains(picture), "{}", ended.stdout);
    let picture = "2 | 2 O \\ud83d\\ude00\n  |     ^^^^^^^^^^^^\n";
    assert!(ended.stdout.contains(picture), "{}", ended.stdout);
    let json = tictac(["--ascii", "check", "--json"]).stdin("[X \"Zo\u{eb}\"]\n1 X A1\n").succeed();
    assert!(json.contains("\"tags\":{\"X\":\"Zo\\u00eb\"}"), "{json}");
    assert!(tictac(["--ascii", "explain", "E0106"]).succeed().contains("3x3"));
    let complaint = tictac(["show", "--ascii"]).stdin("1 X B2 \u{e4}\n").run().stderr;
    assert!(complaint.is_ascii() && !complaint.is_empty(), "{complaint}");
}

#[test]
fn a_boxed_board_can_be_drawn_in_ascii() {
    let board = tictac(["--ascii", "show", "--unicode", "--quiet", "X../.O./... X"]).succeed();
    assert!(board.starts_with("    1   2   3\n  +---+---+---+\nA | X |   |   |\n"), "{board}");
}
