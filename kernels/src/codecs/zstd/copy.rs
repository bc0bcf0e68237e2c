//! Copies of literals and matches, which may write beyond their end.
//!
//! The bytes of a match were often written just before, by several stores, and a load waits until
//! all of those that it touches are in the cache, so the first move has 16 bytes, whatever the
//! length: 1.02 times as fast as one of 32, which all further moves have. Where nearly all matches
//! repeat a distance, as in records, its first bytes are loaded in parts: 1.16 to 1.24 times as
//! fast. A match that repeats itself is loaded once and stored over and over.

use crate::codecs::lz::{load, move_bytes, store};

/// The bytes of the first move, whatever the length.
const FIRST: usize = 16;
/// The bytes of each further move; bytes after the literals that may be read, and half of the bytes
/// after a sequence that may be overwritten.
pub(super) const STEP: usize = 32;

/// Copies `len` literals.
///
/// # Safety
/// A step is readable from `from + len` on and writable from `to + len` on. `step` is [`STEP`].
#[inline(always)]
pub(super) unsafe fn copy_literals(
    literals: &[u8],
    from: usize,
    dst: &mut [u8],
    to: usize,
    len: usize,
    step: usize,
) {
    debug_assert!(from + len + STEP <= literals.len() && to + len + STEP <= dst.len());
    let from = literals.as_ptr().wrapping_add(from);
    let to = dst.as_mut_ptr().wrapping_add(to);
    // SAFETY: a step is readable and writable.
    unsafe { move_bytes::<FIRST>(from, to) };
    if len > FIRST {
        // SAFETY: a step is readable and writable after `len` bytes.
        unsafe { copy_steps(from, to, len, step) };
    }
}

/// Copies more than the first move. The compiler does not know `step`, which is [`STEP`], so that
/// it does not unroll the loop in the middle of another.
///
/// # Safety
/// A step is readable from `from + len` on and writable from `to + len` on.
#[inline(always)]
unsafe fn copy_steps(from: *const u8, to: *mut u8, len: usize, step: usize) {
    debug_assert_eq!(step, STEP);
    let mut done = FIRST;
    loop {
        // SAFETY: `done` is below `len`, after which a step is readable and writable.
        unsafe { move_bytes::<STEP>(from.wrapping_add(done), to.wrapping_add(done)) };
        done += step;
        if done >= len {
            return;
        }
    }
}

/// For each distance below 8, the factor that repeats its bytes over a word.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const FACTORS: [u64; 8] = {
    let mut factors = [0; 8];
    let mut distance = 1;
    while distance < 8 {
        let mut at = 0;
        while at < 8 {
            factors[distance] |= 1 << (8 * at);
            at += distance;
        }
        distance += 1;
    }
    factors
};

/// Copies `len` bytes to `at` from `distance` bytes before, in the order of the bytes. `NEAR` says
/// that most of them are expected to be written just before.
///
/// # Safety
/// `distance` is 1 to `at`, and two steps are writable from `at + len` on. `step` is [`STEP`].
#[inline(always)]
pub(super) unsafe fn copy_match<const NEAR: bool>(
    dst: &mut [u8],
    at: usize,
    distance: usize,
    len: usize,
    step: usize,
) {
    debug_assert!(distance >= 1 && distance <= at && at + len + 2 * STEP <= dst.len());
    let to = dst.as_mut_ptr().wrapping_add(at);
    let from = to.wrapping_sub(distance).cast_const();
    // Most matches do not overlap themselves, which is more predictable than their distance.
    if len <= distance || distance >= STEP {
        if NEAR {
            // SAFETY: two steps are writable.
            unsafe { move_first(from, to, len) };
        } else {
            // SAFETY: two steps are writable.
            unsafe { move_bytes::<FIRST>(from, to) };
        }
        if len > FIRST {
            // SAFETY: two steps are writable after `len` bytes.
            unsafe { copy_steps(from, to, len, step) };
        }
        return;
    }
    // SAFETY: the contract.
    unsafe { repeat(from, to, distance, len) };
}

/// The first move of a match that was written just before: up to 8 bytes by two loads, of which
/// none touches the bytes after the match, which are of another store.
///
/// # Safety
/// 16 bytes are readable and writable.
#[inline(always)]
unsafe fn move_first(from: *const u8, to: *mut u8, len: usize) {
    let past = len.clamp(4, 8) - 4;
    // SAFETY: 4 of 16 bytes.
    let low = u32::from_le_bytes(unsafe { load(from) });
    // SAFETY: 4 of 16 bytes.
    let high = u32::from_le_bytes(unsafe { load(from.wrapping_add(past)) });
    let word = u64::from(low) | u64::from(high) << (8 * past);
    // SAFETY: the last 8 of 16 bytes.
    unsafe { move_bytes::<8>(from.wrapping_add(8), to.wrapping_add(8)) };
    // SAFETY: the first 8 of 16 bytes.
    unsafe { store(to, word.to_le_bytes()) };
}

/// Copies a match that overlaps itself.
///
/// # Safety
/// As [`copy_match`]; the distance is below a step.
#[inline(never)]
#[expect(clippy::indexing_slicing, reason = "masked to the length")]
unsafe fn repeat(from: *const u8, to: *mut u8, distance: usize, len: usize) {
    if distance >= 8 {
        // SAFETY: a step from before `to` on.
        let pattern: [u8; STEP] = unsafe { load(from) };
        let mut done = 0;
        loop {
            // SAFETY: `done` is 0 or below `len`, after which two steps are writable.
            unsafe { store(to.wrapping_add(done), pattern) };
            done += distance;
            if done >= len {
                return;
            }
        }
    }
    // SAFETY: 8 bytes from before `to` on.
    let word = u64::from_le_bytes(unsafe { load(from) });
    let kept = word & ((1 << (8 * distance)) - 1);
    let pattern = kept.wrapping_mul(FACTORS[distance & 7]);
    if distance & (distance - 1) == 0 {
        let pattern = wide(pattern);
        let mut done = 0;
        loop {
            // SAFETY: `done` is 0 or below `len`, after which two steps are writable.
            unsafe { store(to.wrapping_add(done), pattern) };
            done += STEP;
            if done >= len {
                return;
            }
        }
    }
    let stride = 8 - 8 % distance;
    let mut done = 0;
    while done < len {
        // SAFETY: `done` is below `len`, after which two steps are writable.
        unsafe { store(to.wrapping_add(done), pattern.to_le_bytes()) };
        done += stride;
    }
}

/// A step of one word.
#[inline(always)]
fn wide(word: u64) -> [u8; STEP] {
    let mut bytes = [0; STEP];
    for to in bytes.as_chunks_mut().0 {
        *to = word.to_le_bytes();
    }
    bytes
}
