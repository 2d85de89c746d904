//! `tictactoe`: games against a slow model, ties, tokens and boards.

use std::collections::HashSet;
use std::fmt::Write;

use proptest::prelude::*;
use tictac::{Mark, Player, Position, Rules, Status};
use tictac_programs::Transcript;
use tictac_programs::tictactoe::{Tictactoe, line_title};

use crate::program::{GameProgram, output_of, run_program};

const NOT_NUMBERS: &str = "Please enter two numbers, such as \"1 2\".\n";
const OUT_OF_RANGE: &str = "Row and column must be from 1 to 3.\n";
const TIE: &str = "It's a tie! No one can complete a line any more.\nGoodbye!\n";

fn tictactoe(arguments: &[&str], input: &[u8]) -> Transcript {
    run_program(GameProgram::Tictactoe, arguments, input)
}

/// Checks the output after the first prompt.
#[track_caller]
fn check_answer(input: &[u8], answer: &str) {
    let (start, _) = output_of(&tictactoe(&[], b""));
    assert!(start.ends_with("\nX's turn: "));
    let (stdout, status) = output_of(&tictactoe(&[], input));
    assert_eq!(stdout.strip_prefix(&start), Some(answer), "{:?}", String::from_utf8_lossy(input));
    assert_eq!(status, 1);
}

#[test]
fn two_integers_are_a_move_even_across_lines() {
    let answer = "  1  2  3\n1 -  X  -\n2 -  -  -\n3 -  -  -\n\nO's turn: ";
    for input in ["1 2\n", "1 2", " 1\n\n2 ", "1\t2\r\n", "01 +2 ", "\x0b1\x0c002\n"] {
        check_answer(input.as_bytes(), answer);
    }
    check_answer(b"1", "");
    check_answer(b"1 \n\n ", "");
}

#[test]
fn an_invalid_word_drops_the_rest_of_its_line() {
    let again = format!("{NOT_NUMBERS}X's turn: ");
    let lines = [
        "x\n", "x 1 1\n", "1 x\n", "1\nx 2\n", "1,1 1\n", "1.5 1\n", "- 1 1\n", "-\n", "1 +", "--1 1\n",
        "\0\n",
    ];
    for input in lines.into_iter().chain(["12x 1\n", "１ 1\n"]) {
        check_answer(input.as_bytes(), &again);
    }
    check_answer(b"\xff\xfe 1 1\n", &again);
    check_answer(b"x 1 1\n2\n", &again);
    check_answer(b"x\ry\n-\nz", &again.repeat(3));
}

#[test]
fn after_a_number_out_of_range_or_a_taken_square_the_same_player_moves() {
    let again = format!("{OUT_OF_RANGE}X's turn: ");
    for input in
        ["0 1\n", "1 4\n", "-1 1\n", "99999999999999999999 1\n", "1 -99999999999999999999\n", "-0 1\n"]
    {
        check_answer(input.as_bytes(), &again);
    }
    check_answer(b"4 4 5 5\n", &again.repeat(2));
    let (stdout, _) = output_of(&tictactoe(&[], b"1 2\n1 2\n"));
    assert!(stdout.ends_with("\n\nO's turn: Row 1 column 2 is already taken.\nO's turn: "));
}

#[test]
fn input_that_ends_early_is_reported_on_standard_error() {
    let transcript = tictactoe(&[], b"1 1\n2");
    assert_eq!(transcript.exit.status, 1);
    assert!(transcript.stdout.ends_with(b"O's turn: "));
    assert_eq!(transcript.exit.message.as_deref(), Some("the input ended before the game did"));
}

#[test]
fn all_lines_completed_at_once_are_named_rows_first() {
    let check = |board: &str, mv: &str, lines: &str| {
        let (stdout, status) = output_of(&tictactoe(&["--board", board], mv.as_bytes()));
        assert!(stdout.ends_with(&format!("\n\n{lines}X has won the game!\nGoodbye!\n")), "{stdout}");
        assert_eq!(status, 0);
    };
    check("-XXXOOXOO", "1 1", "X wins via Row 1\nX wins via Column 1\n");
    check("XOXO-OXOX", "2 2", "X wins via Diagonal 1\nX wins via Diagonal 2\n");
    check("OXOX-XOXO", "2 2", "X wins via Row 2\nX wins via Column 2\n");
    check("X-O-X-O--", "3 3", "X wins via Diagonal 1\n");
    check("O-XO-X---", "3 3", "X wins via Column 3\n");
}

