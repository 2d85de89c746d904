//! A game being played, without a screen, a clock or a thread.

use tictac::{Dead, Game, Outcome, Player, Rules, State};
use tictac_solver::Answer;
use tictac_solver::level::{Choice, Level};
use tictac_tui::{GameEnding, GameSession, NextTurn, Seat};

const PERFECT: Seat = Seat::Computer(Level::Perfect);

fn session(rules: &str, seats: [Seat; 2], moves: &str) -> GameSession {
    let rules: Rules = rules.parse().unwrap();
    let mut session = GameSession::new(State::start(&rules), seats, 7);
    for text in moves.split_whitespace() {
        let mv = rules.parse_square(text, session.only_mark().unwrap()).unwrap();
        match session.turn() {
            NextTurn::Computer(..) => {
                session.play_computer_move(Choice { mv, answer: Answer::UNKNOWN, proven: false });
            }
            _ => session.play(mv).unwrap(),
        }
    }
    session
}

fn moves(session: &GameSession) -> String {
    let names: Vec<String> = session.game().moves().iter().map(|&mv| session.move_name(mv)).collect();
    names.join(" ")
}

#[test]
fn undo_takes_back_the_computers_reply_too_and_redo_plays_both_again() {
    let mut session = session("3,3,3", [Seat::Person, PERFECT], "A1 B2 A2 A3");
    assert_eq!(session.undo(), 2);
    assert_eq!((moves(&session).as_str(), session.turn()), ("A1 B2", NextTurn::Person(Player::First)));
    assert_eq!(session.undo(), 2);
    assert_eq!(session.undo(), 0);
    assert_eq!(session.redo(), 2);
    assert_eq!(session.redo(), 2);
    assert_eq!((moves(&session).as_str(), session.redo()), ("A1 B2 A2 A3", 0));
}

#[test]
fn undo_to_the_computers_first_move_pauses_the_computer() {
    let mut session = session("3,3,3", [PERFECT, Seat::Person], "B2");
    assert_eq!(session.undo(), 1);
    assert_eq!(session.turn(), NextTurn::Paused(Player::First, Level::Perfect));
    session.is_paused = false;
    assert_eq!(session.turn(), NextTurn::Computer(Player::First, Level::Perfect));
}

#[test]
fn another_move_discards_undone_moves_and_the_same_move_keeps_them() {
    let mut session = session("3,3,3", [Seat::Person; 2], "A1 B2 C3");
    session.step(-2);
    let rules = session.rules();
    session.play(rules.parse_move("O B2").unwrap()).unwrap();
    assert_eq!(session.undone_moves().len(), 1);
    session.play(rules.parse_move("X A2").unwrap()).unwrap();
    assert_eq!(session.undone_moves().len(), 0);
}

#[test]
fn a_rejected_move_has_a_reason() {
    let rules = Rules::CLASSIC;
    let mut game = session("3,3,3", [Seat::Person, PERFECT], "A1");
    let reason = |game: &mut GameSession, mv| game.play(rules.parse_move(mv).unwrap()).unwrap_err();
    assert_eq!(reason(&mut game, "O B2"), "it is the computer's turn");
    game = session("3,3,3", [Seat::Person; 2], "A1");
    assert_eq!(reason(&mut game, "O A1"), "A1 is already taken");
    game.resign();
    assert_eq!(reason(&mut game, "O B2"), "the game is over");
}

#[test]
fn a_dead_draw_is_announced_once_and_stopped_or_played_on() {
    let mut game = session("3,3,3", [Seat::Person; 2], "A1 B2 C3 A2 C2 C1 A3 B3");
    assert!(matches!(game.turn(), NextTurn::DeadDraw(Dead::TooFewMovesLeft)), "{:?}", game.turn());
    let mut stopped = game.clone();
    stopped.stop();
    assert_eq!(stopped.turn(), NextTurn::Over(GameEnding::Stopped));
    stopped.undo();
    assert_eq!(stopped.turn(), NextTurn::Person(Player::Second));
    game.has_played_on = true;
    assert_eq!(game.turn(), NextTurn::Person(Player::First));
    game.play(Rules::CLASSIC.parse_move("X B1").unwrap()).unwrap();
    assert_eq!(game.turn(), NextTurn::Over(GameEnding::ByRules(Outcome::Draw)));
}

#[test]
fn two_computers_do_not_wait_for_a_person_at_a_dead_draw() {
    let drawn = "A1 B2 C3 A2 C2 C1 A3 B3";
    let asked = session("3,3,3", [PERFECT, Seat::Person], drawn);
    assert!(matches!(asked.turn(), NextTurn::DeadDraw(_)));
    let watched = session("3,3,3", [PERFECT; 2], drawn);
    assert_eq!(watched.turn(), NextTurn::Computer(Player::First, Level::Perfect));
}

