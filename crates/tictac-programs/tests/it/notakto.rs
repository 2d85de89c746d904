//! `notakto`: games against a slow model, several boards, and perfect play.

use std::collections::HashSet;
use std::fmt::Write;

use proptest::prelude::*;
use tictac::{Boards, Outcome, Player, Status};
use tictac_programs::computer::{ComputerSides, Sides};
use tictac_programs::notakto::{NotaktoSession, draw_board, has_line, place_x};
use tictac_programs::{Dialogue, Progress, Transcript};

use crate::program::{GameProgram, output_of, run_program};

const AGAIN: &str = "Location invalid or already taken. Please try again.\n";

fn notakto(arguments: &[&str], input: &[u8]) -> Transcript {
    run_program(GameProgram::Notakto, arguments, input)
}

#[test]
fn the_functions_are_those_of_the_assignment() {
    let mut board = [[true, false, true], [false, true, false], [false, false, false]];
    assert_eq!(
        draw_board(&board),
        "-------------\n| 1 | 2 | 3 |\n| X |   | X |\n-------------\n| 4 | 5 | 6 |\n|   | X |   |\n\
         -------------\n| 7 | 8 | 9 |\n|   |   |   |\n-------------\n"
    );
    assert!(!has_line(&board));
    let before = board;
    for bad in [0, 1, 3, 5, 10, -1, i32::MAX, i32::MIN] {
        assert!(!place_x(&mut board, bad));
        assert_eq!(board, before, "{bad}");
    }
    assert!(place_x(&mut board, 2));
    assert_eq!(board, [[true, true, true], [false, true, false], [false, false, false]]);
    assert!(has_line(&board));
}

#[test]
fn has_line_is_right_on_all_512_boards() {
    for bits in 0..512_u32 {
        let mut board = [[false; 3]; 3];
        for index in 1..=9 {
            if bits >> (index - 1) & 1 == 1 {
                assert!(place_x(&mut board, index));
            }
        }
        let [top, middle, bottom] = board;
        let row = board.iter().any(|row| row.iter().all(|&x| x));
        let column = (0..3).any(|column| top[column] && middle[column] && bottom[column]);
        let diagonal = middle[1] && (top[0] && bottom[2] || top[2] && bottom[0]);
        assert_eq!(has_line(&board), row || column || diagonal, "{bits:b}");
    }
}

#[test]
fn a_location_is_one_digit_and_any_other_word_is_one_bad_location() {
    let (start, _) = output_of(&notakto(&[], b""));
    for bad in [
        "0",
        "10",
        "01",
        "+1",
        "-1",
        "1.5",
        "x",
        "\0",
        "1\0",
        "１",
        "99999999999999999999",
        "4294967297",
        "1,2",
    ] {
        assert_eq!(output_of(&notakto(&[], bad.as_bytes())), (format!("{start}{AGAIN}"), 1), "{bad:?}");
    }
    let (stdout, _) = output_of(&notakto(&[], b"1 1\x0b1 \x0c5"));
    assert_eq!(stdout.matches(AGAIN).count(), 2);
    assert!(stdout.ends_with("Player 1's turn (Enter a location to place X):\n"));
}

#[test]
fn input_that_ends_early_is_reported_on_standard_error() {
    let transcript = notakto(&[], b"1 2");
    assert_eq!(transcript.exit.status, 1);
    assert!(transcript.stdout.ends_with(b"to place X):\n"));
    assert_eq!(transcript.exit.message.as_deref(), Some("the input ended before the game did"));
}

#[test]
fn with_several_boards_a_pair_is_judged_after_both_words() {
    let (stdout, status) =
        output_of(&notakto(&["--boards", "2"], b"x 1 3 1 1 x 01 1 2 0 1 1 1 1 1 2 1 3 1 5 2 4\n2 5 2 6"));
    assert!(stdout.starts_with("Board 1\n-------------\n"));
    assert!(stdout.contains("-------------\nBoard 2\n-------------\n"));
    assert!(stdout.contains("Player 1's turn (Enter a board and a location to place X):\n"));
    // x 1, 3 1, 1 x, 01 1, 2 0, then 1 1 again, then 1 5 on a finished board.
    assert_eq!(stdout.matches(AGAIN).count(), 7);
    assert!(stdout.contains("Board 1 (finished)\n-------------\n| 1 | 2 | 3 |\n| X | X | X |\n"));
    assert!(stdout.contains("Board 2 (finished)"));
    // Player 2 made the sixth move, which finished the last board.
    assert!(stdout.ends_with("-------------\nPlayer 1 wins!\n"), "{stdout}");
    assert_eq!(status, 0);
}

#[test]
fn the_number_of_boards_is_one_to_a_thousand() {
    for wrong in ["0", "1001", "x", "-1", "", "1.5", "99999999999"] {
        let transcript = notakto(&["--boards", wrong], b"");
        assert_eq!((transcript.stdout.len(), transcript.exit.status), (0, 2), "{wrong}");
        assert!(transcript.exit.message.unwrap().contains("from 1 to 1000"));
    }
    assert_eq!(notakto(&["--boards", "1"], b"1 5 4 7"), notakto(&[], b"1 5 4 7"));
    assert!(output_of(&notakto(&["--boards", "1000"], b"")).0.contains("\nBoard 1000\n"));
}

