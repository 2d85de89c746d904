//! The lines and symmetries of a grid, as the provers use them.

use crate::byte_symmetry::ByteSymmetry;
use crate::geometry::Geometry;
use crate::plain::line_tables::GridLines;
use crate::tuning::SearchTuning;
use tictac::Rules;

/// The lines and symmetries of a grid, prepared for the provers.
#[derive(Debug)]
pub(crate) struct ProverGrid {
    pub(crate) geometry: Geometry,
    /// The symmetries of the grid, the identity first.
    pub(crate) symmetries: Vec<ByteSymmetry>,
    pub(crate) lines: GridLines,
}

impl ProverGrid {
    /// Returns the lines and symmetries of `rules`, for a search with these settings.
    pub(crate) fn new(rules: &Rules, tuning: SearchTuning) -> ProverGrid {
        let geometry = Geometry::tuned(*rules, tuning);
        let symmetries = geometry.byte_symmetries();
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
