//! Which chunk is which: by the index, by the seal, or by the order in the file.

use std::collections::{BTreeMap, BTreeSet};

use super::probe::{Found, Proof};
use crate::frame::layout::offsets::Entry;

/// Evidence for the number of a recovered chunk.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placed {
    /// The index names it.
    Index,
    /// Its checksum stands at this place of the seal.
    Seal,
    /// The order in the file, or of the numbers of the chunk files. Chunks that were updated,
    /// inserted or reordered may lie in another order than they have in the frame, and chunks
    /// that are one special value lie nowhere.
    Order,
}

/// A chunk and its number, once there is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbered {
    pub(super) found: Found,
    pub(super) nchunk: Option<(u64, Placed)>,
    /// The number of its file, in a sparse frame.
    pub(super) file: Option<u64>,
}

impl From<Found> for Numbered {
    fn from(found: Found) -> Self {
        Self {
            found,
            nchunk: None,
            file: None,
        }
    }
}

/// The index as it was found.
#[derive(Clone, Debug)]
pub(super) struct IndexFound {
    pub(super) at: u64,
    pub(super) end: u64,
    pub(super) entries: Vec<i64>,
}

impl IndexFound {
    /// The places of the stored chunks, by their numbers.
    pub(super) fn stored(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0..)
            .zip(&self.entries)
            .filter_map(|(nchunk, &raw)| match Entry::from_raw(raw)? {
                Entry::Stored(place) => Some((nchunk, place)),
                Entry::Special(_) => None,
            })
    }

    /// The numbers of the chunks that stand in the index alone.
    pub(super) fn specials(&self) -> BTreeSet<u64> {
        (0..)
            .zip(&self.entries)
            .filter(|&(_, &raw)| matches!(Entry::from_raw(raw), Some(Entry::Special(_))))
            .map(|(nchunk, _)| nchunk)
            .collect()
    }

    /// The stored chunks: their places, and the first number that names each.
    pub(super) fn places(&self) -> BTreeMap<u64, u64> {
        let mut places = BTreeMap::new();
        for (nchunk, place) in self.stored() {
            places.entry(place).or_insert(nchunk);
        }
        places
    }

    /// Whether there is a chunk for every entry that names one, and no entry is damaged.
    pub(super) fn is_met(&self, chunks: &[Numbered]) -> bool {
        let mut entries = self.entries.iter().map(|&raw| Entry::from_raw(raw));
        self.stored().count() == chunks.len() && entries.all(|entry| entry.is_some())
    }
}

/// Numbers chunks by their checksums; an entry of the seal is used once. Chunks that have a number
/// keep it, unless the seal has it for another chunk.
pub(super) fn by_seal(chunks: &mut [Numbered], seal: &[u64]) {
    let mut numbers: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for (nchunk, &checksum) in (0..).zip(seal) {
        numbers.entry(checksum).or_default().insert(nchunk);
    }
    for chunk in chunks.iter_mut() {
        let fitting = numbers.get_mut(&chunk.found.checksum);
        if let (Some((nchunk, _)), Some(fitting)) = (chunk.nchunk, fitting)
            && fitting.remove(&nchunk)
        {
            chunk.found.proof = Proof::Checksum;
        }
    }
    let mut taken = BTreeSet::new();
    for chunk in chunks.iter_mut() {
        if chunk.found.proof != Proof::Checksum
            && let Some(fitting) = numbers.get_mut(&chunk.found.checksum)
            && let Some(nchunk) = fitting.pop_first()
        {
            chunk.nchunk = Some((nchunk, Placed::Seal));
            chunk.found.proof = Proof::Checksum;
            taken.insert(nchunk);
        }
    }
    for chunk in chunks.iter_mut() {
        let number = chunk.nchunk.map(|(nchunk, _)| nchunk);
        let is_taken = number.is_some_and(|number| taken.contains(&number));
        if chunk.found.proof != Proof::Checksum && is_taken {
            chunk.nchunk = None;
        }
    }
}

/// Numbers runs of chunks without a number that exactly fill the room between two that have one;
/// `nchunks` is the number of all chunks, `taken` are those that stand elsewhere.
pub(super) fn between(chunks: &mut [Numbered], nchunks: u64, mut taken: BTreeSet<u64>) {
    taken.extend(
        chunks
            .iter()
            .filter_map(|chunk| chunk.nchunk.map(|(nchunk, _)| nchunk)),
    );
    let mut at = 0;
    let mut next = 0_u64;
    while at < chunks.len() {
        if let Some((nchunk, _)) = chunks.get(at).and_then(|chunk| chunk.nchunk) {
            next = nchunk.saturating_add(1);
            at = at.saturating_add(1);
            continue;
        }
        let rest = chunks.get(at..).unwrap_or_default();
        let run = rest
            .iter()
            .take_while(|chunk| chunk.nchunk.is_none())
            .count();
        let after = rest.get(run).and_then(|chunk| chunk.nchunk);
        let after = after.map_or(nchunks, |(nchunk, _)| nchunk);
        let fills = after.checked_sub(next) == Some(run as u64);
        if fills && taken.range(next..after).next().is_none() {
            for chunk in chunks.iter_mut().skip(at).take(run) {
                chunk.nchunk = Some((next, Placed::Order));
                next = next.saturating_add(1);
            }
        }
        at = at.saturating_add(run);
    }
}

/// Numbers all chunks in their order; `gaps` says whether bytes are lost before each, and after the
/// last one. Of `nchunks` chunks, those that are missing were in the gaps.
pub(super) fn by_order(chunks: &mut [Numbered], nchunks: Option<u64>, gaps: &[bool]) {
    // Nothing says that a chunk is missing at either end, but for their number.
    let inner = || gaps.get(1..chunks.len()).unwrap_or_default();
    let mut left = gaps.iter().filter(|&&gap| gap).count() as u64;
    let mut missing = match nchunks {
        Some(nchunks) => nchunks.saturating_sub(chunks.len() as u64),
        None => inner().iter().filter(|&&gap| gap).count() as u64,
    };
    let mut next = 0_u64;
    for (at, (chunk, &gap)) in chunks.iter_mut().zip(gaps).enumerate() {
        if gap && (nchunks.is_some() || at > 0) {
            // One each, and the rest in the last one.
            let here = if left <= 1 { missing } else { missing.min(1) };
            next = next.saturating_add(here);
            missing = missing.saturating_sub(here);
            left = left.saturating_sub(1);
        }
        chunk.nchunk = Some((next, Placed::Order));
        next = next.saturating_add(1);
    }
}
