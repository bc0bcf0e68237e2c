//! Loads, stores and copies with the instructions of every target.

use super::words::{STRIDES_8, repeat_half};

/// Reads `N` bytes.
///
/// # Safety
/// They are readable.
#[inline(always)]
pub(crate) unsafe fn load<const N: usize>(from: *const u8) -> [u8; N] {
    // SAFETY: readable by the contract; unaligned, and any bytes are a value of `[u8; N]`.
    unsafe { from.cast::<[u8; N]>().read_unaligned() }
}

/// Writes `N` bytes.
///
/// # Safety
/// They are writable.
#[inline(always)]
pub(crate) unsafe fn store<const N: usize>(to: *mut u8, bytes: [u8; N]) {
    // SAFETY: writable by the contract; unaligned.
    unsafe { to.cast::<[u8; N]>().write_unaligned(bytes) }
}

/// Bytes after a match's end that a copy may overwrite.
pub(crate) const SLACK: usize = 64;

/// Copies `N` bytes; the places may overlap.
///
/// A move of constant length: as a load and a store of `[u8; 16]`, the compiler writes the bytes to
/// the stack, too, in some loops.
///
/// # Safety
/// `N` bytes are readable at `from` and writable at `to`.
#[inline(always)]
pub(crate) unsafe fn move_bytes<const N: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: readable and writable by the contract.
    unsafe { core::ptr::copy(from, to, N) };
}

/// Appends `len` bytes in steps of `N`, for distances of `N` and more.
///
/// # Safety
/// As for [`Lanes::copy_match`](super::Lanes::copy_match), and `N <= distance`, `N <= SLACK`.
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

/// [`Lanes::copy_match`](super::Lanes::copy_match) with words of eight bytes.
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
        let pattern = repeat_half(word, distance).to_le_bytes();
        let stride = usize::from(STRIDES_8[distance & 7]);
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
/// second goes to the same place if `fold`: a branch instead takes 1.2 to 1.7 times as long on
/// planes and text. Otherwise it is written all the same, and the next sequence covers it.
///
/// # Safety
/// `from` is 8 bytes before `to` or more, all of them readable, and 16 from `to` on are writable.
#[inline(always)]
pub(crate) unsafe fn copy_up_to_16(from: *const u8, to: *mut u8, len: usize, fold: bool) {
    // SAFETY: 8 bytes before `to`, and 16 after it.
    unsafe { move_bytes::<8>(from, to) };
    let second = if fold && len <= 8 { 0 } else { 8 };
    // SAFETY: up to 8 bytes after `to` are read and 16 written.
    unsafe { move_bytes::<8>(from.wrapping_add(second), to.wrapping_add(second)) };
}
