//! Where a dialogue meets real input and output.

use std::io::{self, ErrorKind, Read, Write};

use crate::dialogue::{Dialogue, Ending, Progress};

/// How much a dialogue may say before it is written out, even if nothing is read yet.
const MOUTHFUL: usize = 64 * 1024;

/// How a performance went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Performed {
    /// The dialogue came to its own ending, whether or not its last words were still listened to.
    Ended(Ending),
    /// The reader of the output went away in the middle.
    CutOff,
}

/// Performs a dialogue on real streams and returns how that went.
///
/// Everything said is written and flushed before more input is read, and memory stays constant.
///
/// # Errors
///
/// Returns what went wrong with reading or writing. A closed pipe is not an error: whoever read us has seen enough.
pub fn perform(
    mut dialogue: impl Dialogue,
    mut input: impl Read,
    mut output: impl Write,
) -> io::Result<Performed> {
    let mut heard = [0; 8192];
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
            return Ok(match progress {
                Progress::Done(ending) => Performed::Ended(ending),
                Progress::Listening | Progress::Speaking => Performed::CutOff,
            });
        }
        progress = match progress {
            Progress::Done(ending) => return Ok(Performed::Ended(ending)),
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

/// Writes what has been said, and returns whether somebody still listens: the one place that knows a closed pipe.
fn say(output: &mut impl Write, said: &mut Vec<u8>) -> io::Result<bool> {
    let written = output.write_all(said).and_then(|()| output.flush());
    said.clear();
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}
