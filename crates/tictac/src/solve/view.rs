//! A position and all its images.

use super::geometry::{Geometry, N_SYMMETRIES};
use super::standing::{Standing, Step, squares_of};
use super::transposition::Key;
use crate::rules::Marks;

/// A position under every symmetry of the grid at once: a move adds one square to each, which is cheaper than
/// turning whole boards.
///
/// Squares on no line that can still be completed are dead: what is written there does not matter.
#[derive(Clone, Copy)]
pub(crate) struct View {
    sets: [[u64; N_SYMMETRIES]; 2],
    dead: [u64; N_SYMMETRIES],
}

impl View {
    pub(crate) fn new(geometry: &Geometry, standing: Standing) -> Self {
        Self { sets: standing.sets.map(|set| geometry.images_of(set)), dead: [0; N_SYMMETRIES] }
    }

    pub(crate) fn standing(&self) -> Standing {
        Standing { sets: [self.sets[0][0], self.sets[1][0]] }
    }

    pub(crate) fn after(&self, geometry: &Geometry, marks: Marks, mv: Step) -> Self {
        let mut sets = self.sets;
        for (set, image) in sets[mv.set].iter_mut().zip(geometry.images(mv.square)) {
            *set |= image;
        }
        if marks == Marks::Own {
            sets.swap(0, 1);
        }
        Self { sets, dead: self.dead }
    }

    /// Adds dead squares; a square once dead stays so.
    pub(crate) fn bury(&mut self, geometry: &Geometry, dead: u64) {
        for square in squares_of(dead & !self.dead[0]) {
            for (dead, image) in self.dead.iter_mut().zip(geometry.images(square)) {
                *dead |= image;
            }
        }
    }

    /// Returns whether a mirror exchanges the two sets.
    ///
    /// Then the opponent of the player to move need not lose, unless own lines win: he answers every move in
    /// the mirror, with the other mark. A line through both squares is dead; any other line that he
    /// completes, or leaves lacking one square, the player to move has completed or left so before him, in
    /// the mirror. Dead squares he answers by dead squares.
    pub(crate) fn is_mirrored(&self, geometry: &Geometry, all: u64) -> bool {
        let dead = self.dead[0];
        let [first, second] = [0, 1].map(|set| self.sets[set][0] | dead);
        let empty_dead = dead & !self.standing().occupied() & all;
        empty_dead.count_ones().is_multiple_of(2)
            && geometry.mirrors().iter().any(|mirror| {
                let [first_image, second_image] =
                    [0, 1].map(|set| self.sets[set][mirror.symmetry] | self.dead[mirror.symmetry]);
                mirror.fixed & !dead == 0 && first == second_image && second == first_image
            })
    }

    /// Returns what is the same for all positions that differ only by symmetry or in dead squares.
    ///
    /// Dead squares are put into both sets, which says that they are dead; how many of them are empty follows
    /// from the number of marks.
    pub(crate) fn key(&self, marks: Marks) -> Key {
        let pairs = (0..N_SYMMETRIES).map(|symmetry| {
            let [first, second] = [0, 1].map(|set| self.sets[set][symmetry] | self.dead[symmetry]);
            match marks {
                Marks::Own | Marks::OnlyX => [first, second],
                // X and O may be exchanged.
                Marks::Either => [first.min(second), first.max(second)],
            }
        });
        Key { sets: pairs.min().unwrap_or_default(), ply: self.standing().ply() }
    }
}
