//! Programs that misbehave: each run ends within its limits and leaves nothing behind.

use std::fs;
use std::io;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tictac_grader::GradeSettings;
use tictac_grader::run::{Channel, LimitChanges, Program, RunExit, RunOutput, Runner};

/// Returns a runner for a shell script.
fn script(text: &str) -> Runner {
    let program = Program::find("/bin/sh".as_ref(), &["-c".into(), text.into()]).unwrap();
    let limits = LimitChanges {
        wall: Some(Duration::from_secs(3)),
        output: Some(64 * 1024),
        memory: Some(32 << 20),
        ..LimitChanges::default()
    };
    Runner::new(program, GradeSettings { limits, ..GradeSettings::default() }).unwrap()
}

fn run(text: &str, input: &[u8]) -> RunOutput {
    script(text).run(&[], input).unwrap()
}

#[track_caller]
fn check_ending(text: &str, expected: RunExit) {
    let start = Instant::now();
    assert_eq!(run(text, b"1 X A1\n").exit, expected, "{text}");
    assert!(start.elapsed() < Duration::from_secs(12), "{text} took {:?}", start.elapsed());
}

#[test]
fn exits_and_signals_are_distinguished() {
    check_ending("exit 7", RunExit::Status(7));
    check_ending("kill -SEGV $$", RunExit::Signal(11));
    assert_eq!(
        RunExit::Signal(11).to_string(),
        "killed by SIGSEGV (segmentation fault, an invalid memory access)"
    );
}

#[test]
fn a_program_that_ignores_sigterm_times_out() {
    check_ending("trap '' TERM; sleep 60", RunExit::TimedOut);
}

#[test]
fn endless_output_is_cut_off() {
    let start = Instant::now();
    let endless = run("yes", b"");
    assert_eq!((endless.exit, endless.stdout.len()), (RunExit::TooMuchOutput, 64 * 1024));
    assert_eq!(run("yes >&2", b"").exit, RunExit::TooMuchOutput);
    assert!(start.elapsed() < Duration::from_secs(12));
}

#[test]
fn unread_input_does_not_block() {
    let long = vec![b'x'; 1_000_000];
    assert_eq!(run("exec <&-; echo done", &long).stdout, b"done\n");
    assert_eq!(run("head -c 1 >/dev/null; echo done", &long).stdout, b"done\n");
}

#[test]
fn output_is_read_while_input_is_written() {
    let long = vec![b'x'; 60_000];
    assert_eq!(run("cat", &long).stdout, long);
}

#[test]
fn children_are_killed_with_their_parent() {
    let before = Instant::now();
    let output = run("sleep 4321 & echo $!; exit 0", b"");
    assert_eq!(output.exit, RunExit::Status(0));
    assert!(
        before.elapsed() < Duration::from_secs(12),
        "the grader waited for a child that holds the output open"
    );
    let child = String::from_utf8(output.stdout).unwrap();
    assert!(is_gone(child.trim()), "process {child} is still running");
}

#[test]
fn many_children_are_killed_with_their_parent() {
    let output = run("i=0; while [ $i -lt 150 ]; do sleep 4321 & echo $!; i=$((i + 1)); done; wait", b"");
    // Unless the user is the superuser, the limit may stop some of them, and the shell exits.
    assert!(matches!(output.exit, RunExit::TimedOut | RunExit::Status(2)), "{:?}", output.exit);
    let children = String::from_utf8(output.stdout).unwrap();
    assert!(children.lines().count() > 30, "{children}");
    assert!(children.lines().all(is_gone), "some of them are still running");
}

/// Returns whether a process is gone. A killed process may remain for a moment as a zombie.
fn is_gone(pid: &str) -> bool {
    let state = || fs::read_to_string(format!("/proc/{pid}/stat")).ok();
    (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        state().is_none_or(|state| state.contains(") Z "))
    })
}

