//! A position under all symmetries of the grid.

use crate::bit_position::{BitMove, BitPosition, squares_of};
use crate::geometry::{Geometry, N_SYMMETRIES};
use crate::one_board::transposition::BoundsKey;
use crate::tuning::Technique;
use tictac::Marks;

/// The images of a position under every symmetry of the grid.
///
/// A move adds one square to each image, which is cheaper than transforming whole boards. Squares that lie on no line that
/// can still be completed are dead: their marks do not matter.
#[derive(Clone, Copy)]
pub(crate) struct PositionImages {
    sets: [[u64; N_SYMMETRIES]; 2],
    dead: [u64; N_SYMMETRIES],
}

impl PositionImages {
    pub(crate) fn new(geometry: &Geometry, position: BitPosition) -> Self {
        Self { sets: position.sets.map(|set| geometry.images_of(set)), dead: [0; N_SYMMETRIES] }
    }

    pub(crate) fn position(&self) -> BitPosition {
        BitPosition { sets: [self.sets[0][0], self.sets[1][0]] }
    }

    pub(crate) fn after(&self, geometry: &Geometry, marks: Marks, mv: BitMove) -> Self {
        let mut sets = self.sets;
        for (set, image) in sets[mv.set].iter_mut().zip(geometry.images(mv.square)) {
            *set |= image;
        }
        if marks.name_players() {
            sets.swap(0, 1);
        }
        Self { sets, dead: self.dead }
    }

    /// Marks squares as dead; a dead square stays dead.
    pub(crate) fn add_dead(&mut self, geometry: &Geometry, dead: u64) {
        for square in squares_of(dead & !self.dead[0]) {
            for (dead, image) in self.dead.iter_mut().zip(geometry.images(square)) {
                *dead |= image;
            }
        }
    }

    /// Returns whether a mirror symmetry exchanges the two sets.
    ///
    /// If so, the opponent of the player to move does not lose, except in games in which a player's own line wins. The
    /// opponent answers every move at the mirrored square with the other mark, and a move to a dead square with a move to
    /// another dead square. A line through a square and its image is dead. Any other line that the opponent completes, or
    /// leaves one square short, the player to move has already completed or left one square short at its image.
    pub(crate) fn is_mirrored(&self, geometry: &Geometry, all: u64) -> bool {
        let dead = self.dead[0];
        let [first, second] = [0, 1].map(|set| self.sets[set][0] | dead);
        let empty_dead = dead & !self.position().occupied() & all;
        empty_dead.count_ones().is_multiple_of(2)
            && geometry.mirrors.iter().any(|mirror| {
                let [first_image, second_image] =
                    [0, 1].map(|set| self.sets[set][mirror.symmetry] | self.dead[mirror.symmetry]);
                mirror.fixed & !dead == 0 && first == second_image && second == first_image
            })
    }

    /// Returns a key that is the same for all positions that differ only by a symmetry or in dead squares.
    ///
    /// Dead squares are added to both sets. The number of empty ones follows from the number of marks.
    pub(crate) fn key(&self, geometry: &Geometry, marks: Marks) -> BoundsKey {
        let n_symmetries = if geometry.tuning.uses(Technique::Symmetry) { N_SYMMETRIES } else { 1 };
        let pairs = (0..n_symmetries).map(|symmetry| {
            let [first, second] = [0, 1].map(|set| self.sets[set][symmetry] | self.dead[symmetry]);
            // If players choose their marks, exchanging X and O gives an equivalent position.
            if marks.are_chosen() { [first.min(second), first.max(second)] } else { [first, second] }
        });
        BoundsKey { sets: pairs.min().unwrap_or_default(), ply: self.position().ply() }
    }
}
