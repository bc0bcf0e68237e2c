//! The bytes that matches are looked for in: the content, and a dictionary before it.

use super::lanes::{Lanes, load};
use super::sequence::{match_len, match_len_back};

/// The content of a stream, `src`, and with `DICT` the bytes that precede it, in another buffer.
///
/// A place in it is a position in the content, or a distance before one.
#[derive(Clone, Copy)]
pub(super) struct History<'a, const DICT: bool> {
    src: &'a [u8],
    dict: &'a [u8],
}

impl<'a, const DICT: bool> History<'a, DICT> {
    pub(super) fn new(src: &'a [u8], dict: &'a [u8]) -> Self {
        debug_assert!(DICT || dict.is_empty());
        Self { src, dict }
    }

    /// Bytes before the content.
    #[inline(always)]
    pub(super) fn dict_len(self) -> usize {
        if DICT { self.dict.len() } else { 0 }
    }

    /// Reads 8 bytes of the content at `p`.
    ///
    /// # Safety
    /// `p + 8 <= src.len()`.
    #[inline(always)]
    pub(super) unsafe fn word(self, p: usize) -> u64 {
        debug_assert!(p + 8 <= self.src.len());
        // SAFETY: the caller's promise.
        u64::from_le_bytes(unsafe { load(self.src.as_ptr(), p) })
    }

    /// Reads 4 bytes of the content at `p`.
    ///
    /// # Safety
    /// `p + 4 <= src.len()`.
    #[inline(always)]
    pub(super) unsafe fn half_word(self, p: usize) -> u32 {
        debug_assert!(p + 4 <= self.src.len());
        // SAFETY: the caller's promise.
        u32::from_le_bytes(unsafe { load(self.src.as_ptr(), p) })
    }

    /// Whether the place `distance` before `p` is in the dictionary.
    #[inline(always)]
    pub(super) fn in_dict(p: usize, distance: usize) -> bool {
        DICT && distance > p
    }

    /// The byte `distance` before `p`.
    ///
    /// # Safety
    /// `distance <= p + dict_len` and `p <= src.len()`.
    #[inline(always)]
    unsafe fn before(self, p: usize, distance: usize) -> *const u8 {
        debug_assert!(distance <= p + self.dict_len());
        if Self::in_dict(p, distance) {
            let end = self.dict.as_ptr_range().end;
            // SAFETY: distance - p <= dict.len().
            unsafe { end.sub(distance - p) }
        } else {
            // SAFETY: distance <= p <= src.len().
            unsafe { self.src.as_ptr().add(p - distance) }
        }
    }

    /// Reads `N` bytes at `distance` before `p`.
    ///
    /// # Safety
    /// As [`Self::before`], and so many bytes follow it in its own buffer.
    #[inline(always)]
    pub(super) unsafe fn load_before<const N: usize>(self, p: usize, distance: usize) -> [u8; N] {
        // SAFETY: the caller's promise.
        let at = unsafe { self.before(p, distance) };
        // SAFETY: the caller's promise.
        unsafe { load(at, 0) }
    }

    /// How many bytes at `p` agree with those `distance` before, up to position `end`.
    ///
    /// # Safety
    /// `1 <= distance <= p + dict_len` and `p <= end <= src.len()`.
    #[inline(always)]
    pub(super) unsafe fn forward<L: Lanes>(self, p: usize, distance: usize, end: usize) -> usize {
        debug_assert!(distance >= 1 && p <= end && end <= self.src.len());
        // SAFETY: the caller's promise.
        let there = unsafe { self.before(p, distance) };
        // SAFETY: p <= src.len().
        let here = unsafe { self.src.as_ptr().add(p) };
        if !Self::in_dict(p, distance) {
            // SAFETY: both up to `end`, and `there` is before `here`.
            return unsafe { match_len::<L>(there, here, end - p) };
        }
        // First to the dictionary's end, then on in the content.
        let to_end = distance - p;
        // SAFETY: so many bytes are at both.
        let first = unsafe { match_len::<L>(there, here, to_end.min(end - p)) };
        if first < to_end {
            return first;
        }
        // SAFETY: p + first <= end.
        let here = unsafe { here.add(first) };
        // SAFETY: the content's start, and further on in it.
        first + unsafe { match_len::<L>(self.src.as_ptr(), here, end - p - first) }
    }

    /// How many bytes before `p` agree with those `distance` before them, at most `most`.
    ///
    /// # Safety
    /// `distance <= p + dict_len` and `most <= p`.
    #[inline(always)]
    pub(super) unsafe fn backward<L: Lanes>(self, p: usize, distance: usize, most: usize) -> usize {
        // The start of the buffer that the match is in ends it as well.
        let before = if Self::in_dict(p, distance) {
            p.min(p + self.dict.len() - distance)
        } else {
            p - distance
        };
        // SAFETY: the caller's promise.
        let there = unsafe { self.before(p, distance) };
        // SAFETY: p <= src.len().
        let here = unsafe { self.src.as_ptr().add(p) };
        // SAFETY: so many bytes are before both.
        unsafe { match_len_back::<L>(there, here, before, before.min(most)) }
    }
}
