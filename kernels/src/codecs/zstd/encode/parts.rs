//! Parts of a source: pieces next to each other whose bytes have about the same frequencies.
//!
//! Each becomes a block with codes of its own, or a part of one. The planes of shuffled numbers
//! differ that much, whatever the filter.

use alloc::vec::Vec;

/// The granularity, in bytes.
pub(super) const PIECE: usize = 4096;
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
    /// Whether no byte is frequent in the 128 KiB around: codes of one block for all would save
    /// little.
    pub(super) flat: bool,
}

/// How often each byte occurs in a sample, and the bits of those that no match is likely to have.
#[derive(Clone, Copy)]
struct Counts {
    of: [u32; 256],
    /// The number of bytes, and of those in the sample.
    len: usize,
    sampled: usize,
    bits: f32,
    /// The same of the sample alone.
    sampled_bits: f32,
    /// Those in words of eight bytes unlike the one after it.
    fresh: [u32; 256],
}

/// A word of the sample begins so many bytes after the one before: a quarter of all bytes counts,
/// and of items of any size but multiples of 11 bytes all bytes do in turn.
const STRIDE: usize = 33;

/// Up to so many bytes are counted in one table: four take longer to clear and to sum up.
const FEW: usize = 1024;
/// Up to so many bytes are hardly of more than a few kinds.
const SPARSE: usize = 256;

impl Counts {
    #[inline(always)]
    fn new(piece: &[u8]) -> Self {
        if piece.len() <= FEW {
            Self::by::<1>(piece)
        } else {
            Self::by::<4>(piece)
        }
    }

    /// Counts in `TABLES` tables, 1, 2 or 4.
    #[inline(always)]
    fn by<const TABLES: usize>(piece: &[u8]) -> Self {
        let mut fresh = [[0_u32; 256]; TABLES];
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
            count_into(word, counts);
            sampled += 8;
            rest = after;
        }
        count_into(rest, &mut fresh);
        sampled += rest.len();
        let fresh = sum(&fresh);
        let mut of = sum(&repeated);
        add(&mut of, &fresh);
        let mut this = Self {
            of,
            len: piece.len(),
            sampled,
            bits: 0.0,
            sampled_bits: 0.0,
            fresh,
        };
        this.estimate();
        this
    }

    #[inline(always)]
    fn estimate(&mut self) {
        let fresh: u32 = self.fresh.iter().sum();
        self.sampled_bits = bits(&self.fresh, fresh as usize);
        self.bits = self.sampled_bits * self.scale();
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

    #[inline(always)]
    fn part(&self, end: usize) -> Part {
        let len: u32 = self.fresh.iter().sum();
        let all = if len as usize == self.sampled {
            self.sampled_bits
        } else {
            bits(&self.of, self.sampled)
        };
        Part {
            end,
            byte: to_u32(self.sampled_bits * 16.0 / to_f32(len as usize)),
            cost: to_u32(all * self.scale() / 8.0),
            flat: false,
        }
    }
}

/// How often each byte occurs.
#[inline(always)]
pub(super) fn count(bytes: &[u8]) -> [u32; 256] {
    if bytes.len() <= FEW {
        let mut counts = [[0_u32; 256]];
        count_into(bytes, &mut counts);
        return sum(&counts);
    }
    let mut counts = [[0_u32; 256]; 4];
    count_into(bytes, &mut counts);
    sum(&counts)
}

/// Adds to tables in turn: in one, equal neighbours would wait for each other's store.
#[inline(always)]
fn count_into<const TABLES: usize>(bytes: &[u8], tables: &mut [[u32; 256]; TABLES]) {
    let (groups, rest) = bytes.as_chunks::<TABLES>();
    for group in groups {
        for (counts, byte) in tables.iter_mut().zip(group) {
            counts[usize::from(*byte)] += 1;
        }
    }
    for (counts, byte) in tables.iter_mut().zip(rest) {
        counts[usize::from(*byte)] += 1;
    }
}

fn sum<const TABLES: usize>(all: &[[u32; 256]; TABLES]) -> [u32; 256] {
    let mut sum = all[0];
    for counts in &all[1..] {
        add(&mut sum, counts);
    }
    sum
}

#[inline(always)]
pub(super) fn add(sum: &mut [u32; 256], counts: &[u32; 256]) {
    for (sum, count) in sum.iter_mut().zip(counts) {
        *sum += count;
    }
}

/// The bits of `len` bytes with these counts: the sum of n log2(len / n). Sixteen sums, whose order
/// does not depend on the instruction set.
#[inline(always)]
pub(super) fn bits(counts: &[u32; 256], len: usize) -> f32 {
    let mut sums = [0.0; 16];
    // Of few bytes most do not occur.
    let sparse = len <= SPARSE;
    for counts in counts.as_chunks::<16>().0 {
        if sparse && *counts == [0; 16] {
            continue;
        }
        for (sum, &count) in sums.iter_mut().zip(counts) {
            *sum += to_f32(count as usize) * log2(count);
        }
    }
    let sum: f32 = sums.iter().sum();
    let len = crate::codecs::lz::low_u32(len);
    to_f32(len as usize) * log2(len) - sum
}

/// Whether no byte is frequent: codes save little then, and libzstd stores such literals.
#[inline(always)]
pub(super) fn is_flat(counts: &[u32; 256], len: usize) -> bool {
    counts.iter().all(|count| *count as usize <= len / 128 + 4)
}

/// The least that `len` literals with these counts take as codes with a description, in bytes.
///
/// No code is shorter than the entropy, within the error of [`log2`]. The description tells at
/// least which bytes have a code: that is the entropy of a list of zeros and others, less the two
/// states in which it begins, or half a byte each.
#[inline(always)]
pub(super) fn least_bytes(counts: &[u32; 256], len: usize) -> usize {
    let used: usize = counts.iter().map(|count| usize::from(*count > 0)).sum();
    // The last byte with a code is not listed.
    let listed = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
    let others = used.saturating_sub(1);
    let weighed = |count: usize| to_f32(count) * log2(crate::codecs::lz::low_u32(count));
    let list = weighed(listed) - (weighed(others) + weighed(listed - others));
    let described = list - 0.02 * to_f32(listed) - 16.0;
    let described = described.min(4.0 * to_f32(listed)).max(0.0);
    let coded = bits(counts, len) - 0.02 * to_f32(len);
    to_u32((coded.max(0.0) + described) / 8.0) as usize
}

/// The logarithm of a number, within 0.01; that of 1 for 0. The mantissa's is a polynomial.
#[inline(always)]
pub(super) fn log2(value: u32) -> f32 {
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
pub(super) fn to_f32(value: usize) -> f32 {
    value as f32
}

#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates"
)]
pub(super) fn to_u32(value: f32) -> u32 {
    value as u32
}

/// Appends the parts of `src`.
#[inline(always)]
pub(super) fn split(src: &[u8], parts: &mut Vec<Part>) {
    let mut end = 0;
    let mut part: Option<Counts> = None;
    // Of the last 128 KiB, and the number of parts before.
    let mut around = [0; 256];
    let mut before = parts.len();
    for piece in src.chunks(PIECE) {
        let counts = Counts::new(piece);
        add(&mut around, &counts.of);
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
        let ends = end == src.len();
        if ends {
            parts.extend(part.map(|part| part.part(end)));
        }
        if ends || end % MAX_PART == 0 {
            let len: u32 = around.iter().sum();
            let flat = is_flat(&around, len as usize);
            parts[before..].iter_mut().for_each(|part| part.flat = flat);
            (around, before) = ([0; 256], parts.len());
        }
    }
}
