//! Programs that misbehave: each ends in the right verdict within its limit, and leaves nothing behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tictac_grader::run::{Answer, Channel, Ending, Limits, Program, Runner};

/// A shell script as a program.
fn script(text: &str) -> Runner {
    let program = Program { path: "/bin/sh".into(), arguments: vec!["-c".into(), text.into()] };
    let limits =
        Limits { wall: Duration::from_secs(3), output: 64 * 1024, memory: 32 << 20, ..Limits::default() };
    Runner::new(program, limits, Channel::Pipe, None).unwrap()
}

fn answer(text: &str, input: &[u8]) -> Answer {
    script(text).run(&[], input).unwrap()
}

#[track_caller]
fn check_ending(text: &str, expected: Ending) {
    let start = Instant::now();
    assert_eq!(answer(text, b"1 X A1\n").ending, expected, "{text}");
    assert!(start.elapsed() < Duration::from_secs(12), "{text} took {:?}", start.elapsed());
}

#[test]
fn exits_and_signals_are_told_apart() {
    check_ending("exit 7", Ending::Exited(7));
    check_ending("kill -SEGV $$", Ending::Signalled(11));
    assert_eq!(
        Ending::Signalled(11).to_string(),
        "killed by SIGSEGV (segmentation fault: memory that is not the program's own)"
    );
}

#[test]
fn sleeping_and_ignoring_sigterm_is_a_time_out() {
    check_ending("trap '' TERM; sleep 60", Ending::TimedOut);
}

#[test]
fn a_flood_is_cut_off() {
    let start = Instant::now();
    let flooded = answer("yes", b"");
    assert_eq!((flooded.ending, flooded.stdout.len()), (Ending::TooMuchOutput, 64 * 1024));
    assert_eq!(answer("yes >&2", b"").ending, Ending::TooMuchOutput);
    assert!(start.elapsed() < Duration::from_secs(12));
}

#[test]
fn input_that_nobody_reads_blocks_nobody() {
    let long = vec![b'x'; 1_000_000];
    assert_eq!(answer("exec <&-; echo done", &long).stdout, b"done\n");
    assert_eq!(answer("head -c 1 >/dev/null; echo done", &long).stdout, b"done\n");
}

#[test]
fn a_program_that_answers_while_it_reads_is_not_kept_waiting() {
    let long = vec![b'x'; 60_000];
    assert_eq!(answer("cat", &long).stdout, long);
}

#[test]
fn children_are_killed_with_their_parent() {
    let before = Instant::now();
    let answered = answer("sleep 4321 & echo $!; exit 0", b"");
    assert_eq!(answered.ending, Ending::Exited(0));
    assert!(
        before.elapsed() < Duration::from_secs(12),
        "a child that holds the output open is not waited for"
    );
    let child = String::from_utf8(answered.stdout).unwrap();
    assert!(is_gone(child.trim()), "process {child} lives on");
}

#[test]
fn a_crowd_of_children_is_killed_with_their_parent() {
    let crowd = answer("i=0; while [ $i -lt 150 ]; do sleep 4321 & echo $!; i=$((i + 1)); done; wait", b"");
    // Who is not the superuser may be refused some of them, and the shell then ends.
    assert!(matches!(crowd.ending, Ending::TimedOut | Ending::Exited(2)), "{:?}", crowd.ending);
    let children = String::from_utf8(crowd.stdout).unwrap();
    assert!(children.lines().count() > 30, "{children}");
    assert!(children.lines().all(is_gone), "some of them live on");
}

/// A killed process may stay for a moment as one that nobody has asked about.
fn is_gone(pid: &str) -> bool {
    let state = || fs::read_to_string(format!("/proc/{pid}/stat")).ok();
    (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        state().is_none_or(|state| state.contains(") Z "))
    })
}

#[test]
fn every_run_finds_an_empty_folder_and_nothing_is_left_behind() -> io::Result<()> {
    let mut runner = script("ls -A; mkdir -p deep/er; echo x > deep/er/file; pwd");
    let mut folders: Vec<PathBuf> = Vec::new();
    for _ in 0..2 {
        let said = String::from_utf8(runner.run(&[], b"")?.stdout).unwrap();
        assert_eq!(said.lines().count(), 1, "the folder was not empty: {said}");
        folders.push(said.trim().into());
    }
    drop(runner);
    assert!(folders.iter().all(|folder| !Path::exists(folder)), "{folders:?}");
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn limits_bind() {
    // They are there before the input is.
    assert_eq!(answer("read line; ulimit -n", b"1 X A1\n").stdout, b"64\n");
    // It keeps all of an endless line in memory.
    let greedy = answer("read line; tail -n 1 /dev/zero", b"1 X A1\n");
    assert!(matches!(greedy.ending, Ending::Exited(1..)), "{greedy:?}");
    // The limit on CPU time is as hard as it is soft; on a busy machine the wall clock may be first.
    let ending = answer("read line; while :; do :; done", b"1 X A1\n").ending;
    assert!(matches!(ending, Ending::Signalled(9 | 24) | Ending::TimedOut), "{ending:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_cannot_grow_beyond_its_limit() {
    let program = Program {
        path: "/bin/sh".into(),
        arguments: vec!["-c".into(), "read line; head -c 5000 /dev/zero > file; wc -c < file".into()],
    };
    let limits = Limits { file: 4096, wall: Duration::from_secs(10), ..Limits::default() };
    let mut runner = Runner::new(program, limits, Channel::Pipe, None).unwrap();
    assert_eq!(runner.run(&[], b"1 X A1\n").unwrap().stdout, b"4096\n");
}

#[test]
fn the_environment_of_the_grader_is_not_passed_on() {
    // Cargo sets this variable for every test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let said =
        answer("echo \"$CARGO_MANIFEST_DIR|$LC_ALL|$TERM\"; [ \"$HOME\" = \"$PWD\" ] && echo home", b"");
    assert_eq!(said.stdout, b"|C|dumb\nhome\n");
}

#[test]
fn a_terminal_hands_over_a_line_without_newline() {
    let program = Program { path: "/bin/sh".into(), arguments: vec!["-c".into(), "cat; echo .".into()] };
    let limits = Limits { wall: Duration::from_secs(10), ..Limits::default() };
    let mut runner = Runner::new(program, limits, Channel::Terminal, None).unwrap();
    assert_eq!(runner.run(&[], b"1 X A1").unwrap().stdout, b"1 X A1.\n");
    assert_eq!(runner.run(&[], b"1 X A1\n").unwrap().stdout, b"1 X A1\n.\n");
}
