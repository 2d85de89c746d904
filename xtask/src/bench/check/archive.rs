//! Generates archives of random games.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Number of distinct games: enough that caches and branch predictors cannot learn them.
const N_GAMES: usize = 65_536;

/// The eight lines of the board.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// What the archive contains besides moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extras {
    None,
    /// A comment on one move in ten.
    Comments,
    /// A tag before each game.
    Tags,
}

/// Writes finished random games until the file has at least `n_bytes`.
pub(crate) fn write(path: &Path, n_bytes: u64, extras: Extras) -> anyhow::Result<()> {
    let mut random = Random::new();
    let games: Vec<String> = (0..N_GAMES).map(|_| game(&mut random, extras)).collect();
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut n_written = 0;
    while n_written < n_bytes {
        let game = &games[random.below(N_GAMES)];
        file.write_all(game.as_bytes())?;
        n_written += game.len() as u64;
    }
    file.flush()?;
    Ok(())
}

/// Returns a finished random game, followed by an empty line.
pub(crate) fn game(random: &mut Random, extras: Extras) -> String {
    let mut board = [None; 9];
    let mut text =
        if extras == Extras::Tags { "[Event \"Club evening\"]\n".to_owned() } else { String::new() };
    for number in 0..9 {
        let free: Vec<usize> = (0..9).filter(|&square| board[square].is_none()).collect();
        let square = free[random.below(free.len())];
        let mark = if number % 2 == 0 { 'X' } else { 'O' };
        board[square] = Some(mark);
        let row = ['A', 'B', 'C'][square / 3];
        let line = format!("{} {mark} {row}{}", number + 1, square % 3 + 1);
        text.push_str(&line);
        if extras == Extras::Comments && random.below(10) == 0 {
            text += " # a comment on this move";
        }
        text.push('\n');
        if LINES.iter().any(|line| line.iter().all(|&place| board[place] == Some(mark))) {
            break;
        }
    }
    text.push('\n');
    text
}

/// A xorshift random number generator with a fixed seed, so that runs can be compared.
pub(crate) struct Random(u64);

impl Random {
    /// Returns a generator at the start of its sequence.
    pub(crate) const fn new() -> Random {
        Random(0x9E37_79B9_7F4A_7C15)
    }

    /// Returns the next random number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit
    }
}
