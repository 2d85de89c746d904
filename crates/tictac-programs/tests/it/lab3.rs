//! `lab3`: lines against a regular expression, games against a slow model, arguments and sizes.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Write;

use proptest::prelude::*;
use regex::bytes::Regex;
use tictac_programs::lab3::{Lab3Session, Names, Size, TicTacToeGame, invocation};
use tictac_programs::{Transcript, run_on_bytes};

use crate::program::{GameProgram, output_of, run_program};

const PROMPT: &str = "Please enter a comma-seperated coordinate in [1:3,1:3] or type 'quit'\n";

fn lab3(input: &[u8]) -> Transcript {
    run_on_bytes(Lab3Session::default(), input)
}

/// Checks the output for one line typed at the first prompt.
#[track_caller]
fn check_first_line(line: &[u8], answer: &str) {
    let without_input = output_of(&lab3(b"")).0;
    let start = &without_input[..without_input.find("someone").unwrap()];
    let (stdout, _) = output_of(&lab3(&[line, b"\n"].concat()));
    let echo = String::from_utf8_lossy(line);
    let rest = stdout.strip_prefix(start).unwrap().strip_prefix(&format!("You entered: {echo}\n")).unwrap();
    assert!(rest.starts_with(answer), "{echo:?} gave {rest:?}");
}

#[test]
fn a_line_is_a_move_a_mistake_quit_or_unreadable() {
    let out_of_bound = format!("Careful, you entered out of bound. Try again!\n{PROMPT}");
    for line in
        ["1,1", " 01 , 1", "1,1,1", "1,1quit", "1,1 nonsense", "\t1\r,\x0b\x0c0001.5", "1,1\0", "1,1\r"]
    {
        check_first_line(line.as_bytes(), "\n4\n3\n2\n1   X\n");
    }
    for line in ["0,1", "1,0", "4,1", "1,4", "1,2147483647", "2147483647,00", "1,11"] {
        check_first_line(line.as_bytes(), &out_of_bound);
    }
    let other =
        ["", " ", "1", "1,", ",1", "1,,2", "1 2", "1;2", "+1,2", "1,+2", "-1,2", "1,-2", "1,2147483648"];
    for line in other.into_iter().chain([
        "1,99999999999999999999999",
        "x1,2",
        "1x,2",
        "1\0,2",
        "QUIT",
        "quit1",
        "qu it",
    ]) {
        check_first_line(line.as_bytes(), PROMPT);
    }
    for line in ["quit", " quit", "quit \t", "\rquit\r"] {
        check_first_line(line.as_bytes(), "someone wants to quit the game.\n");
    }
}

#[test]
fn a_line_is_echoed_byte_for_byte() {
    let line = b"\x00\xff 1,\xe2\x82 9\r";
    let stdout = lab3(&[line.as_slice(), b"\n"].concat()).stdout;
    let echo = [b"You entered: ".as_slice(), line, b"\n"].concat();
    assert!(stdout.windows(echo.len()).any(|window| window == echo));
    assert!(output_of(&lab3(b"\nquit\n")).0.contains("You entered: \nPlease"));
}

#[test]
fn the_end_of_the_input_quits_without_an_echo() {
    let (stdout, status) = output_of(&lab3(b"1,2\n"));
    assert_eq!(status, 3);
    assert!(stdout.ends_with(&format!(
        "Player O's turn...\n{PROMPT}someone wants to quit the game.\n\
         is it draw? # moves: 1, max: 9\nPlayer O quits! 1 turns have been played.\n"
    )));
    assert_eq!(lab3(b"1,2"), lab3(b"1,2\n"), "a last line without a newline is a line");
    let input = b"1,1\n2,2 \n4,4\n1,2\nx\n3,2\n1,3";
    for n_bytes in 0..input.len() {
        let (stdout, status) = output_of(&lab3(&input[..n_bytes]));
        assert_eq!(status, 3, "after {n_bytes} bytes");
        assert!(stdout.ends_with(" turns have been played.\n"));
    }
    assert_eq!(lab3(input).exit.status, 0);
}

