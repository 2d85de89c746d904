//! A grid prepared for the provers: its lines, and symmetries that turn whole sets at once.

use crate::rules::Rules;
use crate::solve::geometry::{Geometry, N_SYMMETRIES};
use crate::symmetry::Symmetry;

/// The lines and symmetries of plain rules.
#[derive(Debug)]
pub(crate) struct Field {
    geometry: Geometry,
    turns: Vec<Turn>,
}

impl Field {
    /// Returns the field of `rules`.
    pub(crate) fn new(rules: &Rules) -> Field {
        let geometry = Geometry::new(*rules);
        let n_turns = Symmetry::of(rules.grid()).len().min(N_SYMMETRIES);
        let turns = (0..n_turns).map(|number| Turn::new(&geometry, number)).collect();
        Field { geometry, turns }
    }

    /// Returns every winning line, each once.
    pub(crate) fn lines(&self) -> &[u64] {
        self.geometry.lines()
    }

    /// Returns the symmetries of the grid, the identity first.
    pub(crate) fn symmetries(&self) -> &[Turn] {
        &self.turns
    }

    /// Returns whether `marks` hold a whole line.
    pub(crate) fn has_line(&self, marks: u64) -> bool {
        self.geometry.has_line(marks)
    }

    /// Returns those of a player's marks that lie on a line he can still complete in `empty`.
    pub(crate) fn useful_marks(&self, marks: u64, empty: u64) -> u64 {
        let open = marks | empty;
        let lines = self.lines().iter().filter(|&&line| line & !open == 0);
        lines.fold(0, |all, line| all | line) & marks
    }

    /// Returns the least image of a pair of sets, and the number of the symmetry that leads to it.
    pub(crate) fn canonical(&self, sets: [u64; 2]) -> ([u64; 2], usize) {
        let images = self.turns.iter().map(|turn| sets.map(|set| turn.apply(set)));
        images.zip(0..).min().expect("a grid has at least the identity")
    }
}

/// A symmetry of the grid that turns eight squares at a time.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    // For each byte of a set and each of its values, the image of those eight squares.
    forward: Vec<[u64; 256]>,
    backward: Vec<[u64; 256]>,
}

impl Turn {
    fn new(geometry: &Geometry, number: usize) -> Turn {
        let image_of: Vec<u32> = (0..geometry.n_squares())
            .map(|square| geometry.images(square)[number].trailing_zeros())
            .collect();
        let mut preimage_of = vec![0; image_of.len()];
        for (square, &image) in (0..).zip(&image_of) {
            preimage_of[image as usize] = square;
        }
        Turn { forward: byte_tables(&image_of), backward: byte_tables(&preimage_of) }
    }

    /// Returns the image of a set of squares.
    pub(crate) fn apply(&self, set: u64) -> u64 {
        permute(&self.forward, set)
    }

    /// Returns the set whose image is `set`.
    pub(crate) fn undo(&self, set: u64) -> u64 {
        permute(&self.backward, set)
    }
}

fn permute(tables: &[[u64; 256]], set: u64) -> u64 {
    let bytes = set.to_le_bytes();
    tables.iter().zip(bytes).fold(0, |image, (table, byte)| image | table[usize::from(byte)])
}

fn byte_tables(image_of: &[u32]) -> Vec<[u64; 256]> {
    let table_of = |images: &[u32]| {
        let mut table = [0; 256];
        for (byte, entry) in table.iter_mut().enumerate() {
            for (bit, &image) in images.iter().enumerate() {
                *entry |= (byte as u64 >> bit & 1) << image;
            }
        }
        table
    };
    image_of.chunks(8).map(table_of).collect()
}
