//! Positions as text, and which of them can be reached.

use proptest::prelude::*;
use tictac::{Board, Boards, Mark, Player, Position, Rules, Square, SquareSet, Status};

use crate::corpus::{reachable, variants};

fn rules(text: &str) -> Rules {
    text.parse().unwrap()
}

#[track_caller]
fn check_refused(under: &str, text: &str, expected: &str) {
    assert_eq!(Position::parse(text, &rules(under)).unwrap_err().to_string(), expected, "{text}");
}

#[test]
fn a_set_up_is_accepted_exactly_if_play_reaches_it() {
    for size in ["3,3,3", "3,3,2", "2,4,3", "3,2,3"] {
        for rules in variants(size) {
            let reached = reachable(rules);
            let n_squares = rules.grid().len() as u32;
            let mut n_accepted = 0;
            for code in 0..3u32.pow(n_squares) {
                let mut board = Board::EMPTY;
                for index in 0..n_squares {
                    match code / 3u32.pow(index) % 3 {
                        0 => {}
                        digit => {
                            let mark = if digit == 1 { Mark::X } else { Mark::O };
                            board = board.with(Square::new(index as usize).unwrap(), mark);
                        }
                    }
                }
                if let Ok(position) = Position::set_up(board, Mark::X, &rules) {
                    n_accepted += 1;
                    let same = reached.get(&position).unwrap_or_else(|| panic!("{rules}: {position}"));
                    assert_eq!(same.status(), position.status(), "{rules}: {position}");
                }
            }
            assert_eq!(n_accepted, reached.len(), "{rules}");
        }
    }
}

#[test]
fn every_position_printed_parses_back() {
    for size in ["3,3,3", "2,4,3", "1,3,2"] {
        for rules in variants(size) {
            for position in reachable(rules) {
                assert_eq!(Position::parse(&position.to_string(), &rules), Ok(position));
            }
        }
    }
}

#[test]
fn the_side_to_move_determines_who_opened() {
    let position = Position::parse("O../.../... X", &Rules::CLASSIC).unwrap();
    assert_eq!(position.opener(), Mark::O);
    assert_eq!(position.status(), Status::ToMove(Player::Second));
    assert_eq!(position.to_string(), "O../.../... X");
    assert_eq!(Position::parse(".../.../... O", &Rules::CLASSIC).unwrap().opener(), Mark::O);
}

#[test]
fn the_error_for_a_refused_position_contains_the_reason() {
    check_refused("classic", "XX./.../... O", "2 X and 0 O cannot be on the board: players take turns");
    check_refused("classic", "XO./X../... X", "with 2 X and 1 O it is O's turn");
    check_refused("classic", "XXX/OOO/... X", "X and O both have a line, but the first line ends the game");
    check_refused("classic", "XXX/OO./O.. X", "X has a line, but it was not X who moved last");
    check_refused("3,3,2", "XX./OO./... X", "X and O both have a line, but the first line ends the game");
    check_refused(
        "2,7,3",
        "XXX.XXX/OO.OO.O O",
        "the lines of X share no square, so play went on after the first of them",
    );
    check_refused("notakto", "XO./.../... 1", "there is an O, but both players write X");
    check_refused("notakto", "X../.../... 1", "after 1 moves it is player 2's turn");
    check_refused("classic", "X../.../...", "expected the side to move, X or O at column 12, found the end");
    check_refused("classic", "X.X./.../... O", "expected '/' after a row of 3 at column 4, found '.'");
    check_refused("classic", "X./.../... O", "expected X, O or a full stop at column 3, found '/'");
    check_refused(
        "classic",
        ".../.../...X",
        "expected a space and the side to move after the last row at column 12, found 'X'",
    );
    check_refused("wild", ".../.../... X", "expected the player to move, 1 or 2 at column 13, found 'X'");
    check_refused(
        "classic",
        ".../.../... XO",
        "expected nothing after the side to move at column 14, found 'O'",
    );
}

#[test]
fn several_boards_are_joined_by_plus() {
    let notakto = rules("notakto");
    let boards = Boards::parse("X../.../...+XXX/.../... 1", &notakto).unwrap();
    assert_eq!(boards.rules().to_string(), "notakto boards=2");
    assert!(boards.is_living(0) && !boards.is_living(1));
    assert_eq!(boards.to_string(), "X../.../...+XXX/.../... 1");
    assert_eq!(
        Boards::parse(".../.../...+XXX/.../XXX 1", &notakto).unwrap_err().to_string(),
        "board 2: the lines of X share no square, so play went on after the first of them"
    );
    assert_eq!(
        Boards::parse(".../.../...+O../.../... 2", &notakto).unwrap_err().to_string(),
        "board 2: there is an O, but both players write X"
    );
    assert_eq!(
        Boards::parse(".../.../...+.../.../... 1", &Rules::WILD).unwrap_err().to_string(),
        "several boards can be played only where both players write the same mark (x-only, notakto)"
    );
}

#[test]
fn canonical_forms_are_the_same_for_all_symmetric_positions() {
    let rules = Rules::CLASSIC;
    for position in reachable(rules) {
        for symmetry in tictac::Symmetry::of(&rules) {
            let board = symmetry.image_of_board(rules.grid(), position.board());
            let image = Position::set_up(board, Mark::X, &rules).unwrap();
            assert_eq!(image.canonical(), position.canonical());
            assert_eq!(image.status(), position.status());
        }
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "[XOxo./+12 \u{e9}]{0,40}", which: usize) {
        let variants = variants("3,3,3");
        let rules = variants[which % variants.len()];
        if let Ok(position) = Position::parse(&text, &rules) {
            prop_assert_eq!(Position::parse(&position.to_string(), &rules), Ok(position));
        }
        let _ = Boards::parse(&text, &Rules::NOTAKTO);
    }

    #[test]
    fn random_games_on_all_grids_print_and_parse_back(
        rows in 1usize..=16, columns in 1usize..=16, k in 1usize..=16, variant: usize,
        choices in proptest::collection::vec(any::<u32>(), 0..64),
    ) {
        prop_assume!(rows * columns <= 64 && k <= rows.max(columns));
        let variants = variants(&format!("{rows},{columns},{k}"));
        let rules = variants[variant % variants.len()];
        let mut position = Position::start(&rules).unwrap();
        for choice in choices {
            let moves: Vec<_> = position.moves().collect();
            let Some(&mv) = moves.get(choice as usize % moves.len().max(1)) else { break };
            prop_assert_eq!(rules.parse_move(&mv.display(&rules).to_string()), Ok(mv));
            position.play(mv).unwrap();
        }
        let read = Position::parse(&position.to_string(), &rules);
        prop_assert_eq!(&read, &Ok(position));
        prop_assert_eq!(read.unwrap().status(), position.status());
    }

    #[test]
    fn sums_of_boards_print_and_parse_back(sets in proptest::collection::vec(0u64..512, 1..6)) {
        let boards: Vec<SquareSet> = sets.into_iter().map(SquareSet::from_bits).collect();
        if let Ok(boards) = Boards::set_up(boards, &Rules::NOTAKTO) {
            prop_assert_eq!(Boards::parse(&boards.to_string(), &Rules::NOTAKTO), Ok(boards));
        }
    }
}
