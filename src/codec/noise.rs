//! How much of a stream is noise at its front: bytes that no codec makes smaller.
//!
//! Shuffled numbers begin with the planes of their low bytes, which are often noise, and searching
//! noise for matches takes as long as searching anything else. Noise is what has
//!
//! - all byte values about equally often, so that codes of variable length save less than the 0.4 %
//!   below which Zstandard stores literals uncoded at its highest levels,
//! - no strings of four bytes that repeat more often than by chance, neither in itself nor in what
//!   follows it, which would miss it as history.
//!
//! The answer depends on the bytes alone: all sums are of integers, and nothing is timed.

/// The granularity of the answer, in bytes.
pub(super) const UNIT: usize = 4096;
/// Less noise than this is left to the codec, as is less than [`ENOUGH`] and than such a part of a
/// stream: without it libzstd looks longer at what follows, and takes more of the matches there.
const LEAST: usize = 16 << 10;
const ENOUGH: usize = 64 << 10;
const LEAST_PART: usize = 4;
/// The length of a string.
const STRING: usize = 4;
/// The distance of the strings that are remembered, and of those that are looked up. They have no
/// common divisor, so that copies are found whatever their distance.
const REMEMBERED: usize = 4;
const LOOKED_UP: usize = 5;
/// Up to one repeat in this many strings, and a few more, are chance.
const SHARE: usize = 1024;
const CHANCE: usize = 4;
/// In what follows the noise, one string in this many may occur in it.
const SHARE_AFTER: usize = 4096;
/// Sizes of the table, as powers of two.
const LEAST_LOG: u32 = 12;
const MOST_LOG: u32 = 18;
/// The most by which the frequencies may differ from those of noise, in percent.
const EXCESS: u64 = 3;

/// Finds noise; keeps its table for the next stream.
#[derive(Debug, Default)]
pub(super) struct Noise {
    /// The position after the last remembered string of each hash, 0 for none.
    table: Vec<u32>,
}

impl Noise {
    /// The length of the noise at the front of `src`, a multiple of [`UNIT`].
    pub(super) fn front(&mut self, src: &[u8]) -> usize {
        let even = even_front(src);
        let few = even < LEAST || (even < ENOUGH && even < src.len() / LEAST_PART);
        if few || u32::try_from(src.len()).is_err() || self.repeats(src, even) {
            0
        } else {
            even
        }
    }

    /// Whether strings of the first `front` bytes repeat, in them or after them.
    fn repeats(&mut self, src: &[u8], front: usize) -> bool {
        let log = (2 * front / REMEMBERED).max(1).ilog2();
        let log = log.clamp(LEAST_LOG, MOST_LOG);
        self.table.clear();
        self.table.resize(1 << log, 0);
        for at in (0..front).step_by(UNIT) {
            // Looked up before they are remembered, apart from those of the unit itself.
            if self.occurrences(src, at, at + UNIT, log) > UNIT / LOOKED_UP / SHARE + CHANCE {
                return true;
            }
            for position in (at..at + UNIT).step_by(REMEMBERED) {
                self.table[slot(string_at(src, position), log)] =
                    u32::try_from(position + 1).unwrap_or(0);
            }
        }
        let after = (src.len() - front) / LOOKED_UP;
        self.occurrences(src, front, src.len(), log) > after / SHARE_AFTER + CHANCE
    }

    /// How many of the strings from `start` to `end` are remembered.
    fn occurrences(&self, src: &[u8], start: usize, end: usize, log: u32) -> usize {
        (start..end.min(src.len().saturating_sub(STRING - 1)))
            .step_by(LOOKED_UP)
            .filter(|&position| {
                let string = string_at(src, position);
                let after = self.table[slot(string, log)];
                usize::try_from(after)
                    .ok()
                    .and_then(|after| after.checked_sub(1))
                    .is_some_and(|before| string_at(src, before) == string)
            })
            .count()
    }
}

/// The place of a string in a table of `1 << log` entries.
fn slot(string: [u8; STRING], log: u32) -> usize {
    let hash = u32::from_le_bytes(string).wrapping_mul(0x9E37_79B1) >> (32 - log);
    usize::try_from(hash).unwrap_or(0)
}

/// The four bytes at `at`; zeros past the end.
fn string_at(src: &[u8], at: usize) -> [u8; STRING] {
    src.get(at..)
        .and_then(<[u8]>::first_chunk)
        .copied()
        .unwrap_or_default()
}

/// The whole units at the front in which every byte value is about equally frequent.
fn even_front(src: &[u8]) -> usize {
    let mut all = [0; 256];
    let mut front = 0;
    for unit in src.chunks_exact(UNIT) {
        let counts = count(unit);
        for (sum, count) in all.iter_mut().zip(counts) {
            *sum += count;
        }
        if !(is_even(&counts) && is_even(&all)) {
            break;
        }
        front += UNIT;
    }
    front
}

