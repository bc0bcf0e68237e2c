//! Looking for matches: the step the probe and the encoder share (format §6.3).

use super::lanes::{Lanes, Word};
use super::table::{Slot, View};
use super::{FAR, MARGIN, NEAR};

/// A match the format allows at its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    /// Where it begins.
    pub(super) at: usize,
    /// How far back its bytes stand.
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

/// The first match that begins in `from..end`; `MAIN` adds the rule that a far match must be longer.
///
/// A biased length of 4 takes 7 equal bytes (the scan ends one byte behind the first difference), so one comparison
/// of 7 bytes stands for "same hash, same 4 bytes, long enough".
///
/// The loop counts in places, positions plus the table's base, so that it need not convert.
/// Raw loads and unchecked slots: checked ones cost a factor of 2 on incompressible streams.
///
/// # Safety
///
/// The CPU has the instructions of `L`, and the table has positions before `from` only.
#[inline(always)]
pub(super) unsafe fn find<S: Slot, L: Lanes, const MAIN: bool>(
    src: &[u8],
    table: &mut View<'_, S>,
    from: usize,
    end: usize,
) -> Option<Match> {
    assert!(end + MARGIN <= src.len(), "end {end} of {}", src.len());
    let base = table.base();
    let (mut place, end) = (base + from, base + end);
    while place + 2 <= end {
        for step in 0..2 {
            // SAFETY: the place is below `end`, so at least 12 bytes follow; for the rest, the caller.
            if let Some(found) = unsafe { look::<S, L, MAIN>(src, table, place + step) } {
                return Some(found);
            }
        }
        place += 2;
    }
    while place < end {
        // SAFETY: the place is below `end`, so at least 12 bytes follow; for the rest, the caller.
        if let Some(found) = unsafe { look::<S, L, MAIN>(src, table, place) } {
            return Some(found);
        }
        place += 1;
    }
    None
}

/// The match at `place`, if there is one; enters `place` into the table.
///
/// # Safety
///
/// Without the base, `place + 12 < src.len()`; the table has places before this one only; the CPU has the instructions
/// of `L`.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the hash is made of the low four bytes"
)]
unsafe fn look<S: Slot, L: Lanes, const MAIN: bool>(
    src: &[u8],
    table: &mut View<'_, S>,
    place: usize,
) -> Option<Match> {
    let base = table.base();
    let origin = src.as_ptr().wrapping_sub(base);
    // SAFETY: the caller's promise.
    let word = unsafe { origin.wrapping_add(place).cast::<u64>().read_unaligned() };
    let reference = table.replace(u64::from_le(word) as u32, place);
    // SAFETY: the reference is the base or an earlier place.
    let there = unsafe {
        origin
            .wrapping_add(reference)
            .cast::<u64>()
            .read_unaligned()
    };
    let differ = u64::from_le(word ^ there);
    if differ << 8 != 0 {
        return None;
    }
    let distance = place - reference;
    if S::SPAN > FAR && distance >= FAR {
        return None;
    }
    let at = place - base;
    let end = if differ == 0 {
        // SAFETY: `reference <= place`, which is inside.
        unsafe { scan_end::<L>(src, at, reference - base) }
    } else {
        // Seven bytes, the commonest length: the way to the next match is shorter without a comparison.
        at + 8
    };
    let anchor = end - 4;
    let found = Match {
        at,
        distance,
        anchor,
    };
    (!MAIN || found.len() > 5 || distance <= NEAR).then_some(found)
}

/// One behind the first byte that differs from the one as far from `reference` as it is from `at`, at most the
/// position of the last byte.
///
/// # Safety
///
/// `reference <= at < src.len()`, and the CPU has the instructions of `L`.
#[inline(always)]
unsafe fn scan_end<L: Lanes>(src: &[u8], at: usize, reference: usize) -> usize {
    let last = src.len() - 1;
    let mut done = 0;
    // SAFETY: the caller's promise.
    if unsafe { scan::<L>(src, at, reference, &mut done) } {
        return last.min(at + done + 1);
    }
    // SAFETY: the caller's promise.
    if unsafe { scan::<Word>(src, at, reference, &mut done) } {
        return last.min(at + done + 1);
    }
    while at + done < last && src[at + done] == src[reference + done] {
        done += 1;
    }
    last.min(at + done + 1)
}

/// Adds to `done` the equal bytes behind `at + done` and `reference + done`; whether a difference ends them. If not,
/// fewer than `L::WIDTH` bytes are left.
///
/// # Safety
///
/// `reference <= at < src.len()`, and the CPU has the instructions of `L`.
#[inline(always)]
unsafe fn scan<L: Lanes>(src: &[u8], at: usize, reference: usize, done: &mut usize) -> bool {
    while at + *done + L::WIDTH <= src.len() {
        // SAFETY: inside, by the condition.
        let here = unsafe { src.as_ptr().add(at + *done) };
        // SAFETY: inside, before `here`.
        let there = unsafe { src.as_ptr().add(reference + *done) };
        // SAFETY: WIDTH bytes lie behind `here`, by the condition, and so behind `there`; for the rest, the caller.
        let equal = unsafe { L::equal(here, there) };
        if equal < L::WIDTH {
            *done += equal;
            return true;
        }
        // Not `+= equal`: the next loads must not wait for the count.
        *done += L::WIDTH;
    }
    false
}
