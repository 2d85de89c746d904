//! Inputs split into pieces that end between two games, in a fixed amount of memory.

use std::io::{self, BufRead, ErrorKind, Read};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use memchr::memrchr_iter;

use crate::decompress::without_byte_order_mark;
use crate::input::{Input, ReadMeter};
use crate::judge::{Format, is_blank_line};

/// The number of bytes read at a time.
///
/// Small enough to stay in the cache of the core that reads and checks them, large enough that threads seldom wait for each
/// other: with half as much, two threads took 5 % longer (best of fifteen).
const PIECE_SIZE: usize = 512 * 1024;
/// Space for the start of a game whose end belongs to the next piece.
const RESERVE: usize = 16 * 1024;
/// The kernel copies several times faster to an address that is a multiple of this.
const ALIGNMENT: usize = 64;

/// The memory for one piece.
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    // Where reading starts. The rest of the previous piece is placed right before it.
    aligned_at: usize,
    sizes: BufferSizes,
}

/// The sizes of pieces; tests make them small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BufferSizes {
    pub(crate) piece: usize,
    pub(crate) reserve: usize,
}

impl Default for BufferSizes {
    fn default() -> BufferSizes {
        BufferSizes { piece: PIECE_SIZE, reserve: RESERVE }
    }
}

impl Buffer {
    pub(crate) fn new(sizes: BufferSizes) -> Buffer {
        let bytes = vec![0; sizes.reserve + ALIGNMENT + sizes.piece];
        let padding = bytes[sizes.reserve..].as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        Buffer { aligned_at: sizes.reserve + padding, bytes, sizes }
    }
}

/// A part of a file, in a buffer.
struct Piece {
    range: Range<usize>,
    end: PieceEnd,
}

/// What follows a piece.
pub(crate) enum PieceEnd {
    /// The next game.
    Border,
    /// The rest of a game that is too long for one piece.
    Middle,
    /// The end of the file.
    EndOfFile,
    /// A part of the file that could not be read.
    Unreadable(io::Error),
}

/// The pieces of all inputs, one after the other.
pub(crate) struct Source {
    inputs: std::iter::Enumerate<std::vec::IntoIter<Input>>,
    format: Format,
    current: Option<(usize, Box<dyn Read + Send>)>,
    // Why the current file was not opened.
    not_opened: Option<io::Error>,
    // What follows the last border of the previous piece. Invariant: at most the buffer's reserve.
    carry: Vec<u8>,
    n_jobs: u64,
    meter: ReadMeter,
    is_stopped: bool,
}

/// Reads a job: a sequence of pieces that starts and ends between two games, or with its file. Usually it is one piece, and more if a
/// game is longer than a piece.
pub(crate) struct JobReader<'a> {
    /// The index of the job among all jobs.
    pub(crate) number: u64,
    /// The index of the file among the inputs.
    pub(crate) file: usize,
    // Locked as long as the next piece belongs to the same job.
    source: Option<MutexGuard<'a, Source>>,
    buffer: &'a mut Buffer,
    piece: Piece,
    n_read: u64,
}

impl Source {
    pub(crate) fn new(inputs: Vec<Input>, format: Format, meter: &ReadMeter) -> Source {
        let (inputs, meter) = (inputs.into_iter().enumerate(), meter.clone());
        let carry = Vec::new();
        Source { inputs, format, current: None, not_opened: None, carry, n_jobs: 0, meter, is_stopped: false }
    }

    /// Makes [`next_job`](Source::next_job) return `None` from now on.
    pub(crate) const fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// Starts the next job; returns its number and the index of its file, or `None` at the end.
    fn next_job(&mut self) -> Option<(u64, usize)> {
        if self.is_stopped {
            return None;
        }
        let number = self.n_jobs;
        self.n_jobs += 1;
        if let Some((file, _)) = self.current {
            return Some((number, file));
        }
        let (file, input) = self.inputs.next()?;
        let opened = input.open(&self.meter).and_then(|text| match self.format {
            Format::Archive => without_byte_order_mark(text),
            // The course's format has no place for a byte order mark.
            Format::Strict => Ok(text),
        });
        match opened {
            Ok(reader) => self.current = Some((file, reader)),
            Err(error) => self.not_opened = Some(error),
        }
        Some((number, file))
    }