/// The frequencies of the values of `bytes`, in two tables because equal neighbours would wait for
/// each other.
fn count(bytes: &[u8]) -> [u32; 256] {
    let (mut counts, mut others) = ([0_u32; 256], [0_u32; 256]);
    let (pairs, _) = bytes.as_chunks::<2>();
    for [a, b] in pairs {
        counts[usize::from(*a)] += 1;
        others[usize::from(*b)] += 1;
    }
    for (count, other) in counts.iter_mut().zip(others) {
        *count += other;
    }
    counts
}

/// Whether the frequencies are about those of noise.
///
/// The sum of the squares of `n` is `n + n * (n - 1) / 256` on average for noise, and the entropy
/// falls short of 8 bits by `(256 * sum / n^2 - 1) / (2 * ln 2)` where that is small: an excess of
/// 3 % is 0.3 % of the bytes. For a unit of noise it varies by 0.6 %.
fn is_even(counts: &[u32; 256]) -> bool {
    let (mut n, mut squares) = (0_u64, 0_u64);
    for &count in counts {
        n += u64::from(count);
        squares += u64::from(count) * u64::from(count);
    }
    256 * squares <= n * n + 255 * n + n * n / 100 * EXCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `len` well-mixed bytes.
    fn noise(len: usize, seed: u64) -> Vec<u8> {
        let mut state = seed;
        std::iter::repeat_with(|| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            (z ^ (z >> 31)).to_le_bytes()[3]
        })
        .take(len)
        .collect()
    }

    fn front(src: &[u8]) -> usize {
        Noise::default().front(src)
    }

    #[test]
    fn noise_is_found_in_whole_units() {
        for seed in 0..20 {
            assert_eq!(front(&noise(1 << 20, seed)), 1 << 20, "{seed}");
            assert_eq!(front(&noise(LEAST, seed)), LEAST, "{seed}");
            let odd = noise(100_000, seed);
            assert_eq!(front(&odd), 100_000 / UNIT * UNIT, "{seed}");
        }
        assert_eq!(front(&noise(LEAST - 1, 1)), 0);
        assert_eq!(front(&[]), 0);
    }

    #[test]
    fn noise_ends_where_the_values_are_fewer() {
        for (fewer, mask) in [(53_248, 0x7F_u8), (65_536, 0x0F), (102_400, 0)] {
            let mut src = noise(200_000, 7);
            src[fewer..].iter_mut().for_each(|byte| *byte &= mask);
            assert_eq!(front(&src), fewer, "{mask}");
            let reversed: Vec<u8> = src.into_iter().rev().collect();
            assert_eq!(front(&reversed), 0, "{mask}");
        }
        let mut quarter = noise(LEAST * LEAST_PART, 7);
        quarter[LEAST..].fill(0);
        assert_eq!(front(&quarter), LEAST);
        quarter.push(0);
        assert_eq!(front(&quarter), LEAST);
        quarter.resize(LEAST * LEAST_PART + LEAST_PART, 0);
        assert_eq!(front(&quarter), 0);
        for (len, found) in [(ENOUGH - UNIT, 0), (ENOUGH, ENOUGH)] {
            let mut enough = noise(len, 7);
            enough.resize(1 << 20, 0);
            assert_eq!(front(&enough), found);
        }
        let ascending: Vec<u8> = (0..=255).cycle().take(1 << 16).collect();
        assert_eq!(
            front(&ascending),
            0,
            "equally frequent, but the same again and again"
        );
    }

    #[test]
    fn what_is_repeated_is_not_noise_whatever_the_distance() {
        for distance in [16_384, 16_389, 30_001, 65_534, 65_535, 99_999] {
            let once = noise(distance, 3);
            let twice = [&once[..], &once].concat();
            assert_eq!(front(&twice), 0, "{distance}");
            // After the noise, among something else.
            let zeros = vec![0; 20_000];
            let later = [&once[..], &zeros, &once[..distance / 4], &zeros].concat();
            assert_eq!(front(&later), 0, "{distance}");
            let without = [&once[..], &zeros, &zeros].concat();
            let found = front(&without);
            assert!(found.abs_diff(distance) < UNIT, "{found} of {distance}");
        }
    }

    #[test]
    fn items_from_a_pool_are_not_noise() {
        let pool = noise(40_000, 5);
        let choice = noise(2 * 100_000, 6);
        let items: Vec<u8> = choice
            .as_chunks::<2>()
            .0
            .iter()
            .flat_map(|at| {
                let at = usize::from(u16::from_le_bytes(*at)) % 10_000 * 4;
                pool[at..at + 4].iter().copied()
            })
            .collect();
        assert_eq!(front(&items), 0);
    }
}
