//! The two ends of a conversation, neither of which may block.

use std::os::fd::OwnedFd;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, read, write};

/// Input on its way to the program; it is closed when all of it is written, or nobody reads it.
#[derive(Debug)]
pub(super) struct Feed<'a> {
    to: Option<OwnedFd>,
    rest: &'a [u8],
    closes: bool,
}

impl<'a> Feed<'a> {
    pub(super) fn new(to: Option<OwnedFd>, input: &'a [u8]) -> std::io::Result<Feed<'a>> {
        let mut feed = Feed { to, rest: input, closes: true };
        if let Some(to) = &feed.to {
            never_block(to)?;
        }
        // Nearly every input fits into the pipe, so the program finds it there.
        feed.write_some();
        Ok(feed)
    }

    /// Returns a feed that stays open: a terminal ends its input by a character.
    pub(super) fn terminal(to: OwnedFd, input: &'a [u8]) -> std::io::Result<Feed<'a>> {
        never_block(&to)?;
        Ok(Feed { to: Some(to), rest: input, closes: false })
    }

    /// Returns where there is still something to write to.
    pub(super) fn fd(&self) -> Option<&OwnedFd> {
        self.to.as_ref().filter(|_| !self.rest.is_empty())
    }

    pub(super) fn write_some(&mut self) {
        while let Some(to) = self.to.as_ref().filter(|_| !self.rest.is_empty()) {
            match write(to, self.rest) {
                Ok(n) => self.rest = &self.rest[n..],
                Err(Errno::AGAIN) => return,
                Err(Errno::INTR) => {}
                // The program has closed its input. That is its right.
                Err(_) => self.rest = &[],
            }
        }
        if self.closes {
            self.to = None;
        }
    }
}

/// Output on its way from the program.
#[derive(Debug)]
pub(super) struct Intake {
    from: Option<OwnedFd>,
    bytes: Vec<u8>,
    limit: usize,
    is_too_much: bool,
    has_failed: bool,
}

impl Intake {
    pub(super) fn new(from: Option<OwnedFd>, limit: usize) -> std::io::Result<Intake> {
        if let Some(from) = &from {
            never_block(from)?;
        }
        Ok(Intake { from, bytes: Vec::new(), limit, is_too_much: false, has_failed: false })
    }

    pub(super) const fn fd(&self) -> Option<&OwnedFd> {
        self.from.as_ref()
    }

    pub(super) const fn is_at_end(&self) -> bool {
        self.from.is_none()
    }

    pub(super) const fn is_too_much(&self) -> bool {
        self.is_too_much
    }

    pub(super) fn read_some(&mut self) {
        let mut buffer = [0; 8192];
        while let Some(from) = self.from.as_ref().filter(|_| !self.is_too_much) {
            match read(from, &mut buffer) {
                Ok(0) => self.from = None,
                Ok(n) => {
                    self.has_failed = false;
                    let room = self.limit - self.bytes.len();
                    self.is_too_much = n > room;
                    self.bytes.extend_from_slice(&buffer[..n.min(room)]);
                }
                Err(Errno::AGAIN) => return,
                Err(Errno::INTR) => {}
                // A terminal whose inside nobody holds any more answers with an error instead of an end. Linux may say so too
                // early, about once in ten thousand times, while the rest of a long output is still on its way: only
                // who hears it twice in a row has heard all.
                Err(_) if !self.has_failed => self.has_failed = true,
                Err(_) => self.from = None,
            }
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

fn never_block(fd: &OwnedFd) -> std::io::Result<()> {
    let flags = fcntl_getfl(fd)?;
    Ok(fcntl_setfl(fd, flags | OFlags::NONBLOCK)?)
}
