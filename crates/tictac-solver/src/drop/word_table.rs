//! A transposition table of one word per position, which threads share without locks.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use crate::drop::memory::DropBounds;

/// A bounded map from positions to bounds of their scores.
///
/// A position is a number of `key_bits` bits. An invertible hash gives its bucket and the rest, which is stored whole, so that equal
/// words are equal positions. The table grows by using more bits for the bucket; what is then in the wrong one is lost, but never taken for
/// another position.
pub(super) struct WordTable {
    key_bits: u32,
    /// The number of bits that choose a bucket of the smallest table: they are not stored.
    least_bits: u32,
    greatest_bits: u32,
    /// The number of bits that choose a bucket now.
    open_bits: AtomicU32,
    segments: Box<[OnceLock<WordSegment>]>,
    n_used: AtomicUsize,
}

type WordSegment = Box<[AtomicU64]>;

/// The number of entries of a bucket: half a line of the processor's cache.
const WAYS: usize = 4;
/// The bits that choose a bucket of a segment, which is allocated at once.
const SEGMENT_BITS: u32 = 10;
/// The bits by which a table grows when it is half full.
const GROWTH_BITS: u32 = 3;
/// The bits of each bound.
const BOUND_BITS: u32 = 7;
/// The bits of the logarithm of the nodes that an entry took.
const WORK_BITS: u32 = 5;
/// The bits of an entry that are not part of the position.
const DATA_BITS: u32 = 2 * BOUND_BITS + WORK_BITS;
/// Added to a bound, so that it is positive and no entry is zero.
const OFFSET: i8 = 40;

impl WordTable {
    /// Returns a table of at most `max_bytes` for keys of `key_bits` bits, or `None` if a word cannot hold what the bucket leaves open.
    pub(super) fn new(max_bytes: usize, key_bits: u32) -> Option<Self> {
        let greatest_bits = (max_bytes / (8 * WAYS)).max(1).ilog2().min(key_bits);
        let least_bits = (key_bits + DATA_BITS).saturating_sub(64).max(SEGMENT_BITS.min(greatest_bits));
        if least_bits > greatest_bits {
            return None;
        }
        let n_segments = 1 << greatest_bits.saturating_sub(SEGMENT_BITS);
        Some(Self {
            key_bits,
            least_bits,
            greatest_bits,
            open_bits: AtomicU32::new(least_bits),
            segments: (0..n_segments).map(|_| OnceLock::new()).collect(),
            n_used: AtomicUsize::new(0),
        })
    }

    /// Returns the number of entries in use and the largest number of entries.
    pub(super) fn fill(&self) -> (usize, usize) {
        (self.n_used.load(Ordering::Relaxed), WAYS << self.greatest_bits)
    }

    /// Returns the bounds stored for a position.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<DropBounds> {
        let (bucket, rest) = self.place(key);
        let segment = self.segments[bucket >> SEGMENT_BITS].get()?;
        let words = words(segment, bucket).iter().map(|word| word.load(Ordering::Relaxed));
        words.into_iter().find(|word| word >> DATA_BITS == rest && *word != 0).map(bounds)
    }

    /// Stores bounds that took `nodes` nodes to prove, in place of the entry of the bucket that took the fewest.
    #[inline(always)]
    pub(super) fn store(&self, key: u64, bounds: DropBounds, nodes: u64) {
        let (bucket, rest) = self.place(key);
        let segment = self.segments[bucket >> SEGMENT_BITS].get_or_init(free_segment);
        let words = words(segment, bucket);
        let work = u64::from(nodes.max(1).ilog2()).min(work(u64::MAX));
        let mut target = &words[0];
        let mut least = u64::MAX;
        for word in words {
            let held = word.load(Ordering::Relaxed);
            if held == 0 {
                self.add_used();
            }
            if held == 0 || held >> DATA_BITS == rest {
                target = word;
                break;
            }
            if self::work(held) < least {
                (target, least) = (word, self::work(held));
            }
        }
        let bound = |bound: i8| (bound + OFFSET) as u64;
        let data = (bound(bounds.worst) << BOUND_BITS | bound(bounds.best)) << WORK_BITS | work;
        target.store(rest << DATA_BITS | data, Ordering::Relaxed);
    }

    /// Counts an entry, and lets the table grow when it is half full.
    fn add_used(&self) {
        let n_used = self.n_used.fetch_add(1, Ordering::Relaxed);
        let open_bits = self.open_bits.load(Ordering::Relaxed);
        if 2 * n_used > WAYS << open_bits && open_bits < self.greatest_bits {
            self.open_bits.fetch_max((open_bits + GROWTH_BITS).min(self.greatest_bits), Ordering::Relaxed);
        }
    }

    /// Returns the bucket of a position and the rest of its hash.
    #[inline(always)]
    fn place(&self, key: u64) -> (usize, u64) {
        // An odd factor and the shifts are invertible, so different positions differ in the lowest bits or in the rest.
        let (mask, half) = (u64::MAX >> (64 - self.key_bits), self.key_bits.div_ceil(2));
        let mixed = (key ^ key >> half).wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
        let mixed = mixed ^ mixed >> half;
        let bucket = mixed & !(u64::MAX << self.open_bits.load(Ordering::Relaxed));
        (bucket as usize, mixed >> self.least_bits)
    }
}

