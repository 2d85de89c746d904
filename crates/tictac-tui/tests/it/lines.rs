//! Line mode, compared with transcripts.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tictac::{Rules, State};
use tictac_solver::level::Level;
use tictac_tui::{
    GameCount, GameSession, KeptGame, LESSONS, LinePrompt, PlayFolder, PlayOptions, PlaySettings, Seat,
    Start, Theme, play_in_lines,
};

use crate::driver::result_text;

fn options(start: Start) -> PlayOptions {
    PlayOptions {
        start,
        adapts: false,
        time_limit: Duration::from_secs(5),
        clock: None,
        min_move_time: Duration::ZERO,
        theme: Theme::FULL,
        has_motion: false,
        seed: 7,
        settings: PlaySettings::default(),
        kept_game: None,
        folder: None,
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
    check(&friends, "A1\nA2\nhint\n", "B1 threatens C1 and wins in 3 moves.\n");
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
fn words_are_commands_and_everything_else_is_a_square() {
    let friends = game("3,3,3", FRIENDS);
    let intro = output(&friends, "");
    assert_eq!(output(&friends, "\t\n"), intro, "an empty line does nothing");
    check(&friends, "  UNDO \n", "There are no more moves.\n");
    check(&friends, "new  4,4,3 misere\n", "4,4,3 misere: 3 in a row loses.\n");
    check(&friends, "open my game.ttt\n", "Cannot read my game.ttt: no such file.\n");
    let help = output(&friends, "help\n");
    let words = "board moves hint values undo redo back forward start end new first second swap resign stop save \
                 replace open learn next again why review resume help quit";
    for command in words.split_whitespace().chain(["play on", "go on"]) {
        assert!(help.contains(command.split_whitespace().next().unwrap()), "{command}");
        let reply = output(&friends, &format!("{command}\n")).split_off(intro.len());
        assert!(!reply.contains("Type a square such as B2, or help."), "{command}: {reply}");
    }
    for short in ["v", "h", "u", "[", "]", "n", "w", "s", "?"] {
        let reply = output(&friends, &format!("{short}\n")).split_off(intro.len());
        assert!(!reply.is_empty() && !reply.contains("such as B2, or help."), "{short}: {reply}");
    }
    for quit in ["q", "EXIT", "quit now"] {
        assert_eq!(output(&friends, &format!("{quit}\nA1\n")), intro, "{quit}");
    }
    for other in ["play", "go", "fly on"] {
        check(&friends, &format!("{other}\n"), "Type a square such as B2, or help.\n");
    }
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
    let play_folder = Some(PlayFolder::new(folder.join("tictac")));
    let learn = PlayOptions { folder: play_folder, ..options(Start::Learn) };
    let output = output(&learn, "learn 1\nC3\nhint\nA3\nC1\nB3\nnext\n");
    assert!(output.starts_with("1. Tic-tac-toe: Finish.\n"), "{output}");
    assert!(
        output.contains("Not quite. C3: it loses in 1 move, but another move wins. Try again.\n"),
        "{output}"
    );
    assert!(output.contains("Correct! A3 completes A1-A2-A3: it wins at once.\n"), "{output}");
    assert!(output.contains("Lesson 1, Tic-tac-toe: Finish (2 of 3).\n"), "{output}");
    assert!(output.contains(LESSONS[0].hint), "{output}");
    assert!(output.contains("Lesson 2, Tic-tac-toe: Block (1 of 3).\n"), "{output}");
    let remembered = fs::read_to_string(folder.join("tictac/play.conf")).unwrap();
    assert!(
        remembered.contains("learned = [\"finish\"]\n")
            && remembered.contains("\n[repeat.finish]\nstage = 0\nday = "),
        "{remembered}"
    );
}

#[test]
fn the_review_names_the_mistakes_of_the_person_and_the_better_moves() {
    let seats = [Seat::Computer(Level::Perfect), Seat::Person];
    let state = State::parse("X../.../... O", &Rules::CLASSIC).unwrap();
    let lost = options(Start::Game { state, seats });
    check(
        &lost,
        "A2\nreview\n",
        "Move 2, A2: blunder, it loses in 3 moves: X replies B1, which threatens C1. Better: B2",
    );
    check(&lost, "B2\nreview\n", "No mistakes in 1 move: no other move had a better result.\n");
    check(
        &game("3,3,3", FRIENDS),
        "A1\nA2\nwhy\n",
        "A2: blunder, it loses in 3 moves: X replies B1, which threatens C1. Better: B2",
    );
    check(&game("3,3,3", FRIENDS), "why\n", "There are no moves yet.\n");
}

#[test]
fn an_unfinished_game_is_kept_and_offered_again_unless_a_script_plays() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lines-kept");
    let _ = fs::remove_dir_all(&path);
    let folder = PlayFolder::new(&path);
    let play = |prompt, input: &str| {
        let options = PlayOptions {
            kept_game: folder.kept_game(),
            folder: Some(folder.clone()),
            ..game("3,3,3", [Seat::Person, Seat::Computer(Level::Perfect)])
        };
        let mut out = Vec::new();
        play_in_lines(&options, prompt, &mut input.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    play(LinePrompt::Hidden, "A1\n");
    assert!(folder.kept_game().is_none());
    play(LinePrompt::Shown, "A1\n");
    let again = play(LinePrompt::Shown, "resume\nmoves\n");
    let offer =
        "Unfinished game: Tic-tac-toe, you against computer (perfect), 2 moves. Type resume to continue it.";
    assert!(again.contains(offer) && again.contains("1 X A1\n2 O B2\n"), "{again}");
    let end = play(LinePrompt::Shown, "resume\nresign\n");
    assert!(end.contains("You resigned: the computer wins.\n"), "{end}");
    assert!(folder.kept_game().is_none());
    let results: Vec<String> = folder.history().games().iter().map(result_text).collect();
    assert_eq!(results, ["lost perfect first 2 alone 3,3,3"]);
}

#[test]
fn a_game_with_a_level_that_adapts_is_kept_as_such() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lines-adaptive");
    let _ = fs::remove_dir_all(&path);
    let folder = PlayFolder::new(&path);
    let play = |input: &str| {
        let kept_game = folder.kept_game();
        let seats = [Seat::Person, Seat::Computer(Level::Perfect)];
        let options = PlayOptions { kept_game, folder: Some(folder.clone()), ..game("3,3,3", seats) };
        play_in_lines(&options, LinePrompt::Shown, &mut input.as_bytes(), &mut Vec::new()).unwrap();
        folder.kept_game().unwrap()
    };
    assert!(!play("B2\n").adapts);
    let text = fs::read_to_string(path.join("game.conf")).unwrap();
    fs::write(path.join("game.conf"), text.replace("adapts = false", "adapts = true")).unwrap();
    let resumed = play("resume\nA2\n");
    assert!(resumed.adapts && resumed.session.game().moves().len() > 2);
    // Another game does not adapt.
    assert!(!play("resume\nnew\nA1\n").adapts);
}

#[test]
fn a_game_on_offer_is_kept_until_a_person_has_moved_in_another() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lines-offer");
    let _ = fs::remove_dir_all(&path);
    let folder = PlayFolder::new(&path);
    let play = |seats, input: &str| {
        let kept_game = folder.kept_game();
        let options = PlayOptions { kept_game, folder: Some(folder.clone()), ..game("3,3,3", seats) };
        play_in_lines(&options, LinePrompt::Shown, &mut input.as_bytes(), &mut Vec::new()).unwrap();
        fs::read_to_string(path.join("game.conf")).unwrap()
    };
    let old = play(FRIENDS, "A1\nB1\n");
    let computer_first = [Seat::Computer(Level::Perfect), Seat::Person];
    assert_eq!(play(computer_first, "quit\n"), old);
    assert_ne!(play(computer_first, "A2\nB1\n"), old);
}

/// Plays in an empty folder, one run per input, and returns the results without their times.
fn results(name: &str, options: &PlayOptions, inputs: &[&str]) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    let folder = PlayFolder::new(&path);
    for input in inputs {
        let kept_game = folder.kept_game();
        let options = PlayOptions { kept_game, folder: Some(folder.clone()), ..options.clone() };
        play_in_lines(&options, LinePrompt::Shown, &mut input.as_bytes(), &mut Vec::new()).unwrap();
    }
    let history = folder.history();
    history.games().iter().map(result_text).collect()
}

