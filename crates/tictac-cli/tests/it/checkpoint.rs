//! Tests of `tictac solve --checkpoint`, with processes that are killed.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::{folder, tictac};

/// A search of less than a second on an idle machine.
const RULES: &str = "9,5,5";

/// Returns a path in a new folder at which there is no file.
fn new_path(test: &str) -> PathBuf {
    folder(test).join("checkpoint")
}

fn arguments<'a>(more: &[&'a str], path: &'a Path) -> Vec<&'a str> {
    let path = path.to_str().unwrap();
    [&["solve", "--json", "--checkpoint", path, "--checkpoint-every", "10ms"], more].concat()
}

fn start(more: &[&str], path: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tictac"));
    command.args(arguments(more, path)).stdout(Stdio::null()).spawn().unwrap()
}

/// Runs a search to its end and returns its JSON.
fn run(more: &[&str], path: &Path) -> Value {
    serde_json::from_str(&tictac(arguments(more, path)).run().stdout).unwrap()
}

fn fail(more: &[&str], path: &Path) -> String {
    tictac(arguments(more, path)).fail(2)
}

/// Returns the number of nodes of the search that is saved.
fn saved_nodes(path: &Path) -> u64 {
    let Ok(file) = File::open(path) else { return 0 };
    let head = BufReader::new(file).lines().nth(1).unwrap().unwrap();
    serde_json::from_str::<Value>(&head).unwrap()["nodes"].as_u64().unwrap()
}

