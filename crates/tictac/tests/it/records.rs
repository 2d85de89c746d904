//! Records: the grammar against an independent model, faults with their places, round trips.

use proptest::prelude::*;
use regex::bytes::Regex;
use tictac::notation::{Entry, Fault, LineReader, Record, Referee};
use tictac::{Mark, Outcome, Player, Position, Rules, State, Status};

use crate::corpus::variants;

/// The grammar of a line of the course's records, as a regular expression.
fn model() -> Regex {
    Regex::new(r"(?s-u)\A([1-9])[ \t\n\x0B\x0C\r]+([XOxo])[ \t\n\x0B\x0C\r]+([A-Ca-c])([1-3])(?:[ \t\n\x0B\x0C\r]+(?:#.*)?)?\z")
        .unwrap()
}

fn agree(model: &Regex, line: &[u8]) -> Result<(), String> {
    let read = LineReader::read(line, &Rules::CLASSIC);
    match (model.captures(line), read) {
        (None, Err(_)) => Ok(()),
        (Some(captures), Ok(entry)) => {
            let expected: Vec<String> =
                (1..=4).map(|i| String::from_utf8_lossy(&captures[i]).to_uppercase()).collect();
            let [number, mark, row, column] = &expected[..] else { unreachable!() };
            let written = entry.written(&Rules::CLASSIC);
            if written == format!("{number} {mark} {row}{column}") { Ok(()) } else { Err(written) }
        }
        (captures, read) => Err(format!(
            "{:?}: model {}, reader {read:?}",
            line.escape_ascii().to_string(),
            captures.is_some()
        )),
    }
}

/// Checks `line` and all of its continuations over `alphabet`.
fn all(model: &Regex, alphabet: &[u8], line: &mut Vec<u8>, longest: usize) {
    agree(model, line).unwrap();
    if line.len() < longest {
        for &byte in alphabet {
            line.push(byte);
            all(model, alphabet, line, longest);
            line.pop();
        }
    }
}

#[test]
fn every_short_line_over_the_interesting_bytes_is_read_as_the_grammar_says() {
    let model = model();
    let alphabet = b"019XoAc3 \t#\n";
    let mut line = Vec::new();
    all(&model, alphabet, &mut line, 5);
    for start in ["1 X A1", "9\to\x0Bc", "1 X ", "1  X\r\x0C b2 "] {
        let mut line = start.as_bytes().to_vec();
        let longest = line.len() + 3;
        all(&model, b"019XoAc3 \t\r#\x00\xFF", &mut line, longest);
    }
}

#[test]
fn every_one_byte_mutation_of_a_line_is_read_as_the_grammar_says() {
    let model = model();
    for line in ["1 X B2", "2 O C2 # Oops...", "9\t x\x0B\x0C\ra1\t ", "5 o b3 #", "7 X B1  #\x00\u{ff}#"] {
        let line = line.as_bytes();
        for at in 0..=line.len() {
            for byte in 0..=255 {
                let mut inserted = line.to_vec();
                inserted.insert(at, byte);
                agree(&model, &inserted).unwrap();
                if at < line.len() {
                    let mut replaced = line.to_vec();
                    replaced[at] = byte;
                    agree(&model, &replaced).unwrap();
                }
            }
            if at < line.len() {
                let mut removed = line.to_vec();
                removed.remove(at);
                agree(&model, &removed).unwrap();
                agree(&model, &line[..at]).unwrap();
            }
        }
    }
}

#[track_caller]
fn check_fault(rules: &str, line: &str, column: usize, message: &str) {
    let rules: Rules = rules.parse().unwrap();
    let error = LineReader::read(line.as_bytes(), &rules).unwrap_err();
    assert_eq!((error.at + 1, error.to_string().as_str()), (column, message), "{rules}: {line:?}");
}

