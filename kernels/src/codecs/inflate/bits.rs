//! Bits of a stream, from the lowest of each byte up.

use super::table::Entry;

/// A position in a stream, and up to 63 bits from there on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits<'a> {
    src: &'a [u8],
    /// The first byte of which no bit counts in `len`.
    at: usize,
    /// The next bits. Above `len` there may be bits of the byte at `at` already.
    buffer: u64,
    /// How many bits of `buffer` count.
    len: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(src: &'a [u8]) -> Self {
        Self {
            src,
            at: 0,
            buffer: 0,
            len: 0,
        }
    }

    /// Makes at least 56 bits available, or all that are left.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        if let Some(word) = self.src.get(self.at..).and_then(|rest| rest.first_chunk()) {
            // Whole bytes up to bit 56 or beyond; what does not fit is read again next time.
            self.buffer |= u64::from_le_bytes(*word) << self.len;
            self.at += usize::from(((63 - self.len) >> 3).to_le_bytes()[0]);
            self.len |= 56;
        } else {
            *self = self.refilled_by_bytes();
        }
    }

    /// The same for the last seven bytes. By value, so that the fields can stay in registers.
    #[cold]
    #[inline(never)]
    fn refilled_by_bytes(mut self) -> Self {
        while self.len < 56
            && let Some(&byte) = self.src.get(self.at)
        {
            self.buffer |= u64::from(byte) << self.len;
            self.at += 1;
            self.len += 8;
        }
        self
    }

    /// The next `count` bits, at most 32, without moving on; zeros where the stream has ended.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "masked to at most 32 bits")]
    pub(super) fn peek(&self, count: u32) -> usize {
        (self.buffer & ((1_u64 << count) - 1)) as usize
    }

    /// Moves on by `count` bits.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) -> Result<(), &'static str> {
        let Some(len) = self.len.checked_sub(count) else {
            return Err("the stream is cut");
        };
        self.buffer >>= count;
        self.len = len;
        Ok(())
    }

    /// The last position at which [`refill_whole`](Self::refill_whole) may be called twice.
    #[inline(always)]
    pub(super) fn last_words(&self) -> Option<usize> {
        self.src.len().checked_sub(16)
    }

    /// The position in whole bytes, to compare with [`last_words`](Self::last_words).
    #[inline(always)]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// [`refill`](Self::refill) away from the end of the stream.
    ///
    /// # Safety
    ///
    /// At least eight bytes lie behind the byte position.
    #[inline(always)]
    pub(super) unsafe fn refill_whole(&mut self) {
        // SAFETY: the caller's promise.
        let word = unsafe {
            self.src
                .as_ptr()
                .wrapping_add(self.at)
                .cast::<u64>()
                .read_unaligned()
        };
        self.buffer |= u64::from_le(word) << self.len;
        self.at += usize::from(((63 - self.len) >> 3).to_le_bytes()[0]);
        self.len |= 56;
    }

    /// Moves on by the bits of an entry, below 64, that a refill is known to have given.
    #[inline(always)]
    pub(super) fn skip_known(&mut self, entry: Entry) {
        let count = entry.len();
        debug_assert!(self.len >= count, "{} bits, {count} wanted", self.len);
        // A shift looks at six bits of its count anyhow: the entry itself is there a cycle before its length.
        self.buffer = self.buffer.wrapping_shr(entry.raw());
        self.len = self.len.wrapping_sub(count);
    }

    /// The next `count` bits, at most 32.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> Result<usize, &'static str> {
        let bits = self.peek(count);
        self.skip(count)?;
        Ok(bits)
    }

    /// Moves on to the next whole byte and forgets what was read ahead.
    pub(super) fn align(&mut self) {
        self.at = self.offset();
        self.buffer = 0;
        self.len = 0;
    }

    /// The next `count` bytes; the position must be at a whole byte.
    pub(super) fn take_bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        self.align();
        let bytes = self.src.get(self.at..)?.get(..count)?;
        self.at += count;
        Some(bytes)
    }

    /// How many bytes there are behind those that were read.
    pub(super) fn left(&self) -> usize {
        self.src.len() - self.at
    }

    /// The first byte of which no bit was taken.
    pub(super) fn offset(&self) -> usize {
        self.at - usize::from((self.len >> 3).to_le_bytes()[0])
    }
}
