//! Tests of the public API as a new user would call it.

use tictac::notation::{Diagram, Picture, Style};
use tictac::{Boards, Game, ImpossiblePosition, Outcome, Player, Position, Rules, State, Status};

#[test]
fn rules_with_several_boards_never_become_one_board() {
    let rules: Rules = "notakto boards=2".parse().unwrap();
    assert_eq!(Position::start(&rules), None);
    let refused = Position::parse(".../.../...", &rules).unwrap_err();
    assert_eq!(refused.to_string(), ImpossiblePosition::SeveralBoards.to_string());
    assert_eq!(State::start(&rules), State::Many(Boards::start(&rules).unwrap()));
    assert_eq!(Game::new(&rules).state().n_boards(), 2);
}

#[test]
fn a_status_reads_as_a_phrase() {
    let shown = [
        Status::ToMove(Player::Second),
        Status::Over(Outcome::Win(Player::First)),
        Status::Over(Outcome::Draw),
    ];
    let shown = shown.map(|status| status.to_string());
    assert_eq!(shown, ["player 2 to move", "player 1 wins", "draw"]);
}

#[track_caller]
fn check_move(position: &str, rules: &str, text: &str, expected: Result<&str, &str>) {
    let rules: Rules = rules.parse().unwrap();
    let state = State::parse(position, &rules).unwrap();
    let read = state.parse_move(text).map(|mv| mv.display(&rules).to_string());
    let read = read.map_err(|error| error.to_string());
    assert_eq!(read.as_deref().map_err(String::as_str), expected, "{rules}: {text}");
}

#[test]
fn a_move_needs_a_mark_only_where_the_player_chooses_it() {
    check_move(".../.../... X", "classic", "b2", Ok("X B2"));
    check_move("X../.../... O", "classic", " B2 ", Ok("O B2"));
    check_move("X../.../... O", "classic", "X B2", Ok("X B2"));
    check_move(".../.../...+.../.../...", "notakto boards=2", "2.B2", Ok("X 2.B2"));
    check_move(".../.../...", "wild", "O B2", Ok("O B2"));
    check_move(".../.../...", "wild", "B2", Err("expected X or O, found 'B'"));
    check_move(".../.../...", "wild", "O", Err("expected a space, found the end of the line"));
    check_move(".../.../... X", "classic", "B4", Err("expected a column number from 1 to 3, found '4'"));
}

#[test]
fn open_squares_are_those_that_may_be_played_now() {
    let open = |position: &str, rules: &str, board: usize| {
        State::parse(position, &rules.parse().unwrap()).unwrap().open_squares(board).len()
    };
    assert_eq!(open("X../.../... O", "classic", 0), 8);
    assert_eq!(open("X../.../... O", "classic", 1), 0);
    assert_eq!(open("XXX/OO./... O", "classic", 0), 0);
    assert_eq!(open("XXX/.../...+X../.../...", "notakto boards=2", 0), 0);
    assert_eq!(open("XXX/.../...+X../.../...", "notakto boards=2", 1), 8);
}

#[test]
fn a_picture_shows_every_mark_in_its_square_and_the_completed_line() {
    let position = Position::parse("XXX/OO./... O", &Rules::CLASSIC).unwrap();
    let picture = Picture::new(&Rules::CLASSIC, [position.board()]).to_string();
    // The centres of the squares are 64 apart, and the first lies half a square after the margin.
    for part in [
        r#"<path class="x" d="M50 50l"#,
        r#"<path class="x" d="M178 50l"#,
        r#"<circle class="o" cx="132" cy="132""#,
        r#"<path class="line" d="M68 68L196 68""#,
        "<title>Tic-tac-toe after 5 moves: X completed A1-A2-A3</title>",
    ] {
        assert!(picture.contains(part), "{part} not in {picture}");
    }
    assert!(!picture.contains(">#1<"), "{picture}");
}

#[test]
fn a_picture_numbers_its_boards_and_does_not_show_a_losing_line_as_a_success() {
    let rules: Rules = "notakto boards=2".parse().unwrap();
    let state = State::parse("X../.../...+XXX/.../... 1", &rules).unwrap();
    let picture = Picture::new(&rules, state.boards()).to_string();
    for part in [
        r#"<path class="lost line" d="M68 68L196 68""#,
        "<title>notakto boards=2 after 4 moves: A1-A2-A3 completed on board 2</title>",
        ">#1</text>",
        ">#2</text>",
        ".lost{stroke:#cf222e}",
    ] {
        assert!(picture.contains(part), "{part} not in {picture}");
    }
}

#[test]
fn a_diagram_has_column_numbers_on_top() {
    let position = Position::parse("XO./.../... X", &Rules::CLASSIC).unwrap();
    let diagram = Diagram::new(Rules::CLASSIC.grid(), position.board(), Style::Plain).to_string();
    assert_eq!(diagram.lines().take(2).collect::<Vec<_>>(), ["   1   2   3", "A  X | O |"]);
}
