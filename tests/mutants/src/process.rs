//! Runs a program once, without the runner of the grader. The output of a program that had to be killed is empty.

use std::ffi::OsStr;
use std::io::{self, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tictac_grader::run::{RunExit, RunOutput};

/// A program that prints more than this is killed.
pub const MAX_BYTES: usize = 1 << 18;

/// Runs a program on an input, and kills it at the time limit.
///
/// # Errors
///
/// Returns an error if it cannot be started.
pub fn run<S: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = S>,
    input: &[u8],
    time_limit: Duration,
) -> io::Result<RunOutput> {
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut stdin = child.stdin.take().expect("it is piped");
    let stdout = child.stdout.take().expect("it is piped");
    let input = input.to_vec();
    // A program may exit before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut output = Vec::new();
        let _ = stdout.take(MAX_BYTES as u64).read_to_end(&mut output);
        let _ = sender.send(output);
    });
    let output = receiver.recv_timeout(time_limit);
    let is_complete = output.as_ref().is_ok_and(|output| output.len() < MAX_BYTES);
    let exit =
        if is_complete { wait(&mut child, time_limit.saturating_sub(started.elapsed()))? } else { None };
    let exit = match exit {
        Some(exit) => exit,
        None => {
            child.kill()?;
            child.wait()?;
            RunExit::TimedOut
        }
    };
    reader.join().expect("the reader does not panic");
    writer.join().expect("the writer does not panic");
    // How much a killed program has printed is random.
    let stdout = if exit == RunExit::TimedOut { Vec::new() } else { output.unwrap_or_default() };
    Ok(RunOutput { stdout, stderr: Vec::new(), exit })
}

/// Waits for a child that has closed its output.
fn wait(child: &mut Child, time_limit: Duration) -> io::Result<Option<RunExit>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            let signal = status.signal().map(RunExit::Signal);
            return Ok(status.code().map(RunExit::Status).or(signal));
        }
        if started.elapsed() > time_limit {
            return Ok(None);
        }
        thread::sleep(Duration::from_micros(200));
    }
}
