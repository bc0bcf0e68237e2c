//! The search for matches, shared by the probe and the encoder (format §6.3).

use crate::codecs::lz::window::word_at;
use crate::codecs::lz::{Lanes, load, prefix};

use super::limits::{DISTANCE_LIMIT, MARGIN, MAX_SHORT_DISTANCE};
use super::table::{Earlier, Slot, View};

/// A match the format allows at its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    /// The position of its first byte.
    pub(super) at: usize,
    /// The distance of its bytes.
    pub(super) distance: usize,
    /// The position 4 before the end of the scan. The token covers the bytes up to `anchor + 2`.
    pub(super) anchor: usize,
}

impl Match {
    /// The biased length, 4 or more.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.anchor - self.at
    }
}

/// The four bytes at `at`, little-endian.
#[inline(always)]
pub(super) fn word32(src: &[u8], at: usize) -> u32 {
    src[at..]
        .first_chunk()
        .map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The first match that begins in `from..end`; `MAIN` adds the rule that a match with the long form
/// of the distance must be longer. What is `earlier` than `from` is entered first.
///
/// A biased length of 4 takes 7 equal bytes (the scan ends one byte after the first difference), so
/// one comparison of 7 bytes stands for "same hash, same 4 bytes, long enough".
///
/// The loop counts in indices, positions plus the table's base, so that it need not convert.
/// Raw loads and unchecked slots: checked ones cost a factor of 2 on incompressible streams.
///
/// # Safety
///
/// The table has positions before `from` only.
#[inline(always)]
pub(super) unsafe fn find<S: Slot, L: Lanes, const MAIN: bool, const BASE: bool>(
    lanes: L,
    src: &[u8],
    table: &mut View<'_, S, BASE>,
    from: usize,
    end: usize,
    earlier: Option<Earlier>,
) -> Option<Match> {
    assert!(end + MARGIN <= src.len(), "end {end} of {}", src.len());
    let base = table.base();
    let (mut index, end) = (base + from, base + end);
    if let Some(earlier) = earlier
        && index < end
    {
        // SAFETY: 12 bytes follow indices below `end`, and the table has earlier ones only.
        let found = unsafe { compare::<S, L, MAIN, BASE>(lanes, src, table, index, Some(earlier)) };
        if found.is_some() {
            return found;
        }
        index += 1;
    }
    while index + 2 <= end {
        for step in 0..2 {
            // SAFETY: 12 bytes follow indices below `end`, and the table has earlier ones only.
            let found =
                unsafe { compare::<S, L, MAIN, BASE>(lanes, src, table, index + step, None) };
            if found.is_some() {
                return found;
            }
        }
        index += 2;
    }
    while index < end {
        // SAFETY: 12 bytes follow indices below `end`, and the table has earlier ones only.
        let found = unsafe { compare::<S, L, MAIN, BASE>(lanes, src, table, index, None) };
        if found.is_some() {
            return found;
        }
        index += 1;
    }
    None
}

/// The match at `index`, if there is one; enters `index` into the table, after what is `earlier`.
///
/// # Safety
///
/// Without the base, `index + 12 < src.len()`; the table has indices before this one only.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the hash is made of the low four bytes"
)]
unsafe fn compare<S: Slot, L: Lanes, const MAIN: bool, const BASE: bool>(
    lanes: L,
    src: &[u8],
    table: &mut View<'_, S, BASE>,
    index: usize,
    earlier: Option<Earlier>,
) -> Option<Match> {
    let base = table.base();
    let origin = src.as_ptr().wrapping_sub(base);
    // SAFETY: 12 bytes follow the index.
    let word = u64::from_le_bytes(unsafe { load(origin.wrapping_add(index)) });
    let candidate = match earlier {
        Some(earlier) => table.replace_after(earlier, word as u32, index),
        None => table.replace(word as u32, index),
    };
    // SAFETY: the candidate is the base or an earlier index.
    let there = u64::from_le_bytes(unsafe { load(origin.wrapping_add(candidate)) });
    let differ = word ^ there;
    if differ << 8 != 0 {
        return None;
    }
    let distance = index - candidate;
    if S::SPAN > DISTANCE_LIMIT && distance >= DISTANCE_LIMIT {
        return None;
    }
    let at = index - base;
    let end = if differ == 0 {
        // The next eight bytes by themselves: a comparison of vectors takes six cycles longer, and
        // the next search waits for it.
        let next = match (word_at(src, at + 8), word_at(src, candidate - base + 8)) {
            (Some(here), Some(there)) => here ^ there,
            _ => 0,
        };
        // One after the first byte that differs, at most the position of the last byte.
        let same = if next != 0 {
            at + 9 + (next.trailing_zeros() / 8) as usize
        } else {
            at + 1 + prefix(lanes, &src[candidate - base..], &src[at..])
        };
        same.min(src.len() - 1)
    } else {
        // Seven bytes, the most frequent length: a comparison would lengthen the critical path.
        at + 8
    };
    let anchor = end - 4;
    let found = Match {
        at,
        distance,
        anchor,
    };
    (!MAIN || found.len() > 5 || distance <= MAX_SHORT_DISTANCE).then_some(found)
}
