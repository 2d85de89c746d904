//! Tests of `tictac convert`; the test vectors in `docs/formats.md` cover each notation.

use std::fs;

use crate::{folder, tictac};

const GAME: &str = "1 X B2\n2 O C2\n";

#[test]
fn games_go_to_another_notation_and_back() {
    for to in ["ttt", "pgn", "at3", "xfen", "json"] {
        let there = tictac(["convert", "--to", to]).stdin(GAME).succeed();
        assert_eq!(tictac(["convert", "--to", "ttt", "-"]).stdin(there).succeed(), GAME, "{to}");
    }
    let fen = tictac(["convert", "--to", "fen"]).stdin(GAME).succeed();
    assert_eq!(fen, "3/1P1/1p1[PPPPppp] w - - 0 2\n");
}

#[test]
fn a_game_that_would_lose_data_is_an_error_and_the_others_are_written() {
    let archive = "1 X A1\n\n[X \"Ada\"]\n1 X B2\n\n1 X C3\n";
    let ended = tictac(["convert", "--to", "xfen"]).stdin(archive).run();
    assert_eq!(
        (ended.status, ended.stdout.as_str()),
        (Some(1), "xfen 3/3/3 x moves 7\nxfen 3/3/3 x moves 3\n")
    );
    assert!(
        ended.stderr.starts_with("<stdin>:3:1: error[E0504]: game 2 would lose the tag X in xfen\n"),
        "{ended:?}"
    );
    assert!(
        ended.stderr.contains("= help: ttt, pgn, at3 and json represent tags; --lossy leaves it out"),
        "{ended:?}"
    );
    let lossy = tictac(["convert", "--to", "xfen", "--lossy"]).stdin(archive).succeed();
    assert_eq!(lossy.lines().count(), 3);
}

#[test]
fn several_pictures_need_a_folder() {
    let one = tictac(["convert", "--to", "svg"]).stdin(GAME).succeed();
    assert!(one.starts_with("<svg ") && one.ends_with("</svg>\n"), "{one}");
    let archive = format!("{GAME}\n{GAME}");
    let complaint = tictac(["convert", "--to", "svg"]).stdin(&archive).fail(2);
    assert!(complaint.contains("--out DIR"), "{complaint}");
    let folder = folder("several_pictures_need_a_folder").join("new");
    let arguments = ["convert", "--to", "svg", "--out", folder.to_str().unwrap()];
    assert_eq!(tictac(arguments).stdin(&archive).succeed(), "");
    for name in ["stdin-1.svg", "stdin-2.svg"] {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), one);
    }
    // Nothing is overwritten.
    tictac(arguments).stdin(&archive).fail(2);
    tictac(["convert", "--to", "pgn", "--out", "x"]).stdin(GAME).fail(2);
}

#[test]
fn a_picture_and_a_missing_file_cannot_be_read() {
    let refused = tictac(["convert", "--from", "svg", "--to", "ttt"]).fail(2);
    assert_eq!(refused, "tictac: --from must be one of ttt, pgn, at3, xfen, fen, json, not \"svg\"\n");
    assert!(
        tictac(["convert", "--to", "ttt", "none.pgn"]).fail(2).starts_with("tictac: cannot read none.pgn: ")
    );
    tictac(["convert", "--to", "doc"]).fail(2);
    tictac(["convert", "--to", "json", "--from", "pgn", "--letters", "row"]).fail(2);
}

#[test]
fn a_variation_that_is_never_closed_is_refused() {
    let pgn = "[Event \"club\"]\n\n1. P@b2 ( 1. P@a1 P@a2 *\n";
    let complaint = tictac(["convert", "--lossy", "--from", "pgn", "--to", "ttt"]).stdin(pgn).fail(1);
    assert!(complaint.contains("expected ) at the end of a variation"), "{complaint}");
}

#[test]
fn a_picture_takes_its_name_from_the_file_and_the_number_of_the_game() {
    let folder = folder("a_picture_takes_its_name");
    fs::write(folder.join("club.ttt"), GAME).unwrap();
    let mut convert = tictac(["convert", "--to", "svg", "--out", "pictures", "club.ttt"]);
    convert.command.current_dir(&folder);
    assert_eq!(convert.succeed(), "");
    assert!(fs::exists(folder.join("pictures/club-1.svg")).unwrap());
}