#[test]
fn a_game_counts_once_with_its_own_help() {
    let short = game("1,3,1", [Seat::Person, Seat::Computer(Level::Club)]);
    let (alone, helped) = ("won club first 1 alone 1,3,1", "won club first 1 helped 1,3,1");
    for (input, expected) in [
        ("A1\nback\nforward\nback\nforward\n", vec![alone]),
        ("hint\nA1\n", vec![helped]),
        ("hint\nnew\nA1\nnew\nhint\nA1\n", vec![alone, helped]),
        ("A1\nback\nnew\nA1\n", vec![alone, alone]),
        ("A1\nlearn 1\nnew 1,3,1\n", vec![alone]),
        ("hint\nnew nonsense\nA1\n", vec![helped]),
    ] {
        assert_eq!(results("lines-once", &short, &[input]), expected, "{input:?}");
    }
}

#[test]
fn taking_moves_back_and_changing_the_players_is_help_once_the_game_has_begun() {
    let perfect = game("3,3,3", [Seat::Person, Seat::Computer(Level::Perfect)]);
    for word in ["back", "[", "start", "undo", "swap", "second club"] {
        let during = results("lines-help", &perfect, &[&format!("A1\n{word}\nresign\n")]);
        assert!(matches!(&during[..], [game] if game.contains(" helped ")), "{word}: {during:?}");
        let before = results("lines-help", &perfect, &[&format!("{word}\nA1\nresign\n")]);
        assert!(matches!(&before[..], [game] if game.contains(" alone ")), "{word}: {before:?}");
    }
}