/// Returns the words of a bucket.
#[inline(always)]
fn words(segment: &WordSegment, bucket: usize) -> &[AtomicU64; WAYS] {
    let first = WAYS * (bucket & ((1 << SEGMENT_BITS) - 1));
    segment[first..].first_chunk().expect("a segment consists of whole buckets")
}

#[cold]
fn free_segment() -> WordSegment {
    (0..WAYS << SEGMENT_BITS).map(|_| AtomicU64::new(0)).collect()
}

/// Returns the bounds in a word.
#[inline(always)]
fn bounds(word: u64) -> DropBounds {
    let bound = |shift: u32| (word >> shift & ((1 << BOUND_BITS) - 1)) as i8 - OFFSET;
    DropBounds { worst: bound(WORK_BITS + BOUND_BITS), best: bound(WORK_BITS) }
}

/// Returns the logarithm of the nodes in a word.
#[inline(always)]
const fn work(word: u64) -> u64 {
    word & ((1 << WORK_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds_of(key: u64) -> DropBounds {
        DropBounds { worst: (key % 33) as i8 - 32, best: (key % 32) as i8 }
    }

    #[test]
    fn what_is_found_was_stored_for_the_same_position_while_the_table_grows() {
        for (key_bits, max_bytes) in [(49, 1 << 20), (20, 1 << 22), (58, 1 << 20), (49, 2000)] {
            let table = WordTable::new(max_bytes, key_bits).unwrap();
            let keys = (0..20_000_u64)
                .map(|n| n.wrapping_mul(0xD6E8_FEB8_6659_FD93) & (u64::MAX >> (64 - key_bits)));
            keys.clone().for_each(|key| table.store(key, bounds_of(key), 1));
            let found = keys.clone().filter(|&key| table.find(key).is_some()).count();
            assert!(found > 4_000 || max_bytes == 2000, "{key_bits}: {found}");
            assert!(keys.clone().all(|key| table.find(key).is_none_or(|found| found == bounds_of(key))));
            let neighbours =
                keys.map(|key| key ^ 1).filter(|&key| table.find(key) == Some(bounds_of(key ^ 1)));
            assert!(neighbours.count() < 5_000);
        }
    }

    #[test]
    fn small_tables_of_long_keys_are_refused() {
        assert!(WordTable::new(1 << 20, 64).is_none());
        assert!(WordTable::new(1 << 30, 64).is_some());
    }

    #[test]
    fn the_costlier_entry_stays() {
        let table = WordTable::new(1 << 12, 49).unwrap();
        table.store(7, bounds_of(7), 1 << 20);
        (1_000..50_000).for_each(|key| table.store(key, bounds_of(key), 1));
        assert_eq!(table.find(7), Some(bounds_of(7)));
    }
}
