//! Bit output, lowest bits first: a decoder begins at the end.

/// Bits, and the bytes that they go to.
pub(super) struct Bits<'d> {
    dst: &'d mut [u8],
    at: usize,
    word: u64,
    len: u32,
}

impl<'d> Bits<'d> {
    /// Bits that go to the front of `dst`, which needs eight bytes more than they take.
    pub(super) fn new(dst: &'d mut [u8]) -> Self {
        Self {
            dst,
            at: 0,
            word: 0,
            len: 0,
        }
    }

    /// Appends the `count` bits of `value`, which has no others. There is room for 56 bits after
    /// each [`flush`](Self::flush).
    #[inline(always)]
    pub(super) fn put(&mut self, value: u32, count: u32) {
        self.put_word(value.into(), count);
    }

    /// The same of up to 56 bits.
    #[inline(always)]
    pub(super) fn put_word(&mut self, value: u64, count: u32) {
        self.word |= value << self.len;
        self.len += count;
        debug_assert!(self.len < 64);
    }

    /// Writes whole bytes, after which fewer than eight bits are left; `None` when there is no
    /// room.
    #[inline(always)]
    pub(super) fn flush(&mut self) -> Option<()> {
        let to = self.dst.get_mut(self.at..)?.first_chunk_mut()?;
        *to = self.word.to_le_bytes();
        let bytes = self.len / 8;
        self.at += bytes as usize;
        self.word >>= bytes * 8;
        self.len &= 7;
        Some(())
    }

    /// The number of bytes, the last one filled up.
    pub(super) fn finish(mut self) -> Option<usize> {
        self.flush()?;
        Some(self.at + usize::from(self.len > 0))
    }

    /// The number of bytes with the mark behind which a decoder begins.
    pub(super) fn finish_marked(mut self) -> Option<usize> {
        self.put(1, 1);
        self.finish()
    }
}
