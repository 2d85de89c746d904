//! Where a dialogue meets real input and output.

use std::io::{self, ErrorKind, Read, Write};

use crate::dialogue::{Dialogue, Ending, Progress};

/// How much a dialogue may say before it is written out, even if nothing is read yet.
const MOUTHFUL: usize = 64 * 1024;

/// Performs a dialogue on real streams and returns how it ended.
///
/// Everything said is written and flushed before more input is read, and memory stays constant.
///
/// # Errors
///
/// Returns what went wrong with reading or writing. A closed pipe is not an error: it ends the dialogue quietly.
pub fn perform(
    mut dialogue: impl Dialogue,
    mut input: impl Read,
    mut output: impl Write,
) -> io::Result<Ending> {
    let mut heard = [0; 4096];
    let mut unheard = 0..0;
    let mut said = Vec::new();
    let mut progress = dialogue.begin(&mut said);
    loop {
        let must_write = match progress {
            Progress::Listening => unheard.is_empty(),
            Progress::Speaking => false,
            Progress::Done(_) => true,
        };
        if (must_write || said.len() >= MOUTHFUL) && !say(&mut output, &mut said)? {
            return Ok(Ending::silent(0));
        }
        progress = match progress {
            Progress::Done(ending) => return Ok(ending),
            Progress::Speaking => dialogue.go_on(&mut said),
            Progress::Listening => match unheard.next() {
                Some(at) => dialogue.hear(heard[at], &mut said),
                None => match read(&mut input, &mut heard)? {
                    0 => Progress::Done(dialogue.end(&mut said)),
                    n_heard => {
                        unheard = 0..n_heard;
                        Progress::Listening
                    }
                },
            },
        };
    }
}

fn read(input: &mut impl Read, heard: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(heard) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Writes what has been said, and returns whether somebody still listens.
fn say(output: &mut impl Write, said: &mut Vec<u8>) -> io::Result<bool> {
    let written = output.write_all(said).and_then(|()| output.flush());
    said.clear();
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}
