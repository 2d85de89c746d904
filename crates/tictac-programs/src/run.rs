//! Running a dialogue: on a buffer, on streams, and as a process.

use std::io::{self, ErrorKind, Read, Write};
use std::process::ExitCode;

use crate::dialogue::{Dialogue, ProgramExit, Progress};
use crate::platform::as_file;

/// The complete output of a program for a given input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// Everything written to standard output.
    pub stdout: Vec<u8>,
    /// The exit status and the message on standard error.
    pub exit: ProgramExit,
}

/// Runs a dialogue on `input` and returns its output.
pub fn run_on_bytes(dialogue: impl Dialogue, input: &[u8]) -> Transcript {
    let mut stdout = Vec::new();
    match run_on_streams(dialogue, input, &mut stdout) {
        Ok(RunResult::Finished(exit)) => Transcript { stdout, exit },
        Ok(RunResult::PipeClosed) | Err(_) => unreachable!("reading a slice and writing to a vector succeed"),
    }
}

/// The buffered output that is written out at the latest, even if no input is needed yet.
const WRITE_SIZE: usize = 64 * 1024;

/// The result of running a dialogue on streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunResult {
    /// The dialogue ended by itself, whether or not its last output could be written.
    Finished(ProgramExit),
    /// The reader of the output closed the pipe before the dialogue ended.
    PipeClosed,
}

/// Runs a dialogue on real streams.
///
/// All output is written and flushed before more input is read, and memory stays constant.
///
/// # Errors
///
/// Returns the error of a failed read or write. A closed output pipe is not an error.
pub fn run_on_streams(
    mut dialogue: impl Dialogue,
    mut input: impl Read,
    mut output: impl Write,
) -> io::Result<RunResult> {
    let mut buffer = [0; 8192];
    let mut unread = 0..0;
    let mut out = Vec::new();
    let mut progress = dialogue.start(&mut out);
    loop {
        let must_write = match progress {
            Progress::NeedsInput => unread.is_empty(),
            Progress::HasMoreOutput => false,
            Progress::Done(_) => true,
        };
        if must_write || out.len() >= WRITE_SIZE {
            match output.write_all(&out).and_then(|()| output.flush()) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error),
                Err(_) if !matches!(progress, Progress::Done(_)) => return Ok(RunResult::PipeClosed),
                Ok(()) | Err(_) => out.clear(),
            }
        }
        progress = match progress {
            Progress::Done(exit) => return Ok(RunResult::Finished(exit)),
            Progress::HasMoreOutput => dialogue.resume(&mut out),
            Progress::NeedsInput => match unread.next() {
                Some(at) => dialogue.push(buffer[at], &mut out),
                None => match read(&mut input, &mut buffer)? {
                    0 => Progress::Done(dialogue.finish(&mut out)),
                    n_read => {
                        unread = 0..n_read;
                        Progress::NeedsInput
                    }
                },
            },
        };
    }
}

fn read(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// The exit status after a failed read or write, and of the checkers after a usage error. No assignment uses it.
pub(crate) const FAILURE_STATUS: u8 = 64;

/// Runs a dialogue on the streams of this process and returns its exit status.
pub fn run(program: &str, dialogue: impl Dialogue) -> ExitCode {
    let result = as_file(&io::stdin())
        .and_then(|input| as_file(&io::stdout()).and_then(|output| run_on_streams(dialogue, input, output)));
    ExitCode::from(report_exit(program, result, io::stderr()))
}

/// Writes the message of a run to `stderr`, if there is one, and returns the exit status.
///
/// A program that reached its end keeps its status even if its last output could not be written. A program whose output
/// was closed before its end has status 0.
pub fn report_exit(program: &str, result: io::Result<RunResult>, mut stderr: impl Write) -> u8 {
    let exit = match result {
        Ok(RunResult::Finished(exit)) => exit,
        Ok(RunResult::PipeClosed) => ProgramExit::silent(0),
        Err(error) => ProgramExit::with_message(FAILURE_STATUS, error.to_string()),
    };
    if let Some(message) = exit.message {
        // A failure to write to standard error cannot be reported anywhere.
        let _ = writeln!(stderr, "{program}: {message}");
    }
    exit.status
}
