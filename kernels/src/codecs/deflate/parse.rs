//! The search for matches.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::costs::log2_16;

/// The shortest match that is looked for.
pub(super) const MIN_MATCH: usize = 4;
/// The longest match that a code stands for.
pub(super) const MAX_MATCH: usize = 258;
/// The farthest distance back.
pub(super) const MAX_DISTANCE: usize = 32 << 10;
const HASH_BITS: u32 = 13;
/// Bytes behind a position that a probe reads.
const MARGIN: usize = 8;
/// What a literal takes in the fixed codes, in sixteenths of a bit.
const UNCODED: usize = 16 * 8;
/// After so many positions without a match, the step between them grows by one.
const PATIENCE: usize = 128;

/// Literals, and then a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    /// Literals.
    pub(super) literals: u32,
    /// The length of the match, 3 to 258; 0 for none, at the end.
    pub(super) len: u16,
    /// How far back it lies, 1 to 32768.
    pub(super) distance: u16,
}

/// The newest position of each hash, and what a literal costs.
pub(super) struct Parser {
    table: Box<[u32; 1 << HASH_BITS]>,
    bits: u32,
    /// The estimated length of a literal in sixteenths of a bit.
    literal: usize,
    counts: Box<[u32; 256]>,
}

/// Whether a match is shorter than the literals it stands for, by estimate.
#[inline(always)]
fn pays(literal: usize, len: usize, far: usize) -> bool {
    let distance_bits = (usize::BITS - far.leading_zeros()) as usize;
    len * literal >= 16 * (7 + distance_bits)
}

/// The eight bytes at `at`, or `None` near the end.
#[inline(always)]
fn word(src: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*src.get(at..)?.first_chunk()?))
}

/// The bytes at `at`, unchecked: with checks level 9 takes up to 1.24 times as long (1.07 in the mean over 24
/// kinds of data), level 1 up to 1.19 times (1.04).
///
/// # Safety
///
/// `at + N` is at most the length of `src`.
#[inline(always)]
pub(super) unsafe fn load<const N: usize>(src: &[u8], at: usize) -> [u8; N] {
    debug_assert!(at + N <= src.len(), "{at} and {N} of {}", src.len());
    // SAFETY: the caller's promise; arrays of bytes have no alignment.
    unsafe { src.as_ptr().wrapping_add(at).cast::<[u8; N]>().read() }
}

/// The 32 bytes at `at`, or `None` near the end.
#[inline(always)]
fn wide(src: &[u8], at: usize) -> Option<[u8; 32]> {
    src.get(at..)?.first_chunk().copied()
}

#[inline(always)]
fn hash(word: u64, bits: u32) -> usize {
    /// 2^64 divided by the golden ratio, made odd.
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = (word << 32).wrapping_mul(MULTIPLIER) >> (64 - bits);
    usize::try_from(mixed).unwrap_or(0) & ((1 << HASH_BITS) - 1)
}

/// How many bytes from `at` on are as those from `from` on, up to `end`.
#[inline(always)]
pub(super) fn common(src: &[u8], from: usize, at: usize, end: usize) -> usize {
    let mut len = 0;
    while let (Some(a), Some(b)) = (wide(src, from + len), wide(src, at + len))
        && a == b
    {
        len += 32;
        if at + len >= end {
            return end - at;
        }
    }
    while let (Some(a), Some(b)) = (word(src, from + len), word(src, at + len)) {
        let differ = a ^ b;
        if differ != 0 {
            let same = usize::try_from(differ.trailing_zeros() / 8).unwrap_or(0);
            return (len + same).min(end - at);
        }
        len += 8;
        if at + len >= end {
            return end - at;
        }
    }
    while at + len < end && src[from + len] == src[at + len] {
        len += 1;
    }
    len
}

impl Parser {
    pub(super) fn new() -> Self {
        Self {
            table: Box::new([0; 1 << HASH_BITS]),
            bits: HASH_BITS,
            literal: UNCODED,
            counts: Box::new([0; 256]),
        }
    }

    /// Forgets the former stream.
    pub(super) fn start(&mut self, src: &[u8]) {
        self.bits = (usize::BITS - src.len().leading_zeros()).clamp(9, HASH_BITS);
        self.table[..1 << self.bits].fill(0);
        self.literal = UNCODED;
    }