/// Kills a search as soon as `nodes` nodes are saved, unless it ends before.
fn kill_after(mut child: Child, path: &Path, nodes: u64) {
    while child.try_wait().unwrap().is_none() && saved_nodes(path) < nodes {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_search_continues_and_needs_fewer_nodes_than_a_new_one() {
    for threads in ["1", "2"] {
        let question = ["--weak", "--rules", RULES, "--threads", threads];
        let alone: Value =
            serde_json::from_str(&tictac([&["solve", "--json"], &question[..]].concat()).succeed()).unwrap();
        let whole = alone["nodes"].as_u64().unwrap();
        let path = new_path(&format!("a_killed_search_{threads}"));
        for part in [whole / 8, whole / 3, whole / 2] {
            kill_after(start(&question, &path), &path, part);
        }
        let before = saved_nodes(&path);
        let found = run(&question, &path);
        assert_eq!(found["value"], alone["value"]);
        let nodes = found["nodes"].as_u64().unwrap();
        assert!(nodes < whole, "{threads} threads: {nodes} nodes of {whole} after {before}");
        let all = &found["all_runs"];
        assert_eq!(all["nodes"], before + nodes);
        // A run that was killed before its first save is not counted.
        assert!((2..=4).contains(&all["runs"].as_u64().unwrap()), "{all}");
        // A solved file answers at once, and is kept.
        let again = run(&question, &path);
        assert_eq!((&again["value"], &again["nodes"]), (&alone["value"], &Value::from(0)));
        assert!(!path.with_extension("new").exists());
    }
}

#[test]
fn every_move_is_found_by_a_search_that_is_stopped_again_and_again() {
    let question = ["--rules", "4,4,3", "--threads", "2"];
    let whole: Value =
        serde_json::from_str(&tictac([&["solve", "--json"], &question[..]].concat()).succeed()).unwrap();
    let path = new_path("every_move_is_found");
    let mut found = Value::Null;
    for milliseconds in 1..100 {
        let limit = format!("{}ms", 10 * milliseconds);
        found = run(&[&question[..], &["--limit", &limit]].concat(), &path);
        if found["proven"] == true {
            break;
        }
    }
    assert_eq!((&found["moves"], &found["distance"]), (&whole["moves"], &whole["distance"]));
}

#[test]
fn a_search_that_reaches_its_limit_is_saved() {
    let path = new_path("a_search_that_reaches_its_limit");
    let question = ["--weak", "--rules", "8,8,5", "--limit", "500ms"];
    let first = run(&question, &path);
    let second = run(&question, &path);
    assert_eq!((&first["all_runs"]["runs"], &second["all_runs"]["runs"]), (&Value::from(1), &Value::from(2)));
    let nodes = |found: &Value| found["nodes"].as_u64().unwrap();
    assert_eq!(second["all_runs"]["nodes"], nodes(&first) + nodes(&second));
    assert_eq!(saved_nodes(&path), nodes(&first) + nodes(&second));
    let path = path.to_str().unwrap();
    let text = tictac(["solve", "--weak", "--rules", "8,8,5", "--limit", "1ms", "--checkpoint", path]).run();
    assert!(text.stdout.contains("\ncheckpoint saved after 3 runs with "), "{}", text.stdout);
}

#[test]
fn a_file_of_another_search_or_version_is_refused() {
    let path = new_path("a_file_of_another_search");
    run(&["--weak", "--rules", "4,4,4"], &path);
    let stderr = fail(&["--weak", "--rules", "5,4,4"], &path);
    assert!(
        stderr.contains("is a checkpoint of \"solve --weak --rules '4,4,4' '..../..../..../.... X'\""),
        "{stderr}"
    );
    assert!(stderr.contains("not of \"solve --weak --rules '5,4,4'"), "{stderr}");
    assert!(fail(&["--rules", "4,4,4"], &path).contains("not of \"solve --rules '4,4,4'"));
    assert!(
        fail(&["--weak", "--rules", "4,4,4", "--moves", "X A1"], &path).contains("'X.../..../..../.... O'")
    );
    let saved = fs::read(&path).unwrap();
    let (head, rest) = saved.split_at(100);
    let older = String::from_utf8_lossy(head).replace(env!("CARGO_PKG_VERSION"), "0.0.7");
    fs::write(&path, [older.as_bytes(), rest].concat()).unwrap();
    let stderr = fail(&["--weak", "--rules", "4,4,4"], &path);
    assert!(stderr.contains("is a checkpoint of version 0.0.7 (form 3), and this is version"), "{stderr}");
}

#[test]
fn a_torn_or_changed_file_is_refused() {
    let path = new_path("a_torn_file");
    let question = ["--weak", "--rules", "6,6,4"];
    run(&question, &path);
    let saved = fs::read(&path).unwrap();
    assert!(saved.len() > 10_000, "{}", saved.len());
    for end in [0, 5, 18, 40, 200, saved.len() / 2, saved.len() - 33, saved.len() - 1] {
        fs::write(&path, &saved[..end]).unwrap();
        let stderr = fail(&question, &path);
        assert!(stderr.contains("checkpoint is "), "{end}: {stderr}");
    }
    for place in [0, 30, 300, 600, saved.len() / 2, saved.len() - 40, saved.len() - 1] {
        let mut changed = saved.clone();
        changed[place] ^= 4;
        fs::write(&path, &changed).unwrap();
        let stderr = fail(&question, &path);
        assert!(stderr.contains("checkpoint is "), "{place}: {stderr}");
    }
    fs::write(&path, [&saved[..], b"x"].concat()).unwrap();
    assert!(fail(&question, &path).contains("checkpoint is damaged: its checksum is wrong"));
    fs::write(&path, "a file of mine\n").unwrap();
    assert!(fail(&question, &path).contains("checkpoint is not a checkpoint of tictac solve"));
    assert_eq!(fs::read(&path).unwrap(), b"a file of mine\n");
}

#[test]
fn a_file_that_cannot_be_used_is_reported_before_the_search() {
    let question = ["--weak", "--rules", "8,8,5"];
    let nowhere = Path::new("/nowhere/checkpoint");
    assert_eq!(fail(&question, nowhere), "tictac: cannot write /nowhere/checkpoint: no such file\n");
    let path = new_path("a_file_that_cannot_be_used");
    let mut other = start(&question, &path);
    while !path.exists() {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(fail(&question, &path).contains("checkpoint is in use by another process"));
    other.kill().unwrap();
    other.wait().unwrap();
    let boards = fail(&["--rules", "notakto", "--boards", "2"], &new_path("several_boards"));
    assert!(boards.contains("--checkpoint saves a search of one board"), "{boards}");
}

#[test]
fn a_certificate_is_written_from_a_checkpoint() {
    let path = new_path("a_certificate_is_written_from_a_checkpoint");
    let proof = path.with_extension("cert");
    let question = ["--weak", "--rules", "6,4,4", "--certificate", proof.to_str().unwrap()];
    kill_after(start(&question, &path), &path, 1);
    assert_eq!(run(&question, &path)["value"], "draw");
    assert!(tictac(["verify", proof.to_str().unwrap()]).succeed().starts_with("6,4,4: draw"));
    // From the tables of a search that was over.
    assert_eq!(run(&question, &path)["value"], "draw");
    assert!(tictac(["verify", proof.to_str().unwrap()]).succeed().starts_with("6,4,4: draw"));
}

#[test]
fn an_answer_is_printed_even_if_it_cannot_be_saved() {
    let path = new_path("an_answer_is_printed");
    let question = ["--weak", "--rules", "5,5,4", "--threads", "1"];
    // Files of at most 16 blocks: enough for the beginning of a checkpoint, but not for its tables.
    let limited = "ulimit -f 16; exec \"$0\" \"$@\"";
    let ended = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_tictac")])
        .args(arguments(&question, &path))
        .output()
        .unwrap();
    let [answer, error] = [ended.stdout, ended.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(answer.contains("\"value\":\"draw\""), "{answer}{error}");
    assert!(error.contains("cannot write") && error.contains("too large"), "{error}");
    assert_eq!(ended.status.code(), Some(2));
}

#[test]
fn of_two_processes_that_start_at_once_one_is_refused() {
    let path = new_path("of_two_processes");
    let question = ["--weak", "--rules", "8,8,5", "--threads", "1"];
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tictac"));
        command
            .args(arguments(&question, &path))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut both = [start(), start()];
    let first = loop {
        let ended = both.iter_mut().position(|child| child.try_wait().unwrap().is_some());
        match ended {
            Some(index) => break index,
            None => thread::sleep(Duration::from_millis(20)),
        }
    };
    let [one, other] = both;
    let (refused, mut running) = if first == 0 { (one, other) } else { (other, one) };
    assert!(running.try_wait().unwrap().is_none(), "both have ended");
    running.kill().unwrap();
    running.wait().unwrap();
    let error = String::from_utf8(refused.wait_with_output().unwrap().stderr).unwrap();
    assert!(error.contains("is in use by another process"), "{error}");
}

#[test]
fn no_other_file_is_replaced() {
    let path = new_path("no_other_file_is_replaced");
    let new = path.with_extension("new");
    let question = ["--weak", "--rules", "4,4,4"];
    for certificate in [&path, &new] {
        let question = [&question[..], &["--certificate", certificate.to_str().unwrap()]].concat();
        assert!(fail(&question, &path).contains("give --certificate another name"));
    }
    fs::write(&new, "a file of mine\n").unwrap();
    assert!(fail(&question, &path).contains("checkpoint.new would be replaced"));
    assert_eq!(fs::read(&new).unwrap(), b"a file of mine\n");
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_special_files_refused() {
    let path = new_path("links_are_followed");
    let link = path.with_extension("link");
    let question = ["--weak", "--rules", "4,4,4"];
    std::os::unix::fs::symlink("checkpoint", &link).unwrap();
    for _ in 0..2 {
        assert_eq!(run(&question, &link)["value"], "draw");
        assert!(link.is_symlink() && path.is_file());
    }
    let pipe = path.with_extension("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(fail(&question, &pipe).contains("is not a regular file"));
}
