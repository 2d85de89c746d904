//! Tests of `tictac solve`.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::tictac;

fn json(arguments: &[&str]) -> Value {
    let stdout = tictac([&["solve", "--json"], arguments].concat()).succeed();
    assert_eq!(stdout.matches('\n').count(), 1, "exactly one object on one line");
    serde_json::from_str(&stdout).unwrap()
}

/// Runs `tictac solve` and returns the lines after the board.
fn lines_after_board(arguments: &[&str]) -> Vec<String> {
    let stdout = tictac([&["solve"], arguments].concat()).succeed();
    let after_board = stdout.split_once("\n\n").unwrap().1;
    after_board.lines().map(str::to_owned).collect()
}

#[track_caller]
fn check_verdict(arguments: &[&str], expected: &str) {
    assert_eq!(lines_after_board(arguments)[0], expected, "{arguments:?}");
}

#[test]
fn the_verdict_is_a_sentence() {
    check_verdict(&[], "X to move: draw");
    check_verdict(&["X.O/.X./... O"], "O to move: draw");
    check_verdict(&["XX./OO./... X"], "X to move: X wins in 1 ply");
    check_verdict(&["X.O/.X./O.. X"], "X to move: X wins in 1 ply");
    check_verdict(&["--moves", "X B2, O A2"], "X to move: X wins in 5 plies");
    check_verdict(&["--moves", "X A1, O B2, X C3, O A2, X B1"], "O to move: O wins in 1 ply");
    check_verdict(&["--rules", "wild"], "player 1 to move: player 1 wins in 7 plies");
    check_verdict(&["--rules", "4,4,3", "--weak"], "X to move: X wins");
    check_verdict(&["XXX/OO./... O"], "X has won");
    check_verdict(&["--rules", "misere", "XXX/OO./... O"], "O has won: the opponent completed a line");
    check_verdict(&["XOX/XOO/OXX O"], "draw: the board is full");
}

#[test]
fn every_move_has_its_value_and_distance_and_best_play_follows() {
    let lines = lines_after_board(&["XO./.X./O.. X"]);
    assert_eq!(lines[2], "move  value  plies");
    assert!(lines.contains(&"X C3  win        1".to_owned()), "{lines:?}");
    assert!(lines.contains(&"X B1  win        3".to_owned()), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "best play: X C3");
}

#[test]
fn json_has_the_documented_fields() {
    let object = json(&["X.O/.X./... O"]);
    assert_eq!(object["rules"], "3,3,3");
    assert_eq!(object["position"], "X.O/.X./... O");
    assert_eq!(object["to_move"], "O");
    assert_eq!(object["value"], "draw");
    assert_eq!(object["distance"], Value::Null);
    assert_eq!(object["proven"], true);
    assert_eq!(object["moves"].as_array().unwrap().len(), 6);
    assert_eq!(object["moves"][0], serde_json::json!({"move": "O A2", "value": "loss", "distance": 2}));
    assert!(object["nodes"].is_u64() && object["seconds"].is_f64());
    assert_eq!(json(&["--rules", "wild"])["to_move"], "first");
    let finished = json(&["XXX/OO./... O"]);
    assert_eq!((&finished["value"], &finished["distance"]), (&Value::from("loss"), &Value::from(0)));
    assert_eq!(finished["moves"], serde_json::json!([]));
}

#[test]
fn weak_answers_have_no_distances_and_no_moves() {
    let object = json(&["--weak", "--rules", "4,3,3"]);
    assert_eq!((&object["value"], &object["distance"]), (&Value::from("win"), &Value::Null));
    assert_eq!(object["moves"], serde_json::json!([]));
}

#[test]
fn several_boards_are_solved_and_explained() {
    let object = json(&["--rules", "notakto", "--boards", "7", "--weak"]);
    assert_eq!((&object["value"], &object["to_move"]), (&Value::from("win"), &Value::from("first")));
    assert_eq!(object["why"], "c · c · c · c · c · c · c = ac²: a win for the player to move");
    let object = json(&[".X./.../...+.../.X./... 1"]);
    assert_eq!(object["value"], "loss");
    assert_eq!(object["why"], "1 · c² = c²: a loss for the player to move");
    assert_eq!(json(&["--boards", "100", "--weak"])["value"], "loss");
    assert_eq!(json(&["--rules", "3,3,3 x-only", "--boards", "2", "--weak"])["value"], "loss");
}

#[test]
fn every_line_is_answered_on_one_line() {
    let input = "X.O/.X./... O\nXX./OO./... X\nnonsense\n\n.../.../... X\nXXX/OO./... O";
    let ended = tictac(["solve", "--all"]).stdin(input).run();
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), 6);
    assert_eq!((lines[0], lines[1], lines[4], lines[5]), ("draw", "win 1", "draw", "loss 0"));
    assert_eq!(lines[2], "error: line 3: expected X, O or a full stop at column 1, found 'n' (E0601)");
    assert!(lines[3].starts_with("error: line 4: "), "{lines:?}");
    assert_eq!(ended.status, Some(1));
    let good =
        tictac(["solve", "--all", "--rules", "notakto"]).stdin("X../.../...+.../.../... 2\n").succeed();
    assert_eq!(good, "win 10\n");
    let objects = tictac(["solve", "--all", "--json"]).stdin("XX./OO./... X\nbad\n").run().stdout;
    let objects: Vec<Value> = objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects[0]["distance"], 1);
    assert_eq!(objects[1]["error"], "line 2: expected X, O or a full stop at column 1, found 'b' (E0601)");
}

