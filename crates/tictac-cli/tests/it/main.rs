//! Tests of the `tictac` command, run as users run it.

// Clippy allows `unwrap` in test functions, but does not recognise functions that tests share.
#![allow(clippy::unwrap_used)]

mod analyze;
mod ascii;
mod check;
mod checkpoint;
mod completions;
mod convert;
mod engine;
mod explain;
mod fmt;
mod grade;
mod grade_folder;
mod grade_github;
mod grade_questions;
mod help;
mod man;
mod outputs;
mod perft;
mod play;
#[path = "../../../tictac-server/tests/it/postgres_server.rs"]
mod postgres_server;
mod progress;
mod same_check;
mod serve;
mod show;
mod solve;
mod stats;
mod verify;

use std::ffi::OsStr;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

/// The command with its arguments and input.
struct Tictac {
    command: Command,
    stdin: Vec<u8>,
}

/// The result of a run.
#[derive(Debug)]
struct Ended {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

fn tictac<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Tictac {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tictac"));
    command
        .args(arguments)
        .env_remove("NO_COLOR")
        .env_remove("GITHUB_STEP_SUMMARY")
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    Tictac { command, stdin: Vec::new() }
}

impl Tictac {
    fn stdin(mut self, text: impl AsRef<[u8]>) -> Tictac {
        text.as_ref().clone_into(&mut self.stdin);
        self
    }

    fn run(mut self) -> Ended {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // On a separate thread: a command that writes while it reads must not wait for us.
        let writer = thread::spawn(move || {
            let written = stdin.write_all(&self.stdin);
            // A command may exit before it has read all of its input.
            assert!(written.is_ok() || written.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe));
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ended {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the command, which must succeed without a message, and returns its output.
    #[track_caller]
    fn succeed(self) -> String {
        let ended = self.run();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
        ended.stdout
    }

    /// Runs the command, which must print nothing and exit with `status`, and returns its message.
    #[track_caller]
    fn fail(self, status: i32) -> String {
        let ended = self.run();
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(status), ""), "{ended:?}");
        ended.stderr
    }

    /// Runs the command without a standard output; returns the exit status and the message.
    fn with_closed_stdout(self) -> (Option<i32>, String) {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "exec \"$@\" >&-", "sh"])
            .arg(self.command.get_program())
            .args(self.command.get_args());
        let output = shell.stdin(Stdio::null()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    /// Runs the command with a closed pipe as standard output, which must not be an error.
    #[track_caller]
    fn succeed_with_a_closed_pipe(mut self) {
        let mut child =
            self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    }
}

/// Sends a signal to a process that a test has started.
fn signal(name: &str, id: u32) {
    let status = Command::new("kill").arg(format!("-{name}")).arg(id.to_string()).status().unwrap();
    assert!(status.success());
}

/// A folder for the files of one test, empty at first.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
