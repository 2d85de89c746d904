//! The class of `lab3`: the functions of the assignment, during and after a game.

use std::io;

use tictac::{Outcome, Player};
use tictac_programs::lab3::{ExitCode, Lab3Input, Lab3Session, Reply, Size, TicTacToeGame};
use tictac_programs::run_on_bytes;

#[test]
fn the_class_has_the_functions_of_the_assignment() {
    let mut game = TicTacToeGame::new();
    assert_eq!((game.index(0, 0), game.index(1, 2), game.index(4, 4)), (Some(0), Some(7), Some(24)));
    assert_eq!((game.index(5, 0), game.index(0, 5)), (None, None));
    assert_eq!((game.max_moves(), game.n_turns()), (9, 0));
    assert_eq!(TicTacToeGame::get_coordinates(b" 1 ,2x"), Some((1, 2)));
    assert_eq!(TicTacToeGame::get_coordinates(b"quit"), None);
    assert_eq!(game.prompt(Lab3Input::Coordinates(4, 1)), Reply::OutOfBound);
    for (row, column) in [(1, 1), (3, 3), (1, 3), (1, 2), (2, 3), (2, 1), (3, 1), (2, 2)] {
        assert!(matches!(game.turn(Lab3Input::Coordinates(row, column)), Reply::Placed(_)));
        assert!(!game.done() && !game.draw());
    }
    assert_eq!(game.moves_of(Player::Second).collect::<Vec<_>>(), [(3, 3), (1, 2), (2, 1), (2, 2)]);
    game.turn(Lab3Input::Coordinates(3, 2));
    assert!(game.draw() && !game.done());

    let mut output = Vec::new();
    let code =
        TicTacToeGame::with_size(Size::new(5, 5).unwrap()).play(b"1,2\nquit\n".as_slice(), &mut output);
    assert_eq!(code.unwrap(), ExitCode::EarlyQuit);
    assert_eq!(output, run_on_bytes(Lab3Session::default(), b"1,2\nquit\n").stdout);
    assert_eq!(ExitCode::DrawNoWinner as u8, 4);
}

/// Returns a game after moves to these places.
fn after(places: &[(u32, u32)]) -> TicTacToeGame {
    let mut game = TicTacToeGame::new();
    for &(row, column) in places {
        assert!(matches!(game.turn(Lab3Input::Coordinates(row, column)), Reply::Placed(_)));
    }
    game
}

const WON: [(u32, u32); 5] = [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)];
const DRAWN: [(u32, u32); 9] = [(1, 1), (3, 3), (1, 3), (1, 2), (2, 3), (2, 1), (3, 1), (2, 2), (3, 2)];

#[test]
fn after_the_end_prompt_and_turn_agree_and_nothing_changes() {
    let win = Outcome::Win(Player::First);
    for (places, outcome) in [(&WON[..], win), (&DRAWN, Outcome::Draw)] {
        let mut game = after(places);
        for (row, column) in (0..5).flat_map(|row| (0..5).map(move |column| (row, column))) {
            let input = Lab3Input::Coordinates(row, column);
            let is_inner = (1..=3).contains(&row) && (1..=3).contains(&column);
            let expected = if is_inner { Reply::GameOver(outcome) } else { Reply::OutOfBound };
            assert_eq!(game.prompt(input), expected);
            assert_eq!(game.turn(input), expected);
        }
        assert_eq!(game.n_turns(), places.len());
    }
}

#[test]
fn playing_a_finished_game_prints_its_result() {
    for (places, result, expected) in [
        (&WON[..], "Won! Player X is the winner!\n", ExitCode::Success),
        (
            &DRAWN,
            "is it draw? # moves: 9, max: 9\nDraw! 9 turns have been played. No winning moves remained.\n",
            ExitCode::DrawNoWinner,
        ),
    ] {
        let (game, mut output) = (after(places), Vec::new());
        let board = game.to_string();
        assert_eq!(game.play(b"1,1\n".as_slice(), &mut output).unwrap(), expected);
        assert_eq!(String::from_utf8(output).unwrap(), board + result);
    }
}

/// An output that accepts this many writes and then reports a closed pipe.
struct ClosingPipe(usize);

impl io::Write for ClosingPipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_an_error_unless_the_game_has_ended() {
    let play = |input: &[u8], n_writes| TicTacToeGame::new().play(input, ClosingPipe(n_writes));
    assert_eq!(play(b"quit\n", 0).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    assert_eq!(play(b"1,1\n2,2\n", 1).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    assert_eq!(play(b"1,1\nquit\n", 1).unwrap(), ExitCode::EarlyQuit);
}
