//! Copies of matches.
//!
//! A match may overlap its own output. A distance shorter than a register becomes a pattern: the
//! register holds the last `distance` bytes over and over, and is stored at steps of a multiple of
//! `distance`.
//!
//! Four strategies stay beside each other, each measured on its codec. [`Lanes::copy_match`]
//! serves BloscLZ, where most matches are short and each has its own branch; [`copy_long`] LZ4,
//! beside [`copy_up_to_18`] and [`repeat_up_to_18`] for short matches; and `inflate::copy` the
//! streams of deflate, whose matches are at most 258 bytes: 32 bytes at a time and two stores
//! without a branch between them, with the instructions of every target. `zstd::copy` does without
//! the second store, because most matches of Zstandard neither overlap themselves nor are long.

use core::ptr::copy;

use super::Lanes;
use super::raw::{copy_up_to_16, load, move_bytes};
use super::tables::{STRIDES_16, STRIDES_32};
use super::words::PERIODS_8;

/// Appends a match of 4 to 18 bytes, 8 or more back.
///
/// # Safety
/// As for [`copy_up_to_16`], and 18 bytes from `to` on are readable and writable.
#[inline(always)]
pub(crate) unsafe fn copy_up_to_18<const FOLD: bool>(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: the contract.
    unsafe { copy_up_to_16(from, to, len, FOLD) };
    // SAFETY: 18 bytes from `to` on are readable and writable, and `from` is before them.
    unsafe { move_bytes::<2>(from.wrapping_add(16), to.wrapping_add(16)) };
}

/// [`copy_up_to_18`] for matches that are 1 to 7 back.
///
/// # Safety
/// `1 <= distance < 8` bytes before `to` are readable; 18 bytes, and a vector if that is more, from
/// `to` on are readable and writable.
#[inline(always)]
pub(crate) unsafe fn repeat_up_to_18<L: Lanes>(lanes: L, to: *mut u8, distance: usize) {
    // SAFETY: 8 bytes from before `to` on, less than 18 after it.
    let pattern = lanes.repeat_8(unsafe { load(to.wrapping_sub(distance)) }, distance);
    // SAFETY: a vector is writable.
    unsafe { lanes.store(to, pattern) };
    if L::WIDTH < 18 {
        // A period of 1 to 7 has a multiple in 8..16: the last two bytes come from the vector.
        let period = usize::from(PERIODS_8[distance & 7]);
        // SAFETY: 16 bytes are written, the source is among them, and 18 are writable.
        unsafe { move_bytes::<2>(to.wrapping_add(16 - period), to.wrapping_add(16)) };
    }
}

/// Appends a match of any length in whole vectors, in order.
///
/// # Safety
/// `distance` (1 or more) bytes before `to` are readable; `len` and two vectors from `to` on are
/// readable and writable.
#[inline(always)]
pub(crate) unsafe fn copy_long<L: Lanes>(lanes: L, to: *mut u8, distance: usize, len: usize) {
    let from = to.wrapping_sub(distance);
    if distance >= L::WIDTH {
        // SAFETY: the source of each vector is before it.
        unsafe { copy_pairs::<L>(from, to, len) };
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
pub(crate) unsafe fn copy_pairs<L: Lanes>(from: *const u8, to: *mut u8, len: usize) {
    let mut done = 0;
    loop {
        // SAFETY: `done` is 0 or below `len`, and two vectors follow `len`.
        unsafe { copy(from.wrapping_add(done), to.wrapping_add(done), L::WIDTH) };
        let second = done + L::WIDTH;
        // SAFETY: as above.
        unsafe { copy(from.wrapping_add(second), to.wrapping_add(second), L::WIDTH) };
        done += 2 * L::WIDTH;
        if done >= len {
            break;
        }
    }
}
