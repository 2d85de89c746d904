//! Tests of `tictac analyze`.

use crate::tictac;

const RECORD: &str = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";

/// Runs the analysis, which must end with `status`, and returns what it wrote.
#[track_caller]
fn analyze(arguments: &[&str], input: &str, status: i32) -> String {
    let ended = tictac([&["analyze"], arguments].concat()).stdin(input).run();
    assert_eq!(ended.status, Some(status), "{ended:?}");
    ended.stdout
}

#[test]
fn the_first_losing_move_is_named_with_better_moves_and_the_punishment() {
    assert_eq!(
        analyze(&[], RECORD, 0),
        "<stdin>, game 1 (line 1)\n\
         3,3,3: X wins (B1-B2-B3)\n\
         \n\
         move    before     after      verdict   better\n\
         1 X B2  draw       draw       best\n\
         2 O C2  draw       loss in 3  blunder   A1, A3, C1, C3\n\
         3 X C3  win in 3   win in 3   best\n\
         4 O A1  loss in 2  loss in 2  best\n\
         5 X B3  win in 2   win in 2   best\n\
         6 O A3  loss in 1  loss in 1  best\n\
         7 X B1  win in 1   win in 1   best\n\
         \n\
         X: 4 moves, 4 best\n\
         O: 3 moves, 2 best, 1 blunder\n\
         \n\
         2 O C2 is the first losing move: O could have drawn with A1, A3, C1 or C3.\n\
         \n   1   2   3\n\
         A    |   |\n  \
           ---+---+---\n\
         B    | X |\n  \
           ---+---+---\n\
         C    |[O]|\n\
         \n\
         Punished by X A1, O C3, X C1, O A2, X A3.\n"
    );
}

#[test]
fn a_game_without_a_mistake_says_so() {
    let drawn = "1 X B2\n2 O A1\n3 X C3\n4 O A3\n5 X A2\n6 O C2\n7 X B1\n8 O B3\n9 X C1\n";
    let output = analyze(&[], drawn, 0);
    assert!(output.ends_with("\nX: 5 moves, 5 best\nO: 4 moves, 4 best\n\nNo mistakes.\n"), "{output}");
}

