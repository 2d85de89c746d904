//! The entries of tables as bytes.

use crate::one_board::safe_moves::is_key_of_winner;
use crate::one_board::transposition::{Bounds, BoundsKey};
use crate::score::Score;
use crate::tables::proof_table::{ProofKey, ProofTable, TableKey};
use crate::tables::search_tables::DamagedTables;

/// A key or a value of a table that can be saved as a fixed number of bytes.
pub(crate) trait SavedEntry: Sized {
    /// The number of bytes.
    const SIZE: usize;

    /// Appends the bytes.
    fn append_to(&self, bytes: &mut Vec<u8>);

    /// Returns what the bytes stand for, or `None` if no search on a board of `squares` stores it.
    fn from_bytes(bytes: &mut ByteReader<'_>, squares: u64) -> Option<Self>;
}

/// The rest of the bytes of an entry.
pub(crate) struct ByteReader<'a>(&'a [u8]);

impl ByteReader<'_> {
    /// Returns the next number.
    pub(crate) fn number(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }

    /// Returns the next number if it is at most `max`.
    pub(crate) fn at_most(&mut self, max: u64) -> Option<u64> {
        self.number().filter(|&number| number <= max)
    }

    /// Returns the next number if it is a set of some of `squares`.
    pub(crate) fn set(&mut self, squares: u64) -> Option<u64> {
        self.number().filter(|set| set & !squares == 0)
    }
}

/// Appends numbers as bytes.
pub(crate) fn append(bytes: &mut Vec<u8>, numbers: &[u64]) {
    for number in numbers {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
}

impl SavedEntry for ProofKey {
    const SIZE: usize = 16;

    fn append_to(&self, bytes: &mut Vec<u8>) {
        append(bytes, self);
    }

    fn from_bytes(bytes: &mut ByteReader<'_>, squares: u64) -> Option<Self> {
        Some([bytes.set(squares)?, bytes.set(squares)?])
    }
}

impl SavedEntry for BoundsKey {
    const SIZE: usize = 24;

    fn append_to(&self, bytes: &mut Vec<u8>) {
        append(bytes, &[self.sets[0], self.sets[1], u64::from(self.ply)]);
    }

    fn from_bytes(bytes: &mut ByteReader<'_>, squares: u64) -> Option<Self> {
        let sets = [bytes.number()?, bytes.number()?];
        match bytes.number()? {
            ply @ 0..=64 => {
                sets.iter().all(|set| set & !squares == 0).then_some(Self { sets, ply: ply as u32 })
            }
            ply => is_key_of_winner(sets, ply, squares).then_some(Self { sets, ply: ply as u32 }),
        }
    }
}

impl SavedEntry for Bounds {
    const SIZE: usize = 8;

    fn append_to(&self, bytes: &mut Vec<u8>) {
        let [worst, best] = [self.worst, self.best].map(|score| score.0.to_le_bytes()[0]);
        bytes.extend_from_slice(&[worst, best, 0, 0, 0, 0, 0, 0]);
    }

    fn from_bytes(bytes: &mut ByteReader<'_>, _squares: u64) -> Option<Self> {
        let [worst, best] = bytes.at_most(u64::from(u16::MAX)).map(|number| {
            let [worst, best, ..] = number.to_le_bytes();
            [worst, best].map(|score| Score(i8::from_le_bytes([score])))
        })?;
        (Score::WORST <= worst && worst <= best && best <= Score::BEST).then_some(Self { worst, best })
    }
}

/// The largest number of entries of a piece: few enough that reading takes little memory, whatever the bytes.
const PIECE_ENTRIES: usize = 64;

impl<K: TableKey + SavedEntry, T: Copy + Default + SavedEntry> ProofTable<K, T> {
    /// Writes the entries in pieces: the number of entries of each, then the entries, and a zero after the last piece.
    pub(crate) fn save<E>(&self, write: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut bytes = Vec::with_capacity(PIECE_ENTRIES * entry_size::<K, T>());
        let mut n_entries = 0;
        let mut piece = |bytes: &mut Vec<u8>, n_entries: &mut u64| {
            write(&n_entries.to_le_bytes())?;
            write(bytes)?;
            bytes.clear();
            *n_entries = 0;
            Ok(())
        };
        for (key, value, work) in self.entries() {
            key.append_to(&mut bytes);
            value.append_to(&mut bytes);
            append(&mut bytes, &[u64::from(work)]);
            n_entries += 1;
            if n_entries == PIECE_ENTRIES as u64 {
                piece(&mut bytes, &mut n_entries)?;
            }
        }
        if n_entries > 0 {
            piece(&mut bytes, &mut n_entries)?;
        }
        write(&0_u64.to_le_bytes())
    }

    /// Stores the entries that `read` returns, for a board of `squares`.
    pub(crate) fn load<E: From<DamagedTables>>(
        &self,
        squares: u64,
        read: &mut dyn FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut bytes = vec![0; PIECE_ENTRIES * entry_size::<K, T>()];
        loop {
            let mut head = [0; 8];
            read(&mut head)?;
            let n_entries = usize::try_from(u64::from_le_bytes(head)).unwrap_or(usize::MAX);
            if n_entries == 0 {
                return Ok(());
            }
            if n_entries > PIECE_ENTRIES {
                return Err(DamagedTables.into());
            }
            let piece = &mut bytes[..n_entries * entry_size::<K, T>()];
            read(piece)?;
            for entry in piece.chunks_exact(entry_size::<K, T>()) {
                let (key, value, work) = read_entry::<K, T>(entry, squares).ok_or(DamagedTables)?;
                self.store(key, value, work);
            }
        }
    }
}

/// Returns the number of bytes of an entry: its key, its value and its work.
const fn entry_size<K: SavedEntry, T: SavedEntry>() -> usize {
    K::SIZE + T::SIZE + 8
}

fn read_entry<K: SavedEntry, T: SavedEntry>(bytes: &[u8], squares: u64) -> Option<(K, T, u64)> {
    let mut bytes = ByteReader(bytes);
    let key = K::from_bytes(&mut bytes, squares)?;
    let value = T::from_bytes(&mut bytes, squares)?;
    Some((key, value, bytes.at_most(u64::from(u32::MAX))?))
}
