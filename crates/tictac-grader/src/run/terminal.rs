//! Pseudo-terminals.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags, open as open_file};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, OptionalActions, OutputModes, tcgetattr, tcsetattr};

/// The character that ends the input of a terminal (Ctrl-D).
const END_OF_INPUT: u8 = 4;

/// Opens a terminal that neither echoes nor translates newlines, so that its output is exactly what the program wrote.
/// Returns the grader's end and the program's.
pub(super) fn open() -> io::Result<(OwnedFd, OwnedFd)> {
    let grader_end = open_grader_end()?;
    grantpt(&grader_end)?;
    unlockpt(&grader_end)?;
    let name = ptsname(&grader_end, Vec::new())?;
    let program_end = open_file(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
    let mut modes = tcgetattr(&program_end)?;
    modes.local_modes -= LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
    modes.output_modes -= OutputModes::OPOST;
    tcsetattr(&program_end, OptionalActions::Now, &modes)?;
    Ok((grader_end, program_end))
}

/// Opens the grader's end, which no program may inherit.
#[cfg(target_os = "linux")]
fn open_grader_end() -> io::Result<OwnedFd> {
    Ok(openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?)
}

/// Opens the grader's end. Elsewhere than on Linux this takes two steps, between which another thread may start a program that inherits it.
#[cfg(not(target_os = "linux"))]
fn open_grader_end() -> io::Result<OwnedFd> {
    let grader_end = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    rustix::io::fcntl_setfd(&grader_end, rustix::io::FdFlags::CLOEXEC)?;
    Ok(grader_end)
}

/// Returns the input as a person would type it, with Ctrl-D at the end. After an unfinished line it takes two: the first
/// only hands the line over.
pub(super) fn typed(input: &[u8]) -> Vec<u8> {
    let mut typed = input.to_vec();
    if !input.is_empty() && !input.ends_with(b"\n") {
        typed.push(END_OF_INPUT);
    }
    typed.push(END_OF_INPUT);
    typed
}
