//! A bounded transposition table with exact keys.

/// Two sets of squares that tell a position exactly; equal keys are equal positions.
pub(super) type Key = [u64; 2];

#[derive(Clone, Copy)]
struct Entry<T> {
    key: Key,
    /// The nodes it took to find the value out; zero marks a free entry.
    work: u32,
    value: T,
}

/// A table in buckets of [`WAYS`] entries, which grows up to a bound.
///
/// The whole position is stored, so a collision can cost time but never truth. Replacement: at
/// its bound, a new position takes the place of the entry of its bucket that took the least work.
pub(super) struct Table<T> {
    entries: Vec<Entry<T>>,
    used: usize,
    bound: usize,
}

const WAYS: usize = 4;
const FIRST_BUCKETS: usize = 256;

impl<T: Copy + Default> Table<T> {
    /// Makes a table that grows to at most `bytes` bytes, but has at least one bucket.
    pub(super) fn with_bytes(bytes: usize) -> Self {
        let wanted = bytes / (size_of::<Entry<T>>() * WAYS);
        let buckets: usize = 1 << wanted.max(1).ilog2();
        Self { entries: Self::free(buckets.min(FIRST_BUCKETS)), used: 0, bound: buckets * WAYS }
    }

    fn free(buckets: usize) -> Vec<Entry<T>> {
        vec![Entry { key: [0; 2], work: 0, value: T::default() }; buckets * WAYS]
    }

    /// Returns what is known about a position.
    pub(super) fn find(&self, key: Key) -> Option<T> {
        let bucket = self.bucket(key);
        let mut entries = self.entries[bucket..bucket + WAYS].iter();
        entries.find(|entry| entry.key == key && entry.work > 0).map(|entry| entry.value)
    }

    /// Remembers what is known about a position, and how many nodes it took to find out.
    pub(super) fn store(&mut self, key: Key, value: T, work: u64) {
        if self.used * 3 > self.entries.len() && self.entries.len() < self.bound {
            self.grow();
        }
        self.insert(Entry { key, work: u32::try_from(work.max(1)).unwrap_or(u32::MAX), value });
    }

    fn insert(&mut self, new: Entry<T>) {
        let bucket = self.bucket(new.key);
        let entries = &mut self.entries[bucket..bucket + WAYS];
        let same = entries.iter().position(|entry| entry.key == new.key && entry.work > 0);
        // A free entry has taken no work, so it is the first to go.
        let place = same.or_else(|| (0..WAYS).min_by_key(|&way| entries[way].work));
        let place = place.expect("a bucket has at least one entry");
        self.used += usize::from(entries[place].work == 0);
        entries[place] = new;
    }

    fn grow(&mut self) {
        let bigger = Self::free(self.entries.len() / WAYS * 2);
        let old = std::mem::replace(&mut self.entries, bigger);
        self.used = 0;
        for entry in old.into_iter().filter(|entry| entry.work > 0) {
            self.insert(entry);
        }
    }

    fn bucket(&self, key: Key) -> usize {
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
    fn what_is_stored_is_found_while_there_is_room() {
        let mut table = Table::with_bytes(1 << 20);
        for i in 0..5000 {
            table.store([i, i * i], i, 1);
        }
        let found = (0..5000).filter(|&i| table.find([i, i * i]) == Some(i)).count();
        assert!(found > 4750, "{found}");
        assert_eq!(table.find([1, 2]), None);
    }

    #[test]
    fn the_bound_holds_and_hard_work_stays() {
        let mut table = Table::with_bytes(1000);
        table.store([7, 7], 7, 1_000_000);
        for i in 0..5000 {
            table.store([i, 0], i, 1);
        }
        assert!(table.entries.len() * size_of::<Entry<u64>>() <= 1000);
        assert_eq!(table.find([7, 7]), Some(7));
    }
}
