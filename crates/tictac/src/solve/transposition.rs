//! Memory of what a search has proved.

use super::score::Score;

/// What is proved about a score: it lies between the two, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The score is at least this.
    pub(crate) worst: Score,
    /// The score is at most this.
    pub(crate) best: Score,
}

impl Bounds {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Self = Self { worst: Score::WORST, best: Score::BEST };

    /// Returns the bounds of a score that is known.
    pub(crate) const fn exact(score: Score) -> Self {
        Self { worst: score, best: score }
    }

    /// Returns what follows from both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { worst: self.worst.max(other.worst), best: self.best.min(other.best) }
    }

    /// Returns the bounds for the other player.
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
/// Positions are kept whole, so an answer is never another position's.
///
/// # Replacement
///
/// A position belongs to a bucket of two entries. The first keeps whichever took more nodes to prove, the
/// second takes what is left over, newest first. The map doubles while it is more than half full and memory
/// allows.
#[derive(Clone, Debug)]
pub(crate) struct Transpositions {
    entries: Vec<Entry>,
    n_used: usize,
    max_entries: usize,
}

/// Two sets, and `nodes << 24 | ply << 16 | best << 8 | worst`; all zero when vacant. Plain integers, so that
/// a large vacant map costs no time before it is touched.
type Entry = [u64; 3];

/// What stands for a position and its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// Two sets of squares.
    pub(crate) sets: [u64; 2],
    /// The number of marks.
    pub(crate) ply: u32,
}

const VACANT: Entry = [0; 3];
const FIRST_ENTRIES: usize = 1 << 12;

impl Transpositions {
    /// Returns an empty map that will stay within `max_bytes` (but has 100 kB at least), also while it grows.
    pub(crate) fn new(max_bytes: usize) -> Self {
        // Old and new entries live side by side while the map grows, half as many old ones as new ones.
        let affordable = max_bytes / size_of::<Entry>() * 2 / 3;
        let max_entries = (affordable / 2 + 1).next_power_of_two().max(FIRST_ENTRIES);
        Self { entries: vec![VACANT; FIRST_ENTRIES], n_used: 0, max_entries }
    }

    /// Returns how many entries are in use, of how many that there may be.
    pub(crate) const fn fill(&self) -> (usize, usize) {
        (self.n_used, self.max_entries)
    }

    /// Returns what is known about a position.
    pub(crate) fn find(&self, key: Key) -> Option<Bounds> {
        let first = self.bucket(key);
        let entry = self.entries[first..first + 2].iter().find(|entry| is_for(entry, key))?;
        Some(bounds(entry))
    }

    /// Remembers what took `nodes` nodes to prove.
    pub(crate) fn insert(&mut self, key: Key, known: Bounds, nodes: u64) {
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

    /// Returns the first entry of a position's bucket; their number is a power of two.
    fn bucket(&self, key: Key) -> usize {
        let mixed = (key.sets[0] ^ key.sets[1].rotate_left(32).wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let entry = (mixed ^ mixed >> 32) as usize;
        entry & (self.entries.len() - 2)
    }
}

fn is_for(entry: &Entry, key: Key) -> bool {
    entry[2] != 0 && key_of(entry) == key
}

fn key_of(entry: &Entry) -> Key {
    Key { sets: [entry[0], entry[1]], ply: u32::from((entry[2] >> 16) as u8) }
}

fn nodes_of(entry: &Entry) -> u64 {
    entry[2] >> 24
}

fn entry(key: Key, known: Bounds, nodes: u64) -> Entry {
    let [worst, best] = [known.worst, known.best].map(|score| u64::from(score.0.cast_unsigned()));
    let nodes = nodes.clamp(1, u64::MAX >> 24);
    [key.sets[0], key.sets[1], nodes << 24 | u64::from(key.ply) << 16 | best << 8 | worst]
}

fn bounds(entry: &Entry) -> Bounds {
    let [worst, best] = [entry[2], entry[2] >> 8].map(|byte| Score((byte as u8).cast_signed()));
    Bounds { worst, best }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(i: u64) -> Key {
        Key { sets: [i, i << 20], ply: 7 }
    }

    const DRAW: Bounds = Bounds::exact(Score::DRAW);

    #[test]
    fn what_is_inserted_is_found_while_the_map_grows() {
        let mut map = Transpositions::new(1 << 24);
        let bounds = |i: u64| Bounds { worst: Score((i % 100) as i8 - 100), best: Score((i % 50) as i8) };
        (0..20_000).for_each(|i| map.insert(key(i), bounds(i), i));
        let found = (0..20_000).filter(|&i| map.find(key(i)).is_some()).count();
        assert!(found > 16_000, "a map about half full loses little: {found}");
        assert!((0..20_000).all(|i| map.find(key(i)).is_none_or(|found| found == bounds(i))));
        assert_eq!(map.find(Key { ply: 8, ..key(1) }), None);
    }

    #[test]
    fn the_costlier_of_two_stays_and_memory_is_bounded() {
        let mut map = Transpositions::new(0);
        map.insert(key(0), DRAW, 1_000_000);
        (1..100_000).for_each(|i| map.insert(key(i), DRAW, i % 1000));
        assert_eq!(map.find(key(0)), Some(DRAW));
        assert_eq!(map.entries.len(), FIRST_ENTRIES);
    }
}
