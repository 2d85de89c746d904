//! Separation and counting of games.

use std::cell::Cell;

use tictac::notation::Record;
use tictac::{Game, Rules, State};
use tictac_archive::{AnnotatedGame, CheckOptions, Ending, Games, check_text, check_text_until};

#[track_caller]
fn check(text: &str, expected: &[(u64, Ending, u64)]) {
    let (reports, totals) = check_text(text.as_bytes(), &CheckOptions::default());
    let found: Vec<(u64, Ending, u64)> =
        reports.iter().map(|report| (report.line, report.ending, report.moves)).collect();
    assert_eq!(found, expected, "{text:?}");
    assert_eq!(totals.games(), expected.len() as u64, "{text:?}");
    for ending in Ending::ALL {
        let n_expected = expected.iter().filter(|&&(_, found, _)| found == ending).count();
        assert_eq!(totals.of(ending), n_expected as u64, "{text:?}, {ending:?}");
    }
}

#[test]
fn an_empty_file_is_one_unfinished_game() {
    for text in ["", "\n", " \t\r\n\n", "  "] {
        check(text, &[(1, Ending::Unfinished, 0)]);
    }
}

#[test]
fn blank_lines_separate_games_and_are_ignored_at_the_ends() {
    let two = [(1, Ending::Unfinished, 1), (3, Ending::Unfinished, 1)];
    check("1 X A1\n\n1 O B2", &two);
    check("1 X A1\r\n\r\n1 O B2\r\n", &two);
    check("1 X A1\n \x0B\x0C\t\n1 O B2\n\n\n", &two);
    check("\n\n1 X A1\n", &[(3, Ending::Unfinished, 1)]);
}

#[test]
fn tags_without_moves_are_an_unfinished_game() {
    let two = |line| [(1, Ending::Unfinished, 0), (line, Ending::Unfinished, 1)];
    check("[X \"Ada\"]\n\n\n1 X A1\n", &two(4));
    check("[X \"Ada\"]\n\n[X \"Bea\"]\n1 X A1\n", &two(3));
    check("[X \"Ada\"]\n\n", &[(1, Ending::Unfinished, 0)]);
}

#[test]
fn one_blank_line_may_follow_the_tags() {
    check("[X \"Ada\"]\n\n1 X A1\n", &[(1, Ending::Unfinished, 1)]);
    check("[X \"Ada\"]\r\n\r\n1 X A1\r\n", &[(1, Ending::Unfinished, 1)]);
    let two = "[X \"Ada\"]\n[O \"Bea\"]\n \n1 X A1\n\n[X \"Ada\"]\n\n1 X A1\n2 O B2\n";
    check(two, &[(1, Ending::Unfinished, 1), (6, Ending::Unfinished, 2)]);
    // By unknown rules the moves cannot be checked, and they are not those of another game.
    check("[Rules \"none\"]\n[X \"Ada\"]\n\n1 X D4\n", &[(1, Ending::Bad, 0)]);
}

#[test]
fn games_are_counted_by_mark_and_not_by_player() {
    check("1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3\n", &[(1, Ending::OWon, 5)]);
    check("[Rules \"misere\"]\n1 O A1\n2 X B1\n3 O A2\n4 X B2\n5 O A3\n", &[(1, Ending::XWon, 5)]);
}

#[test]
fn in_wild_and_x_only_games_the_first_player_counts_as_x() {
    check("[Rules \"wild\"]\n1 O A1\n2 O A2\n3 O A3\n", &[(1, Ending::XWon, 3)]);
    check("[Rules \"notakto\"]\n1 X A1\n2 X A2\n3 X A3\n", &[(1, Ending::OWon, 3)]);
    let boards = "[Rules \"2,2,2 x-only boards=2\"]\n1 X 1.A1\n2 X 1.A2\n3 X 2.A1\n4 X 2.A2\n";
    check(boards, &[(1, Ending::OWon, 4)]);
}

#[test]
fn a_check_of_a_text_can_be_stopped() {
    let options = CheckOptions::default();
    let text = b"1 X A1\n2 O B2\n\n".repeat(200_000);
    assert_eq!(check_text_until(&text, &options, &|| false), Some(check_text(&text, &options)));
    let n_calls = Cell::new(0);
    let stop = || n_calls.replace(n_calls.get() + 1) > 1;
    assert_eq!(check_text_until(&text, &options, &stop), None);
    assert!(n_calls.get() < 6, "stopped after {} calls", n_calls.get());
}

#[test]
fn the_text_of_a_game_is_read_again() {
    let mut rng = fastrand::Rng::with_seed(1);
    for rules in ["3,3,3", "2,5,2", "4,4,3 misere", "wild", "notakto boards=3"] {
        let mut game = Game::new(&rules.parse().unwrap());
        while let Some(mv) = rng.choice(game.state().moves().collect::<Vec<_>>()) {
            game.play(mv).unwrap();
            let text = game.to_string();
            let found: Vec<_> = Games::new(text.as_bytes(), &Rules::CLASSIC).map(Result::unwrap).collect();
            let [found] = &found[..] else { panic!("{text} is one game") };
            let annotated = found.game().expect("a game that was played has no fault");
            assert_eq!(Game::try_from(annotated), Ok(game.clone()), "{text}");
            assert_eq!(AnnotatedGame { tags: Vec::new(), ..annotated.clone() }, AnnotatedGame::from(&game));
            let record = text.strip_prefix(&format!("[Rules \"{}\"]\n", game.rules())).unwrap_or(&text);
            assert_eq!(
                Record::parse(record, game.rules()).and_then(|record| record.game()),
                Ok(game.clone())
            );
        }
    }
    let set_up = Game::from(State::parse("X../.O./... X", &Rules::CLASSIC).unwrap());
    assert_eq!(Game::try_from(&AnnotatedGame::from(&set_up)), Ok(set_up));
}
