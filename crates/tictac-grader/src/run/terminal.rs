//! A pseudo-terminal as a channel.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags, open as open_file};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, OptionalActions, OutputModes, tcgetattr, tcsetattr};

/// The character that ends the input of a terminal.
const END: u8 = 4;

/// Both ends of a pseudo-terminal.
pub(super) struct Pair {
    /// The grader's end.
    pub(super) outside: OwnedFd,
    /// The program's end.
    pub(super) inside: OwnedFd,
}

/// Opens a terminal that neither echoes nor changes newlines, so that what comes out is what the program wrote.
pub(super) fn open() -> io::Result<Pair> {
    let outside = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&outside)?;
    unlockpt(&outside)?;
    let name = ptsname(&outside, Vec::new())?;
    let inside = open_file(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
    let mut modes = tcgetattr(&inside)?;
    modes.local_modes -= LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
    modes.output_modes -= OutputModes::OPOST;
    tcsetattr(&inside, OptionalActions::Now, &modes)?;
    Ok(Pair { outside, inside })
}

/// Returns the input as somebody would type it: a line that does not end in a newline needs the end twice, once to be
/// handed over and once to end the input.
pub(super) fn typed(input: &[u8]) -> Vec<u8> {
    let mut typed = input.to_vec();
    if !input.is_empty() && !input.ends_with(b"\n") {
        typed.push(END);
    }
    typed.push(END);
    typed
}