#[test]
fn letters_may_name_columns() {
    let arguments = ["convert", "--from", "ttt", "--to", "ttt", "--letters"];
    let converted = |letters| tictac([&arguments[..], &[letters]].concat()).stdin("1 X A3\n").succeed();
    assert_eq!((converted("row").as_str(), converted("column").as_str()), ("1 X A3\n", "1 X C1\n"));
}

#[test]
fn games_without_moves_come_back_from_every_notation_of_games() {
    let archive =
        "[X \"Ada\"]\n[Result \"*\"]\n\n[X \"Bob\"]\n[Result \"*\"]\n\n[X \"Cy\"]\n[Result \"*\"]\n1 X B2\n";
    for to in ["ttt", "pgn", "at3", "json"] {
        let there = tictac(["convert", "--to", to]).stdin(archive).succeed();
        assert_eq!(tictac(["convert", "--to", "ttt"]).stdin(&there).succeed(), archive, "{to}: {there}");
    }
    // Written by others, without the mark of an unfinished game.
    let bare = "[Grid \"3x3\"]\n\n\n[Grid \"3x3\"]\n\n1. a1\n";
    assert_eq!(
        tictac(["convert", "--to", "xfen"]).stdin(bare).succeed(),
        "xfen 3/3/3 x\nxfen 3/3/3 x moves 7\n"
    );
}

#[test]
fn an_empty_record_is_one_game_for_every_command() {
    let n_games = |arguments: &[&str]| tictac(arguments).succeed().lines().count();
    assert_eq!(n_games(&["convert", "--to", "json"]), 1);
    assert_eq!(n_games(&["analyze", "--json"]), 1);
    assert_eq!(n_games(&["check", "--json"]), 1);
    assert!(tictac(["check", "--summary-json"]).succeed().starts_with("{\"games\":1,"));
    assert!(tictac(["stats"]).succeed().starts_with("3,3,3: 1 game, 0 moves\n"));
    assert!(tictac(["show"]).succeed().ends_with("\nnew game\n"));
    assert_eq!(tictac(["fmt"]).succeed(), "");
}

#[test]
fn a_byte_order_mark_does_not_hide_the_notation() {
    let pgn = "\u{feff}[Variant \"tictactoe\"]\n\n1. P@b2 *\n";
    assert_eq!(tictac(["convert", "--to", "ttt"]).stdin(pgn).succeed(), "1 X B2\n");
}

#[test]
fn an_error_far_to_the_right_is_shown() {
    let pgn = format!("1. P@b2 {{ {} }} P@zz *\n", "é".repeat(300));
    let shown = tictac(["convert", "--from", "pgn", "--to", "ttt"]).stdin(pgn).fail(1);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("<stdin>:1:614: error[E0502]: \"zz\" is not a square"), "{shown}");
    assert!(lines[2].starts_with("1 | ...é") && lines[2].ends_with(" } P@zz *"), "{shown}");
    let column = |line: &str, c: &str| line[..line.find(c).unwrap()].chars().count();
    assert_eq!(column(lines[2], "P@zz"), column(lines[3], "^"), "{shown}");
}

#[test]
fn every_command_says_how_to_see_more_errors() {
    let bad = "[Variant \"tictactoe\"]\n\n1. nonsense *\n\n".repeat(3);
    for arguments in [&["convert", "--from", "pgn", "--to", "ttt"][..], &["fmt"], &["analyze"]] {
        let shown =
            |limit: &str| tictac([arguments, &["--max-errors", limit]].concat()).stdin(&bad).run().stderr;
        let few = shown("1");
        assert_eq!(few.matches("error[").count(), 1, "{few}");
        assert!(few.ends_with(" not shown; use --max-errors to see more\n"), "{few}");
        assert!(
            shown("9").matches("error[").count() > 2 && !shown("9").contains("not shown"),
            "{arguments:?}"
        );
    }
}

#[test]
fn an_empty_line_separates_the_games_of_an_archive() {
    let archive = format!("{GAME}\n{GAME}");
    assert_eq!(tictac(["convert", "--to", "ttt"]).stdin(&archive).succeed(), archive);
}
