//! Copies of matches.
//!
//! A match may overlap its own output. A distance shorter than a register becomes a pattern: the
//! register holds the last `distance` bytes over and over, and is stored at steps of a multiple of
//! `distance`.
//!
//! Two strategies stay beside each other. [`Lanes::copy_match`] is measured on BloscLZ, where most
//! matches are short and each has its own branch; [`copy_long`] on LZ4, whose matches of up to 18
//! bytes are copied by [`copy_up_to_18`] before.

use super::tables::{STRIDES_16, STRIDES_32};
use super::{Lanes, load, store};

/// Bytes after a match's end that a copy may overwrite.
pub(crate) const SLACK: usize = 64;

/// Copies `N` bytes through registers; the places may overlap.
///
/// # Safety
/// `N` bytes are readable at `from` and writable at `to`.
#[inline(always)]
pub(crate) unsafe fn move_bytes<const N: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: readable by the contract.
    let bytes: [u8; N] = unsafe { load(from) };
    // SAFETY: writable by the contract.
    unsafe { store(to, bytes) };
}

/// Appends `len` bytes in steps of `N`, for distances of `N` and more.
///
/// # Safety
/// As for [`Lanes::copy_match`], and `N <= distance`, `N <= SLACK`.
#[inline(always)]
pub(super) unsafe fn steps<const N: usize>(to: *mut u8, distance: usize, len: usize) {
    let mut done = 0;
    loop {
        let target = to.wrapping_add(done);
        // SAFETY: `done` is 0 or below `len`, `distance` bytes lie before, and `N <= SLACK`.
        unsafe { move_bytes::<N>(target.wrapping_sub(distance), target) };
        done += N;
        if done >= len {
            break;
        }
    }
}

/// For each distance below 8, the factor that repeats its bytes over a word.
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

/// [`Lanes::copy_match`] with words of eight bytes.
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn copy_words(to: *mut u8, distance: usize, len: usize) {
    if distance >= 16 {
        // SAFETY: the contract, and 16 bytes are at most `distance` and `SLACK`.
        unsafe { steps::<16>(to, distance, len) };
    } else if distance >= 8 {
        // SAFETY: the contract, and 8 bytes are at most `distance` and `SLACK`.
        unsafe { steps::<8>(to, distance, len) };
    } else {
        // SAFETY: `distance` bytes lie before `to`, and `SLACK` after it.
        let word = u64::from_le_bytes(unsafe { load(to.wrapping_sub(distance)) });
        let kept = word & ((1 << (8 * distance)) - 1);
        let pattern = kept.wrapping_mul(FACTORS[distance % 8]).to_le_bytes();
        let stride = 8 - 8 % distance;
        let mut done = 0;
        while done < len {
            // SAFETY: `done < len`, and the store ends at most 8 bytes after `len`.
            unsafe { store(to.wrapping_add(done), pattern) };
            done += stride;
        }
    }
}

/// Appends a match of up to 16 bytes, 8 or more back, as one word or two.
///
/// The source was often written just before, by several stores: a load waits until all of them
/// that it touches are in the cache, and a wide load touches more. When one word is enough, the
/// second goes to the same place: a branch instead takes 1.2 to 1.7 times as long on planes and
/// text, and a second word always after the first 1.7 times as long on records of 12 bytes.
///
/// # Safety
/// `8 <= distance` bytes before `to` are readable, and 16 from `to` on are writable.
#[inline(always)]
pub(crate) unsafe fn copy_up_to_16(to: *mut u8, distance: usize, len: usize) {
    let from = to.wrapping_sub(distance);
    // SAFETY: 8 bytes before `to`, and 16 after it.
    unsafe { move_bytes::<8>(from, to) };
    let second = if len > 8 { 8 } else { 0 };
    // SAFETY: up to 8 bytes after `to` are read and 16 written.
    unsafe { move_bytes::<8>(from.wrapping_add(second), to.wrapping_add(second)) };
}

