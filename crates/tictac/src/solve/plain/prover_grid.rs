//! The lines of a grid, and its symmetries applied to whole sets of squares.

use crate::rules::Rules;
use crate::solve::geometry::{Geometry, N_SYMMETRIES};
use crate::symmetry::Symmetry;

/// The lines and symmetries of a grid, prepared for the provers.
#[derive(Debug)]
pub(crate) struct ProverGrid {
    pub(super) geometry: Geometry,
    /// The symmetries of the grid, the identity first.
    pub(crate) symmetries: Vec<ByteSymmetry>,
}

impl ProverGrid {
    /// Returns the lines and symmetries of `rules`.
    pub(crate) fn new(rules: &Rules) -> ProverGrid {
        let geometry = Geometry::new(*rules);
        let n_symmetries = Symmetry::of(rules.grid()).len().min(N_SYMMETRIES);
        let symmetries = (0..n_symmetries).map(|number| ByteSymmetry::new(&geometry, number)).collect();
        ProverGrid { geometry, symmetries }
    }

    /// Returns the marks of a player that lie on a line which the player can still complete in `empty`.
    pub(crate) fn useful_marks(&self, marks: u64, empty: u64) -> u64 {
        let open = marks | empty;
        let lines = self.geometry.lines.iter().filter(|&&line| line & !open == 0);
        lines.fold(0, |all, line| all | line) & marks
    }

    /// Returns the least image of a pair of sets, and the index of the symmetry that produces it.
    pub(crate) fn canonical(&self, sets: [u64; 2]) -> ([u64; 2], usize) {
        let images = self.symmetries.iter().map(|symmetry| sets.map(|set| symmetry.apply(set)));
        images.zip(0..).min().expect("every grid has the identity")
    }
}

/// A symmetry of the grid, applied to eight squares at a time.
#[derive(Clone, Debug)]
pub(crate) struct ByteSymmetry {
    // For each byte of a set and each value of that byte, the image of those eight squares.
    forward: Vec<[u64; 256]>,
    backward: Vec<[u64; 256]>,
}

impl ByteSymmetry {
    fn new(geometry: &Geometry, number: usize) -> ByteSymmetry {
        let image_of: Vec<u32> = (0..geometry.n_squares())
            .map(|square| geometry.images(square)[number].trailing_zeros())
            .collect();
        let mut preimage_of = vec![0; image_of.len()];
        for (square, &image) in (0..).zip(&image_of) {
            preimage_of[image as usize] = square;
        }
        ByteSymmetry { forward: byte_tables(&image_of), backward: byte_tables(&preimage_of) }
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
