//! The lines of a grid, and its symmetries applied to whole sets of squares.

use super::line_tables::GridLines;
use crate::rules::Rules;
use crate::solve::geometry::{Geometry, N_SYMMETRIES};
use crate::solve::tuning::{SearchTuning, Technique};
use crate::symmetry::Symmetry;

/// The lines and symmetries of a grid, prepared for the provers.
#[derive(Debug)]
pub(crate) struct ProverGrid {
    pub(super) geometry: Geometry,
    /// The symmetries of the grid, the identity first.
    pub(crate) symmetries: Vec<ByteSymmetry>,
    pub(super) lines: GridLines,
}

impl ProverGrid {
    /// Returns the lines and symmetries of `rules`, for a search with these settings.
    pub(crate) fn new(rules: &Rules, tuning: SearchTuning) -> ProverGrid {
        let geometry = Geometry::tuned(*rules, tuning);
        let n_symmetries = if tuning.uses(Technique::Symmetry) {
            Symmetry::of(rules.grid()).len().min(N_SYMMETRIES)
        } else {
            1
        };
        let symmetries = (0..n_symmetries).map(|number| ByteSymmetry::new(&geometry, number)).collect();
        let lines = GridLines::new(rules, &geometry);
        ProverGrid { geometry, symmetries, lines }
    }

    /// Returns the least image of a pair of sets, and the index of the symmetry that produces it.
    pub(crate) fn canonical(&self, sets: [u64; 2]) -> ([u64; 2], usize) {
        let mut least = (sets, 0);
        for (index, symmetry) in self.symmetries.iter().enumerate().skip(1) {
            let image = [symmetry.apply(sets[0]), symmetry.apply(sets[1])];
            if image < least.0 {
                least = (image, index);
            }
        }
        least
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
    let mut image = 0;
    for (table, byte) in tables.iter().zip(set.to_le_bytes()) {
        image |= table[usize::from(byte)];
    }
    image
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