#[test]
fn a_game_is_tied_as_soon_as_no_line_can_be_completed() {
    let board = "  1  2  3\n1 X  O  -\n2 X  O  O\n3 O  X  X\n\n";
    // The bonus example of the assignment, reached by a move and as the initial board.
    let (stdout, status) = output_of(&tictactoe(&["--board", "XO-XOO-XX"], b"3 1\n"));
    assert!(stdout.ends_with(&format!("O's turn: {board}{TIE}")), "{stdout}");
    assert_eq!(status, 0);
    let transcript = tictactoe(&["--board", "XO-XOOOXX"], b"1 3\n");
    assert_eq!(output_of(&transcript), (format!("Let's play Tic Tac Toe!\n{board}{TIE}"), 0));
}

#[test]
fn the_last_empty_square_is_played_only_to_win() {
    let mut n_reached = 0;
    for_each_position(Position::default(), &mut HashSet::new(), &mut |position| {
        if position.n_moves() == 8 && matches!(position.status(), Status::ToMove(_)) && !position.is_dead() {
            n_reached += 1;
            let empty = position.empty_squares().first().unwrap().index();
            let mv = format!("{} {}", empty / 3 + 1, empty % 3 + 1);
            let (stdout, _) = output_of(&tictactoe(&["--board", &board_text(&position)], mv.as_bytes()));
            assert!(stdout.ends_with("X has won the game!\nGoodbye!\n"), "{stdout}");
        }
    });
    assert!(n_reached > 0);
}

#[test]
fn the_three_constructors_are_three_options() {
    let (stdout, _) = output_of(&tictactoe(&["--empty", "."], b""));
    assert!(stdout.contains("1 .  .  .\n"));
    let (stdout, _) = output_of(&tictactoe(&["--tokens", "é🙂", "--board", "é🙂-", "--empty=-"], b"3 3 1 1"));
    assert!(stdout.contains("1 é  🙂  -\n2 -  -  -\n3 -  -  -\n\nEnter"), "{stdout}");
    assert!(stdout.contains("3 -  -  é\n\n🙂's turn: Row 1 column 1 is already taken.\n"), "{stdout}");
    let (stdout, _) = output_of(&tictactoe(&["--board", "XX-O-O---ignored"], b""));
    assert!(stdout.contains("1 X  X  -\n2 O  -  O\n3 -  -  -\n\n"));
    assert!(stdout.ends_with("X's turn: "));
    assert!(output_of(&tictactoe(&["--board", "X"], b"")).0.ends_with("O's turn: "));
    assert_eq!(tictactoe(&["--board", ""], b""), tictactoe(&[], b""));
}

#[test]
fn invalid_boards_and_tokens_are_refused() {
    let wrong: [&[&str]; 21] = [
        &["--board", "XX"],
        &["--board", "O"],
        &["--board", "XXOX"],
        &["--board", "XZ"],
        &["--board", "x"],
        &["--board", "XXXOO"],
        &["--board", "OOOXX-X"],
        &["--board", "XXXOOO"],
        &["--board", "XOXXOOOXX"],
        &["--empty", ".", "--board", "X-O"],
        &["--empty", ""],
        &["--empty", "ab"],
        &["--empty", " "],
        &["--empty", "\u{7f}"],
        &["--empty", "X"],
        &["--tokens", "X"],
        &["--tokens", "XX"],
        &["--tokens", "XYZ"],
        &["--tokens", "X\u{3000}"],
        &["--tokens", "X-"],
        &["--tokens", "AB", "--computer", "X"],
    ];
    for arguments in wrong {
        let transcript = tictactoe(arguments, b"1 1\n");
        assert_eq!((transcript.stdout.len(), transcript.exit.status), (0, 2), "{arguments:?}");
        assert!(transcript.exit.message.is_some());
    }
    for computer in ["x", "", "neither", "XO"] {
        assert_eq!(tictactoe(&["--computer", computer], b"").exit.status, 2, "{computer}");
    }
    assert_eq!(tictactoe(&["--computer", "B", "--tokens", "AB"], b"1 1").exit.status, 1);
}

