//! A program as a process: the real streams, and the exit status.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;

use crate::dialogue::{Dialogue, Ending};
use crate::stage::{Performed, perform};

/// The exit status where a stream breaks, and of the checkers where the usage is wrong: no assignment uses it.
pub(crate) const COULD_NOT_TELL: u8 = 64;

/// Performs a dialogue on the streams of this process, and returns its exit status.
pub fn run(program: &str, dialogue: impl Dialogue) -> ExitCode {
    let performed = unveiled(&io::stdin())
        .and_then(|input| unveiled(&io::stdout()).and_then(|output| perform(dialogue, input, output)));
    ExitCode::from(conclude(program, performed, io::stderr()))
}

/// Says on `stderr` what there is to complain about, and returns the exit status.
///
/// A program that had come to its ending keeps that status, also when nobody heard its last words; one that was cut off
/// in the middle has nothing to report, and ends with 0.
pub fn conclude(program: &str, performed: io::Result<Performed>, mut stderr: impl Write) -> u8 {
    let ending = match performed {
        Ok(Performed::Ended(ending)) => ending,
        Ok(Performed::CutOff) => Ending::silent(0),
        Err(error) => Ending::complaining(COULD_NOT_TELL, error.to_string()),
    };
    if let Some(complaint) = ending.complaint {
        // If even this fails, there is nobody left to tell.
        let _ = writeln!(stderr, "{program}: {complaint}");
    }
    ending.status
}

/// Returns a stream of the process as a file. The streams of std would pass one that is open the wrong way round off as
/// empty input, or as output that always succeeds.
fn unveiled(stream: &impl AsFd) -> io::Result<File> {
    Ok(File::from(stream.as_fd().try_clone_to_owned()?))
}