#[test]
fn a_kept_game_remembers_its_help_and_whether_it_was_counted() {
    let perfect = game("3,3,3", [Seat::Person, Seat::Computer(Level::Perfect)]);
    let helped = results("lines-kept-help", &perfect, &["A1\nhint\n", "resume\nresign\n"]);
    assert_eq!(helped, ["lost perfect first 2 helped 3,3,3"]);
    let counted = results("lines-kept-count", &perfect, &["A1\nresign\nback\n", "resume\nresign\n"]);
    assert_eq!(counted, ["lost perfect first 2 alone 3,3,3"]);
}

#[test]
fn the_end_of_a_game_is_told_to_the_player() {
    let beginner = game("1,3,1", [Seat::Person, Seat::Computer(Level::Beginner)]);
    check(&beginner, "A1\n", "You win! X wins (A1).\n");
    let first = game("1,3,1", [Seat::Computer(Level::Perfect), Seat::Person]);
    check(&first, "", "The computer wins. X wins (A");
    check(&game("1,2,2", [Seat::Person, Seat::Computer(Level::Beginner)]), "A1\nstop\n", "A draw");
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

#[test]
fn a_game_that_was_asked_for_starts_without_a_question_about_the_unfinished_one() {
    let kept = KeptGame {
        session: GameSession::new(State::start(&Rules::CLASSIC), FRIENDS, 7),
        count: GameCount::default(),
        adapts: false,
    };
    let asked = PlayOptions { kept_game: Some(kept), ..game("3,3,3", FRIENDS) };
    let app = asked.app();
    assert_eq!(app.dialog, None);
    assert!(app.message.is_some_and(|message| message.starts_with("Your unfinished game is kept")));
    let menu = PlayOptions { start: Start::Menu, ..asked };
    assert!(menu.app().dialog.is_some());
}

#[test]
fn next_after_a_correct_move_starts_the_position_that_follows_it() {
    let learn = options(Start::Learn);
    let text = output(&learn, "learn 1\nA3\nnext\nnext\nnext\n");
    let titles: Vec<&str> = text.lines().filter(|line| line.starts_with("Lesson ")).collect();
    let expected =
        ["Finish (1 of 3)", "Finish (2 of 3)", "Finish (2 of 3)", "Finish (3 of 3)", "Block (1 of 3)"];
    assert_eq!(titles.len(), expected.len(), "{text}");
    assert!(titles.iter().zip(expected).all(|(title, end)| title.contains(end)), "{text}");
}

#[test]
fn a_lesson_that_does_not_exist_is_reported_and_the_last_one_ends_the_course() {
    let learn = options(Start::Learn);
    check(&learn, "learn 99\n", "There is no lesson 99.\n1. ");
    check(&learn, "learn 13\nnext\nnext\n", "That was the last lesson. 13 lessons still to solve. Type new");
}

#[test]
fn the_hints_of_a_lesson_come_one_after_the_other() {
    let text = output(&options(Start::Learn), "learn 1\nhint\nhint\nhint\n");
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(place("Look for two of your own") < place("Play in row A."), "{text}");
    assert!(place("Play in row A.") < place("A3 completes"), "{text}");
}
