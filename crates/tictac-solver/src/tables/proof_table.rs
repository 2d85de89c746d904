//! A bounded transposition table with exact keys, which several threads can share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The whole of what identifies a position; equal keys are equal positions.
pub(crate) trait TableKey: Copy + Default + Eq {
    /// Returns a hash whose high bits depend on all bits of the key.
    fn hash(self) -> u64;
}

/// Two sets of squares that identify a position.
pub(crate) type ProofKey = [u64; 2];

#[derive(Clone, Copy)]
struct ProofEntry<K, T> {
    key: K,
    /// The number of nodes that it took to find the value; zero marks a free entry.
    work: u32,
    value: T,
}

/// A table that grows up to a limit, by levels of increasing size.
///
/// The whole position is stored, so a collision costs time but never gives a wrong answer. When the last level is full, a
/// new position replaces the entry of its bucket that took the least work.
///
/// Nothing is moved when the table grows, and memory is allocated in small segments: no single step takes long enough to
/// delay a stop. Each bucket has a lock of its own, which is held for a few nanoseconds.
pub(crate) struct ProofTable<K, T> {
    /// The levels, smallest first; new positions are stored in the last open one.
    levels: Vec<TableLevel<K, T>>,
    n_open: AtomicUsize,
}

struct TableLevel<K, T> {
    n_buckets: usize,
    segments: OnceLock<Vec<OnceLock<Segment<K, T>>>>,
    n_used: AtomicUsize,
}

/// Entries with a part of the hash of each in front, so that a position that is not stored costs one access to memory.
#[derive(Clone, Copy)]
#[repr(C)]
struct Bucket<K, T> {
    tags: [u16; WAYS],
    entries: [ProofEntry<K, T>; WAYS],
}

type Segment<K, T> = Box<[Mutex<Bucket<K, T>>]>;

const WAYS: usize = 4;
/// The number of buckets of the first level.
const FIRST_BUCKETS: usize = 256;
/// The ratio of the sizes of two levels. Only the last two are used for look-ups.
const LEVEL_GROWTH: usize = 16;
/// The number of buckets that are allocated at once: some microseconds of work, because after the table has grown, nearly every
/// new position needs a new segment.
const SEGMENT_BUCKETS: usize = 128;

impl<K: TableKey, T: Copy + Default> ProofTable<K, T> {
    /// Returns a table that grows to at most `bytes` bytes, but has at least one bucket.
    pub(crate) fn with_bytes(bytes: usize) -> Self {
        let mut left = (bytes / size_of::<Mutex<Bucket<K, T>>>()).max(1);
        let mut levels = Vec::new();
        let mut size = FIRST_BUCKETS;
        while left > 0 {
            // A rest that would make a level smaller than this one is added to it.
            let n_buckets = if left < 2 * size { left } else { size };
            levels.push(TableLevel { n_buckets, segments: OnceLock::new(), n_used: AtomicUsize::new(0) });
            left -= n_buckets;
            size = size.saturating_mul(LEVEL_GROWTH).min(left.max(1));
        }
        Self { levels, n_open: AtomicUsize::new(1) }
    }

    /// Returns the number of entries in use and the largest number of entries.
    pub(crate) fn fill(&self) -> (usize, usize) {
        self.levels.iter().fold((0, 0), |(used, size), level| {
            (used + level.n_used.load(Ordering::Relaxed), size + level.n_buckets * WAYS)
        })
    }

    /// Returns the key, the value and the work of every entry. An entry that is stored meanwhile may be missing.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (K, T, u32)> {
        let segments = self.open_levels().iter().filter_map(|level| level.segments.get()).flatten();
        let buckets = segments.filter_map(OnceLock::get).flat_map(|segment| segment.iter());
        let entries = buckets.flat_map(|bucket| lock(bucket).entries).filter(|entry| entry.work > 0);
        entries.map(|entry| (entry.key, entry.value, entry.work))
    }

    fn open_levels(&self) -> &[TableLevel<K, T>] {
        &self.levels[..self.n_open.load(Ordering::Acquire)]
    }

    /// Returns the value stored for a position.
    pub(crate) fn find(&self, key: K) -> Option<T> {
        let hash = key.hash();
        // Earlier levels hold so few positions that looking there costs more than it saves.
        self.open_levels().iter().rev().take(2).find_map(|level| level.find(key, hash))
    }

    /// Stores a value that took `work` nodes to find.
    pub(crate) fn store(&self, key: K, value: T, work: u64) {
        let open = self.open_levels();
        let last = &open[open.len() - 1];
        if last.n_used.load(Ordering::Relaxed) * 2 > last.n_buckets * WAYS && open.len() < self.levels.len() {
            self.n_open.fetch_max(open.len() + 1, Ordering::AcqRel);
        }
        last.insert(ProofEntry { key, work: u32::try_from(work.max(1)).unwrap_or(u32::MAX), value });
    }
}