#[test]
fn a_million_lines_are_answered_in_seconds() {
    let input = "X.O/.X./... O\n.../.X./... O\n".repeat(50_000);
    let start = Instant::now();
    let stdout = tictac(["solve", "--all"]).stdin(&input).succeed();
    assert_eq!(stdout.lines().count(), 100_000);
    // A hundred times what it takes on a quiet machine.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn at_a_limit_what_is_known_is_printed() {
    let start = Instant::now();
    let ended = tictac(["solve", "--json", "--rules", "8,8,5", "--limit", "700ms", "--memory", "64MB"]).run();
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(10), "{elapsed:?}");
    let object: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((ended.status, &object["proven"]), (Some(2), &Value::from(false)));
    if object["value"].is_null() {
        assert_eq!(object["bounds"].as_array().unwrap().len(), 2);
    }
    assert_eq!(object["distance"], Value::Null);
    let words = tictac(["solve", "--rules", "8,8,5", "--limit", "300ms"]).run();
    assert_eq!(words.status, Some(2));
    assert!(words.stdout.contains("stopped after"), "{}", words.stdout);
}

/// Waits until a process handles SIGINT.
#[cfg(target_os = "linux")]
fn wait_until_it_catches_sigint(process: u32) {
    /// The second lowest bit of the mask stands for signal 2.
    const SIGINT: u64 = 1 << 1;
    let is_caught = || {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() & SIGINT != 0
    };
    while !is_caught() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_prints_what_is_known() {
    let child = Command::new(env!("CARGO_BIN_EXE_tictac"))
        .args(["solve", "--json", "--rules", "8,8,5"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_it_catches_sigint(child.id());
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &object["proven"]), (Some(2), &Value::from(false)));
}

/// Returns the largest amount of memory that a process has used, in bytes, when it has ended.
#[cfg(target_os = "linux")]
fn peak_memory(mut child: std::process::Child) -> u64 {
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        peak = line.map_or(peak, |kilobytes| kilobytes.parse::<u64>().unwrap() * 1024);
        std::thread::sleep(Duration::from_millis(20));
    }
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_within_its_limit() {
    for (rules, more, megabytes) in [
        ("6,6,4 misere", "--weak", 50),
        ("5,5,4 wild misere", "--json", 50),
        ("8,4,4", "--weak", 50),
        ("5,4,4 x-only misere boards=5", "--weak", 80),
    ] {
        let child = Command::new(env!("CARGO_BIN_EXE_tictac"))
            .args(["solve", "--rules", rules, more, "--limit", "2s", "--memory", &format!("{megabytes}MB")])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let peak = peak_memory(child);
        assert!(peak <= megabytes * 1_050_000, "{rules}: {peak} bytes");
    }
}

#[test]
fn memory_that_is_too_little_or_too_much_is_reported() {
    let stderr = tictac(["solve", "--memory", "1MB"]).fail(2);
    assert!(stderr.contains("--memory must be at least 20MB"), "{stderr}");
    let stderr = tictac(["solve", "--json", "--boards", "3", "--memory", "50MB"]).fail(2);
    assert_eq!(stderr, "tictac: --memory must be at least 65MB for several boards\n");
    let ended = tictac(["solve", "--memory", "1000TB", "--json"]).run();
    assert_eq!(ended.status, Some(0));
    let warning = "tictac: warning: --memory 1000000.0 GB is more than this machine has; using ";
    assert!(ended.stderr.starts_with(warning), "{}", ended.stderr);
    assert_eq!(ended.stderr.lines().count(), 1);
}

#[test]
fn wrong_positions_and_moves_are_refused() {
    assert!(tictac(["solve", "XXX/OOO/... X"]).fail(1).contains("both have a line"));
    let stderr = tictac(["solve", "--moves", "X B2, O B2"]).fail(1);
    assert_eq!(stderr, "<move \"O B2\">: error[E0207]: B2 is already taken\n");
    let stderr = tictac(["solve", "--moves", "X B9"]).fail(1);
    assert!(stderr.contains("expected a column number from 1 to 3, found '9'"), "{stderr}");
    assert!(
        tictac(["solve", "--rules", "classic", "--boards", "2"])
            .fail(2)
            .contains("both players write the same mark")
    );
    assert!(tictac(["solve", "--limit", "soon"]).fail(2).contains("--limit"));
    tictac(["solve"]).succeed_with_a_closed_pipe();
}

#[test]
fn an_unproven_position_of_many_gives_status_two() {
    let ended = tictac(["solve", "--all", "--rules", "8,8,5", "--limit", "1ms"])
        .stdin("......../......../......../......../......../......../......../........ X\n")
        .run();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(2), "?\n"), "{ended:?}");
}

#[test]
fn a_certificate_of_several_positions_is_written_and_verified() {
    let path = crate::folder("a_certificate_is_written").join("proof.cert");
    let path = path.to_str().unwrap();
    tictac(["solve", "--weak", "--rules", "4,3,3", "--certificate", path]).succeed();
    assert_eq!(tictac(["verify", path]).succeed(), "4,3,3: win (first player wins: 11 positions)\n");
}

#[test]
fn the_side_to_move_follows_from_the_marks_or_is_asked_for() {
    let given = tictac(["solve", "X.O/.X./... O"]).run().stdout;
    assert_eq!(tictac(["solve", "X.O/.X./..."]).run().stdout, given);
    let ended = tictac(["solve", "X../.../O.."]).run();
    assert!(ended.stderr.contains("add the player to move"), "{ended:?}");
}

#[test]
fn a_record_is_solved_after_its_last_move() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.ttt");
    std::fs::write(&file, "1 X A1\n2 O A3\n3 X B2\n").unwrap();
    let solved = tictac(["solve", file.to_str().unwrap()]).run();
    assert_eq!(solved.stdout, tictac(["solve", "X.O/.X./... O"]).run().stdout);
}