#[test]
fn the_class_has_the_functions_of_the_assignment() {
    assert_eq!(Tictactoe::new().print_me(), "  1  2  3\n1 -  -  -\n2 -  -  -\n3 -  -  -\n");
    assert_eq!(Tictactoe::with_empty('.').print_me(), "  1  2  3\n1 .  .  .\n2 .  .  .\n3 .  .  .\n");
    let mut board = Tictactoe::with_tokens('-', "XX-O-OX-OXYZ".chars());
    assert_eq!(board.print_me(), "  1  2  3\n1 X  X  -\n2 O  -  O\n3 X  -  O\n");
    for (row, column) in [(0, 1), (1, 0), (4, 1), (1, 4), (-1, 1), (i32::MAX, i32::MIN)] {
        assert_eq!(board.take_turn(row, column, 'X'), Err("Row and column must be from 1 to 3.".to_owned()));
    }
    assert_eq!(board.take_turn(2, 1, 'X'), Err("Row 2 column 1 is already taken.".to_owned()));
    assert!(board.take_turn(1, 3, 'X').is_ok());
    let titles: Vec<String> = board.is_win('X').into_iter().map(line_title).collect();
    assert_eq!(titles, ["Row 1"]);
    assert!(board.is_win('O').is_empty() && board.is_win('-').is_empty());
    assert!(!board.is_tie(['X', 'O']));
    // A third token belongs to neither player and blocks both.
    assert!(Tictactoe::with_tokens('-', "Z---Z---Z".chars()).is_tie(['X', 'O']));
    assert!(!Tictactoe::with_tokens('-', "Z---Z----".chars()).is_tie(['X', 'O']));
    assert!(Tictactoe::with_tokens('-', "ZZZZZZZZ-".chars()).is_tie(['X', 'O']));
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn has_line(board: &[char; 9]) -> bool {
    LINES.iter().any(|line| board[line[0]] != '-' && line.iter().all(|&place| board[place] == board[line[0]]))
}

/// Returns whether some sequence of alternating moves completes a line, by trying them all.
fn can_complete(board: &mut [char; 9], token: char) -> bool {
    if has_line(board) {
        return true;
    }
    let other = if token == 'X' { 'O' } else { 'X' };
    (0..9).any(|place| {
        if board[place] != '-' {
            return false;
        }
        board[place] = token;
        let found = can_complete(board, other);
        board[place] = '-';
        found
    })
}

#[test]
fn is_tie_is_exact_on_all_boards_of_two_tokens() {
    for number in 0..3_usize.pow(9) {
        let mut board: [char; 9] =
            std::array::from_fn(|place| ['-', 'X', 'O'][number / 3_usize.pow(place as u32) % 3]);
        let count = |token| board.iter().filter(|&&c| c == token).count();
        let (one, two) = (count('X'), count('O'));
        let may_move: &[char] = match one.checked_sub(two) {
            Some(0) => &['X'],
            Some(1) => &['O'],
            _ => &['X', 'O'],
        };
        let expected = !may_move.iter().any(|&token| can_complete(&mut board, token));
        assert_eq!(Tictactoe::with_tokens('-', board).is_tie(['X', 'O']), expected, "{board:?}");
    }
}

/// Calls `visit` for every position of the game, symmetric ones included.
fn for_each_position(position: Position, seen: &mut HashSet<Position>, visit: &mut impl FnMut(Position)) {
    if seen.insert(position) {
        visit(position);
        for mv in position.moves() {
            for_each_position(position.after(mv).unwrap(), seen, visit);
        }
    }
}

fn board_text(position: &Position) -> String {
    let mark = |square| position.board().mark(square);
    let token = |square| mark(square).map_or('-', |mark| if mark == Mark::X { 'X' } else { 'O' });
    Rules::CLASSIC.squares().iter().map(token).collect()
}

#[test]
fn every_one_of_the_5478_positions_is_played_tied_or_refused() {
    let mut count = 0;
    for_each_position(Position::default(), &mut HashSet::new(), &mut |position| {
        count += 1;
        let text = board_text(&position);
        let transcript = tictactoe(&["--board", &text], b"");
        let (stdout, status) = output_of(&transcript);
        match position.status() {
            Status::Over(_) => assert_eq!((stdout.as_str(), status), ("", 2), "{text}"),
            Status::ToMove(_) if position.is_dead() => {
                assert!(status == 0 && stdout.ends_with(TIE), "{text}");
                assert!(Tictactoe::with_tokens('-', text.chars()).is_tie(['X', 'O']));
            }
            Status::ToMove(player) => {
                let token = if player == Player::First { 'X' } else { 'O' };
                assert!(status == 1 && stdout.ends_with(&format!("{token}'s turn: ")), "{text}");
            }
        }
    });
    assert_eq!(count, 5478);
}

#[test]
fn the_computers_move_is_printed_like_a_typed_one() {
    let (stdout, status) = output_of(&tictactoe(&["--computer", "both", "--seed", "1"], b""));
    assert_eq!(status, 0);
    for turn in stdout.split("'s turn: ").skip(1) {
        let (row, column) = turn.lines().next().unwrap().split_once(' ').unwrap();
        assert!((1..=3).contains(&row.parse().unwrap()) && (1..=3).contains(&column.parse().unwrap()));
    }
    let game = |seed: &str| tictactoe(&["--computer", "both", "--seed", seed], b"").stdout;
    assert_eq!(game("5"), game("5"));
    assert!((0..20).any(|seed: u32| game(&seed.to_string()) != game("5")));
}

/// A slow, independent model of the program: words split by the standard library, and an array of characters.
fn model(input: &str) -> String {
    let mut board = ['-'; 9];
    let draw = |board: &[char; 9]| {
        let mut text = String::from("  1  2  3\n");
        for row in 0..3 {
            writeln!(text, "{} {}  {}  {}", row + 1, board[3 * row], board[3 * row + 1], board[3 * row + 2])
                .unwrap();
        }
        text + "\n"
    };
    let mut token = 'X';
    let mut row = None;
    let mut out = format!(
        "Let's play Tic Tac Toe!\n{}Enter a move like \"1 2\" for row 1 column 2.\nX's turn: ",
        draw(&board)
    );
    for line in input.split('\n') {
        for word in line.split([' ', '\t', '\x0b', '\x0c', '\r']).filter(|word| !word.is_empty()) {
            let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
            if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
                row = None;
                write!(out, "{NOT_NUMBERS}{token}'s turn: ").unwrap();
                break;
            }
            let number = (1..=3).find(|number| word.parse() == Ok(*number)).unwrap_or(0);
            let Some(first) = row.take() else {
                row = Some(number);
                continue;
            };
            if first * number == 0 {
                write!(out, "{OUT_OF_RANGE}{token}'s turn: ").unwrap();
                continue;
            }
            let place = 3 * (first - 1) + number - 1;
            if board[place] != '-' {
                write!(out, "Row {first} column {number} is already taken.\n{token}'s turn: ").unwrap();
                continue;
            }
            board[place] = token;
            out += &draw(&board);
            if has_line(&board) {
                let names = [
                    "Row 1",
                    "Row 2",
                    "Row 3",
                    "Column 1",
                    "Column 2",
                    "Column 3",
                    "Diagonal 1",
                    "Diagonal 2",
                ];
                for (name, line) in names.iter().zip(LINES) {
                    if line.iter().all(|&place| board[place] == token) {
                        writeln!(out, "{token} wins via {name}").unwrap();
                    }
                }
                return out + &format!("{token} has won the game!\nGoodbye!\n");
            }
            token = if token == 'X' { 'O' } else { 'X' };
            if !board.contains(&'-') {
                return out + "It's a tie!\nGoodbye!\n";
            }
            if !can_complete(&mut board, token) {
                return out + TIE;
            }
            write!(out, "{token}'s turn: ").unwrap();
        }
    }
    out
}

proptest! {
    #[test]
    fn whole_games_match_the_model(input in "(([1-3] [1-3][ \n])|([1-3][ \n]))([0-4+x\u{80}-]?[1-3]{0,2}[ \t\r\x0b\x0c]|[1-3] [1-3]\n){0,40}") {
        let (stdout, _) = output_of(&tictactoe(&[], input.as_bytes()));
        prop_assert_eq!(stdout, model(&input));
    }
}