#[test]
fn a_parse_error_has_its_place_and_what_was_expected() {
    check_fault("classic", "", 1, "expected a move number from 1 to 9, found the end of the line");
    check_fault("classic", " 1 X A1", 1, "expected a move number from 1 to 9, found a space");
    check_fault("classic", "01 X A1", 1, "expected a move number from 1 to 9, found '0'");
    check_fault("classic", "10 X A1", 2, "expected a space, found '0'");
    check_fault("classic", "1X A1", 2, "expected a space, found 'X'");
    check_fault("classic", "1 Y A1", 3, "expected X or O, found 'Y'");
    check_fault("classic", "1 XX A1", 4, "expected a space, found 'X'");
    check_fault("classic", "1 X D1", 5, "expected a row letter from A to C, found 'D'");
    check_fault("classic", "1 X 2.A1", 5, "expected a row letter from A to C, found '2'");
    check_fault("classic", "1 X A4", 6, "expected a column number from 1 to 3, found '4'");
    check_fault("classic", "1 X A 1", 6, "expected a column number from 1 to 3, found a space");
    check_fault("classic", "1 X A11", 7, "expected a space or the end of the line, found '1'");
    check_fault("classic", "1 X A1#c", 7, "expected a space or the end of the line, found '#'");
    check_fault("classic", "1 X A1 c", 8, "expected a comment (#) or the end of the line, found 'c'");
    check_fault("classic", "1 X\u{e9}", 4, "expected a space, found byte 0xC3");
    check_fault("16,4,4", "64 X Q1", 6, "expected a row letter from A to P, found 'Q'");
    check_fault("64,1,2", "1 X BM1", 6, "expected a column number from 1 to 1, found 'M'");
    check_fault("4,16,4", "1 X A17", 7, "expected a space or the end of the line, found '7'");
    check_fault("notakto boards=12", "1 X A1", 5, "expected a board number from 1 to 12, found 'A'");
    check_fault(
        "notakto boards=12",
        "1 X 13.A1",
        6,
        "expected a full stop after the board number, found '3'",
    );
    check_fault("notakto boards=12", "1 X 12.12", 8, "expected a row letter from A to C, found '1'");
}

#[test]
fn faults_have_codes_and_help() {
    for (line, code, help) in [
        ("", "E0101", "an empty line is not a move: every line of a record has exactly one"),
        (" 1 X A1", "E0101", "a line starts with its move number, without a space before it"),
        ("01 X A1", "E0101", "a move number has no sign and no leading zeros"),
        (
            "1 X 1A",
            "E0106",
            "the letter of the row comes first, then the number of the column: B3 is row B, column 3",
        ),
        ("1 X A1#c", "E0108", "a comment needs a space before its #"),
        ("1 X A1 c", "E0109", "a comment starts with #"),
    ] {
        let fault: Fault = LineReader::read(line.as_bytes(), &Rules::CLASSIC).unwrap_err().into();
        assert_eq!((fault.code.name(), fault.help.as_deref()), (code, Some(help)), "{line:?}");
        assert_eq!(fault.to_string(), fault.message);
    }
    let record = Record::parse(b"1 X A1\n3 O A2\n", &Rules::CLASSIC).unwrap();
    let refused = record.game().unwrap_err();
    assert_eq!(refused.to_string(), "line 2, column 1: this is move 2, not 3");
    let fault: Fault = refused.reason.into();
    assert_eq!((fault.code.name(), fault.help.as_deref()), ("E0202", Some("move 2 is missing")));
}

#[test]
fn an_illegal_entry_has_the_offset_of_its_wrong_part() {
    let refused =
        |text: &str| Record::parse(text.as_bytes(), &Rules::CLASSIC).unwrap().game().unwrap_err().to_string();
    assert_eq!(refused("1 X A1\n2 X A2"), "line 2, column 3: it is O's turn");
    assert_eq!(refused("1 X A1\n2 O  A1"), "line 2, column 6: A1 is already taken");
    assert_eq!(
        refused("1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n9 O B3"),
        "line 6, column 1: the game is over: X has won"
    );
}

#[test]
fn lines_end_as_they_do_in_files() {
    let n_entries = |text: &[u8]| Record::parse(text, &Rules::CLASSIC).map(|record| record.entries().len());
    assert_eq!(n_entries(b""), Ok(0));
    assert_eq!(n_entries(b"1 X A1"), Ok(1));
    assert_eq!(n_entries(b"1 X A1\n"), Ok(1));
    assert_eq!(n_entries(b"1 X A1\r\n2 O A2\r\n"), Ok(2));
    assert_eq!(n_entries(b"\n").unwrap_err().line, 1);
    assert_eq!(n_entries(b"1 X A1\n\n2 O A2").unwrap_err().line, 2);
    assert_eq!(n_entries(b"1 X A1\r2 O A2").unwrap_err().at, 7);
}

