//! The bytes that matches are searched in: the content, and a dictionary before it.

use crate::codecs::lz::{Lanes, load, prefix, prefix_at, suffix, suffix_before};

/// The content of a stream, `src`, and with `DICT` the bytes that precede it, in another buffer.
///
/// An address in it is a position in the content, or a distance before one.
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

    /// The 4 bytes of the content at `p`; 0 when there are fewer.
    #[inline(always)]
    pub(super) fn half_word(self, p: usize) -> u32 {
        let word = self.src.get(p..).and_then(<[u8]>::first_chunk);
        word.map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// [`Self::half_word`] without a check.
    ///
    /// # Safety
    /// `p + 4 <= src.len()`.
    #[inline(always)]
    pub(super) unsafe fn half_word_unchecked(self, p: usize) -> u32 {
        debug_assert!(p + 4 <= self.src.len());
        // SAFETY: inside the content by the contract.
        u32::from_le_bytes(unsafe { load(self.src.as_ptr().wrapping_add(p)) })
    }

    /// The 8 bytes of the content at `p`.
    ///
    /// # Safety
    /// `p + 8 <= src.len()`.
    #[inline(always)]
    pub(super) unsafe fn word_unchecked(self, p: usize) -> u64 {
        debug_assert!(p + 8 <= self.src.len());
        // SAFETY: inside the content by the contract.
        u64::from_le_bytes(unsafe { load(self.src.as_ptr().wrapping_add(p)) })
    }

    /// Whether the byte `distance` before `p` is in the dictionary.
    #[inline(always)]
    pub(super) fn in_dict(p: usize, distance: usize) -> bool {
        DICT && distance > p
    }

    /// Reads `N` bytes at `distance` before `p`.
    ///
    /// # Safety
    /// `distance <= p + dict_len` and `p <= src.len()`; `N` bytes follow the address in its own
    /// buffer.
    #[inline(always)]
    pub(super) unsafe fn load_before<const N: usize>(self, p: usize, distance: usize) -> [u8; N] {
        debug_assert!(distance <= p + self.dict_len());
        // SAFETY: the contract.
        unsafe { self.load_at(p + self.dict_len() - distance) }
    }

    /// Reads `N` bytes at a position that counts from the start of the dictionary.
    ///
    /// # Safety
    /// `N` bytes follow the address in its own buffer.
    #[inline(always)]
    pub(super) unsafe fn load_at<const N: usize>(self, from: usize) -> [u8; N] {
        debug_assert!(from + N <= self.dict_len() + self.src.len());
        let from = match from.checked_sub(self.dict_len()) {
            Some(from) => self.src.as_ptr().wrapping_add(from),
            None => self.dict.as_ptr().wrapping_add(from),
        };
        // SAFETY: inside its buffer by the contract.
        unsafe { load(from) }
    }

    /// How many bytes at `p` agree with those `distance` before, up to position `end`.
    ///
    /// # Panics
    /// When the distance reaches before all history, or not `p <= end <= src.len()`.
    #[inline(always)]
    pub(super) fn forward<L: Lanes>(
        self,
        lanes: L,
        p: usize,
        distance: usize,
        end: usize,
    ) -> usize {
        let here = &self.src[p..end];
        if !Self::in_dict(p, distance) {
            return prefix(lanes, &self.src[p - distance..], here);
        }
        // First to the dictionary's end, then on from the start of the content.
        let there = &self.dict[self.dict.len() - (distance - p)..];
        let first = prefix(lanes, there, here);
        if first < there.len() {
            return first;
        }
        first + prefix(lanes, self.src, &here[first..])
    }

    /// How many bytes before `p` agree with those `distance` before them, at most `most`.
    ///
    /// # Panics
    /// When the distance reaches before all history, or `p > src.len()`.
    #[inline(always)]
    pub(super) fn backward<L: Lanes>(
        self,
        lanes: L,
        p: usize,
        distance: usize,
        most: usize,
    ) -> usize {
        // The start of the buffer that the match is in ends it as well.
        let there = if Self::in_dict(p, distance) {
            &self.dict[..self.dict.len() - (distance - p)]
        } else {
            &self.src[..p - distance]
        };
        suffix(lanes, there, &self.src[..p], most)
    }

    /// [`Self::forward`] without checks.
    ///
    /// # Safety
    /// `distance <= p + dict_len` and `p <= end <= src.len()`.
    #[inline(always)]
    pub(super) unsafe fn forward_unchecked<L: Lanes>(
        self,
        lanes: L,
        p: usize,
        distance: usize,
        end: usize,
    ) -> usize {
        debug_assert!(p <= end && end <= self.src.len());
        debug_assert!(distance <= p + self.dict_len());
        if Self::in_dict(p, distance) {
            return self.forward(lanes, p, distance, end);
        }
        let there = self.src.as_ptr().wrapping_add(p - distance);
        let here = self.src.as_ptr().wrapping_add(p);
        // SAFETY: `end - p` bytes of the content follow `p`, and so its former copy.
        unsafe { prefix_at(lanes, there, here, end - p) }
    }

    /// [`Self::backward`] without checks.
    ///
    /// # Safety
    /// `distance <= p + dict_len` and `p <= src.len()`.
    #[inline(always)]
    pub(super) unsafe fn backward_unchecked<L: Lanes>(
        self,
        lanes: L,
        p: usize,
        distance: usize,
        most: usize,
    ) -> usize {
        debug_assert!(p <= self.src.len());
        debug_assert!(distance <= p + self.dict_len());
        if Self::in_dict(p, distance) {
            return self.backward(lanes, p, distance, most);
        }
        let before = p - distance;
        let there = self.src.as_ptr().wrapping_add(before);
        let here = self.src.as_ptr().wrapping_add(p);
        // SAFETY: `before` bytes of the content precede the match, and so its copy.
        unsafe { suffix_before(lanes, there, here, before, most) }
    }
}
