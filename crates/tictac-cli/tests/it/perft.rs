//! Tests of `tictac perft`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::tictac;

/// Runs `perft` and compares its second column.
#[track_caller]
fn check(arguments: &[&str], expected: &[u64]) {
    let stdout = tictac([&["perft"], arguments].concat()).succeed();
    let mut rows = stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(rows.next().unwrap(), ["depth", "sequences"]);
    let expected: Vec<Vec<String>> =
        (1..).zip(expected).map(|(depth, n)| vec![format!("{depth}"), format!("{n}")]).collect();
    assert_eq!(rows.collect::<Vec<_>>(), expected, "{arguments:?}");
}

#[test]
fn the_whole_of_tic_tac_toe_is_counted_by_default() {
    check(&[], &[9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]);
}

#[test]
fn rules_depth_and_position_can_be_chosen() {
    check(&["--rules", "4,4,4"], &[16, 240, 3360, 43_680, 524_160]);
    check(&["--rules", "wild", "--depth", "2"], &[18, 288]);
    check(&["--depth", "2", "XX./OO./... X"], &[5, 16]);
    check(&["--rules", "notakto boards=2", "-d", "3"], &[18, 306, 4896]);
    check(&["-d", "2", ".../.../...+XXX/.../... 2"], &[9, 72]);
}

#[test]
fn counting_ends_where_the_game_ends() {
    check(&["--depth", "4000000000", "--rules", "1,2,2"], &[2, 2, 0]);
    check(&["XXX/OO./... O"], &[0]);
}

#[test]
fn the_table_is_aligned() {
    let stdout = tictac(["perft", "--depth", "2"]).succeed();
    assert_eq!(stdout, "depth  sequences\n    1          9\n    2         72\n");
}

#[test]
fn the_table_is_wide_enough_if_the_depth_exceeds_the_squares() {
    let mut command = tictac(["perft", "--rules", "12,1,12 wild", "--depth", "13"]).command;
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    // The first rows appear at once; the last would take years.
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let lines: Vec<String> = stdout.lines().take(2).map(Result::unwrap).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let n_sequences = (1..=12_u64).product::<u64>() << 12;
    let width = n_sequences.to_string().len();
    assert_eq!(lines, [format!("depth  {:>width$}", "sequences"), format!("    1  {:>width$}", 24)]);
}

#[test]
fn a_census_counts_positions_and_games_also_up_to_symmetry() {
    assert_eq!(
        tictac(["perft", "--census"]).succeed(),
        "                            all  up to symmetry
positions                  5478             765
  game over                 958
games                    255168           26830
  first player wins      131184
  second player wins      77904
  drawn                   46080
"
    );
}

#[test]
fn an_impossible_census_is_refused_with_the_reason() {
    let memory = tictac(["perft", "--census", "--rules", "8,8,5"]).fail(2);
    assert!(memory.contains("positions in memory at once"), "{memory}");
    let boards = tictac(["perft", "--census", "--rules", "notakto boards=2"]).fail(2);
    assert!(boards.contains("one board"), "{boards}");
    tictac(["perft", "--census", "--depth", "3"]).fail(2);
}

#[test]
fn a_wrong_position_gives_status_one_and_wrong_usage_two() {
    tictac(["perft", "XX./.../... O"]).fail(1);
    tictac(["perft", "--rules", "3,3,3", ".../.../...+.../.../..."]).fail(1);
    tictac(["perft", "--rules", "notakto boards=3", ".../.../...+.../.../..."]).fail(1);
    tictac(["perft", "--depth", "0"]).fail(2);
    tictac(["perft", "--depth", "many"]).fail(2);
}

#[test]
fn a_closed_pipe_ends_a_count_that_would_take_years() {
    tictac(["perft", "--rules", "8,8,5", "--depth", "40"]).succeed_with_a_closed_pipe();
}