#[test]
fn the_computers_move_is_printed_on_its_own_line() {
    let (stdout, status) = output_of(&notakto(&["--computer", "both", "--seed", "3"], b""));
    assert_eq!(status, 0);
    let turns: Vec<&str> = stdout.split("to place X):\n").skip(1).collect();
    assert!(turns.iter().all(|turn| turn.lines().next().unwrap().parse::<u8>().is_ok()), "{stdout}");
    let (stdout, _) = output_of(&notakto(&["--boards", "12", "--computer", "1", "--seed", "3"], b""));
    let (board, location) =
        stdout.split_once("to place X):\n").unwrap().1.lines().next().unwrap().split_once(' ').unwrap();
    assert!((1..=12).contains(&board.parse().unwrap()) && (1..=9).contains(&location.parse().unwrap()));
    assert_eq!(notakto(&["--computer", "x"], b"").exit.status, 2);
}

#[test]
fn the_same_seed_repeats_a_game_and_other_seeds_differ() {
    let game = |seed: &str| notakto(&["--boards", "2", "--computer", "both", "--seed", seed], b"").stdout;
    assert_eq!(game("5"), game("5"));
    assert!((0..20).any(|seed: u32| game(&seed.to_string()) != game("5")));
}

/// Plays every reply to the computer's moves, up to symmetry, and returns the number of different states.
fn check_never_loses(n_boards: u32, side: Player, seed: u64) -> usize {
    let computer = ComputerSides::new(Sides::One(side), fastrand::Rng::with_seed(seed));
    let mut session = NotaktoSession::new(n_boards, computer).unwrap();
    let mut out = Vec::new();
    let mut progress = session.start(&mut out);
    while progress == Progress::HasMoreOutput {
        progress = session.resume(&mut out);
    }
    let mut known: HashSet<Boards> = HashSet::from([session.boards().canonical()]);
    let mut pending = vec![session];
    while let Some(session) = pending.pop() {
        for mv in session.boards().moves() {
            let mut next = session.clone();
            let board = if n_boards > 1 { format!("{} ", mv.board + 1) } else { String::new() };
            out.clear();
            for byte in format!("{board}{}\n", mv.square.index() + 1).bytes() {
                let mut progress = next.push(byte, &mut out);
                while progress == Progress::HasMoreOutput {
                    progress = next.resume(&mut out);
                }
            }
            match next.boards().status() {
                Status::Over(outcome) => assert_eq!(outcome, Outcome::Win(side), "{}", next.boards()),
                Status::ToMove(_) if known.insert(next.boards().canonical()) => pending.push(next),
                Status::ToMove(_) => {}
            }
        }
    }
    known.len()
}

#[test]
fn the_computer_never_loses_a_won_game() {
    // The first player wins on an odd number of boards, the second on an even one.
    for seed in 0..10 {
        assert!(check_never_loses(1, Player::First, seed) > 1);
    }
    for seed in 0..3 {
        assert!(check_never_loses(2, Player::Second, seed) > 10);
    }
    assert!(check_never_loses(3, Player::First, 0) > 100);
}

/// A slow, independent model of the program: arrays, and words split by the standard library.
fn model(n_boards: usize, input: &str) -> String {
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let mut boards = vec![[' '; 9]; n_boards];
    let is_finished =
        |board: &[char; 9]| lines.iter().any(|line| line.iter().all(|&place| board[place] == 'X'));
    let draw = |boards: &[[char; 9]]| {
        let mut text = String::new();
        for (index, board) in boards.iter().enumerate() {
            if boards.len() > 1 {
                let state = if is_finished(board) { " (finished)" } else { "" };
                writeln!(text, "Board {}{state}", index + 1).unwrap();
            }
            for row in 0..3 {
                let (a, b, c) = (3 * row, 3 * row + 1, 3 * row + 2);
                writeln!(text, "-------------\n| {} | {} | {} |", a + 1, b + 1, c + 1).unwrap();
                writeln!(text, "| {} | {} | {} |", board[a], board[b], board[c]).unwrap();
            }
            text += "-------------\n";
        }
        text
    };
    let what = if n_boards > 1 { "a board and a location" } else { "a location" };
    let turn = |player: usize| format!("Player {player}'s turn (Enter {what} to place X):\n");
    let mut player = 1;
    let mut out = draw(&boards) + &turn(player);
    let mut words = input.split([' ', '\t', '\n', '\x0b', '\x0c', '\r']).filter(|word| !word.is_empty());
    let number = |word: &str, most: usize| (1..=most).find(|number| number.to_string() == word);
    loop {
        let Some(board) = (if n_boards > 1 { words.next() } else { Some("1") }) else { return out };
        let Some(location) = words.next() else { return out };
        let place = number(board, n_boards).zip(number(location, 9));
        match place {
            Some((board, place))
                if boards[board - 1][place - 1] == ' ' && !is_finished(&boards[board - 1]) =>
            {
                boards[board - 1][place - 1] = 'X';
                out += &draw(&boards);
                player = 3 - player;
                if boards.iter().all(is_finished) {
                    return out + &format!("Player {player} wins!\n");
                }
                out += &turn(player);
            }
            _ => out += AGAIN,
        }
    }
}

proptest! {
    #[test]
    fn whole_games_match_the_model(n_boards in 1_usize..5, words in "([1-5]|[0-9]|[ \t\n\r\x0b\x0c]|[+x0\u{80}]?[1-9][ \n]){0,150}") {
        let input = words.replace('5', "5 ");
        let (stdout, _) = output_of(&notakto(&["--boards", &n_boards.to_string()], input.as_bytes()));
        prop_assert_eq!(stdout, model(n_boards, &input));
    }
}
