//! Inputs cut into pieces that end between two games, in a fixed amount of memory.

use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tictac::notation::is_blank;

use crate::input::{Input, Unopened};
use crate::judge::Format;

/// Bytes read at a time. Small enough to stay in the cache of the core that reads and judges them, large enough that threads seldom wait
/// for each other: with half as much, two threads took 5 % longer (best of fifteen).
const PIECE: usize = 512 * 1024;
/// Room for the start of a game whose end belongs to the next piece.
const RESERVE: usize = 16 * 1024;
/// The kernel copies several times faster to an address that is a multiple of this.
const ALIGNMENT: usize = 64;

/// The memory for one piece.
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    // Where reading starts; what was left of the piece before stands right before it.
    aligned_at: usize,
    sizes: Sizes,
}

/// How large pieces are; tests make them small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) piece: usize,
    pub(crate) reserve: usize,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { piece: PIECE, reserve: RESERVE }
    }
}

impl Buffer {
    pub(crate) fn new(sizes: Sizes) -> Buffer {
        let bytes = vec![0; sizes.reserve + ALIGNMENT + sizes.piece];
        let padding = bytes[sizes.reserve..].as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        Buffer { aligned_at: sizes.reserve + padding, bytes, sizes }
    }

    pub(crate) fn bytes(&self, piece: &Piece) -> &[u8] {
        &self.bytes[piece.range.clone()]
    }
}

/// A part of a file, in a buffer.
pub(crate) struct Piece {
    range: Range<usize>,
    pub(crate) end: End,
}

/// What comes after a piece.
pub(crate) enum End {
    /// The next game.
    Border,
    /// The rest of a game that is too long for a piece.
    Middle,
    /// Nothing: the file has ended.
    File,
    /// Something that could not be read.
    Broken(io::Error),
    /// Nothing, and nothing before it: it is not read, and why.
    LeftOut(&'static str),
}

impl From<Unopened> for End {
    fn from(reason: Unopened) -> End {
        match reason {
            Unopened::Failed(error) => End::Broken(error),
            Unopened::LeftOut(reason) => End::LeftOut(reason),
        }
    }
}

/// The pieces of all inputs, one after the other.
pub(crate) struct Source {
    inputs: std::iter::Enumerate<std::vec::IntoIter<Input>>,
    format: Format,
    current: Option<(usize, Box<dyn Read + Send>)>,
    // What follows the last border of the piece before. Invariant: at most the buffer's reserve.
    carry: Vec<u8>,
    n_jobs: u64,
    /// Bytes read of the files themselves, for whoever shows progress.
    n_read: Arc<AtomicU64>,
    is_stopped: bool,
}

/// A row of pieces that starts and ends between two games, or with its file.
pub(crate) struct Job {
    /// Its place among all jobs, from 0.
    pub(crate) number: u64,
    /// The place of its file among the inputs.
    pub(crate) file: usize,
    /// Why the file was not even opened.
    pub(crate) unopened: Option<Unopened>,
}

impl Source {
    pub(crate) fn new(inputs: Vec<Input>, format: Format, n_read: Arc<AtomicU64>) -> Source {
        let inputs = inputs.into_iter().enumerate();
        Source { inputs, format, current: None, carry: Vec::new(), n_jobs: 0, n_read, is_stopped: false }
    }

    /// Hands out nothing more.
    pub(crate) fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// Returns the next job, or `None` when all is read; its pieces must be asked for before the next job.
    pub(crate) fn next_job(&mut self) -> Option<Job> {
        if self.is_stopped {
            return None;
        }
        let number = self.n_jobs;
        self.n_jobs += 1;
        if let Some((file, _)) = self.current {
            return Some(Job { number, file, unopened: None });
        }
        let (file, input) = self.inputs.next()?;
        match input.open(&self.n_read) {
            Ok(reader) => {
                self.current = Some((file, reader));
                Some(Job { number, file, unopened: None })
            }
            Err(reason) => Some(Job { number, file, unopened: Some(reason) }),
        }
    }

    /// Reads the next piece of the current file.
    pub(crate) fn next_piece(&mut self, buffer: &mut Buffer) -> Piece {
        let start = buffer.aligned_at - self.carry.len();
        buffer.bytes[start..buffer.aligned_at].copy_from_slice(&self.carry);
        self.carry.clear();
        let limit = buffer.aligned_at + buffer.sizes.piece;
        let (end, result) = match &mut self.current {
            Some((_, reader)) => fill(reader, &mut buffer.bytes, buffer.aligned_at..limit),
            None => (buffer.aligned_at, Ok(())),
        };
        if let Err(error) = result {
            self.current = None;
            return Piece { range: start..end, end: End::Broken(error) };
        }
        if end < limit {
            self.current = None;
            return Piece { range: start..end, end: End::File };
        }
        // A border further back than the reserve would leave more to carry than there is room for.
        let from = end.saturating_sub(buffer.sizes.reserve).max(start);
        match self.last_border(&buffer.bytes[from..end]) {
            Some(border) => {
                self.carry.extend_from_slice(&buffer.bytes[from + border..end]);
                Piece { range: start..from + border, end: End::Border }
            }
            None => Piece { range: start..end, end: End::Middle },
        }
    }

    fn last_border(&self, bytes: &[u8]) -> Option<usize> {
        match self.format {
            Format::Archive => last_border(bytes),
            Format::Strict => None,
        }
    }
}

/// Fills `range` of `bytes` as far as there is something to read; returns where it ends.
fn fill(reader: &mut impl Read, bytes: &mut [u8], range: Range<usize>) -> (usize, io::Result<()>) {
    let mut at = range.start;
    while at < range.end {
        match reader.read(&mut bytes[at..range.end]) {
            Ok(0) => break,
            Ok(n_read) => at += n_read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return (at, Err(error)),
        }
    }
    (at, Ok(()))
}

/// Returns where the last line of white space ends that lies in `bytes` with the newline before it.
fn last_border(bytes: &[u8]) -> Option<usize> {
    let mut border = None;
    for (at, &byte) in bytes.iter().enumerate().rev() {
        match (byte, border) {
            (b'\n', None) => border = Some(at + 1),
            (b'\n', Some(border)) => return Some(border),
            _ if !is_blank(byte) => border = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_border_is_the_end_of_a_white_line() {
        let check = |text: &str, expected| assert_eq!(last_border(text.as_bytes()), expected, "{text:?}");
        check("1 X A1\n\n1 X", Some(8));
        check("1 X A1\n \t\r\n1 X", Some(11));
        check("1 X A1\n\n\n", Some(9));
        check("1 X A1\n2 O B1\n", None);
        check("1 X A1\n\n1 X A1\n  ", Some(8));
        check("", None);
    }
}
