//! Bit input from the end of a part to its beginning, highest bits first.

use super::input::invalid;
use crate::codecs::DecodeError;
use crate::codecs::lz::load;

/// A position in bits that are read backwards.
///
/// The buffer is filled with whole words that end at `at`, also across the beginning of the part:
/// those bits are not part of it, `left` becomes negative, and the caller looks at it when all
/// fields are read. What is decoded until then is wrong, but inside the bounds that hold for any
/// bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backward<'a> {
    src: &'a [u8],
    /// The first byte of the part.
    start: usize,
    /// The byte after those of which no bit counts in `valid`.
    at: usize,
    /// Bytes before `src` that were taken as zeros.
    missing: usize,
    /// The next bits, from the highest down. After `valid` there may already be more of them.
    bits: u64,
    /// The number of bits of `bits` that count.
    valid: u32,
}

impl<'a> Backward<'a> {
    /// The bits of `src[start..]`, from the end: the highest bit that is set in the last byte is a
    /// mark, and the first bit is the one after it. `unmarked` is the reason when there is none.
    pub(super) fn new(
        src: &'a [u8],
        start: usize,
        unmarked: &'static str,
    ) -> Result<Self, DecodeError> {
        let last = src.get(start..).and_then(<[u8]>::last).copied();
        let Some(last) = last.filter(|last| *last != 0) else {
            return Err(invalid(src.len(), unmarked));
        };
        let mut bits = Self {
            src,
            start,
            at: src.len(),
            missing: 0,
            bits: 0,
            valid: 0,
        };
        bits.refill();
        bits.skip(last.leading_zeros() + 1);
        Ok(bits)
    }

    /// Makes at least 56 bits available.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        if self.at >= 8 {
            debug_assert!(self.at <= self.src.len());
            let from = self.src.as_ptr().wrapping_add(self.at - 8);
            // SAFETY: eight bytes lie before `at`, which is at most the length.
            let word = u64::from_le_bytes(unsafe { load(from) });
            self.bits |= word >> self.valid;
            self.at -= usize::from(((63 - self.valid) >> 3).to_le_bytes()[0]);
            self.valid |= 56;
        } else {
            *self = self.refilled_by_bytes();
        }
    }

    /// The same at the beginning of the stream, before which there are zeros. By value, so that the
    /// fields can stay in registers.
    #[cold]
    #[inline(never)]
    fn refilled_by_bytes(mut self) -> Self {
        while self.valid < 56 {
            match self.at.checked_sub(1) {
                Some(before) => {
                    let byte = self.src.get(before).copied().unwrap_or(0);
                    self.bits |= u64::from(byte) << (56 - self.valid);
                    self.at = before;
                }
                None => self.missing += 1,
            }
            self.valid += 8;
        }
        self
    }

    /// The whole input, for [`lane`](Self::lane).
    pub(super) fn src(&self) -> &'a [u8] {
        self.src
    }

    /// The position, for a loop that moves on in another way; `None` in the first eight bytes of
    /// the input.
    pub(super) fn lane(&self) -> Option<Lane> {
        let valid = usize::from(self.valid.to_le_bytes()[0]);
        let end = self.at + valid.div_ceil(8);
        let at = end.checked_sub(8)?;
        let word = u64::from_le_bytes(*self.src.get(at..)?.first_chunk()?);
        let bits = (word | 1) << (8 * valid.div_ceil(8) - valid);
        (self.missing == 0).then_some(Lane { bits, at })
    }

    /// Moves on to where such a loop has ended.
    pub(super) fn set_lane(&mut self, lane: Lane) {
        let left = (lane.at + 8) * 8 - lane.bits.trailing_zeros() as usize;
        self.at = left / 8;
        self.valid = low_u32(left as u64 % 8);
        let byte = self.src.get(self.at).copied().unwrap_or(0);
        self.bits = (u64::from(byte) << 56).wrapping_shl(8 - self.valid);
    }

    /// The next `count` bits, 1 to 32, without moving on.
    #[inline(always)]
    pub(super) fn peek(&self, count: u32) -> usize {
        low(self.bits >> (64 - count))
    }

    /// The `count` bits, at most 32, that end after the next `end` ones, at most 64.
    #[inline(always)]
    pub(super) fn field(&self, end: u32, count: u32) -> u32 {
        // Without bits the shift is 0 and the mask is empty.
        low_u32(self.bits.wrapping_shr(0_u32.wrapping_sub(end)) & ((1_u64 << count) - 1))
    }

    /// Moves on by `count` bits, which the last refill has made available.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) {
        debug_assert!(count <= self.valid);
        self.bits = self.bits.wrapping_shl(count);
        self.valid = self.valid.wrapping_sub(count);
    }

    /// The next `count` bits, at most 32.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let value = self.field(count, count);
        self.skip(count);
        value
    }

    /// The bits that are left, and the bits before which they must end.
    fn left(&self) -> (u64, u64) {
        let left = self.at as u64 * 8 + u64::from(self.valid);
        (left, (self.start as u64 + self.missing as u64) * 8)
    }

    /// Whether so many bits are left.
    pub(super) fn has(&self, count: u64) -> bool {
        let (left, start) = self.left();
        left >= start + count
    }

    /// Whether more bits were read than there are.
    pub(super) fn is_overrun(&self) -> bool {
        let (left, start) = self.left();
        left < start
    }

    /// Whether all bits were read, and no more.
    pub(super) fn is_at_end(&self) -> bool {
        let (left, start) = self.left();
        left == start
    }

    /// The byte of the next bit, for errors.
    pub(super) fn offset(&self) -> usize {
        self.at + usize::from((self.valid >> 3).to_le_bytes()[0])
    }
}