#[test]
fn a_win_given_away_for_a_draw_is_a_mistake() {
    // O blunders at move 2, X lets the win slip at move 3.
    let output = analyze(&["--json"], "1 X A1\n2 O A2\n3 X C2\n", 0);
    let object: serde_json::Value = serde_json::from_str(&output).unwrap();
    let verdicts: Vec<&str> =
        object["moves"].as_array().unwrap().iter().map(|mv| mv["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["best", "blunder", "mistake"]);
}

#[test]
fn the_fields_are_the_documented_ones() {
    let output = analyze(&["--json"], &format!("[X \"Ada\"]\n{RECORD}\nnonsense\n"), 1);
    let objects: Vec<serde_json::Value> =
        output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [good, bad] = &objects[..] else { panic!("{output}") };
    assert_eq!((&good["game"], &good["line"], &good["outcome"]), (&1.into(), &1.into(), &"x_won".into()));
    assert_eq!((&good["rules"], &good["tags"]["X"]), (&"3,3,3".into(), &"Ada".into()));
    let expected = serde_json::json!({
        "number": 2, "move": "O C2", "verdict": "blunder", "before": { "value": "draw", "distance": null },
        "after": { "value": "loss", "distance": 6 }, "best": ["O A1", "O A3", "O C1", "O C3"],
        "estimate": null, "reason": "X replies A1, which threatens C3", "missed": [],
        "punished_by": ["X A1", "O C3", "X C1", "O A2", "X A3"]
    });
    assert_eq!(good["moves"][1], expected);
    assert_eq!(good["first_losing_move"]["number"], 2);
    assert_eq!(good["first_losing_move"]["is_surely_first"], true);
    assert_eq!(good["first_losing_move"]["punishment"].as_array().unwrap().len(), 5);
    assert_eq!((&bad["outcome"], &bad["errors"][0]["code"]), (&"bad".into(), &"E0101".into()));
    assert!(bad["moves"].is_null());
}

/// Annotates a record twice: `check` accepts it, and the second time changes nothing.
#[track_caller]
fn check_annotated(arguments: &[&str], record: &str) -> String {
    let once = analyze(&[&["--annotate"], arguments].concat(), record, 0);
    let twice = analyze(&["--annotate"], &once, 0);
    assert_eq!(once, twice);
    let checked = tictac(["check", "--json"]).stdin(&once).succeed();
    let original = tictac([&["check", "--json"], arguments].concat()).stdin(record).succeed();
    let outcomes = |text: &str| -> Vec<String> {
        let fields = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        fields.map(|object| format!("{} {}", object["outcome"], object["moves"])).collect()
    };
    assert_eq!(outcomes(&checked), outcomes(&original));
    once
}

#[test]
fn an_annotated_record_is_accepted_again_and_annotating_twice_changes_nothing() {
    let once = check_annotated(&[], RECORD);
    assert!(once.starts_with(
        "1 X B2 # [tictac: best, draw]\n2 O C2 # Oops... [tictac: blunder, draw to loss in 3; "
    ));
    let archive =
        "[X \"A \\\"b\\\" \\\\c\"]\n[Rules \"misere\"]\n1 X B2 # see [tictac: x] there\n\n1 O A1\n2 X C1\n";
    let once = check_annotated(&[], archive);
    assert!(once.starts_with(
        "[X \"A \\\"b\\\" \\\\c\"]\n[Rules \"misere\"]\n1 X B2 # see [tictac: x] there [tictac: "
    ));
}

#[test]
fn an_annotated_record_names_its_rules() {
    for rules in ["3,3,3 wild", "notakto", "3,3,3 misere", "2,3,2", "4,3,3"] {
        let record = if rules == "2,3,2" { "1 X B2\n" } else { "1 X B2\n2 X A1\n" };
        let record = if matches!(rules, "3,3,3 misere" | "4,3,3") { "1 X B2\n2 O A1\n" } else { record };
        let once = check_annotated(&["--rules", rules], record);
        assert!(once.starts_with("[Rules \""), "{once}");
    }
    let boards = "[Rules \"notakto boards=2\"]\n1 X 1.B2\n2 X 2.A1\n3 X 2.A2\n";
    check_annotated(&[], boards);
}

#[test]
fn a_value_not_proven_in_time_is_unknown() {
    let record = "[Rules \"8,8,5\"]\n1 X D4\n2 O A1\n";
    let output = analyze(&["--think", "0s"], record, 0);
    assert!(output.contains("\nX: 1 move, 1 unknown\nO: 1 move, 1 unknown\n"), "{output}");
    assert!(output.contains("not proven in time"), "{output}");
    let boards = "[Rules \"5,5,3 x-only boards=100000\"]\n1 X 1.B2\n";
    assert!(analyze(&[], boards, 0).contains("unknown    unknown    unknown"), "{boards}");
}

#[test]
fn a_bad_game_is_reported_as_by_check_and_does_not_affect_others() {
    let ended = tictac(["analyze"]).stdin(format!("1 X A1\n2 O A1\n\n{RECORD}")).run();
    assert_eq!(ended.status, Some(1));
    assert!(ended.stderr.starts_with("<stdin>:2:5: error[E0207]: A1 is already taken"), "{}", ended.stderr);
    assert!(ended.stdout.starts_with("<stdin>, game 2 (line 4)\n"), "{}", ended.stdout);
    tictac(["analyze", "none.ttt"]).fail(2);
}

#[test]
fn output_without_a_terminal_has_no_colour_unless_requested() {
    assert!(analyze(&["--color", "always"], RECORD, 0).contains("\x1b["));
    assert!(!analyze(&[], RECORD, 0).contains('\x1b'));
}

#[test]
fn boards_too_large_to_rate_do_not_ask_for_more_time() {
    let output = tictac(["analyze"]).stdin("[Rules \"4,4,4 x-only misere boards=2\"]\n1 X 1.A1\n").succeed();
    assert!(output.contains("too large to rate moves on."), "{output}");
    assert!(!output.contains("--think"), "{output}");
}

#[test]
fn an_empty_file_is_a_game_without_moves() {
    assert_eq!(analyze(&[], "", 0), "<stdin>, game 1 (line 1)\n3,3,3: X to move\nno moves to rate\n");
}

#[test]
fn a_summary_counts_both_sides_and_names_the_worst_games() {
    let output = analyze(&["--summary"], &format!("{RECORD}\n1 X A1\n2 O A2\n3 X C2\n"), 0);
    assert_eq!(
        output,
        "2 games, 0 without a mistake\n\n\
         player  accuracy  moves  mistakes  blunders  probable  unknown\n\
         first        83%      6         1         0         0        0\n\
         second       50%      4         0         2         0        0\n\n\
         Games with the most mistakes:\n  2  <stdin>:9\n  1  <stdin>:1\n"
    );
}

/// X makes an open three, O plays elsewhere, and X wins.
#[test]
fn the_losing_move_on_a_large_board_is_named_as_an_estimate() {
    let record =
        "[Rules \"8,8,5\"]\n1 X D4\n2 O A1\n3 X D5\n4 O A8\n5 X D3\n6 O H1\n7 X D6\n8 O D2\n9 X D7\n";
    let output = analyze(&["--think", "1s"], record, 0);
    let row = output.lines().find(|line| line.starts_with("6 O H1")).unwrap();
    assert!(row.contains("loss in 2") && row.contains("blunder?"), "{output}");
    assert!(output.contains("\n6 O H1 loses in 2 moves"), "{output}");
    assert!(output.contains("(not proven)") && output.contains("\nPunished by X "), "{output}");
}
