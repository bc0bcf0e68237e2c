//! A stream of Huffman codes.

use crate::codecs::lz::{Lanes, Task};

/// Literals that are written between two looks at the space.
const GROUP: usize = 8;
/// Bytes that two stores may touch, which are at most 7 bytes apart.
const SPACE: usize = 16;

/// Writes a stream, the last literal first, and returns its length; `None` when there is no space
/// for it and [`SPACE`] bytes more.
pub(super) struct WriteStream<'w> {
    pub(super) literals: &'w [u8],
    /// The code in the highest bits, its length, at most 11, in the lowest eight.
    pub(super) codes: &'w [u64; 256],
    pub(super) dst: &'w mut [u8],
}

/// Bits that are not written yet. The newest are the highest ones of a word, so that a code needs
/// neither a mask nor the number of bits before it. Below those that count, the word has the
/// lengths of codes.
#[derive(Clone, Copy)]
struct Pending {
    word: u64,
    /// Its lowest eight bits count.
    count: u64,
}

impl Pending {
    #[inline(always)]
    fn then(self, next: Self) -> Self {
        Self {
            word: self.word >> (next.count & 63) | next.word,
            count: self.count.wrapping_add(next.count),
        }
    }

    /// Writes whole bytes, and returns their number and the bits that are left.
    #[inline(always)]
    fn flush(self, dst: &mut [u8; 8]) -> (usize, Self) {
        let bits = self.count & 63;
        *dst = (self.word >> (64 - bits)).to_le_bytes();
        let left = Self {
            word: self.word,
            count: bits & 7,
        };
        (usize::from((bits / 8).to_le_bytes()[0]), left)
    }
}

impl Task for WriteStream<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Option<usize> {
        let Self {
            literals,
            codes,
            dst,
        } = self;
        let code = |literal: u8| {
            let code = codes[usize::from(literal)];
            Pending {
                word: code,
                count: code,
            }
        };
        let (rest, groups) = literals.as_rchunks::<GROUP>();
        let mut pending = Pending { word: 0, count: 0 };
        let mut at = 0;
        for [a, b, c, d, e, f, g, h] in groups.iter().rev() {
            let to: &mut [u8; SPACE] = dst.get_mut(at..)?.first_chunk_mut()?;
            // At most 7 + 4 * 11 bits. In pairs, as each step waits for the one before.
            let four = |a: &u8, b: &u8, c: &u8, d: &u8| {
                let late = code(*d).then(code(*c));
                late.then(code(*b).then(code(*a)))
            };
            let (len, left) = pending.then(four(e, f, g, h)).flush(to.first_chunk_mut()?);
            let more = to.get_mut(len & 7..)?.first_chunk_mut()?;
            let (more, left) = left.then(four(a, b, c, d)).flush(more);
            pending = left;
            at += len + more;
        }
        for literal in rest.iter().rev() {
            let to = dst.get_mut(at..)?.first_chunk_mut()?;
            let (len, left) = pending.then(code(*literal)).flush(to);
            pending = left;
            at += len;
        }
        // The mark at the end, where a decoder begins.
        let mark = Pending {
            word: 1 << 63,
            count: 1,
        };
        let to = dst.get_mut(at..)?.first_chunk_mut()?;
        let (len, left) = pending.then(mark).flush(to);
        Some(at + len + usize::from(left.count > 0))
    }
}
