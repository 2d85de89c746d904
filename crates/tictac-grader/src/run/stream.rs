//! The streams between the grader and the program, which never block.

use std::os::fd::OwnedFd;
use std::process::ChildStdin;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::{Errno, read, write};

#[derive(Debug)]
pub(super) struct InputStream<'a> {
    to: Option<OwnedFd>,
    rest: &'a [u8],
    /// Whether to close the stream when everything is written. A terminal ends its input by a character instead.
    closes: bool,
}

impl<'a> InputStream<'a> {
    pub(super) fn pipe(to: Option<ChildStdin>, input: &'a [u8]) -> std::io::Result<InputStream<'a>> {
        let to = to.map(OwnedFd::from);
        to.iter().try_for_each(set_nonblocking)?;
        let mut stream = InputStream { to, rest: input, closes: true };
        // Nearly every input fits into the pipe, so the program finds it there when it starts to read.
        stream.write_available();
        Ok(stream)
    }

    pub(super) fn terminal(to: OwnedFd, input: &'a [u8]) -> std::io::Result<InputStream<'a>> {
        set_nonblocking(&to)?;
        Ok(InputStream { to: Some(to), rest: input, closes: false })
    }

    /// Returns the descriptor if there is still something to write.
    pub(super) fn fd(&self) -> Option<&OwnedFd> {
        self.to.as_ref().filter(|_| !self.rest.is_empty())
    }

    /// Writes as much as the program takes.
    pub(super) fn write_available(&mut self) {
        while let Some(to) = self.fd() {
            match write(to, self.rest) {
                Ok(n) => self.rest = &self.rest[n..],
                Err(Errno::AGAIN) => return,
                Err(Errno::INTR) => {}
                // The program has closed its input, which it may.
                Err(_) => self.rest = &[],
            }
        }
        if self.closes {
            self.to = None;
        }
    }
}

#[derive(Debug)]
pub(super) struct OutputStream {
    /// The descriptor; `None` at the end of the output.
    pub(super) from: Option<OwnedFd>,
    pub(super) bytes: Vec<u8>,
    limit: usize,
    pub(super) is_over_limit: bool,
    has_failed: bool,
}

impl OutputStream {
    pub(super) fn new(from: Option<OwnedFd>, limit: usize) -> std::io::Result<OutputStream> {
        from.iter().try_for_each(set_nonblocking)?;
        Ok(OutputStream { from, bytes: Vec::new(), limit, is_over_limit: false, has_failed: false })
    }

    /// Reads what the program has written so far.
    pub(super) fn read_available(&mut self) {
        let mut buffer = [0; 8192];
        while let Some(from) = self.from.as_ref().filter(|_| !self.is_over_limit) {
            match read(from, &mut buffer) {
                Ok(0) => self.from = None,
                Ok(n) => {
                    self.has_failed = false;
                    let free = self.limit - self.bytes.len();
                    self.is_over_limit = n > free;
                    self.bytes.extend_from_slice(&buffer[..n.min(free)]);
                }
                Err(Errno::AGAIN) => return,
                Err(Errno::INTR) => {}
                // A terminal whose other end is closed reports an error instead of the end. About once in ten thousand
                // times Linux reports it while the rest of a long output is still on its way, so the first error is
                // ignored.
                Err(_) if !self.has_failed => self.has_failed = true,
                Err(_) => self.from = None,
            }
        }
    }
}

fn set_nonblocking(fd: &OwnedFd) -> std::io::Result<()> {
    let flags = fcntl_getfl(fd)?;
    Ok(fcntl_setfl(fd, flags | OFlags::NONBLOCK)?)
}
