//! A reader of all pieces of a job.

use std::io::{self, BufRead, Read};
use std::sync::MutexGuard;

use super::game_counts::GameCounts;
use crate::canonical::Recogniser;
use crate::source::{Buffer, Piece, PieceEnd, Source};

/// Reads a job to its end: usually one piece, more if a game is longer than a piece.
pub(super) struct JobReader<'a> {
    // Locked as long as the next piece belongs to the same job.
    source: Option<MutexGuard<'a, Source>>,
    buffer: &'a mut Buffer,
    piece: Piece,
    at: usize,
    n_bytes: u64,
}

impl<'a> JobReader<'a> {
    /// Returns a reader of the job that `source` returned last.
    pub(super) fn new(mut source: MutexGuard<'a, Source>, buffer: &'a mut Buffer) -> JobReader<'a> {
        let piece = source.next_piece(buffer);
        let goes_on = matches!(piece.end, PieceEnd::Middle);
        JobReader { source: goes_on.then_some(source), buffer, piece, at: 0, n_bytes: 0 }
    }

    pub(super) const fn n_bytes(&self) -> u64 {
        self.n_bytes + self.at as u64
    }

    /// Counts the canonical games at the current position; returns their number.
    pub(super) fn skim(&mut self, recogniser: &Recogniser, counts: &mut GameCounts) -> u64 {
        let bytes = &self.buffer.bytes(&self.piece)[self.at..];
        let (mut at, mut n_games) = (0, 0);
        while let Some(game) = recogniser.game(&bytes[at..]) {
            counts.count(&bytes[at + game.moves_at..at + game.n_bytes], game.kind.n_moves());
            at += game.n_bytes;
            n_games += 1;
        }
        self.at += at;
        n_games
    }
}

impl BufRead for JobReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.buffer.bytes(&self.piece).len() {
            match std::mem::replace(&mut self.piece.end, PieceEnd::EndOfFile) {
                PieceEnd::Border | PieceEnd::EndOfFile => return Ok(&[]),
                PieceEnd::Unreadable(error) => return Err(error),
                PieceEnd::Middle => {
                    let Some(source) = &mut self.source else { return Ok(&[]) };
                    self.n_bytes += self.at as u64;
                    self.at = 0;
                    self.piece = source.next_piece(self.buffer);
                    if !matches!(self.piece.end, PieceEnd::Middle) {
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

impl Read for JobReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.fill_buf()?.read(buffer)?;
        self.consume(n_bytes);
        Ok(n_bytes)
    }
}
