//! The lines and symmetries of a grid as bit sets.

use crate::bit_position::squares_of;
use crate::byte_symmetry::ByteSymmetry;
use crate::tuning::{SearchTuning, Technique, renumbered};
use tictac::{Mark, Move, Rules, Square, SquareSet, Symmetry};

/// The lines of a grid, and the images of its squares under the symmetries of the grid.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    pub(crate) lines: Vec<u64>,
    /// For each square, the lines through it.
    through: Vec<Vec<u64>>,
    /// For each square, its image under each symmetry as a set of one square.
    images: Vec<[u64; N_SYMMETRIES]>,
    /// The number of different symmetries, which are listed first.
    n_symmetries: usize,
    /// The symmetries that are their own inverse.
    pub(crate) mirrors: Vec<Mirror>,
    /// The mark that both players write, if they write the same.
    only_mark: Option<Mark>,
    /// The techniques that the search uses.
    pub(crate) tuning: SearchTuning,
}

/// A symmetry that is its own inverse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mirror {
    /// The index of the symmetry.
    pub(crate) symmetry: usize,
    /// The squares that it maps to themselves.
    pub(crate) fixed: u64,
}

/// The number of symmetries of a square grid. Other grids have four, each of which is listed twice.
pub(crate) const N_SYMMETRIES: usize = 8;

impl Geometry {
    /// Returns the lines and symmetries of one board of `rules`.
    pub(crate) fn new(rules: Rules) -> Geometry {
        Geometry::tuned(rules, SearchTuning::default())
    }

    /// Returns the lines and symmetries of one board of `rules` for a search with other settings.
    ///
    /// The squares of a position have to be numbered accordingly. The empty board is the same in every numbering.
    pub(crate) fn tuned(rules: Rules, tuning: SearchTuning) -> Geometry {
        let numbers = tuning.square_numbers(rules.grid().len() as u32);
        let lines = rules.lines().possible_in(rules.squares());
        let lines: Vec<u64> = lines.map(|line| renumbered(line.squares().bits(), &numbers)).collect();
        let through = squares_of(rules.grid().squares().bits())
            .map(|square| lines.iter().copied().filter(|line| line >> square & 1 != 0).collect())
            .collect();
        let mut images_of = vec![[0; N_SYMMETRIES]; numbers.len()];
        for (square, &number) in rules.grid().squares().iter().zip(&numbers) {
            images_of[number as usize] = images(&rules, square).map(|image| renumbered(image, &numbers));
        }
        let images = images_of;
        let mirrors = (1..N_SYMMETRIES).filter_map(|symmetry| mirror(&images, symmetry)).collect();
        let n_symmetries = Symmetry::of(&rules).len().min(N_SYMMETRIES);
        Geometry { lines, through, images, n_symmetries, mirrors, only_mark: rules.only_mark(), tuning }
    }

    /// Returns the number of squares.
    pub(crate) fn n_squares(&self) -> u32 {
        self.images.len() as u32
    }

    /// Returns the squares that `set` does not contain, in ascending order.
    pub(crate) fn empty_squares(&self, set: u64) -> impl Iterator<Item = u32> + use<> {
        squares_of(!set & (u64::MAX >> (64 - self.n_squares())))
    }

    /// Returns every set that consists of `set` and one more square of the grid.
    pub(crate) fn successors(&self, set: u64) -> impl Iterator<Item = u64> + use<> {
        self.empty_squares(set).map(move |square| set | 1 << square)
    }

    /// Returns every move on a living board with one kind of mark, with the board after it, in the order of boards and squares.
    pub(crate) fn moves<'a>(
        &'a self,
        boards: &'a [SquareSet],
    ) -> impl Iterator<Item = (Move, SquareSet)> + use<'a> {
        let mark = self.only_mark.unwrap_or(Mark::X);
        let living = (0u32..).zip(boards).filter(|(_, board)| !self.has_line(board.bits()));
        living.flat_map(move |(place, &board)| {
            let squares = self.empty_squares(board.bits()).filter_map(|square| Square::new(square as usize));
            squares.map(move |square| (Move { board: place, square, mark }, board.with(square)))
        })
    }

    /// Returns the lines through `square`.
    pub(crate) fn through(&self, square: u32) -> &[u64] {
        &self.through[square as usize]
    }

    /// Returns the images of `square` as sets of one square, the square itself first.
    pub(crate) fn images(&self, square: u32) -> &[u64; N_SYMMETRIES] {
        &self.images[square as usize]
    }

    /// Returns whether `set` contains a line.
    pub(crate) fn has_line(&self, set: u64) -> bool {
        self.lines.iter().any(|line| line & !set == 0)
    }

    /// Returns the squares outside `set` that would complete a line with it.
    pub(crate) fn completing(&self, set: u64) -> u64 {
        self.lines.iter().fold(0, |found, line| {
            let missing = line & !set;
            let is_single = missing & missing.wrapping_sub(1) == 0;
            found | if is_single { missing } else { 0 }
        })
    }

    /// Returns whether a line through `square` has all but one of its squares in `set` and that one in `empty`.
    pub(crate) fn threatens(&self, square: u32, set: u64, empty: u64) -> bool {
        self.through(square).iter().any(|line| {
            let missing = line & !set;
            missing & missing.wrapping_sub(1) == 0 && missing & empty != 0
        })
    }

    /// Returns the symmetries of the grid that the search uses, the identity first, for whole sets of squares.
    pub(crate) fn byte_symmetries(&self) -> Vec<ByteSymmetry> {
        let n_symmetries = if self.tuning.uses(Technique::Symmetry) { self.n_symmetries } else { 1 };
        let images = |number: usize| self.images.iter().map(move |images| images[number].trailing_zeros());
        (0..n_symmetries).map(|number| ByteSymmetry::new(&images(number).collect::<Vec<_>>())).collect()
    }

    /// Returns the image of `set` under each symmetry.
    pub(crate) fn images_of(&self, set: u64) -> [u64; N_SYMMETRIES] {
        let mut moved = [0; N_SYMMETRIES];
        for square in squares_of(set) {
            for (image, bit) in moved.iter_mut().zip(self.images(square)) {
                *image |= bit;
            }
        }
        moved
    }
}

/// Returns the image of `square` under each symmetry.
fn images(rules: &Rules, square: Square) -> [u64; N_SYMMETRIES] {
    let symmetries = Symmetry::of(rules);
    std::array::from_fn(|number| {
        let symmetry = symmetries[number % symmetries.len()];
        1 << symmetry.image(rules.grid(), square).index()
    })
}

/// Returns the symmetry as a mirror if it is its own inverse and not the identity.
fn mirror(images: &[[u64; N_SYMMETRIES]], symmetry: usize) -> Option<Mirror> {
    let image = |square: usize| images[square][symmetry].trailing_zeros() as usize;
    let is_own_inverse = (0..images.len()).all(|square| image(image(square)) == square);
    let fixed = (0..images.len())
        .filter(|&square| image(square) == square)
        .fold(0_u64, |set, square| set | 1 << square);
    (is_own_inverse && fixed.count_ones() as usize != images.len()).then_some(Mirror { symmetry, fixed })
}
