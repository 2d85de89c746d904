//! A game being played, without screen, clock or thread.

use tictac::level::{Choice, Level};
use tictac::solve::Answer;
use tictac::{Dead, Game, Outcome, Player, Rules, State};
use tictac_tui::{Ending, Refusal, Seat, Session, Turn};

const PERFECT: Seat = Seat::Computer(Level::Perfect);

fn session(rules: &str, seats: [Seat; 2], moves: &str) -> Session {
    let rules: Rules = rules.parse().unwrap();
    let mut session = Session::new(State::start(&rules), seats, 7);
    for text in moves.split_whitespace() {
        let mv = rules.parse_square(text, session.only_mark().unwrap()).unwrap();
        match session.turn() {
            Turn::Computer(..) => {
                session.answer(Choice { mv, answer: Answer::UNKNOWN, proven: false });
            }
            _ => session.play(mv).unwrap(),
        }
    }
    session
}

fn moves(session: &Session) -> String {
    let names: Vec<String> = session.game().moves().iter().map(|&mv| session.name(mv)).collect();
    names.join(" ")
}

#[test]
fn undo_goes_back_over_the_computers_answer_and_redo_makes_both_again() {
    let mut session = session("3,3,3", [Seat::Person, PERFECT], "A1 B2 A2 A3");
    assert_eq!(session.undo(), 2);
    assert_eq!((moves(&session).as_str(), session.turn()), ("A1 B2", Turn::Person(Player::First)));
    assert_eq!(session.undo(), 2);
    assert_eq!(session.undo(), 0);
    assert_eq!(session.redo(), 2);
    assert_eq!(session.redo(), 2);
    assert_eq!((moves(&session).as_str(), session.redo()), ("A1 B2 A2 A3", 0));
}

#[test]
fn where_the_computer_began_undo_reaches_the_start_and_it_waits_to_be_asked() {
    let mut session = session("3,3,3", [PERFECT, Seat::Person], "B2");
    assert_eq!(session.undo(), 1);
    assert_eq!(session.turn(), Turn::Held(Player::First, Level::Perfect));
    session.release();
    assert_eq!(session.turn(), Turn::Computer(Player::First, Level::Perfect));
}

#[test]
fn another_move_leaves_what_was_taken_back_and_the_same_move_does_not() {
    let mut session = session("3,3,3", [Seat::Person; 2], "A1 B2 C3");
    session.step(-2);
    let rules = session.rules();
    session.play(rules.parse_move("O B2").unwrap()).unwrap();
    assert_eq!(session.future().len(), 1);
    session.play(rules.parse_move("X A2").unwrap()).unwrap();
    assert_eq!(session.future().len(), 0);
}

#[test]
fn a_move_is_refused_with_the_reason() {
    let rules = Rules::CLASSIC;
    let mut game = session("3,3,3", [Seat::Person, PERFECT], "A1");
    assert_eq!(game.play(rules.parse_move("O B2").unwrap()), Err(Refusal::NotYourTurn));
    game = session("3,3,3", [Seat::Person; 2], "A1");
    assert_eq!(game.play(rules.parse_move("O A1").unwrap()).unwrap_err().to_string(), "A1 is already taken");
    game.resign();
    assert_eq!(game.play(rules.parse_move("O B2").unwrap()), Err(Refusal::Over));
}

#[test]
fn a_dead_draw_is_announced_once_and_stopped_or_played_on() {
    let mut game = session("3,3,3", [Seat::Person; 2], "A1 B2 C3 A2 C2 C1 A3 B3");
    assert!(matches!(game.turn(), Turn::DeadDraw(Dead::TooFewMovesLeft)), "{:?}", game.turn());
    let mut stopped = game.clone();
    stopped.stop();
    assert_eq!(stopped.turn(), Turn::Over(Ending::Stopped));
    stopped.undo();
    assert_eq!(stopped.turn(), Turn::Person(Player::Second));
    game.play_on();
    assert_eq!(game.turn(), Turn::Person(Player::First));
    game.play(Rules::CLASSIC.parse_move("X B1").unwrap()).unwrap();
    assert_eq!(game.turn(), Turn::Over(Ending::ByRules(Outcome::Draw)));
}

#[test]
fn a_dead_draw_is_announced_again_after_going_back() {
    let mut game = session("3,3,3", [Seat::Person; 2], "A1 B2 C3 A2 C2 C1 A3 B3");
    game.play_on();
    assert_eq!(game.turn(), Turn::Person(Player::First));
    game.step(-1);
    assert_eq!(game.turn(), Turn::Person(Player::Second));
    game.step(1);
    assert!(matches!(game.turn(), Turn::DeadDraw(_)), "{:?}", game.turn());
}

#[test]
fn a_person_cannot_move_for_the_computer_in_a_dead_draw() {
    let mut game = session("3,3,3", [PERFECT, Seat::Person], "A1 B2 C3 A2 C2 C1 A3 B3");
    assert!(matches!(game.turn(), Turn::DeadDraw(_)), "{:?}", game.turn());
    let last = Rules::CLASSIC.parse_move("X B1").unwrap();
    assert_eq!(game.play(last), Err(Refusal::NotYourTurn));
    assert_eq!(game.game().moves().len(), 8);
    game.play_on();
    assert_eq!(game.turn(), Turn::Computer(Player::First, Level::Perfect));
}

