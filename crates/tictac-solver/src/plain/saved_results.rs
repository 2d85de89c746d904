//! The results of the provers as bytes.
//!
//! What is read is checked for what the arithmetic of the provers relies on.

use crate::plain::breaker::WinningZone;
use crate::plain::depth_first::DepthFirstResult;
use crate::plain::proof_number::{INFINITE, ProofNumbers};
use crate::plain::zone::Zone;
use crate::tables::saved_entry::{ByteReader, SavedEntry, append};

/// More nodes than any search visits, and few enough to be added and doubled.
const MAX_WORK: u64 = u64::MAX / 4;

/// More free moves than any strategy has.
const MAX_FREE: u64 = 64;

impl SavedEntry for WinningZone {
    const SIZE: usize = 16;

    fn append_to(&self, bytes: &mut Vec<u8>) {
        append(bytes, &[u64::from(self.is_some()), self.unwrap_or(0)]);
    }

    fn from_bytes(bytes: &mut ByteReader<'_>, squares: u64) -> Option<Self> {
        let (is_win, zone) = (bytes.at_most(1)? == 1, bytes.set(squares)?);
        Some(is_win.then_some(zone))
    }
}

impl SavedEntry for Zone {
    const SIZE: usize = 24;

    fn append_to(&self, bytes: &mut Vec<u8>) {
        append(bytes, &[self.needs, self.forced, u64::from(self.free)]);
    }

    fn from_bytes(bytes: &mut ByteReader<'_>, squares: u64) -> Option<Self> {
        let (needs, forced) = (bytes.set(squares)?, bytes.set(squares)?);
        Some(Self { needs, forced, free: bytes.at_most(MAX_FREE)? as u32 })
    }
}

/// The number that marks a win among the numbers of quiet moves.
const WIN: u64 = 256;

impl SavedEntry for DepthFirstResult {
    const SIZE: usize = 8 + Zone::SIZE;

    fn append_to(&self, bytes: &mut Vec<u8>) {
        let (quiet, zone) = match *self {
            Self::Holds(quiet) => (u64::from(quiet), Zone::default()),
            Self::AttackerWins(zone) => (WIN, zone),
        };
        append(bytes, &[quiet]);
        zone.append_to(bytes);
    }

    fn from_bytes(bytes: &mut ByteReader<'_>, squares: u64) -> Option<Self> {
        let (quiet, zone) = (bytes.at_most(WIN)?, Zone::from_bytes(bytes, squares)?);
        Some(u8::try_from(quiet).map_or(Self::AttackerWins(zone), Self::Holds))
    }
}

impl SavedEntry for ProofNumbers {
    const SIZE: usize = 32 + Zone::SIZE;

    fn append_to(&self, bytes: &mut Vec<u8>) {
        append(bytes, &[u64::from(self.proof), u64::from(self.disproof), self.work, self.weak_work]);
        self.zone.append_to(bytes);
    }

    fn from_bytes(bytes: &mut ByteReader<'_>, squares: u64) -> Option<Self> {
        let mut number = || Some(bytes.at_most(u64::from(INFINITE))? as u32);
        let (proof, disproof) = (number()?, number()?);
        let (work, weak_work) = (bytes.at_most(MAX_WORK)?, bytes.at_most(MAX_WORK)?);
        Some(Self { proof, disproof, work, weak_work, zone: Zone::from_bytes(bytes, squares)? })
    }
}