    fn next_piece(&mut self, buffer: &mut Buffer) -> Piece {
        if let Some(error) = self.not_opened.take() {
            return Piece { range: 0..0, end: PieceEnd::Unreadable(error) };
        }
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
            return Piece { range: start..end, end: PieceEnd::Unreadable(error) };
        }
        if end < limit {
            self.current = None;
            return Piece { range: start..end, end: PieceEnd::EndOfFile };
        }
        // A border further back than the reserve would leave more to carry than fits into it.
        let from = end.saturating_sub(buffer.sizes.reserve).max(start);
        match last_border(&buffer.bytes[from..end]).filter(|_| self.format == Format::Archive) {
            Some(border) => {
                self.carry.extend_from_slice(&buffer.bytes[from + border..end]);
                Piece { range: start..from + border, end: PieceEnd::Border }
            }
            None => Piece { range: start..end, end: PieceEnd::Middle },
        }
    }
}

impl<'a> JobReader<'a> {
    /// Returns a reader of the next job, or `None` at the end.
    pub(crate) fn next(source: &'a Mutex<Source>, buffer: &'a mut Buffer) -> Option<JobReader<'a>> {
        let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, file) = source.next_job()?;
        let piece = source.next_piece(buffer);
        let source = Some(source).filter(|_| matches!(piece.end, PieceEnd::Middle));
        Some(JobReader { number, file, source, buffer, piece, n_read: 0 })
    }

    /// Returns the bytes of the current piece that have not been read, or those of the next one; none at the end of the job.
    pub(crate) fn bytes(&mut self) -> &[u8] {
        while self.piece.range.is_empty()
            && let Some(source) = &mut self.source
        {
            self.piece = source.next_piece(self.buffer);
            if !matches!(self.piece.end, PieceEnd::Middle) {
                self.source = None;
            }
        }
        &self.buffer.bytes[self.piece.range.clone()]
    }

    /// Returns the number of bytes that have been read.
    pub(crate) const fn n_read(&self) -> u64 {
        self.n_read
    }

    /// Returns what follows the job.
    pub(crate) fn end(self) -> PieceEnd {
        self.piece.end
    }
}

impl BufRead for JobReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.bytes().is_empty()
            && let PieceEnd::Unreadable(error) = std::mem::replace(&mut self.piece.end, PieceEnd::EndOfFile)
        {
            return Err(error);
        }
        Ok(&self.buffer.bytes[self.piece.range.clone()])
    }

    fn consume(&mut self, n_bytes: usize) {
        self.piece.range.start += n_bytes;
        self.n_read += n_bytes as u64;
    }
}

impl Read for JobReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.fill_buf()?.read(buffer)?;
        self.consume(n_bytes);
        Ok(n_bytes)
    }
}

/// Fills `range` of `bytes` as far as the reader can; returns the end of the filled part.
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

/// Returns the end of the last line in `bytes` after which a game certainly starts: a blank line after a line that is not a tag. The
/// whole of that line must be in `bytes`, because moves may follow the blank line after a tag.
fn last_border(bytes: &[u8]) -> Option<usize> {
    let mut newlines = memrchr_iter(b'\n', bytes);
    let mut end = newlines.next()?;
    let mut blank_line = None;
    for newline in newlines {
        let line = &bytes[newline + 1..end];
        if blank_line.is_some() && line.first() != Some(&b'[') {
            return blank_line;
        }
        blank_line = is_blank_line(line).then_some(end + 1);
        end = newline;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_border_is_the_end_of_a_blank_line() {
        let check = |text: &str, expected| assert_eq!(last_border(text.as_bytes()), expected, "{text:?}");
        check("1 X A1\n2 O B1\n\n1 X", Some(15));
        check("1 X A1\n2 O B1\n \t\r\n1 X", Some(18));
        check("1 X A1\n2 O B1\n\n\n", Some(16));
        check("1 X A1\n2 O B1\n", None);
        check("\n1 X A1\n\n1 X A1\n  ", Some(9));
        check("", None);
    }

    #[test]
    fn the_blank_line_after_a_tag_is_not_a_border() {
        let check = |text: &str, expected| assert_eq!(last_border(text.as_bytes()), expected, "{text:?}");
        check("\n[A \"b\"]\n\n1 X A1\n", None);
        check("\n[A \"b\"]\n\n\n1 X A1\n", Some(11));
        check("\n1 X A1\n\n[A \"b\"]\n\n1 X A1\n", Some(9));
        // The start of the line before the blank one is not known.
        check("b\"]\n\n1 X A1\n", None);
    }
}