#[test]
fn by_default_the_players_are_x_and_o_and_the_quit_line_names_who_quits() {
    let (stdout, status) = output_of(&lab3(b"1,1\n2,2\n3,3\n2,1\n1,3\n2,3\n"));
    assert!(
        stdout.contains("\nPlayer O : 2, 2; 2, 1;\nis it draw? # moves: 4, max: 9\nPlayer X's turn...\n")
    );
    assert!(stdout.ends_with("\nPlayer O : 2, 2; 2, 1; 2, 3;\nWon! Player O is the winner!\n"));
    assert_eq!(status, 0);
    assert!(output_of(&lab3(b"quit\n")).0.ends_with("Player X quits! 0 turns have been played.\n"));
    let recorded = output_of(&run_program(
        GameProgram::Lab3,
        &["TicTacToeGame", "--as-recorded"],
        b"1,1\n2,2\n3,3\n2,1\n1,3\n2,3\n",
    ))
    .0;
    assert!(recorded.ends_with("\nPlayer Y : 2, 2; 2, 1; 2, 3;\nWon! Player O is the winner!\n"));
}

#[test]
fn all_usage_errors_print_the_same_text() {
    let wrong: [&[&str]; 12] = [
        &[],
        &["one", "two"],
        &["Tictactoegame"],
        &["TicTacToeGame", "TicTacToeGame"],
        &["--frobnicate", "TicTacToeGame"],
        &["-x", "TicTacToeGame"],
        &["--as-recorded"],
        &["--as-recorded=yes", "TicTacToeGame"],
        &["TicTacToeGame", "--size"],
        &["--size", "4x5", "TicTacToeGame"],
        &["--size", "11x10", "TicTacToeGame"],
        &["--size", "+5x5", "TicTacToeGame"],
    ];
    for arguments in wrong {
        let transcript = run_on_bytes(GameProgram::Lab3.started_as("some/where/game", arguments), b"1,1\n");
        let expected = "game requires 1 argument.\nusage: game TicTacToeGame\n";
        assert_eq!(output_of(&transcript), (expected.to_owned(), 1), "{arguments:?}");
    }
    let right: [&[&str]; 4] = [
        &["TicTacToeGame"],
        &["--", "TicTacToeGame"],
        &["--as-recorded", "TicTacToeGame", "--as-recorded"],
        &["TicTacToeGame", "--size=5x5"],
    ];
    for arguments in right {
        assert_eq!(run_program(GameProgram::Lab3, arguments, b"quit").exit.status, 3, "{arguments:?}");
    }
}

#[test]
fn a_size_is_width_by_height_with_at_most_64_squares_inside() {
    for (text, rows, columns) in
        [("5x5", 3, 3), ("10x10", 8, 8), ("6x18", 16, 4), ("23x5", 3, 21), ("007x5", 3, 5)]
    {
        let size: Size = text.parse().unwrap();
        assert_eq!((size.inner_rows(), size.inner_columns()), (rows, columns), "{text}");
        assert_eq!(size.to_string().parse(), Ok(size));
    }
    for text in [
        "",
        "5",
        "x",
        "5x",
        "x5",
        "4x9",
        "9x4",
        "24x5",
        "5X5",
        "5x5x5",
        "-5x5",
        " 5x5",
        "99999999999999999999x5",
    ] {
        assert!(text.parse::<Size>().is_err(), "{text}");
    }
}

#[test]
fn three_in_a_row_win_on_other_sizes_too() {
    let arguments = ["--size", "7x6", "TicTacToeGame"];
    let (stdout, status) =
        output_of(&run_program(GameProgram::Lab3, &arguments, b"4,5\n5,1\n1,6\n1,1\n3,4\n1,2\n2,3\n"));
    assert!(stdout.starts_with("\n5\n4\n3\n2\n1\n0\n  0 1 2 3 4 5 6\n\nPlayer X's turn...\n"));
    assert!(stdout.contains("in [1:4,1:5] or type"));
    assert!(stdout.contains("is it draw? # moves: 1, max: 20\n"));
    assert_eq!(stdout.matches("Careful").count(), 2);
    assert!(stdout.ends_with(
        "\n5\n4           X\n3         X\n2       X\n1   O O\n0\n  0 1 2 3 4 5 6\n\n\n\
         Player X : 4, 5; 3, 4; 2, 3;\nWon! Player X is the winner!\n"
    ));
    assert_eq!(status, 0);
}