#[test]
fn every_run_has_an_empty_folder_and_leaves_nothing_behind() -> io::Result<()> {
    let mut runner = script("ls -A; mkdir -p deep/er; echo x > deep/er/file; pwd");
    let mut folders: Vec<PathBuf> = Vec::new();
    for _ in 0..2 {
        let text = String::from_utf8(runner.run(&[], b"")?.stdout).unwrap();
        assert_eq!(text.lines().count(), 1, "the folder was not empty: {text}");
        folders.push(text.trim().into());
    }
    drop(runner);
    assert!(folders.iter().all(|folder| !Path::exists(folder)), "{folders:?}");
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn limits_are_enforced() {
    // The limits are set before the input arrives.
    assert_eq!(run("read line; ulimit -n", b"1 X A1\n").stdout, b"64\n");
    // `tail` keeps an endless line in memory.
    let greedy = run("read line; tail -n 1 /dev/zero", b"1 X A1\n");
    assert!(matches!(greedy.exit, RunExit::Status(1..)), "{greedy:?}");
    // The CPU time ends before the wall time.
    assert_eq!(run("read line; while :; do :; done", b"1 X A1\n").exit, RunExit::TimedOut);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_cannot_grow_beyond_its_limit() {
    let program = Program::find(
        "/bin/sh".as_ref(),
        &["-c".into(), "read line; head -c 5000 /dev/zero > file; wc -c < file".into()],
    )
    .unwrap();
    let limits =
        LimitChanges { file: Some(4096), wall: Some(Duration::from_secs(10)), ..LimitChanges::default() };
    let mut runner = Runner::new(program, GradeSettings { limits, ..GradeSettings::default() }).unwrap();
    assert_eq!(runner.run(&[], b"1 X A1\n").unwrap().stdout, b"4096\n");
}

#[test]
fn the_environment_of_the_grader_is_not_passed_on() {
    // Cargo sets this variable for every test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let output =
        run("echo \"$CARGO_MANIFEST_DIR|$LC_ALL|$TERM\"; [ \"$HOME\" = \"$PWD\" ] && echo home", b"");
    assert_eq!(output.stdout, b"|C|dumb\nhome\n");
}

/// Skips without a sound where bubblewrap is missing or not allowed; `--sandbox` refuses to grade there.
#[cfg(target_os = "linux")]
#[test]
fn in_the_sandbox_there_is_no_network_nothing_else_to_write_to_and_no_survivor() {
    let works =
        std::process::Command::new("bwrap").args(["--unshare-all", "--ro-bind", "/", "/", "true"]).status();
    if !works.is_ok_and(|status| status.success()) {
        return;
    }
    let outside = tempfile::tempdir().unwrap();
    // The number is a name for the process that should not survive.
    let survivor = format!("{}", 100_000 + std::process::id());
    let text = format!(
        "echo x > {outside}/file || echo read-only; echo x > file && cat file; \
         grep -c : /proc/net/dev; (setsid sleep {survivor} &) >/dev/null 2>&1; ls /proc | grep -c '^[0-9]'",
        outside = outside.path().display()
    );
    let program = Program::find("/bin/sh".as_ref(), &["-c".into(), text.into()]).unwrap();
    let limits = LimitChanges { wall: Some(Duration::from_secs(10)), ..LimitChanges::default() };
    let settings = GradeSettings { limits, has_sandbox: true, ..GradeSettings::default() };
    let output = Runner::new(program, settings).unwrap().run(&[], b"").unwrap();
    let lines: Vec<&[u8]> = output.stdout.split(|&byte| byte == b'\n').collect();
    // Loopback is the only network device, and processes outside are not seen.
    assert_eq!(lines[..3], [&b"read-only"[..], b"x", b"1"], "{output:?}");
    let n_processes: usize = str::from_utf8(lines[3]).unwrap().parse().unwrap();
    assert!(n_processes < 10, "{output:?}");
    assert!(fs::read_dir(outside.path()).unwrap().next().is_none());
    let command_line = format!("sleep\0{survivor}\0");
    let survives = fs::read_dir("/proc").unwrap().filter_map(Result::ok).any(|process| {
        fs::read(process.path().join("cmdline")).is_ok_and(|line| line == command_line.as_bytes())
    });
    assert!(!survives, "a process has left the sandbox");
}

#[test]
fn a_terminal_passes_on_a_line_without_newline() {
    let program = Program::find("/bin/sh".as_ref(), &["-c".into(), "cat; echo .".into()]).unwrap();
    let limits = LimitChanges { wall: Some(Duration::from_secs(10)), ..LimitChanges::default() };
    let settings = GradeSettings { limits, channel: Channel::Terminal, ..GradeSettings::default() };
    let mut runner = Runner::new(program, settings).unwrap();
    assert_eq!(runner.run(&[], b"1 X A1").unwrap().stdout, b"1 X A1.\n");
    assert_eq!(runner.run(&[], b"1 X A1\n").unwrap().stdout, b"1 X A1\n.\n");
}

#[test]
fn a_program_that_is_still_being_written_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(b"#!/bin/sh\necho ready\n").unwrap();
    file.set_permissions(fs::Permissions::from_mode(0o755)).unwrap();
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        drop(file);
    });
    let program = Program::find(&path, &[]).unwrap();
    let output = Runner::new(program, GradeSettings::default()).unwrap().run(&[], b"").unwrap();
    assert_eq!(output.stdout, b"ready\n");
    writer.join().unwrap();
}
