//! Copies of matches, in wide steps also where a match overlaps itself.
//!
//! A match nearer than its length repeats its first `distance` bytes. Those are loaded once and
//! stored repeatedly, each time `distance` further; the next store overwrites the bytes that one
//! writes beyond. Copying from the output instead would wait for the stores before.

use crate::codecs::lz::{load, store};

/// The widest step, and the most bytes that are written after a match.
pub(super) const STEP: usize = 32;

/// Copies `len` bytes to `at` from `distance` bytes before, in the order of the bytes.
///
/// # Safety
///
/// `distance` is 1 to `at`, and `at + len.max(STEP) + STEP` at most the length of `dst`.
#[inline(always)]
pub(super) unsafe fn copy_match(dst: &mut [u8], at: usize, distance: usize, len: usize) {
    debug_assert!(distance >= 1 && distance <= at && at + len.max(STEP) + STEP <= dst.len());
    let to = dst.as_mut_ptr();
    let mut from = at - distance;
    let end = at + len;
    let mut at = at;
    // SAFETY: `from < at`, and a step follows `at`.
    let mut pattern: [u8; STEP] = unsafe { load(to.wrapping_add(from)) };
    // Most matches do not overlap themselves, which is more predictable than their distance.
    if len <= distance || distance >= STEP {
        loop {
            // SAFETY: `at` is below `end` or the start of the match, and a step follows either.
            unsafe { store(to.wrapping_add(at), pattern) };
            at += STEP;
            if at >= end {
                return;
            }
            from += STEP;
            // SAFETY: `from < at`, and a step follows `at`, which is below `end`.
            pattern = unsafe { load(to.wrapping_add(from)) };
        }
    }
    if distance == 1 {
        // In a vector from the start: runs of one byte are the longest matches.
        let [byte, ..] = pattern;
        // SAFETY: two steps follow `at`, and one follows `end`.
        unsafe { repeat(to, at, end, [byte; STEP], STEP) };
        return;
    }
    let mut stride = distance;
    if distance <= 8 {
        let word = repeated(pattern, distance);
        for eight in pattern.as_chunks_mut().0 {
            *eight = word;
        }
        // Eight bytes are whole periods of 2, 4 and 8, so all of the pattern is valid; of other
        // distances only the whole periods in the first eight bytes.
        stride = if distance & (distance - 1) == 0 {
            STEP
        } else {
            8 / distance * distance
        };
    }
    // SAFETY: the stride is at most a step, two follow `at`, and one follows `end`.
    unsafe { repeat(to, at, end, pattern, stride) };
}

/// Stores `pattern` from `at` on, each time `stride` bytes further, to `end`.
///
/// # Safety
///
/// After `at`, a stride and a step are inside the output `to`, and a step after `end`.
#[inline(always)]
unsafe fn repeat(to: *mut u8, mut at: usize, end: usize, pattern: [u8; STEP], stride: usize) {
    // Most matches are short: two stores without a branch between them.
    for at in [at, at + stride] {
        // SAFETY: a step follows both by contract.
        unsafe { store(to.wrapping_add(at), pattern) };
    }
    at += 2 * stride;
    while at < end {
        // SAFETY: a step follows `end`, by contract.
        unsafe { store(to.wrapping_add(at), pattern) };
        at += stride;
    }
}

/// The first `period` bytes, 1 to 8, repeated.
#[inline(always)]
fn repeated(bytes: [u8; STEP], period: usize) -> [u8; 8] {
    let mut width = u32::try_from(8 * period).unwrap_or(64);
    let word = bytes
        .first_chunk()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let mut word = word & (u64::MAX >> (64 - width));
    while width < 64 {
        word |= word << width;
        width *= 2;
    }
    word.to_le_bytes()
}

/// The same anywhere in `dst`; `None` when the distance is 0 or larger than `at`, or when the match
/// does not fit.
pub(in crate::codecs) fn copy_match_near_end(
    dst: &mut [u8],
    at: usize,
    distance: usize,
    len: usize,
) -> Option<()> {
    let from = at.checked_sub(distance).filter(|from| *from < at)?;
    let end = at.checked_add(len).filter(|end| *end <= dst.len())?;
    let space = dst.len() - at;
    if len.max(STEP) + STEP <= space {
        // SAFETY: `distance` is 1 to `at` as `from < at`, and the space is just compared.
        unsafe { copy_match(dst, at, distance, len) };
    } else if distance >= len {
        dst.copy_within(from..from + len, at);
    } else if distance == 1 {
        let byte = dst.get(from).copied()?;
        dst.get_mut(at..end)?.fill(byte);
    } else {
        for at in at..end {
            let byte = dst.get(at - distance).copied()?;
            *dst.get_mut(at)? = byte;
        }
    }
    Some(())
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test stops at the first failure")]
mod tests {
    use super::*;

    #[test]
    fn impossible_matches_are_refused() {
        let mut dst = [7; 100];
        for (at, distance, len) in [
            (5, 6, 3),
            (5, usize::MAX, 3),
            (0, 1, 3),
            (5, 0, 3),
            (98, 1, 3),
            (usize::MAX, 1, 3),
            (50, 1, usize::MAX),
            (200, 150, 0),
        ] {
            let copied = copy_match_near_end(&mut dst, at, distance, len);
            assert_eq!(copied, None, "{len} bytes at {at}, distance {distance}");
        }
        assert_eq!(dst, [7; 100]);
    }

    #[test]
    fn matches_repeat_their_bytes_at_any_place() {
        for (at, distance, len) in (1..64).flat_map(|distance| {
            [
                (64, distance, 3),
                (64, distance, 36),
                (90, distance, 10),
                (70, distance, 0),
            ]
        }) {
            let mut dst: [u8; 100] = core::array::from_fn(|i| (i * 7).to_le_bytes()[0]);
            let mut expected = dst;
            for i in at..at + len {
                expected[i] = expected[i - distance];
            }
            assert_eq!(copy_match_near_end(&mut dst, at, distance, len), Some(()));
            assert_eq!(dst[..at + len], expected[..at + len]);
        }
    }
}