#[test]
fn a_board_with_two_digit_numbers_stays_aligned() {
    let (stdout, _) =
        output_of(&run_program(GameProgram::Lab3, &["--size", "10x6", "TicTacToeGame"], b"1,8\n"));
    assert!(stdout.contains("\n1                 X\n0\n  0 1 2 3 4 5 6 7 8 9\n"), "{stdout}");
    let (stdout, _) =
        output_of(&run_program(GameProgram::Lab3, &["--size", "6x10", "TicTacToeGame"], b"8,1\n"));
    assert!(stdout.contains("\n9\n8   X\n7\n"), "{stdout}");
    let (stdout, _) =
        output_of(&run_program(GameProgram::Lab3, &["--size", "13x5", "TicTacToeGame"], b"1,11\n"));
    assert!(
        stdout.contains(
            "\n1                                   X\n0\n   0  1  2  3  4  5  6  7  8  9 10 11 12\n"
        )
    );
    let (stdout, _) =
        output_of(&run_program(GameProgram::Lab3, &["--size", "5x12", "TicTacToeGame"], b"10,1\n"));
    assert!(stdout.contains("\n11\n10   X\n 9\n"));
}

#[test]
fn a_program_name_that_is_not_utf8_is_printed_unchanged() {
    use std::os::unix::ffi::OsStringExt;
    let name = OsString::from_vec(b"some/where/g\xffme".to_vec());
    let transcript = run_on_bytes(invocation([name]), b"");
    assert_eq!(transcript.stdout, b"g\xffme requires 1 argument.\nusage: g\xffme TicTacToeGame\n");
    assert_eq!(transcript.exit.status, 1);
}

/// A slow, independent model of the program: a regular expression and a map of pieces.
struct Lab3Model {
    width: i64,
    height: i64,
    pieces: HashMap<(i64, i64), char>,
    lists: [String; 2],
}

impl Lab3Model {
    fn output(width: u8, height: u8, input: &[u8]) -> String {
        let (width, height) = (i64::from(width), i64::from(height));
        let mut model =
            Lab3Model { width, height, pieces: HashMap::new(), lists: [String::new(), String::new()] };
        let mut out = model.drawing() + "Player X's turn...\n" + &model.prompt();
        let mut lines: Vec<&[u8]> = input.split(|&byte| byte == b'\n').collect();
        if lines.last() == Some(&b"".as_slice()) {
            lines.pop();
        }
        let quit_line = Regex::new(r"(?-u)^[ \t\x0b\x0c\r]*quit[ \t\x0b\x0c\r]*$").unwrap();
        for line in lines {
            writeln!(out, "You entered: {}", String::from_utf8_lossy(line)).unwrap();
            if quit_line.is_match(line) {
                break;
            }
            let (answer, is_over) = model.answer(line);
            out += &answer;
            if is_over {
                return out;
            }
        }
        let (count, name) = (model.pieces.len(), ['X', 'O'][model.pieces.len() % 2]);
        out + "someone wants to quit the game.\n"
            + &model.count()
            + &format!("Player {name} quits! {count} turns have been played.\n")
    }

    /// Returns the output after the echo of a line, and whether the line ends the game.
    fn answer(&mut self, line: &[u8]) -> (String, bool) {
        let Some(place) = parse_place(line) else { return (self.prompt(), false) };
        if !(1..=self.height - 2).contains(&place.0) || !(1..=self.width - 2).contains(&place.1) {
            return (format!("Careful, you entered out of bound. Try again!\n{}", self.prompt()), false);
        }
        if self.pieces.contains_key(&place) {
            return (format!("Sorry, the place is not empty. Try again!\n{}", self.prompt()), false);
        }
        let turn = self.pieces.len() % 2;
        let name = ['X', 'O'][turn];
        self.pieces.insert(place, name);
        write!(self.lists[turn], " {}, {};", place.0, place.1).unwrap();
        let out = format!("{}\nPlayer {name} :{}\n", self.drawing(), self.lists[turn]);
        if self.has_won(name) {
            return (out + &format!("Won! Player {name} is the winner!\n"), true);
        }
        let out = out + &self.count();
        let n_moves = self.pieces.len();
        if i64::try_from(n_moves) == Ok((self.width - 2) * (self.height - 2)) {
            return (
                out + &format!("Draw! {n_moves} turns have been played. No winning moves remained.\n"),
                true,
            );
        }
        (out + &format!("Player {}'s turn...\n{}", ['O', 'X'][turn], self.prompt()), false)
    }

