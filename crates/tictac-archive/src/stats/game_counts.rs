//! The number of times each game of ordinary tic-tac-toe was played.
//!
//! # Layout
//!
//! One counter for each sequence of 0 to 9 different squares, sorted by length and then by the index of each square among
//! those that are still free. There are 986,410 sequences, of which 549,946 are legal games. Each game is analysed only once,
//! however often it was played.

use memchr::memchr;
use tictac::{Grid, Mark, Move, Square};

use crate::canonical::Recogniser;

const MAX_MOVES: usize = 9;
/// The index of the first sequence of each length, and the number of all sequences.
const OFFSETS: [usize; MAX_MOVES + 2] = offsets();

const fn offsets() -> [usize; MAX_MOVES + 2] {
    let (mut offsets, mut n_sequences, mut length) = ([0; MAX_MOVES + 2], 1, 0);
    while length <= MAX_MOVES {
        offsets[length + 1] = offsets[length] + n_sequences;
        n_sequences *= MAX_MOVES - length;
        length += 1;
    }
    offsets
}

#[derive(Clone, Debug, Default)]
pub(super) struct GameCounts {
    // By opener, X before O; empty until there is a game.
    by_opener: [Vec<u64>; 2],
}

impl GameCounts {
    /// Counts the canonical games at the start of `bytes`; returns their length in bytes.
    pub(super) fn count_games(&mut self, bytes: &[u8], recogniser: &Recogniser) -> usize {
        let mut at = 0;
        while let Some(game) = recogniser.game(&bytes[at..]) {
            self.count(&bytes[at + game.moves_at..at + game.n_bytes], game.kind.n_moves());
            at += game.n_bytes;
        }
        at
    }

    /// Counts a canonical game of `n_moves` moves.
    #[inline]
    fn count(&mut self, text: &[u8], n_moves: usize) {
        let counts = &mut self.by_opener[usize::from(text.get(2) == Some(&b'O'))];
        if counts.is_empty() {
            counts.resize(OFFSETS[MAX_MOVES + 1], 0);
        }
        let mut rank = Rank::default();
        let is_bare = text.len() == 7 * n_moves + 1;
        let mut at = 0;
        for _ in 0..n_moves {
            let (row, column) = (text[at + 4] - b'A', text[at + 5] - b'1');
            rank.push(usize::from(3 * row + column));
            at += if is_bare { 7 } else { memchr(b'\n', &text[at..]).map_or(0, |end| end + 1) };
        }
        counts[OFFSETS[n_moves] + rank.number] += 1;
    }

    pub(super) fn add(&mut self, other: GameCounts) {
        for (own, others) in self.by_opener.iter_mut().zip(other.by_opener) {
            if own.is_empty() {
                *own = others;
            } else {
                own.iter_mut().zip(others).for_each(|(count, other)| *count += other);
            }
        }
    }

    /// Calls `visit` with the opener, the moves and the count of every game. The moves are those of a game that X opens.
    pub(super) fn for_each(self, mut visit: impl FnMut(Mark, &[Move], u64)) {
        for (opener, counts) in Mark::BOTH.into_iter().zip(self.by_opener) {
            for (index, n_games) in counts.into_iter().enumerate().filter(|&(_, n_games)| n_games > 0) {
                visit(opener, &moves_at(index), n_games);
            }
        }
    }
}

/// The index of a sequence among those of its length.
struct Rank {
    number: usize,
    // The index of each square among the free ones.
    free_index: [u8; MAX_MOVES],
    n_free: usize,
}

impl Default for Rank {
    fn default() -> Rank {
        Rank { number: 0, free_index: [0, 1, 2, 3, 4, 5, 6, 7, 8], n_free: MAX_MOVES }
    }
}

impl Rank {
    #[inline]
    fn push(&mut self, square: usize) {
        self.number = self.number * self.n_free + usize::from(self.free_index[square]);
        // A branch would be mispredicted half of the time. The indices of taken squares do not matter.
        for later in 0..MAX_MOVES {
            self.free_index[later] = self.free_index[later].wrapping_sub(u8::from(later > square));
        }
        self.n_free -= 1;
    }
}

fn moves_at(index: usize) -> Vec<Move> {
    let n_moves = OFFSETS.iter().rposition(|&offset| offset <= index).unwrap_or(0);
    let mut number = index - OFFSETS[n_moves];
    let mut free_indices = vec![0; n_moves];
    for at in (0..n_moves).rev() {
        let n_free = MAX_MOVES - at;
        free_indices[at] = number % n_free;
        number /= n_free;
    }
    let mut free: Vec<Square> = Grid::THREE.squares().iter().collect();
    let marks = Mark::BOTH.into_iter().cycle();
    free_indices.into_iter().zip(marks).map(|(at, mark)| Move::new(free.remove(at), mark)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_has_its_own_counter() {
        assert_eq!(OFFSETS[MAX_MOVES + 1], 986_410);
        let text = |moves: &[Move], comment: &str| {
            let lines = (1..).zip(moves).map(|(number, mv)| {
                let (row, column) = (Grid::THREE.row(mv.square), Grid::THREE.column(mv.square));
                let row = ["A", "B", "C"][row];
                format!("{number} {} {row}{}{comment}\n", mv.mark, column + 1)
            });
            lines.collect::<String>() + "\n"
        };
        let mut counts = GameCounts::default();
        let mut expected = Vec::new();
        for index in (0..OFFSETS[MAX_MOVES + 1]).step_by(97) {
            let moves = moves_at(index);
            for comment in ["", " # C3"] {
                counts.count(text(&moves, comment).as_bytes(), moves.len());
            }
            expected.push((Mark::X, moves, 2));
        }
        let mut found = Vec::new();
        counts.for_each(|opener, moves, n_games| found.push((opener, moves.to_vec(), n_games)));
        assert_eq!(found, expected);
    }
}
