//! Parts of a source: pieces next to each other whose bytes have about the same frequencies.
//!
//! Each becomes a block with codes of its own. The planes of shuffled numbers differ that much, and
//! a block ends where one does, whatever the filter.

use alloc::vec::Vec;

/// The granularity, in bytes.
const PIECE: usize = 4096;
/// The most bytes of a block.
pub(super) const MAX_PART: usize = 1 << 17;
/// The least that a block with codes of its own must save, in bits: it takes about 60 bytes and
/// 2 µs to decode, and matches that look at the cost of literals depend on its being right.
const LEAST_GAIN: f32 = 3000.0;

/// A part, which begins where the one before ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The position after it.
    pub(super) end: usize,
    /// The cost of one of its bytes by itself, in sixteenths of a bit, where eight bytes do not
    /// repeat the eight before them: that is what is left between matches.
    pub(super) byte: u32,
    /// The cost of all of them without any match, in bytes.
    pub(super) cost: u32,
}

/// How often each byte occurs in a sample, and the bits of those that no match is likely to have.
#[derive(Clone, Copy)]
struct Counts {
    of: [u32; 256],
    /// The number of bytes, and of those in the sample.
    len: usize,
    sampled: usize,
    bits: f32,
    /// Those in words of eight bytes unlike the one after it.
    fresh: [u32; 256],
}

/// A word of the sample begins so many bytes after the one before: a quarter of all bytes counts,
/// and of items of any size but multiples of 11 bytes all bytes do in turn.
const STRIDE: usize = 33;

impl Counts {
    #[inline(always)]
    fn new(piece: &[u8]) -> Self {
        let mut fresh = [[0_u32; 256]; 4];
        let mut repeated = fresh;
        let mut sampled = 0;
        let mut rest = piece;
        while let Some((pair, after)) = rest.split_first_chunk::<STRIDE>() {
            let (word, next) = pair.split_at(8);
            let counts = if word == &next[..8] {
                &mut repeated
            } else {
                &mut fresh
            };
            let (fours, _) = word.as_chunks::<4>();
            for four in fours {
                for (counts, byte) in counts.iter_mut().zip(four) {
                    counts[usize::from(*byte)] += 1;
                }
            }
            sampled += 8;
            rest = after;
        }
        for byte in rest {
            fresh[0][usize::from(*byte)] += 1;
        }
        sampled += rest.len();
        let fresh = sum(&fresh);
        let mut of = sum(&repeated);
        add(&mut of, &fresh);
        let mut this = Self {
            of,
            len: piece.len(),
            sampled,
            bits: 0.0,
            fresh,
        };
        this.estimate();
        this
    }

    #[inline(always)]
    fn estimate(&mut self) {
        let fresh: u32 = self.fresh.iter().sum();
        self.bits = bits(&self.fresh, fresh as usize) * self.scale();
    }

    /// The number of bytes for each one of the sample.
    #[inline(always)]
    fn scale(&self) -> f32 {
        to_f32(self.len) / to_f32(self.sampled)
    }

    /// Both together.
    #[inline(always)]
    fn with(&self, other: &Self) -> Self {
        let mut this = *self;
        add(&mut this.of, &other.of);
        add(&mut this.fresh, &other.fresh);
        this.len += other.len;
        this.sampled += other.sampled;
        this.estimate();
        this
    }

    fn part(&self, end: usize) -> Part {
        let len: u32 = self.fresh.iter().sum();
        let fresh = bits(&self.fresh, len as usize);
        let all = bits(&self.of, self.sampled) * self.scale();
        Part {
            end,
            byte: to_u32(fresh * 16.0 / to_f32(len as usize)),
            cost: to_u32(all / 8.0),
        }
    }
}

/// How often each byte occurs. Four tables: equal neighbours would wait for each other's store.
#[inline(always)]
pub(super) fn count(bytes: &[u8]) -> [u32; 256] {
    let mut counts = [[0_u32; 256]; 4];
    let (fours, rest) = bytes.as_chunks::<4>();
    for four in fours {
        for (counts, byte) in counts.iter_mut().zip(four) {
            counts[usize::from(*byte)] += 1;
        }
    }
    for byte in rest {
        counts[0][usize::from(*byte)] += 1;
    }
    sum(&counts)
}

fn sum(all: &[[u32; 256]; 4]) -> [u32; 256] {
    let [mut sum, ref others @ ..] = *all;
    for counts in others {
        add(&mut sum, counts);
    }
    sum
}

#[inline(always)]
fn add(sum: &mut [u32; 256], counts: &[u32; 256]) {
    for (sum, count) in sum.iter_mut().zip(counts) {
        *sum += count;
    }
}

/// The bits of `len` bytes with these counts: the sum of n log2(len / n). Sixteen sums, whose order
/// does not depend on the instruction set.
#[inline(always)]
fn bits(counts: &[u32; 256], len: usize) -> f32 {
    let mut sums = [0.0; 16];
    for counts in counts.as_chunks::<16>().0 {
        for (sum, &count) in sums.iter_mut().zip(counts) {
            *sum += to_f32(count as usize) * log2(count);
        }
    }
    let sum: f32 = sums.iter().sum();
    let len = crate::codecs::lz::low_u32(len);
    to_f32(len as usize) * log2(len) - sum
}

/// The logarithm of a number, within 0.01; that of 1 for 0. The mantissa's is a polynomial.
#[inline(always)]
fn log2(value: u32) -> f32 {
    let bits = to_f32(value.max(1) as usize).to_bits();
    let whole = to_f32((bits >> 23) as usize) - 127.0;
    let part = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    whole + (2.0 - 0.335_829 * part) * part - 1.658_718
}

#[inline(always)]
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of at most 2^17 are exact"
)]
fn to_f32(value: usize) -> f32 {
    value as f32
}

#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates"
)]
fn to_u32(value: f32) -> u32 {
    value as u32
}

/// Appends the parts of `src`.
#[inline(always)]
pub(super) fn split(src: &[u8], parts: &mut Vec<Part>) {
    let mut end = 0;
    let mut part: Option<Counts> = None;
    for piece in src.chunks(PIECE) {
        let counts = Counts::new(piece);
        part = Some(match part {
            None => counts,
            Some(part) => {
                let both = part.with(&counts);
                let differ = both.bits - part.bits - counts.bits > LEAST_GAIN;
                if differ || both.len > MAX_PART {
                    parts.push(part.part(end));
                    counts
                } else {
                    both
                }
            }
        });
        end += piece.len();
    }
    parts.extend(part.map(|part| part.part(end)));
}