    fn has_won(&self, name: char) -> bool {
        let is_mine = |row, column| self.pieces.get(&(row, column)) == Some(&name);
        self.pieces.keys().any(|&(row, column)| {
            [(0, 1), (1, 0), (1, 1), (1, -1)]
                .into_iter()
                .any(|(up, right)| (0..3).all(|step| is_mine(row + step * up, column + step * right)))
        })
    }

    fn drawing(&self) -> String {
        let mut text = String::from("\n");
        for row in (0..self.height).rev() {
            let mut line = row.to_string();
            for column in 0..self.width {
                write!(line, " {}", self.pieces.get(&(row, column)).unwrap_or(&' ')).unwrap();
            }
            writeln!(text, "{}", line.trim_end()).unwrap();
        }
        text += " ";
        for column in 0..self.width {
            write!(text, " {column}").unwrap();
        }
        text + "\n\n"
    }

    fn prompt(&self) -> String {
        let (rows, columns) = (self.height - 2, self.width - 2);
        format!("Please enter a comma-seperated coordinate in [1:{rows},1:{columns}] or type 'quit'\n")
    }

    fn count(&self) -> String {
        let max = (self.width - 2) * (self.height - 2);
        format!("is it draw? # moves: {}, max: {max}\n", self.pieces.len())
    }
}

fn parse_place(line: &[u8]) -> Option<(i64, i64)> {
    let spaces = r"[ \t\x0b\x0c\r]*";
    let pattern = Regex::new(&format!("(?-u)^{spaces}([0-9]+){spaces},{spaces}([0-9]+)")).unwrap();
    let number = |text: &[u8]| {
        let digits = std::str::from_utf8(text).unwrap().trim_start_matches('0');
        // Eleven digits exceed every number in range.
        format!("0{}", &digits[..digits.len().min(11)]).parse::<i64>().unwrap()
    };
    let groups = pattern.captures(line)?;
    let (row, column) = (number(&groups[1]), number(&groups[2]));
    (row.max(column) <= 2_147_483_647).then_some((row, column))
}

/// Generates lines, most of which are moves.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let space = "[ \t\r]{0,2}";
    let place = format!("{space}0{{0,2}}[0-6]{space},{space}[0-6]([x ,]|{space})");
    let line = prop_oneof![
        12 => proptest::string::string_regex(&place).unwrap(),
        1 => proptest::string::string_regex("[0-9,]{0,13}").unwrap(),
        1 => proptest::string::string_regex("[-+ 0-9,x]{0,6}").unwrap(),
        1 => Just("2147483647,2147483648".to_owned()),
    ];
    proptest::collection::vec(line, 0..60).prop_map(|lines| lines.join("\n").into_bytes())
}

proptest! {
    #[test]
    fn whole_games_match_the_model(input in lines(), width in 5_u8..8, height in 5_u8..8) {
        let size = Size::new(usize::from(width), usize::from(height)).unwrap();
        let (stdout, _) = output_of(&run_on_bytes(Lab3Session::new(TicTacToeGame::with_size(size), Names::Consistent), &input));
        prop_assert_eq!(stdout, Lab3Model::output(width, height, &input));
    }

    #[test]
    fn any_line_matches_the_model(line in "[ \t\r0-9,quit+-]{0,12}") {
        let (stdout, _) = output_of(&lab3(line.as_bytes()));
        prop_assert_eq!(stdout, Lab3Model::output(5, 5, line.as_bytes()));
    }
}