impl<K: TableKey, T: Copy + Default> TableLevel<K, T> {
    fn find(&self, key: K, hash: u64) -> Option<T> {
        let (segment, bucket) = self.place(hash);
        let bucket = lock(&self.segments.get()?[segment].get()?[bucket]);
        bucket.find(key, tag(hash)).map(|way| bucket.entries[way].value)
    }

    fn insert(&self, new: ProofEntry<K, T>) {
        let hash = new.key.hash();
        let (segment, bucket) = self.place(hash);
        let n_segments = self.n_buckets.div_ceil(SEGMENT_BUCKETS);
        let segments = self.segments.get_or_init(|| (0..n_segments).map(|_| OnceLock::new()).collect());
        let n_buckets = SEGMENT_BUCKETS.min(self.n_buckets - segment * SEGMENT_BUCKETS);
        let buckets = segments[segment].get_or_init(|| (0..n_buckets).map(|_| free_bucket()).collect());
        let mut bucket = lock(&buckets[bucket]);
        let same = bucket.find(new.key, tag(hash));
        // A free entry has no work, so it is replaced first.
        let way = same.or_else(|| (0..WAYS).min_by_key(|&way| bucket.entries[way].work));
        let way = way.expect("a bucket has at least one entry");
        if bucket.entries[way].work == 0 {
            self.n_used.fetch_add(1, Ordering::Relaxed);
        }
        bucket.tags[way] = tag(hash);
        bucket.entries[way] = new;
    }

    /// Returns the segment of a position and its bucket in the segment.
    fn place(&self, hash: u64) -> (usize, usize) {
        let bucket = ((u128::from(hash) * self.n_buckets as u128) >> 64) as usize;
        (bucket / SEGMENT_BUCKETS, bucket % SEGMENT_BUCKETS)
    }
}

impl<K: TableKey, T> Bucket<K, T> {
    /// Returns the index of the entry of a position.
    fn find(&self, key: K, tag: u16) -> Option<usize> {
        let is_entry = |&way: &usize| {
            self.tags[way] == tag && self.entries[way].key == key && self.entries[way].work > 0
        };
        (0..WAYS).find(is_entry)
    }
}

/// Returns the part of a hash that does not choose the bucket.
fn tag(hash: u64) -> u16 {
    (hash & 0xFFFF) as u16
}

fn free_bucket<K: TableKey, T: Copy + Default>() -> Mutex<Bucket<K, T>> {
    let entry = ProofEntry { key: K::default(), work: 0, value: T::default() };
    Mutex::new(Bucket { tags: [0; WAYS], entries: [entry; WAYS] })
}

/// Locks a bucket. An entry is written as a whole by code that does not panic, so a poisoned lock is still consistent.
fn lock<K, T>(bucket: &Mutex<Bucket<K, T>>) -> MutexGuard<'_, Bucket<K, T>> {
    bucket.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TableKey for ProofKey {
    fn hash(self) -> u64 {
        let mixed = (self[0] ^ self[1].rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 32 ^ self[1]).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_values_are_found_below_the_limit() {
        let table = ProofTable::with_bytes(1 << 20);
        for i in 0..5000 {
            table.store([i, i * i], i, 1);
        }
        let found = (0..5000).filter(|&i| table.find([i, i * i]) == Some(i)).count();
        assert!(found > 4750, "{found}");
        assert_eq!(table.find([1, 2]), None);
    }

    #[test]
    fn the_limit_holds_and_costly_entries_stay() {
        let table = ProofTable::with_bytes(1000);
        table.store([7, 7], 7, 1_000_000);
        for i in 0..5000 {
            table.store([i, 0], i, 1);
        }
        assert_eq!(table.find([7, 7]), Some(7));
    }

    #[test]
    fn levels_use_the_memory_that_they_may_use() {
        for bytes in [1000, 123_456, 50_000_000, 3_000_000_000] {
            let table = ProofTable::<ProofKey, u64>::with_bytes(bytes);
            let n_buckets: usize = table.levels.iter().map(|level| level.n_buckets).sum();
            let used = n_buckets * size_of::<Mutex<Bucket<ProofKey, u64>>>();
            assert!(used <= bytes && used + 200 > bytes, "{bytes}: {used}");
            assert!(table.levels.len() < 6);
        }
    }

    #[test]
    fn no_store_takes_long_however_large_the_table() {
        let table = ProofTable::<ProofKey, u64>::with_bytes(1 << 30);
        let n_allocated = || {
            let segments = table.levels.iter().filter_map(|level| level.segments.get()).flatten();
            segments.filter(|segment| segment.get().is_some()).count()
        };
        let mut before = 0;
        for i in 0..50_000 {
            table.store([i, i * i], i, 1);
            if i % 100 == 0 {
                before = n_allocated();
            } else if i % 100 == 1 {
                // Nothing is moved, and at most one segment of less than 64 kilobytes is cleared.
                assert!(n_allocated() <= before + 1);
            }
        }
        assert!(table.n_open.load(Ordering::Relaxed) > 2);
    }
}