#[test]
fn undo_counts_the_moves_before_the_start_of_a_set_up_game() {
    let rules = Rules::CLASSIC;
    let start = State::parse("X../.../... O", &rules).unwrap();
    let mut game = Session::new(start, [Seat::Person, PERFECT], 7);
    let choice =
        |text| Choice { mv: rules.parse_move(text).unwrap(), answer: Answer::UNKNOWN, proven: false };
    game.answer(choice("O B2"));
    game.play(rules.parse_move("X C3").unwrap()).unwrap();
    game.answer(choice("O A2"));
    assert_eq!(game.undo(), 2);
    assert_eq!((moves(&game).as_str(), game.turn()), ("B2", Turn::Person(Player::First)));
    assert_eq!(game.redo(), 2);
}

#[test]
fn a_remark_belongs_to_the_last_move_only() {
    let mut game = session("3,3,3", [Seat::Person, PERFECT], "A1 B2");
    let remark = game.remark().unwrap();
    assert_eq!((remark.player, remark.ply), (Player::Second, 1));
    game.undo();
    assert_eq!(game.remark(), None);
    game.redo();
    assert_eq!(game.remark(), Some(remark));
    game.step(-1);
    game.set_seat(Player::Second, Seat::Person);
    game.play(Rules::CLASSIC.parse_move("O C3").unwrap()).unwrap();
    assert_eq!(game.remark(), None, "a person made this move");
}

#[test]
fn after_swapping_sides_the_computer_moves_at_once() {
    let mut game = session("3,3,3", [Seat::Person, PERFECT], "A1 B2");
    game.undo();
    game.swap();
    assert_eq!(game.seats(), [PERFECT, Seat::Person]);
    assert_eq!(game.turn(), Turn::Computer(Player::First, Level::Perfect));
}

#[test]
fn who_resigns_is_the_person_to_move_or_the_only_one() {
    let mut alone = session("3,3,3", [PERFECT, Seat::Person], "");
    assert_eq!(alone.resign(), Some(Player::Second));
    assert_eq!(alone.standing(), "O resigned: X wins");
    assert_eq!(alone.resign(), None);
    let mut two = session("notakto", [Seat::Person; 2], "B2");
    assert_eq!(two.resign(), Some(Player::Second));
    assert_eq!(two.standing(), "player 2 resigned: player 1 wins");
    assert_eq!(session("3,3,3", [PERFECT; 2], "").resign(), None);
}

#[test]
fn a_record_has_tags_only_where_it_needs_them() {
    let mut plain = session("3,3,3", [Seat::Person; 2], "A1 B2");
    assert_eq!(plain.record().unwrap(), "1 X A1\n2 O B2\n");
    plain.resign();
    let resigned = "[Result \"*\"]\n[Termination \"X resigned\"]\n1 X A1\n2 O B2\n";
    assert_eq!(plain.record().unwrap(), resigned);
    let mut boards = session("notakto boards=2", [Seat::Person; 2], "2.B2");
    boards.resign();
    let expected =
        "[Rules \"notakto boards=2\"]\n[Result \"*\"]\n[Termination \"player 2 resigned\"]\n1 X 2.B2\n";
    assert_eq!(boards.record().unwrap(), expected);
    let set_up = State::parse("X../.../... O", &Rules::CLASSIC).unwrap();
    assert!(Session::new(set_up, [Seat::Person; 2], 7).record().is_err());
}

#[test]
fn a_record_is_replayed_step_by_step_and_taken_over_anywhere() {
    let rules = Rules::CLASSIC;
    let mut record = Game::new(&rules);
    for mv in ["X A1", "O B2", "X C3", "O A2"] {
        record.play(rules.parse_move(mv).unwrap()).unwrap();
    }
    let mut session = Session::replay(&record, 7);
    assert_eq!((session.step(1), session.step(1), moves(&session).as_str()), (1, 1, "A1 B2"));
    assert_eq!((session.go_to(usize::MAX), session.step(-3)), (2, 3));
    session.set_seat(Player::Second, PERFECT);
    assert_eq!(session.turn(), Turn::Held(Player::Second, Level::Perfect));
    session.release();
    assert_eq!(session.turn(), Turn::Computer(Player::Second, Level::Perfect));
}

#[test]
fn chance_depends_on_the_seed_and_the_move_only() {
    let first = session("3,3,3", [Seat::Person, PERFECT], "A1");
    let mut again = session("3,3,3", [Seat::Person, PERFECT], "B2 A1");
    again.undo();
    again.play(Rules::CLASSIC.parse_move("X A1").unwrap()).unwrap();
    assert_eq!(first.chance(), again.chance());
    again.restart();
    assert_ne!(session("3,3,3", [Seat::Person, PERFECT], "").chance(), again.chance());
}
