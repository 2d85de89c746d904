//! Running a program once, without the examiner's help.

use std::ffi::OsStr;
use std::io::{self, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// What came back from a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Standard output, up to [`MAX_BYTES`].
    pub stdout: Vec<u8>,
    /// How it ended.
    pub ending: Ending,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
    /// It was killed after a while, or after a flood of output.
    Killed,
}

/// More output than this is a flood.
pub const MAX_BYTES: usize = 1 << 18;

/// Runs a program on an input; after `patience` it is killed.
///
/// # Errors
///
/// Returns why it could not be started.
pub fn answer<S: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = S>,
    input: &[u8],
    patience: Duration,
) -> io::Result<Answer> {
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
    // A program may end before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut said = Vec::new();
        let _ = stdout.take(MAX_BYTES as u64).read_to_end(&mut said);
        let _ = sender.send(said);
    });
    let said = receiver.recv_timeout(patience);
    let is_wanted = said.as_ref().is_ok_and(|said| said.len() < MAX_BYTES);
    let ending = if is_wanted { wait(&mut child, patience.saturating_sub(started.elapsed()))? } else { None };
    let ending = match ending {
        Some(ending) => ending,
        None => {
            child.kill()?;
            child.wait()?;
            Ending::Killed
        }
    };
    reader.join().expect("the reader does not panic");
    writer.join().expect("the writer does not panic");
    // What a killed program has said by then is chance.
    let stdout = if ending == Ending::Killed { Vec::new() } else { said.unwrap_or_default() };
    Ok(Answer { stdout, ending })
}

/// Waits for a child whose output has ended.
fn wait(child: &mut Child, patience: Duration) -> io::Result<Option<Ending>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            let signal = status.signal().map(Ending::Signal);
            return Ok(status.code().map(Ending::Status).or(signal));
        }
        if started.elapsed() > patience {
            return Ok(None);
        }
        thread::sleep(Duration::from_micros(200));
    }
}
