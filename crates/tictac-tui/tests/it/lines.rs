//! Line mode, compared with transcripts.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tictac::level::Level;
use tictac::{Rules, State};
use tictac_tui::{LinePrompt, PlayOptions, PlaySettings, Seat, Start, Theme, play_in_lines};

fn options(start: Start) -> PlayOptions {
    PlayOptions {
        start,
        time_limit: Duration::from_secs(5),
        min_move_time: Duration::ZERO,
        theme: Theme::FULL,
        seed: 7,
        settings: PlaySettings::default(),
        settings_file: None,
    }
}

fn output(options: &PlayOptions, input: &str) -> String {
    let mut out = Vec::new();
    play_in_lines(options, LinePrompt::Hidden, &mut input.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn game(rules: &str, seats: [Seat; 2]) -> PlayOptions {
    options(Start::Game { state: State::start(&rules.parse::<Rules>().unwrap()), seats })
}

const FRIENDS: [Seat; 2] = [Seat::Person; 2];

#[track_caller]
fn check(options: &PlayOptions, input: &str, expected: &str) {
    let output = output(options, input);
    assert!(output.contains(expected), "{input:?}:\n{output}");
}

#[test]
fn a_game_starts_with_the_players_and_never_moves_the_cursor() {
    let perfect = game("3,3,3", [Seat::Person, Seat::Computer(Level::Perfect)]);
    let output = output(&perfect, "A1\nboard\nhint\nvalues\nhelp\nlearn 1\nquit\nA2\n");
    assert!(
        output.starts_with("Tic-tac-toe.\nX is you; O is computer (perfect).\nYour turn (X).\n"),
        "{output}"
    );
    assert!(output.contains("X plays A1.\nO plays B2: best move, a draw with perfect play.\n"), "{output}");
    assert!(output.contains("Row A: X, empty, empty.\nRow B: empty, O, empty.\n"), "{output}");
    assert!(output.chars().all(|c| c == '\n' || !c.is_control()), "{output}");
    assert!(!output.contains("X plays A2"), "nothing is read after quit: {output}");
}

#[test]
fn squares_may_be_typed_in_many_ways_and_mistakes_are_explained() {
    let friends = game("3,3,3", FRIENDS);
    check(&friends, "b2\nO A1\n9\n", "X plays B2.\nO plays A1.\nX plays C3.\n");
    check(&friends, "B2\nB2\n", "B2 is already taken.\n");
    check(&friends, "D1\n", "Expected a row letter from A to C");
    check(&friends, "fly\n", "or help.\n");
    check(&game("wild", FRIENDS), "O B2\nB1\n", "Player 1 plays O B2.\nExpected ");
    check(&game("notakto boards=2", FRIENDS), "2.B2\nB2\n", "Player 1 plays 2.B2.\nExpected ");
}

#[test]
fn line_mode_has_a_word_for_every_command_of_the_screen() {
    let friends = game("3,3,3", FRIENDS);
    check(
        &friends,
        "A1\nundo\nredo\nback\nforward\nmoves\n",
        "1 move taken back.\nX to move.\nMove 1: X A1.\n",
    );
    check(&friends, "values\n", "Draw: A1, A2, A3, B1, B2, B3, C1, C2, C3.\n");
    check(&friends, "A1\nA2\nhint\n", "B1 threatens C1 and wins in 5 plies.\n");
    check(&friends, "A1\nresign\nundo\n", "O resigned: X wins.\n");
    check(&friends, "new notakto boards=3\nboard\n", "Notakto on 3 boards: the last three in a row loses.\n");
    check(&friends, "new 9,9,9\n", "A grid of 9 rows and 9 columns cannot be played");
    check(&friends, "second perfect\nA1\nswap\n", "O plays B2: best move");
    check(&friends, "first genius\n", "There is no level \"genius\"");
    check(&friends, "open nothing.ttt\n", "Cannot read nothing.ttt: no such file.\n");
    check(
        &friends,
        "save\nopen\n",
        "Type a file name, such as save game.ttt.\nType a file name, such as open game.ttt.\n",
    );
}

#[test]
fn a_dead_draw_is_announced_and_stopped_or_played_on() {
    let input = "1\n5\n9\n2\n8\n7\n3\n6\n";
    let friends = game("3,3,3", FRIENDS);
    let dead = "Dead draw: no line can be completed, because every line holds both marks or needs more moves \
                than are left. Type stop or play on.\n";
    check(&friends, input, dead);
    check(&friends, &format!("{input}stop\n"), "Drawn: stopped as a dead draw.\n");
    check(&friends, &format!("{input}play on\n4\n"), "X plays B1.\nDrawn.\n");
}

#[test]
fn lessons_are_graded_by_the_solver_and_remembered() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lines-lessons");
    let settings_file = Some(folder.join("tictac/play.conf"));
    let learn = PlayOptions { settings_file, ..options(Start::Learn) };
    let output = output(&learn, "learn 1\nC3\nA3\nnext\n");
    assert!(output.starts_with("1. Tic-tac-toe: Finish.\n"), "{output}");
    assert!(
        output
            .contains("Not quite. C3 threatens A3: it loses in 2 plies, but another move wins. Try again.\n"),
        "{output}"
    );
    assert!(output.contains("Correct! A3 completes A1-A2-A3: it wins at once.\n"), "{output}");
    assert!(output.contains("Lesson 2, Tic-tac-toe: Block.\n"), "{output}");
    let remembered = fs::read_to_string(folder.join("tictac/play.conf")).unwrap();
    assert!(remembered.contains("learned = finish\n"), "{remembered}");
}

#[test]
fn hostile_input_is_bounded_and_never_echoed_raw() {
    let friends = game("3,3,3", FRIENDS);
    let long = "z".repeat(1_000_000) + "\nA1\n\x1b[2J\x07\n\u{9b}31m\n\0\n";
    let output = output(&friends, &long);
    assert!(output.contains("X plays A1.\n") && output.len() < 10_000, "{}", output.len());
    assert!(output.chars().all(|c| c == '\n' || !c.is_control()));
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let watch = game("4,4,3", [Seat::Computer(Level::Beginner), Seat::Computer(Level::Casual)]);
    let first = output(&watch, "");
    assert_eq!(first, output(&watch, ""));
    assert_ne!(first, output(&PlayOptions { seed: 8, ..watch }, ""));
}

#[test]
fn the_time_limit_bounds_hints_and_values_on_large_boards() {
    let time_limit = Duration::from_millis(200);
    let large = PlayOptions { time_limit, ..game("8,8,5", FRIENDS) };
    let start = Instant::now();
    let output = output(&large, "D4\nE5\nhint\nvalues\n");
    // This took half a minute when every move was searched after its time was over; it should take 0.4 seconds.
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    assert!(!output.contains("\nA1 "), "the first square is not a hint: {output}");
    assert!(output.contains("\nNot known: "), "{output}");
}

#[test]
fn a_hint_is_not_a_loss_while_another_move_may_hold() {
    let rules: Rules = "7,7,5".parse().unwrap();
    let state = State::parse("O....../......./.XXX.../......./......./......./O...... O", &rules).unwrap();
    let threatened =
        PlayOptions { time_limit: Duration::from_secs(1), ..options(Start::Game { state, seats: FRIENDS }) };
    let output = output(&threatened, "hint\n");
    assert!(!output.contains("every move loses"), "{output}");
    assert!(["\nC1 ", "\nC5 ", "\nC6 "].iter().any(|square| output.contains(square)), "{output}");
}

#[test]
fn help_names_every_level() {
    let help = output(&game("3,3,3", [Seat::Person; 2]), "help\nquit\n");
    for level in Level::ALL {
        assert!(help.contains(&level.to_string()), "{level}: {help}");
    }
}