    /// Compares the size in bits of a part with what its bytes would take without any matches.
    /// Where that is less than half, literals are from now on taken to be that short, and true says that the
    /// part is to be parsed anew.
    pub(super) fn guess_literals(&mut self, part: &[u8], bits: u64) -> bool {
        let len = part.len() as u64;
        if self.literal < UNCODED || bits < len * 3 / 2 {
            return false;
        }
        let literal = self.estimate(part);
        if literal as u64 * len / 8 >= bits {
            return false;
        }
        self.literal = literal;
        // What lies ahead must not be found.
        self.table[..1 << self.bits].fill(0);
        true
    }

    /// The entropy of a sample of the bytes, in sixteenths of a bit.
    fn estimate(&mut self, src: &[u8]) -> usize {
        self.counts.fill(0);
        // Odd: the bytes of a number in turn.
        let step = (src.len() / 2048) | 1;
        let mut sampled = 0_u32;
        for byte in src.iter().step_by(step) {
            self.counts[usize::from(*byte)] += 1;
            sampled += 1;
        }
        // Sum of n log2(total / n), with logarithms in sixteenths.
        let total = log2_16(sampled);
        let sum: u64 = self
            .counts
            .iter()
            .filter(|count| **count > 0)
            .map(|&count| u64::from(count) * u64::from(total - log2_16(count)))
            .sum();
        // No code is shorter than a bit.
        usize::try_from(sum / u64::from(sampled.max(1))).map_or(128, |bits| bits.max(16))
    }

    /// Appends the sequences of `src[start..end]`, whose matches may lie in what came before.
    #[inline(always)]
    pub(super) fn parse(
        &mut self,
        src: &[u8],
        (start, end): (usize, usize),
        sequences: &mut Vec<Sequence>,
    ) {
        let (bits, literal) = (self.bits, self.literal);
        let table = &mut *self.table;
        let mut anchor = start;
        let mut at = start;
        let last = end.saturating_sub(MARGIN);
        if at == 0 {
            // An empty entry says 0, which is before every position but this.
            at = 1;
        }
        let mut misses = PATIENCE;
        while at < last {
            // SAFETY: before `last`.
            let here = u64::from_le_bytes(unsafe { load(src, at) });
            let slot = hash(here, bits);
            let from = core::mem::replace(&mut table[slot], low_u32(at)) as usize;
            let far = at.wrapping_sub(from);
            let mut differ = u64::MAX;
            if far <= MAX_DISTANCE {
                // SAFETY: not behind `at`: that is how far back it is.
                let there: [u8; 8] = unsafe { load(src, at - far) };
                differ = u64::from_le_bytes(there) ^ here;
            }
            // Fewer than `MIN_MATCH` bytes: the one branch that is hard to foresee where there is no match.
            if differ << 32 != 0 {
                at += misses / PATIENCE;
                misses += 1;
                continue;
            }
            let len = if differ == 0 {
                8 + common(src, from + 8, at + 8, end)
            } else {
                usize::try_from(differ.trailing_zeros() / 8).unwrap_or(0)
            };
            // Four bytes always pay for a match where literals are not coded.
            if literal < UNCODED && !pays(literal, len, far) {
                at += misses / PATIENCE;
                misses += 1;
                continue;
            }
            // Back over literals that are the same.
            let mut back = 0;
            while at - back > anchor && from > back && src[at - back - 1] == src[from - back - 1] {
                back += 1;
            }
            emit(sequences, at - back - anchor, back + len, far);
            at += len;
            anchor = at;
            misses = PATIENCE;
            if let Some(inner) = word(src, at - 2) {
                table[hash(inner, bits)] = low_u32(at - 2);
            }
        }
        sequences.push(Sequence {
            literals: low_u32(end - anchor),
            len: 0,
            distance: 0,
        });
    }
}

/// Appends a match of any length, in pieces that codes stand for.
#[inline(always)]
pub(super) fn emit(sequences: &mut Vec<Sequence>, literals: usize, mut len: usize, far: usize) {
    let distance = u16::try_from(far).unwrap_or(0);
    let mut literals = low_u32(literals);
    while len > MAX_MATCH {
        // What is left is long enough for a match.
        let piece = if len < MAX_MATCH + 3 {
            MAX_MATCH - 3
        } else {
            MAX_MATCH
        };
        sequences.push(Sequence {
            literals,
            len: u16::try_from(piece).unwrap_or(0),
            distance,
        });
        literals = 0;
        len -= piece;
    }
    sequences.push(Sequence {
        literals,
        len: u16::try_from(len).unwrap_or(0),
        distance,
    });
}

#[inline(always)]
pub(super) fn low_u32(value: usize) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
