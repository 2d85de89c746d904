//! A bounded transposition table with exact keys.

/// Two sets of squares that identify a position; equal keys are equal positions.
pub(super) type ProofKey = [u64; 2];

#[derive(Clone, Copy)]
struct ProofEntry<T> {
    key: ProofKey,
    /// The number of nodes that it took to find the value; zero marks a free entry.
    work: u32,
    value: T,
}

/// A table in buckets of [`WAYS`] entries that grows up to a limit.
///
/// The whole position is stored, so a collision costs time but never gives a wrong answer. When the table is full, a new
/// position replaces the entry of its bucket that took the least work.
pub(super) struct ProofTable<T> {
    entries: Vec<ProofEntry<T>>,
    used: usize,
    max_entries: usize,
}

const WAYS: usize = 4;
const FIRST_BUCKETS: usize = 256;

impl<T: Copy + Default> ProofTable<T> {
    /// Returns a table that grows to at most `bytes` bytes, but has at least one bucket.
    pub(super) fn with_bytes(bytes: usize) -> Self {
        let n_buckets = bytes / (size_of::<ProofEntry<T>>() * WAYS);
        let buckets: usize = 1 << n_buckets.max(1).ilog2();
        Self { entries: Self::free(buckets.min(FIRST_BUCKETS)), used: 0, max_entries: buckets * WAYS }
    }

    fn free(buckets: usize) -> Vec<ProofEntry<T>> {
        vec![ProofEntry { key: [0; 2], work: 0, value: T::default() }; buckets * WAYS]
    }

    /// Returns the value stored for a position.
    pub(super) fn find(&self, key: ProofKey) -> Option<T> {
        let bucket = self.bucket(key);
        let mut entries = self.entries[bucket..bucket + WAYS].iter();
        entries.find(|entry| entry.key == key && entry.work > 0).map(|entry| entry.value)
    }

    /// Stores a value that took `work` nodes to find.
    pub(super) fn store(&mut self, key: ProofKey, value: T, work: u64) {
        if self.used * 3 > self.entries.len() && self.entries.len() < self.max_entries {
            self.grow();
        }
        self.insert(ProofEntry { key, work: u32::try_from(work.max(1)).unwrap_or(u32::MAX), value });
    }

    fn insert(&mut self, new: ProofEntry<T>) {
        let bucket = self.bucket(new.key);
        let entries = &mut self.entries[bucket..bucket + WAYS];
        let same = entries.iter().position(|entry| entry.key == new.key && entry.work > 0);
        // A free entry has no work, so it is replaced first.
        let way = same.or_else(|| (0..WAYS).min_by_key(|&way| entries[way].work));
        let way = way.expect("a bucket has at least one entry");
        self.used += usize::from(entries[way].work == 0);
        entries[way] = new;
    }

    fn grow(&mut self) {
        let bigger = Self::free(self.entries.len() / WAYS * 2);
        let old = std::mem::replace(&mut self.entries, bigger);
        self.used = 0;
        for entry in old.into_iter().filter(|entry| entry.work > 0) {
            self.insert(entry);
        }
    }

    fn bucket(&self, key: ProofKey) -> usize {
        let mixed = (key[0] ^ key[1].rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 32 ^ key[1]).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let index = (mixed >> 32) as usize;
        (index & (self.entries.len() / WAYS - 1)) * WAYS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_values_are_found_below_the_limit() {
        let mut table = ProofTable::with_bytes(1 << 20);
        for i in 0..5000 {
            table.store([i, i * i], i, 1);
        }
        let found = (0..5000).filter(|&i| table.find([i, i * i]) == Some(i)).count();
        assert!(found > 4750, "{found}");
        assert_eq!(table.find([1, 2]), None);
    }

    #[test]
    fn the_limit_holds_and_costly_entries_stay() {
        let mut table = ProofTable::with_bytes(1000);
        table.store([7, 7], 7, 1_000_000);
        for i in 0..5000 {
            table.store([i, 0], i, 1);
        }
        assert!(table.entries.len() * size_of::<ProofEntry<u64>>() <= 1000);
        assert_eq!(table.find([7, 7]), Some(7));
    }
}