#[test]
fn rows_after_z_have_two_letters() {
    let rules: Rules = "64,1,2".parse().unwrap();
    for (text, row) in [("1 X A1", 0), ("1 x z1", 25), ("1 X AA1", 26), ("1 X BL1", 63)] {
        let entry = LineReader::read(text.as_bytes(), &rules).unwrap();
        assert_eq!(rules.grid().row(entry.mv.square), row, "{text}");
        assert_eq!(entry.written(&rules), text.to_uppercase());
    }
}

#[test]
fn with_several_boards_the_board_comes_before_the_square() {
    let rules: Rules = "notakto boards=2".parse().unwrap();
    let text = b"1 X 1.A1\n2 X 1.A2\n3 X 1.A3\n4 X 2.B1\n5 X 2.B2\n6 X 2.B3\n";
    let record = Record::parse(text, &rules).unwrap();
    let game = record.game().unwrap();
    assert_eq!(game.status(), Status::Over(Outcome::Win(Player::First)));
    assert_eq!(record.to_string().as_bytes(), text);
    let mut referee = Referee::new(&rules);
    record.entries().iter().for_each(|&entry| referee.judge(entry).unwrap());
    assert_eq!(referee.status(), Some(Status::Over(Outcome::Win(Player::First))));
    assert_eq!(referee.state(), Some(game.state()));
}

#[test]
fn the_referee_and_the_record_agree_on_every_small_game() {
    fn follow(rules: &Rules, position: Position, referee: &Referee) {
        for index in 0..rules.grid().len() {
            for mark in Mark::BOTH {
                let square = tictac::Square::new(index).unwrap();
                let entry = Entry {
                    number: referee.n_accepted() + 1,
                    mv: tictac::Move::new(square, mark),
                    mark_at: 2,
                    square_at: 4,
                };
                let mut next = referee.clone();
                // The first mark opens, whichever it is.
                let position = if position.n_moves() == 0 {
                    Position::start_with(rules, mark).unwrap()
                } else {
                    position
                };
                let played = position.after(entry.mv);
                assert_eq!(next.judge(entry).err(), played.err());
                if let Ok(played) = played {
                    assert_eq!(next.state(), Some(&State::One(played)));
                    follow(rules, played, &next);
                }
            }
        }
    }
    for rules in variants("2,2,2") {
        follow(&rules, Position::start(&rules).unwrap(), &Referee::new(&rules));
    }
}

proptest! {
    #[test]
    fn lines_of_all_grids_print_and_parse_back(
        rows in 1usize..=64, columns in 1usize..=64, number in 1u32..=64, place: prop::sample::Index,
        o: bool, n_boards in 1u32..100, board: prop::sample::Index, comment in "( #[^\n]{0,20})?",
    ) {
        let columns = columns % (64 / rows).max(1) + 1;
        prop_assume!(rows * columns <= 64);
        let words = if n_boards > 1 { format!(" x-only boards={n_boards}") } else { String::new() };
        let rules: Rules = format!("{rows},{columns},1{words}").parse().unwrap();
        let squares: Vec<_> = rules.squares().iter().collect();
        let entry = Entry {
            number: number.min(rules.max_moves() as u32),
            mv: tictac::Move {
                board: board.index(n_boards as usize) as u32,
                square: squares[place.index(squares.len())],
                mark: if o { Mark::O } else { Mark::X },
            },
            mark_at: 0,
            square_at: 0,
        };
        let written = format!("{}{comment}", entry.written(&rules));
        let read = LineReader::read(written.as_bytes(), &rules).unwrap();
        prop_assert_eq!((read.number, read.mv), (entry.number, entry.mv));
    }

    #[test]
    fn hostile_bytes_never_panic_and_agree_with_the_grammar(
        line in proptest::collection::vec(prop_oneof![prop::sample::select(&b"123456789XOxoABCabc #\t"[..]), any::<u8>()], 0..24),
    ) {
        prop_assert_eq!(agree(&model(), &line), Ok(()));
        let _ = Record::parse(&line, &"notakto boards=2".parse().unwrap());
    }
}