#[test]
fn a_dead_draw_is_announced_again_after_going_back() {
    let mut game = session("3,3,3", [Seat::Person; 2], "A1 B2 C3 A2 C2 C1 A3 B3");
    game.has_played_on = true;
    assert_eq!(game.turn(), NextTurn::Person(Player::First));
    game.step(-1);
    assert_eq!(game.turn(), NextTurn::Person(Player::Second));
    game.step(1);
    assert!(matches!(game.turn(), NextTurn::DeadDraw(_)), "{:?}", game.turn());
}

#[test]
fn a_person_cannot_move_for_the_computer_in_a_dead_draw() {
    let mut game = session("3,3,3", [PERFECT, Seat::Person], "A1 B2 C3 A2 C2 C1 A3 B3");
    assert!(matches!(game.turn(), NextTurn::DeadDraw(_)), "{:?}", game.turn());
    let last = Rules::CLASSIC.parse_move("X B1").unwrap();
    assert_eq!(game.play(last).unwrap_err(), "it is the computer's turn");
    assert_eq!(game.game().moves().len(), 8);
    game.has_played_on = true;
    assert_eq!(game.turn(), NextTurn::Computer(Player::First, Level::Perfect));
}

#[test]
fn undo_counts_the_moves_before_the_start_of_a_set_up_game() {
    let rules = Rules::CLASSIC;
    let start = State::parse("X../.../... O", &rules).unwrap();
    let mut game = GameSession::new(start, [Seat::Person, PERFECT], 7);
    let choice =
        |text| Choice { mv: rules.parse_move(text).unwrap(), answer: Answer::UNKNOWN, proven: false };
    game.play_computer_move(choice("O B2"));
    game.play(rules.parse_move("X C3").unwrap()).unwrap();
    game.play_computer_move(choice("O A2"));
    assert_eq!(game.undo(), 2);
    assert_eq!((moves(&game).as_str(), game.turn()), ("B2", NextTurn::Person(Player::First)));
    assert_eq!(game.redo(), 2);
}

#[test]
fn only_the_last_move_is_the_last_computer_move() {
    let mut game = session("3,3,3", [Seat::Person, PERFECT], "A1 B2");
    let last = game.last_computer_move().unwrap();
    assert_eq!((last.player, last.ply), (Player::Second, 1));
    game.undo();
    assert_eq!(game.last_computer_move(), None);
    game.redo();
    assert_eq!(game.last_computer_move(), Some(last));
    game.step(-1);
    game.seats[1] = Seat::Person;
    game.play(Rules::CLASSIC.parse_move("O C3").unwrap()).unwrap();
    assert_eq!(game.last_computer_move(), None, "a person made this move");
}

#[test]
fn after_swapping_sides_the_computer_moves_at_once() {
    let mut game = session("3,3,3", [Seat::Person, PERFECT], "A1 B2");
    game.undo();
    game.swap();
    assert_eq!(game.seats, [PERFECT, Seat::Person]);
    assert_eq!(game.turn(), NextTurn::Computer(Player::First, Level::Perfect));
}

#[test]
fn the_person_to_move_resigns_or_the_only_person() {
    let mut alone = session("3,3,3", [PERFECT, Seat::Person], "");
    assert_eq!(alone.resign(), Some(Player::Second));
    assert_eq!(alone.status_line(), "O resigned: X wins");
    assert_eq!(alone.resign(), None);
    let mut two = session("notakto", [Seat::Person; 2], "B2");
    assert_eq!(two.resign(), Some(Player::Second));
    assert_eq!(two.status_line(), "player 2 resigned: player 1 wins");
    assert_eq!(session("3,3,3", [PERFECT; 2], "").resign(), None);
}

#[test]
fn a_record_is_replayed_step_by_step_and_taken_over_anywhere() {
    let rules = Rules::CLASSIC;
    let mut record = Game::new(&rules);
    for mv in ["X A1", "O B2", "X C3", "O A2"] {
        record.play(rules.parse_move(mv).unwrap()).unwrap();
    }
    let mut session = GameSession::replay(&record, 7);
    assert_eq!((session.step(1), session.step(1), moves(&session).as_str()), (1, 1, "A1 B2"));
    assert_eq!((session.step(isize::MAX), session.step(-3)), (2, 3));
    session.seats[1] = PERFECT;
    assert_eq!(session.turn(), NextTurn::Paused(Player::Second, Level::Perfect));
    session.is_paused = false;
    assert_eq!(session.turn(), NextTurn::Computer(Player::Second, Level::Perfect));
}

#[test]
fn the_seed_of_a_move_depends_on_the_session_and_the_move_number_only() {
    let first = session("3,3,3", [Seat::Person, PERFECT], "A1");
    let mut again = session("3,3,3", [Seat::Person, PERFECT], "B2 A1");
    again.undo();
    again.play(Rules::CLASSIC.parse_move("X A1").unwrap()).unwrap();
    assert_eq!(first.move_seed(), again.move_seed());
    again.restart();
    assert_ne!(session("3,3,3", [Seat::Person, PERFECT], "").move_seed(), again.move_seed());
}
