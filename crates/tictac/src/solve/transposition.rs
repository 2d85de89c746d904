//! The transposition table of the bound search.

use super::score::Score;

/// Proved bounds of a score, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The score is at least this.
    pub(crate) worst: Score,
    /// The score is at most this.
    pub(crate) best: Score,
}

impl Bounds {
    /// The bounds of a score about which nothing is known.
    pub(crate) const UNKNOWN: Self = Self { worst: Score::WORST, best: Score::BEST };

    /// Returns the bounds of a known score.
    pub(crate) const fn exact(score: Score) -> Self {
        Self { worst: score, best: score }
    }

    /// Returns the intersection of two bounds.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { worst: self.worst.max(other.worst), best: self.best.min(other.best) }
    }

    /// Returns the bounds from the other player's point of view.
    pub(crate) const fn for_other(self) -> Self {
        Self { worst: self.best.for_other(), best: self.worst.for_other() }
    }

    /// Returns whether the score is known.
    pub(crate) fn is_exact(self) -> bool {
        self.worst == self.best
    }
}

/// A bounded map from canonical positions to proved bounds.
///
/// Whole positions are stored, so a collision never gives a wrong answer.
///
/// # Replacement
///
/// A position belongs to a bucket of two entries. The first entry keeps the position that took more nodes, and the second
/// is always replaced. The map doubles when it is more than half full, as long as memory allows.
#[derive(Clone, Debug)]
pub(crate) struct Transpositions {
    entries: Vec<PackedEntry>,
    n_used: usize,
    max_entries: usize,
}

/// Two sets, and `nodes << 24 | ply << 16 | best << 8 | worst`; all zero if vacant.
///
/// The entries are plain integers so that the operating system can provide a large zeroed map without touching it.
type PackedEntry = [u64; 3];

/// A key that represents a position and all equivalent positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoundsKey {
    /// Two sets of squares.
    pub(crate) sets: [u64; 2],
    /// The number of marks.
    pub(crate) ply: u32,
}

const VACANT: PackedEntry = [0; 3];
const FIRST_ENTRIES: usize = 1 << 12;

impl Transpositions {
    /// Returns an empty map that stays within `max_bytes`, even while it grows, but takes at least 100 kB.
    pub(crate) fn new(max_bytes: usize) -> Self {
        // While the map grows, the old entries, half as many as the new ones, are still in memory.
        let affordable = max_bytes / size_of::<PackedEntry>() * 2 / 3;
        let max_entries = (affordable / 2 + 1).next_power_of_two().max(FIRST_ENTRIES);
        Self { entries: vec![VACANT; FIRST_ENTRIES], n_used: 0, max_entries }
    }

    /// Returns the number of entries in use and the largest number of entries.
    pub(crate) const fn fill(&self) -> (usize, usize) {
        (self.n_used, self.max_entries)
    }

    /// Returns the bounds stored for a position.
    pub(crate) fn find(&self, key: BoundsKey) -> Option<Bounds> {
        let first = self.bucket(key);
        let entry = self.entries[first..first + 2].iter().find(|entry| is_for(entry, key))?;
        Some(bounds(entry))
    }

    /// Stores bounds that took `nodes` nodes to prove.
    pub(crate) fn insert(&mut self, key: BoundsKey, known: Bounds, nodes: u64) {
        if self.n_used * 2 > self.entries.len() && self.entries.len() < self.max_entries {
            self.grow();
        }
        let new = entry(key, known, nodes);
        let first = self.bucket(key);
        let bucket = &mut self.entries[first..first + 2];
        if let Some(same) = bucket.iter_mut().find(|entry| is_for(entry, key)) {
            *same = new;
            return;
        }
        if bucket[0] == VACANT || bucket[1] == VACANT {
            self.n_used += 1;
        }
        if nodes_of(&new) >= nodes_of(&bucket[0]) {
            bucket[1] = bucket[0];
            bucket[0] = new;
        } else {
            bucket[1] = new;
        }
    }

    fn grow(&mut self) {
        let larger = vec![VACANT; self.entries.len() * 2];
        let smaller = std::mem::replace(&mut self.entries, larger);
        self.n_used = 0;
        for old in smaller.into_iter().filter(|entry| *entry != VACANT) {
            self.insert(key_of(&old), bounds(&old), nodes_of(&old));
        }
    }

    /// Returns the index of the first entry of a position's bucket.
    fn bucket(&self, key: BoundsKey) -> usize {
        let mixed = (key.sets[0] ^ key.sets[1].rotate_left(32).wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let entry = (mixed ^ mixed >> 32) as usize;
        entry & (self.entries.len() - 2)
    }
}

fn is_for(entry: &PackedEntry, key: BoundsKey) -> bool {
    entry[2] != 0 && key_of(entry) == key
}

fn key_of(entry: &PackedEntry) -> BoundsKey {
    BoundsKey { sets: [entry[0], entry[1]], ply: u32::from((entry[2] >> 16) as u8) }
}

fn nodes_of(entry: &PackedEntry) -> u64 {
    entry[2] >> 24
}

fn entry(key: BoundsKey, known: Bounds, nodes: u64) -> PackedEntry {
    let [worst, best] = [known.worst, known.best].map(|score| u64::from(score.0.cast_unsigned()));
    let nodes = nodes.clamp(1, u64::MAX >> 24);
    [key.sets[0], key.sets[1], nodes << 24 | u64::from(key.ply) << 16 | best << 8 | worst]
}

fn bounds(entry: &PackedEntry) -> Bounds {
    let [worst, best] = [entry[2], entry[2] >> 8].map(|byte| Score((byte as u8).cast_signed()));
    Bounds { worst, best }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(i: u64) -> BoundsKey {
        BoundsKey { sets: [i, i << 20], ply: 7 }
    }

    const DRAW: Bounds = Bounds::exact(Score::DRAW);

    #[test]
    fn inserted_bounds_are_found_while_the_map_grows() {
        let mut map = Transpositions::new(1 << 24);
        let bounds = |i: u64| Bounds { worst: Score((i % 100) as i8 - 100), best: Score((i % 50) as i8) };
        (0..20_000).for_each(|i| map.insert(key(i), bounds(i), i));
        let found = (0..20_000).filter(|&i| map.find(key(i)).is_some()).count();
        assert!(found > 16_000, "a map about half full loses little: {found}");
        assert!((0..20_000).all(|i| map.find(key(i)).is_none_or(|found| found == bounds(i))));
        assert_eq!(map.find(BoundsKey { ply: 8, ..key(1) }), None);
    }

    #[test]
    fn the_costlier_entry_stays_and_memory_is_bounded() {
        let mut map = Transpositions::new(0);
        map.insert(key(0), DRAW, 1_000_000);
        (1..100_000).for_each(|i| map.insert(key(i), DRAW, i % 1000));
        assert_eq!(map.find(key(0)), Some(DRAW));
        assert_eq!(map.entries.len(), FIRST_ENTRIES);
    }
}
