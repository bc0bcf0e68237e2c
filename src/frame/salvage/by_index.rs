//! Which chunk is which, by the index.

use std::collections::{BTreeMap, BTreeSet};

use super::number::{IndexFound, Numbered, Placed};
use super::probe::Found;
use super::walk::Gap;
use crate::frame::layout::offsets::Entry;

/// How many chunks at either end of the file are compared with the index to find out by how much
/// it is off.
const SAMPLE: usize = 64;

/// Numbers chunks by the index. `bases` are where the distances in it may count from: before the
/// damage and after it; `gaps` are the bytes without a whole chunk.
pub(super) fn by_index(chunks: &mut [Numbered], index: &IndexFound, bases: &[i64], gaps: &[Gap]) {
    let places = index.places();
    if let &[before, after] = bases {
        split(chunks, &places, before, after);
    } else {
        for &base in bases {
            assign(chunks, &places, base);
        }
    }
    // Where the header says what it counts from, nothing is to be guessed.
    if chunks.iter().any(|chunk| chunk.nchunk.is_some()) {
        return;
    }
    for base in guesses(chunks, &places, index, gaps) {
        assign(chunks, &places, base);
    }
}

/// The distance of `at` from `base`.
fn place_from(base: i64, at: u64) -> Option<u64> {
    let distance = i64::try_from(at).ok()?.checked_sub(base)?;
    u64::try_from(distance).ok()
}

/// The offset an index counts from when it calls `at` this place.
fn base_of(at: u64, place: u64) -> Option<i64> {
    i64::try_from(at)
        .ok()?
        .checked_sub(i64::try_from(place).ok()?)
}

/// Whether the index names a chunk when it counts from `base`, and no other one before its end.
fn fits(chunk: &Found, places: &BTreeMap<u64, u64>, base: i64) -> bool {
    let Some(place) = place_from(base, chunk.at).filter(|place| places.contains_key(place)) else {
        return false;
    };
    let end = place.saturating_add(chunk.header.cbytes.into());
    places.range(place..end).count() == 1
}

/// Numbers the chunks that the index names when it counts from `base`.
fn assign(chunks: &mut [Numbered], places: &BTreeMap<u64, u64>, base: i64) {
    let mut taken: BTreeSet<u64> = chunks
        .iter()
        .filter_map(|chunk| chunk.nchunk.map(|(nchunk, _)| nchunk))
        .collect();
    for chunk in chunks.iter_mut().filter(|chunk| chunk.nchunk.is_none()) {
        let place = place_from(base, chunk.found.at);
        if let Some(&nchunk) = place.and_then(|place| places.get(&place))
            && fits(&chunk.found, places, base)
            && taken.insert(nchunk)
        {
            chunk.nchunk = Some((nchunk, Placed::Index));
        }
    }
}

/// Bytes were cut out or inserted at one place: chunks before it count from one base, those after
/// it from another. The place is where most chunks fit.
fn split(chunks: &mut [Numbered], places: &BTreeMap<u64, u64>, before: i64, after: i64) {
    let (mut score, mut best) = (0_i64, (0, 0));
    for (at, chunk) in (1..).zip(chunks.iter()) {
        score = score
            .saturating_add(fits(&chunk.found, places, before).into())
            .saturating_sub(fits(&chunk.found, places, after).into());
        best = best.max((score, at));
    }
    let (_, at) = best;
    let (front, back) = chunks.split_at_mut(at);
    assign(front, places, before);
    let taken: BTreeSet<u64> = front
        .iter()
        .filter_map(|chunk| chunk.nchunk.map(|(nchunk, _)| nchunk))
        .collect();
    let mut rest = places.clone();
    rest.retain(|_, nchunk| !taken.contains(nchunk));
    assign(back, &rest, after);
}

/// Offsets the index may count from when the header does not say.
fn guesses(
    chunks: &[Numbered],
    places: &BTreeMap<u64, u64>,
    index: &IndexFound,
    gaps: &[Gap],
) -> Vec<i64> {
    let open: Vec<&Found> = chunks
        .iter()
        .filter(|chunk| chunk.nchunk.is_none())
        .map(|chunk| &chunk.found)
        .collect();
    let mut bases = Vec::new();
    // The last chunk usually ends where the index begins.
    if let (Some(last), Some((&place, _))) = (open.last(), places.last_key_value())
        && last.end() == index.at
    {
        bases.extend(base_of(last.at, place));
    }
    let mut votes: BTreeMap<i64, usize> = BTreeMap::new();
    let mut vote = |found: &Found, place: u64| {
        if let Some(base) = base_of(found.at, place) {
            let votes = votes.entry(base).or_default();
            *votes = votes.saturating_add(1);
        }
    };
    for found in open.iter().take(SAMPLE) {
        for &place in places.keys().take(SAMPLE) {
            vote(found, place);
        }
    }
    for found in open.iter().rev().take(SAMPLE) {
        for &place in places.keys().rev().take(SAMPLE) {
            vote(found, place);
        }
    }
    // Places that begin no chunk must be damaged or cut off.
    let is_consistent = |base: i64| {
        places.keys().all(|&place| {
            i64::try_from(place)
                .ok()
                .and_then(|place| u64::try_from(base.saturating_add(place)).ok())
                .is_none_or(|at| {
                    let known = chunks.binary_search_by_key(&at, |chunk| chunk.found.at);
                    let before = gaps.partition_point(|gap| gap.range.start <= at);
                    let gap = before.checked_sub(1).and_then(|at| gaps.get(at));
                    known.is_ok() || gap.is_some_and(|gap| at < gap.range.end)
                })
        })
    };
    let mut ranked: Vec<(usize, i64)> = votes
        .into_iter()
        .filter(|&(base, votes)| votes > 1 && base < index.at.cast_signed())
        .map(|(base, votes)| (votes, base))
        .collect();
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    ranked.truncate(SAMPLE);
    ranked.sort_by_key(|&(_, base)| !is_consistent(base));
    bases.extend(ranked.iter().take(4).map(|&(_, base)| base));
    bases
}

/// The offset of a place that counts from `base`.
pub(super) fn at_place(base: i64, place: u64) -> u64 {
    place.saturating_add_signed(base)
}

/// Whether entries of the index contradict the chunks or each other: then it is damaged itself, and
/// chunks that it does not name may be those of the wrong entries. Otherwise they are old ones.
pub(super) fn is_suspect(index: &IndexFound, bases: &[i64], chunks: &[Numbered]) -> bool {
    let Some((&base, moved)) = bases.split_first() else {
        return false;
    };
    let end = index
        .at
        .saturating_add(moved.first().map_or(0, |&after| base.abs_diff(after)));
    let mut seen = BTreeSet::new();
    index.entries.iter().any(|&raw| match Entry::from_raw(raw) {
        Some(Entry::Special(_)) => false,
        Some(Entry::Stored(place)) => {
            let at = at_place(base, place);
            let before = chunks.partition_point(|chunk| chunk.found.at < at);
            let over = before.checked_sub(1).and_then(|before| chunks.get(before));
            let is_inside = over.is_some_and(|over| over.found.end() > at);
            !seen.insert(place) || at >= end || (moved.is_empty() && is_inside)
        }
        None => true,
    })
}
