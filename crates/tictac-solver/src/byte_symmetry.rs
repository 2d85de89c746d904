//! Symmetries of a grid that are applied to whole sets of squares.

/// A symmetry of the grid, applied to eight squares at a time.
#[derive(Clone, Debug)]
pub(crate) struct ByteSymmetry {
    // For each byte of a set and each value of that byte, the image of those eight squares.
    forward: Vec<[u64; 256]>,
    backward: Vec<[u64; 256]>,
}

impl ByteSymmetry {
    /// Returns the symmetry that maps each square to this one.
    pub(crate) fn new(image_of: &[u32]) -> ByteSymmetry {
        let mut preimage_of = vec![0; image_of.len()];
        for (square, &image) in (0..).zip(image_of) {
            preimage_of[image as usize] = square;
        }
        ByteSymmetry { forward: byte_tables(image_of), backward: byte_tables(&preimage_of) }
    }

    /// Returns the image of a set of squares.
    #[inline]
    pub(crate) fn apply(&self, set: u64) -> u64 {
        permute(&self.forward, set)
    }

    /// Returns the set whose image is `set`.
    pub(crate) fn undo(&self, set: u64) -> u64 {
        permute(&self.backward, set)
    }
}

#[inline]
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
