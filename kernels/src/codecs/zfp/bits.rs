//! Bits in order of significance, from and to bytes.

use super::error::{invalid, truncated};
use crate::codecs::DecodeError;

/// A stream ends with a whole word of this many bits.
const WORD: usize = 64;
/// The bits that one look ahead shows at least.
const AHEAD: u32 = 57;

/// Reads bits. No read reaches past the stream.
#[derive(Debug)]
pub(super) struct BitReader<'a> {
    src: &'a [u8],
    /// The next bit.
    at: usize,
    /// The number of bits.
    end: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(src: &'a [u8]) -> Self {
        Self {
            src,
            at: 0,
            end: src.len().saturating_mul(8),
        }
    }

    /// The next 57 bits at least; zeros after the end.
    #[inline]
    fn ahead(&self) -> u64 {
        let rest = &self.src[(self.at / 8).min(self.src.len())..];
        let word = if let Some(word) = rest.first_chunk() {
            u64::from_le_bytes(*word)
        } else {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(word)
        };
        word >> (self.at % 8)
    }

    /// Moves on by `count` bits.
    #[inline]
    pub(super) fn skip(&mut self, count: u32) -> Result<(), DecodeError> {
        let count = count as usize;
        if count > self.end - self.at {
            return Err(self.truncated(count));
        }
        self.at += count;
        Ok(())
    }

    /// The next bit.
    #[inline]
    pub(super) fn bit(&mut self) -> Result<bool, DecodeError> {
        let bit = self.ahead() & 1 != 0;
        self.skip(1)?;
        Ok(bit)
    }

    /// The next `count` bits, at most 64.
    #[inline]
    pub(super) fn bits(&mut self, count: u32) -> Result<u64, DecodeError> {
        if count > AHEAD {
            let low = self.bits(32)?;
            return Ok(low | self.bits(count - 32)? << 32);
        }
        let bits = self.ahead() & ((1 << count) - 1);
        self.skip(count)?;
        Ok(bits)
    }

    /// Reads zeros up to and with the first one, `limit` bits at most: how many zeros there are,
    /// and whether a one ended them.
    #[inline]
    pub(super) fn zeros(&mut self, limit: u32) -> Result<(u32, bool), DecodeError> {
        let mut zeros = 0;
        while zeros < limit {
            let span = (limit - zeros).min(AHEAD);
            let run = self.ahead().trailing_zeros().min(span);
            zeros += run;
            if run < span {
                self.skip(run + 1)?;
                return Ok((zeros, true));
            }
            self.skip(run)?;
        }
        Ok((zeros, false))
    }

    /// Refuses bytes after the word in which the last bit is.
    pub(super) fn finish(self) -> Result<(), DecodeError> {
        let end = self.at.next_multiple_of(WORD);
        if end == self.end {
            return Ok(());
        }
        Err(invalid(
            self.at / 8,
            "expected the end of the stream after the word",
        ))
    }

    #[cold]
    fn truncated(&self, count: usize) -> DecodeError {
        let at = self.at / 8;
        let needed = (self.at + count).div_ceil(8) - at;
        truncated(at, needed, self.src.len() - at)
    }
}

/// Writes bits; `None` once the output is full.
#[derive(Debug)]
pub(super) struct BitWriter<'a> {
    dst: &'a mut [u8],
    /// The bits that are not yet written.
    word: u64,
    /// Their number, below 64.
    pending: u32,
    /// The position at which they are written.
    at: usize,
}

impl<'a> BitWriter<'a> {
    pub(super) fn new(dst: &'a mut [u8]) -> Self {
        Self {
            dst,
            word: 0,
            pending: 0,
            at: 0,
        }
    }

    /// Writes the lowest `count` bits of `bits`, at most 64; the others must be 0.
    pub(super) fn bits(&mut self, bits: u64, count: u32) -> Option<()> {
        self.word |= bits << self.pending;
        let filled = self.pending + count;
        if filled < 64 {
            self.pending = filled;
            return Some(());
        }
        self.put()?;
        self.word = bits.checked_shr(64 - self.pending).unwrap_or(0);
        self.pending = filled - 64;
        Some(())
    }

    /// Writes zeros.
    pub(super) fn zeros(&mut self, mut count: u32) -> Option<()> {
        while count > 0 {
            let some = count.min(32);
            self.bits(0, some)?;
            count -= some;
        }
        Some(())
    }

    /// Fills the last word with zeros; the length of the stream in bytes.
    pub(super) fn finish(mut self) -> Option<usize> {
        if self.pending > 0 {
            self.put()?;
        }
        Some(self.at)
    }

    fn put(&mut self) -> Option<()> {
        let to = self.dst.get_mut(self.at..)?.first_chunk_mut()?;
        *to = self.word.to_le_bytes();
        self.at += 8;
        Some(())
    }
}