/// Appends a match of 4 to 18 bytes.
///
/// # Safety
/// `distance` bytes before `to` are readable, and 18 and a vector from `to` on are writable.
#[inline(always)]
pub(crate) unsafe fn copy_up_to_18<L: Lanes>(lanes: L, to: *mut u8, distance: usize, len: usize) {
    let from = to.wrapping_sub(distance);
    if distance >= 8 {
        // SAFETY: the contract, and the distance.
        unsafe { copy_up_to_16(to, distance, len) };
        if len > 16 {
            // SAFETY: the first 16 bytes are written, and 18 are writable.
            unsafe { move_bytes::<2>(from.wrapping_add(16), to.wrapping_add(16)) };
        }
        return;
    }
    // SAFETY: 8 bytes from before `to` on, less than 18 after it.
    let pattern = lanes.repeat_8(unsafe { load(from) }, distance);
    // SAFETY: a vector is writable.
    unsafe { lanes.store(to, pattern) };
    if L::WIDTH < 18 {
        // A period of 1 to 7 has a multiple in 8..16: the last two bytes come from the vector.
        let period = distance * (8usize.div_ceil(distance));
        // SAFETY: 16 bytes are written, the source is among them, and 18 are writable.
        unsafe { move_bytes::<2>(to.wrapping_add(16 - period), to.wrapping_add(16)) };
    }
}

/// Appends a match of any length in whole vectors, in order.
///
/// # Safety
/// `distance` (1 or more) bytes before `to` are readable, and `len` and two vectors from `to` on
/// are writable.
#[inline(always)]
pub(crate) unsafe fn copy_long<L: Lanes>(lanes: L, to: *mut u8, distance: usize, len: usize) {
    let from = to.wrapping_sub(distance);
    if distance >= L::WIDTH {
        // SAFETY: the source of each vector is before it.
        unsafe { copy_pairs(lanes, from, to, len) };
        return;
    }
    let pattern = if distance < 8 {
        // SAFETY: 8 bytes from before `to` on, inside the two vectors.
        lanes.repeat_8(unsafe { load(from) }, distance)
    } else {
        // SAFETY: a vector from before `to` on, inside the two vectors; 1 <= distance < WIDTH.
        unsafe { lanes.repeat(from, distance) }
    };
    let stride = usize::from(if L::WIDTH == 16 {
        STRIDES_16[distance & 15]
    } else {
        STRIDES_32[distance & 31]
    });
    let mut done = 0;
    loop {
        let target = to.wrapping_add(done);
        // SAFETY: `done` is 0 or below `len`, and two vectors follow `len`.
        unsafe { lanes.store(target, pattern) };
        // SAFETY: as above, and the stride is at most a vector.
        unsafe { lanes.store(target.wrapping_add(stride), pattern) };
        done += 2 * stride;
        if done >= len {
            break;
        }
    }
}

/// Copies `len` bytes, two vectors at a time; the second may read bytes that the first wrote.
///
/// # Safety
/// `len` and two vectors are readable at `from` and writable at `to`.
#[inline(always)]
pub(crate) unsafe fn copy_pairs<L: Lanes>(lanes: L, from: *const u8, to: *mut u8, len: usize) {
    let mut done = 0;
    loop {
        // SAFETY: `done` is 0 or below `len`, and two vectors follow `len`.
        unsafe { move_vector(lanes, from.wrapping_add(done), to.wrapping_add(done)) };
        let second = done + L::WIDTH;
        // SAFETY: as above.
        unsafe { move_vector(lanes, from.wrapping_add(second), to.wrapping_add(second)) };
        done += 2 * L::WIDTH;
        if done >= len {
            break;
        }
    }
}

/// Copies one vector.
///
/// # Safety
/// A vector is readable at `from` and writable at `to`.
#[inline(always)]
unsafe fn move_vector<L: Lanes>(lanes: L, from: *const u8, to: *mut u8) {
    // SAFETY: readable by the contract.
    let vector = unsafe { lanes.load(from) };
    // SAFETY: writable by the contract.
    unsafe { lanes.store(to, vector) };
}
