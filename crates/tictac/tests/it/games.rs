//! Playing: one board, several boards, undo, and every rule a move can break.

use tictac::{Boards, Game, IllegalMove, Mark, Move, Outcome, Player, Position, Rules, Square, Status};

use crate::corpus::reachable;

fn square(index: usize) -> Square {
    Square::new(index).unwrap()
}

fn play(rules: &str, moves: &str) -> Result<Game, IllegalMove> {
    let rules: Rules = rules.parse().unwrap();
    let mut game = Game::new(&rules);
    for mv in moves.split(", ") {
        game.play(rules.parse_move(mv).unwrap())?;
    }
    Ok(game)
}

#[track_caller]
fn check_status(rules: &str, moves: &str, expected: Status) {
    assert_eq!(play(rules, moves).unwrap().status(), expected, "{rules}: {moves}");
}

#[track_caller]
fn check_illegal(rules: &str, moves: &str, expected: &str) {
    assert_eq!(play(rules, moves).unwrap_err().to_string(), expected, "{rules}: {moves}");
}

#[test]
fn a_line_wins_or_loses_as_the_rules_say() {
    let first_wins = Status::Over(Outcome::Win(Player::First));
    let second_wins = Status::Over(Outcome::Win(Player::Second));
    check_status("classic", "X A1, O B1, X A2, O B2, X A3", first_wins);
    check_status("misere", "X A1, O B1, X A2, O B2, X A3", second_wins);
    check_status("wild", "X A1, X A2, X A3", first_wins);
    check_status("wild misere", "O A1, O A2, O A3", second_wins);
    check_status("notakto", "A1, A2, A3", second_wins);
    check_status("3,3,3 x-only", "A1, A2, A3", first_wins);
    check_status("1,1,1", "X A1", first_wins);
}

#[test]
fn more_than_k_in_a_row_is_a_line_too() {
    check_status("1,7,3", "X A1, O A3, X A2, O A4, X A6, O A5", Status::Over(Outcome::Win(Player::Second)));
    check_status(
        "2,5,3",
        "X A1, O B1, X A2, O B2, X A4, O B4, X A5, O B5, X A3",
        Status::Over(Outcome::Win(Player::First)),
    );
}

#[test]
fn the_error_for_an_illegal_move_names_the_broken_rule() {
    check_illegal("classic", "X B2, X A1", "it is O's turn");
    check_illegal("classic", "X B2, O B2", "B2 is already taken");
    check_illegal("notakto", "O B2", "it is X's turn");
    check_illegal("classic", "X A1, O B1, X A2, O B2, X A3, O C3", "the game is over: X has won");
    let start = Position::default();
    assert_eq!(
        start.after(Move { board: 1, ..Move::new(square(0), Mark::X) }).unwrap_err().to_string(),
        "there is no board 2: the game has 1 board"
    );
    assert_eq!(
        start.after(Move::new(square(9), Mark::X)).unwrap_err().to_string(),
        "the square lies outside the 3×3 grid"
    );
}

#[test]
fn the_moves_listed_are_exactly_the_legal_ones() {
    for rules in ["classic", "misere", "wild", "notakto", "2,4,3"] {
        for position in reachable(rules.parse().unwrap()) {
            let listed: Vec<Move> = position.moves().collect();
            for index in 0..64 {
                for mark in Mark::BOTH {
                    let mv = Move::new(square(index), mark);
                    assert_eq!(position.after(mv).is_ok(), listed.contains(&mv), "{position}: {mv:?}");
                }
            }
        }
    }
}

#[test]
fn undo_leads_back_to_the_start() {
    let mut game = play("4,4,3 wild", "X A1, O B2, O C4, X D1").unwrap();
    let after_two = game.state_after(2);
    game.undo();
    game.undo();
    assert_eq!(game.state(), &after_two);
    assert_eq!(game.undo().map(|mv| mv.mark), Some(Mark::O));
    game.undo();
    assert_eq!(game.undo(), None);
    assert_eq!(game.state(), game.start());
}

#[test]
fn notakto_on_two_boards_ends_with_the_last_living_board() {
    let rules: Rules = "notakto boards=2".parse().unwrap();
    let mut boards = Boards::start(&rules).unwrap();
    for mv in ["1.A1", "1.A2", "1.A3"] {
        assert_eq!(boards.play(rules.parse_move(mv).unwrap()), Ok(()));
    }
    assert!(!boards.is_living(0) && boards.is_living(1));
    let finished = boards.play(rules.parse_move("1.C3").unwrap());
    assert_eq!(finished.unwrap_err().to_string(), "board 1 is finished");
    let missing = boards.play(Move { board: 2, ..Move::new(square(0), Mark::X) });
    assert_eq!(missing.unwrap_err().to_string(), "there is no board 3: the game has 2 boards");
    for mv in ["2.B1", "2.B2", "2.B3"] {
        assert_eq!(boards.play(rules.parse_move(mv).unwrap()), Ok(()));
    }
    assert_eq!(boards.status(), Status::Over(Outcome::Win(Player::First)));
    assert!(matches!(boards.play(rules.parse_move("2.C3").unwrap()), Err(IllegalMove::GameOver { .. })));
    assert!(boards.moves().next().is_none());
}

#[test]
fn one_board_is_the_same_game_as_a_position() {
    fn follow(position: &Position, boards: &Boards) {
        assert_eq!(position.status(), boards.status());
        let moves: Vec<Move> = position.moves().collect();
        assert!(moves.iter().copied().eq(boards.moves()));
        for mv in moves.into_iter().filter(|mv| mv.square.index() % 2 == 0 || position.n_moves() > 2) {
            follow(&position.after(mv).unwrap(), &boards.after(mv).unwrap());
        }
    }
    for rules in ["notakto", "3,2,2 x-only"] {
        let rules: Rules = rules.parse().unwrap();
        follow(&Position::start(&rules).unwrap(), &Boards::start(&rules).unwrap());
    }
}
