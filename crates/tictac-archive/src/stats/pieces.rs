//! The pieces of one job as one text.

use std::io::{self, BufRead, Read};
use std::sync::MutexGuard;

use super::game_counts::GameCounts;
use crate::canonical::Recogniser;
use crate::source::{Buffer, End, Piece, Source};

/// Reads a job to its end: usually one piece, and more of them where a game is longer than that.
pub(super) struct Pieces<'a> {
    // As long as the next piece belongs to the same job, nobody else may read.
    source: Option<MutexGuard<'a, Source>>,
    buffer: &'a mut Buffer,
    piece: Piece,
    at: usize,
    n_bytes: u64,
}

impl<'a> Pieces<'a> {
    /// Returns the pieces of the job that was taken last.
    pub(super) fn new(mut source: MutexGuard<'a, Source>, buffer: &'a mut Buffer) -> Pieces<'a> {
        let piece = source.next_piece(buffer);
        let goes_on = matches!(piece.end, End::Middle);
        Pieces { source: goes_on.then_some(source), buffer, piece, at: 0, n_bytes: 0 }
    }

    /// How many bytes have been read.
    pub(super) const fn n_bytes(&self) -> u64 {
        self.n_bytes + self.at as u64
    }

    /// Counts the canonical games that come next; returns how many there were.
    pub(super) fn skim(&mut self, recogniser: &Recogniser, counts: &mut GameCounts) -> u64 {
        let bytes = &self.buffer.bytes(&self.piece)[self.at..];
        let (mut at, mut n_games) = (0, 0);
        while let Some((kind, n_bytes)) = recogniser.game(&bytes[at..]) {
            counts.count(&bytes[at..at + n_bytes], kind.n_moves());
            at += n_bytes;
            n_games += 1;
        }
        self.at += at;
        n_games
    }
}

impl BufRead for Pieces<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.buffer.bytes(&self.piece).len() {
            match std::mem::replace(&mut self.piece.end, End::File) {
                End::Border | End::File | End::LeftOut(_) => return Ok(&[]),
                End::Broken(error) => return Err(error),
                End::Middle => {
                    let Some(source) = &mut self.source else { return Ok(&[]) };
                    self.n_bytes += self.at as u64;
                    self.at = 0;
                    self.piece = source.next_piece(self.buffer);
                    if !matches!(self.piece.end, End::Middle) {
                        self.source = None;
                    }
                }
            }
        }
        Ok(&self.buffer.bytes(&self.piece)[self.at..])
    }

    fn consume(&mut self, n_bytes: usize) {
        self.at += n_bytes;
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.fill_buf()?.read(buffer)?;
        self.consume(n_bytes);
        Ok(n_bytes)
    }
}
