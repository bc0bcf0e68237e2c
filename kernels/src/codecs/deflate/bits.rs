//! Bit output.

/// Writes bits into a byte slice, starting with the lowest bit of each byte.
///
/// Between two calls of [`flush`](Self::flush) up to 57 bits can be put.
pub(super) struct BitWriter<'d> {
    dst: &'d mut [u8],
    state: State,
}

/// The position of a writer, separate from its destination.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// Whole bytes written.
    at: usize,
    /// Bits that are not written yet.
    buffer: u64,
    /// Number of bits in `buffer`.
    count: u32,
    /// Whether the destination was too short.
    overflow: bool,
}

impl<'d> BitWriter<'d> {
    /// A writer at the start of `dst`.
    pub(super) fn new(dst: &'d mut [u8]) -> Self {
        let state = State {
            at: 0,
            buffer: 0,
            count: 0,
            overflow: false,
        };
        Self { dst, state }
    }

    /// A writer at the same position; [`resume`](Self::resume) takes its final state.
    ///
    /// A local writer stays in registers: stores through it cannot change the writer itself.
    #[inline(always)]
    pub(super) fn local(&mut self) -> BitWriter<'_> {
        BitWriter {
            dst: &mut *self.dst,
            state: self.state,
        }
    }

    /// The position, for [`resume`](Self::resume).
    #[inline(always)]
    pub(super) fn state(&self) -> State {
        self.state
    }

    /// Continues where a [`local`](Self::local) writer has stopped.
    #[inline(always)]
    pub(super) fn resume(&mut self, state: State) {
        self.state = state;
    }

    /// Number of bits in the last, incomplete byte.
    pub(super) fn pending_bits(&self) -> u64 {
        u64::from(self.state.count)
    }

    /// The number of bits written.
    #[inline(always)]
    pub(super) fn bits(&self) -> u64 {
        8 * self.state.at as u64 + u64::from(self.state.count)
    }

    /// `None` when the bytes written so far did not fit.
    pub(super) fn fits(&self) -> Option<()> {
        (!self.state.overflow).then_some(())
    }

    /// `None` when fewer than `bits` bits are left.
    pub(super) fn reserve(&self, bits: u64) -> Option<()> {
        let free = 8 * (self.dst.len() - self.state.at) as u64;
        (self.pending_bits() + bits <= free).then_some(())
    }

    /// Puts the `count` low bits of `bits`; the others must be 0.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: u64, count: u32) {
        self.state.buffer |= bits << (self.state.count & 63);
        self.state.count += count;
    }

    /// Puts a code: its bits are the low 24 bits of `code`, their number the high 8.
    #[inline(always)]
    pub(super) fn put_code(&mut self, code: u32) {
        self.put(u64::from(code & 0xFF_FFFF), code >> 24);
    }

    /// Writes all whole bytes; up to 7 bits stay in the buffer.
    #[inline(always)]
    pub(super) fn flush(&mut self) {
        let State {
            at, buffer, count, ..
        } = self.state;
        let whole = (count / 8) as usize;
        if let Some(to) = self.dst.get_mut(at..at + 8) {
            to.copy_from_slice(&buffer.to_le_bytes());
        } else {
            self.flush_near_end(whole);
        }
        self.state.at += whole;
        self.state.buffer >>= count & !7 & 63;
        self.state.count &= 7;
    }

    #[cold]
    fn flush_near_end(&mut self, whole: usize) {
        let bytes = self.state.buffer.to_le_bytes();
        for (i, byte) in bytes[..whole].iter().enumerate() {
            match self.dst.get_mut(self.state.at + i) {
                Some(to) => *to = *byte,
                None => self.state.overflow = true,
            }
        }
    }

    /// Fills the last byte with zero bits and returns the number of bytes written, or `None` when
    /// they did not fit.
    pub(super) fn finish(&mut self) -> Option<usize> {
        self.state.count = self.state.count.next_multiple_of(8);
        self.flush();
        (!self.state.overflow && self.state.at <= self.dst.len()).then_some(self.state.at)
    }

    /// Appends bytes after [`finish`](Self::finish), or returns `None` when they do not fit.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Option<()> {
        let at = self.state.at;
        let to = self.dst.get_mut(at..at + bytes.len())?;
        to.copy_from_slice(bytes);
        self.state.at += bytes.len();
        Some(())
    }
}
