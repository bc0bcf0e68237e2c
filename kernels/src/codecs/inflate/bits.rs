//! Bit input, starting with the lowest bit of each byte.

use super::entry::{Entry, Literals};
use crate::codecs::DecodeErrorKind;
use crate::codecs::lz::load;

/// A position in a stream, and up to 63 bits from there on in a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits<'a> {
    src: &'a [u8],
    /// The number of positions that 16 bytes follow: `src.len() - 15`, or 0.
    rounds: usize,
    /// The first byte of which no bit counts in `len`.
    at: usize,
    /// The next bits. Above `len` there may already be bits of the byte at `at`.
    buffer: u64,
    /// The number of valid bits of `buffer`.
    len: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(src: &'a [u8]) -> Self {
        Self {
            src,
            rounds: src.len().saturating_sub(15),
            at: 0,
            buffer: 0,
            len: 0,
        }
    }

    /// The same position, with rounds in the next `len` bytes only.
    pub(super) fn front(&self, len: usize) -> Self {
        Self {
            rounds: self.rounds.min(self.at + len),
            ..*self
        }
    }

    /// Whether no further round can begin.
    pub(super) fn rounds_are_over(&self) -> bool {
        self.at >= self.rounds
    }

    /// Moves to the position of a [`front`](Self::front).
    pub(super) fn move_to(&mut self, front: &Self) {
        *self = Self {
            rounds: self.rounds,
            ..*front
        };
    }

    /// Makes at least 56 bits available, or all that are left.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        if let Some(word) = self.src.get(self.at..).and_then(|rest| rest.first_chunk()) {
            self.append(*word);
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
    pub(super) fn skip(&mut self, count: u32) -> Result<(), DecodeErrorKind> {
        let Some(len) = self.len.checked_sub(count) else {
            return Err(self.truncated());
        };
        self.buffer >>= count;
        self.len = len;
        Ok(())
    }

    /// Adds the whole bytes of the next word up to bit 56 or beyond; bits that do not fit are read
    /// again next time. The position moves by at most seven bytes.
    #[inline(always)]
    fn append(&mut self, word: [u8; 8]) {
        self.buffer |= u64::from_le_bytes(word) << self.len;
        self.at += usize::from(((63 - self.len) >> 3).to_le_bytes()[0]);
        self.len |= 56;
    }

    /// Makes at least 56 bits available, or returns false when fewer than 16 bytes follow the byte
    /// position. After true, one [`refill_again`](Self::refill_again) is sound.
    #[inline(always)]
    pub(super) fn refill_round(&mut self) -> bool {
        if self.rounds_are_over() {
            return false;
        }
        // SAFETY: 16 bytes follow each position below `rounds`.
        unsafe { self.refill_again() };
        true
    }

    /// Makes at least 56 bits available.
    ///
    /// # Safety
    ///
    /// Eight bytes follow the byte position: [`refill_round`](Self::refill_round) has returned true
    /// and was the last refill.
    #[inline(always)]
    pub(super) unsafe fn refill_again(&mut self) {
        debug_assert!(self.src.len() - self.at >= 8);
        let word = self.src.as_ptr().wrapping_add(self.at);
        // SAFETY: eight bytes follow by contract.
        self.append(unsafe { load(word) });
    }

    /// The value of an entry with its extra bits, which follow its code.
    #[inline(always)]
    pub(super) fn value(&self, entry: Entry) -> usize {
        entry.value() + (self.peek(entry.len()) >> entry.code_len())
    }

    /// Moves on by the bits of an entry, fewer than 64, which the last refill has made available.
    #[inline(always)]
    pub(super) fn skip_known(&mut self, entry: Entry) {
        let count = entry.len();
        debug_assert!(self.len >= count, "need {count} bits, found {}", self.len);
        // A shift ignores all but six bits of its count, and the entry is available a cycle before
        // its length.
        self.buffer = self.buffer.wrapping_shr(entry.raw());
        self.len = self.len.wrapping_sub(count);
    }

    /// Moves on by the bits of some literals, fewer than 64, which the last refill has made
    /// available.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a shift ignores all but six bits"
    )]
    pub(super) fn skip_literals(&mut self, literals: Literals) {
        debug_assert!(self.len >= literals.len());
        self.buffer = self.buffer.wrapping_shr(literals.raw() as u32);
        self.len = self.len.wrapping_sub(literals.len());
    }

    /// The next `count` bits, at most 32.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> Result<usize, DecodeErrorKind> {
        let bits = self.peek(count);
        self.skip(count)?;
        Ok(bits)
    }

    /// Moves on to the next whole byte and discards the buffer.
    pub(super) fn align(&mut self) {
        self.at = self.offset();
        self.buffer = 0;
        self.len = 0;
    }

    /// The next `count` bytes; the position must be at a whole byte.
    pub(super) fn take_bytes(&mut self, count: usize) -> Result<&'a [u8], DecodeErrorKind> {
        self.align();
        let rest = self.src.get(self.at..).unwrap_or_default();
        let bytes = rest.get(..count).ok_or(DecodeErrorKind::Truncated {
            needed: count,
            available: rest.len(),
        })?;
        self.at += count;
        Ok(bytes)
    }

    /// The error when a symbol or a field does not end in the stream.
    #[cold]
    fn truncated(&self) -> DecodeErrorKind {
        let available = self.src.len() - self.offset();
        DecodeErrorKind::Truncated {
            needed: available + 1,
            available,
        }
    }

    /// The number of bytes that are not read yet.
    pub(super) fn left(&self) -> usize {
        self.src.len() - self.at
    }

    /// The first byte of which no bit is taken.
    pub(super) fn offset(&self) -> usize {
        self.at - usize::from((self.len >> 3).to_le_bytes()[0])
    }
}