/// A position in bits, for the loop that reads several streams at once: a word from the input,
/// whose lowest bit is set as a mark and which is shifted by the bits that are read. The mark's
/// position is the number of those bits, so that no register counts them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    /// The next bits, from the highest down.
    pub(super) bits: u64,
    /// The position of the word in the input.
    at: usize,
}

impl Lane {
    /// How often [`reload`](Self::reload) is sound, as each moves on by at most seven bytes.
    #[inline(always)]
    pub(super) fn reloads(&self) -> usize {
        self.at / 7
    }

    /// Loads the word of the next bits, at least 56 of them, and then moves on by the bits of an
    /// entry, whose length is in its lowest six bits.
    ///
    /// # Safety
    /// `src` is that of the [`Backward`], and [`reloads`](Self::reloads) has counted this one.
    #[inline(always)]
    pub(super) unsafe fn reload(&mut self, src: &[u8], entry: u64) {
        let read = self.bits.trailing_zeros();
        self.at = self.at.wrapping_sub((read >> 3) as usize);
        debug_assert!(self.at + 8 <= src.len());
        let from = src.as_ptr().wrapping_add(self.at);
        // SAFETY: `at` was at least 7, and eight bytes followed it.
        let word = u64::from_le_bytes(unsafe { load(from) });
        self.bits = (word | 1) << (read & 7) << (entry & 63);
    }

    /// Moves on by the bits of an entry, whose length is in its lowest six bits.
    #[inline(always)]
    pub(super) fn skip(&mut self, entry: u64) {
        self.bits <<= entry & 63;
    }
}

/// Fields of bits that are read backwards, for the loop of sequences: a position and the word
/// before it, which is loaded for each sequence. That takes fewer instructions than a buffer, and
/// the load is not on the loop's longest path.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    /// From eight bytes before the part on, or from the beginning of the stream.
    src: &'a [u8],
    /// The number of positions from which a word can be loaded.
    words: usize,
    /// The value of `at` when all bits are read.
    end: usize,
    /// The number of bits before the position, less [`BEFORE`]; wraps when more are read.
    at: usize,
    /// The bits around the position, at least 57 before it.
    word: u64,
}

/// The bits of a word that ends at a position, and 7 to round up.
const BEFORE: usize = 64 - 7;

impl<'a> Fields<'a> {
    pub(super) fn new(bits: &Backward<'a>) -> Self {
        let from = bits.start.saturating_sub(8);
        let src = bits.src.get(from..).unwrap_or_default();
        let valid = usize::from(bits.valid.to_le_bytes()[0]);
        let mut this = Self {
            src,
            words: src.len().saturating_sub(7),
            end: ((bits.start - from) * 8).wrapping_sub(BEFORE),
            at: (bits.at.wrapping_sub(bits.missing + from))
                .wrapping_mul(8)
                .wrapping_add(valid)
                .wrapping_sub(BEFORE),
            word: 0,
        };
        this.load();
        this
    }

    /// The next `count` bits, at most 57, as the lowest of a word that may have others above.
    #[inline(always)]
    pub(super) fn peek(&self, count: u64) -> u64 {
        // 0 to 7 bits of the word are after the position.
        let above = BEFORE as u64 + (self.at as u64 & 7);
        self.word.wrapping_shr(low_u32(above.wrapping_sub(count)))
    }

    /// Moves on by `count` bits.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: u64) {
        self.at = self.at.wrapping_sub(low(count));
        self.load();
    }

    /// Reads `count` bits, at most 31.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let count = u64::from(count);
        let field = self.peek(count) & ((1 << count) - 1);
        self.skip(count);
        low_u32(field)
    }

    #[inline(always)]
    fn load(&mut self) {
        let from = self.at >> 3;
        if from >= self.words {
            self.word = load_slowly(self.src, self.at);
            return;
        }
        // SAFETY: `from` is below `words`, so eight bytes follow.
        self.word = u64::from_le_bytes(unsafe { load(self.src.as_ptr().wrapping_add(from)) });
    }

    /// Whether more bits were read than there are.
    pub(super) fn is_overrun(&self) -> bool {
        let at = self.at.wrapping_add(BEFORE);
        at < self.end.wrapping_add(BEFORE) || at > self.src.len() * 8
    }

    /// Whether all bits were read, and no more.
    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.end
    }
}

/// Loads a word of [`Fields`] at the beginning of the stream, before which there are zeros.
#[cold]
#[inline(never)]
fn load_slowly(src: &[u8], at: usize) -> u64 {
    (0..8).fold(0, |word, byte| {
        let before = at.wrapping_add(BEFORE + 7) >> 3;
        let byte = before.checked_sub(byte + 1).and_then(|at| src.get(at));
        word << 8 | u64::from(byte.copied().unwrap_or(0))
    })
}

/// The low bits of a word as an index.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "fields have at most 32 bits"
)]
pub(super) fn low(word: u64) -> usize {
    word as usize
}

/// The low bits of a word.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "fields have at most 32 bits"
)]
pub(super) const fn low_u32(word: u64) -> u32 {
    word as u32
}
