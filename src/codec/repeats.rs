//! Whether anything in a stream repeats: a look at samples, which costs one or two microseconds.
//!
//! BloscLZ copies strings of seven bytes and more. Its own probe looks at 16 KiB byte by byte,
//! which for streams of noise takes five times as long as storing them. A stream that is left alone
//! by mistake costs space, one that is tried in vain costs time; so one hit lets the codec try.
//!
//! ```text
//! |====|--------|====|--------|====|---   windows: every string, compared with all before it
//! |....i....i....i....i....i....i....i.   sparse: strings at multiples of 128 remembered,
//! |....l.....l.....l.....l.....l.....l.           those at multiples of 129 looked up
//! ```
//!
//! Windows find what repeats nearby or often, the sparse pass long copies at any distance.

/// Shorter streams are not sampled.
const LEAST: usize = 8 << 10;
/// The number of windows, and the strings in each.
const WINDOWS: usize = 16;
const STRINGS: usize = 48;
/// A window is full of repeats when so many of its strings are, and a stream has parts that
/// compress when so many windows are full.
const FULL: usize = 24;
const PARTS: usize = 2;
/// The distances of strings that are remembered and looked up. They have no common divisor, so that
/// copies of 16.5 KiB are found whatever their distance.
const REMEMBERED: usize = 128;
const LOOKED_UP: usize = 129;
/// The length of a string, and that of the word whose first bytes it is.
const STRING: usize = 7;
const WORD: usize = 8;
/// The size of the table, as a power of two.
const LOG: u32 = 11;
/// 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The answer of the samples of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// No string was seen twice: leave the stream alone.
    Never,
    /// Some string was: ask the codec, whose probe looks at one place. Short streams are not
    /// sampled and have this answer.
    Somewhere,
    /// Most strings of several windows were: a part of the stream compresses, wherever it is.
    InParts,
}

/// Whether strings were seen twice in samples of `src`.
pub(crate) fn repeats(src: &[u8]) -> Repeats {
    if src.len() < LEAST {
        return Repeats::Somewhere;
    }
    let mut seen = Seen([0; 1 << LOG]);
    let (mut any, mut full) = (false, 0);
    for window in 0..WINDOWS {
        let at = (src.len() - STRINGS - WORD) / (WINDOWS - 1) * window;
        let window = src.get(at..).unwrap_or_default().windows(WORD);
        let strings = window.take(STRINGS);
        let hits = strings.filter(|word| seen.swap(word)).count();
        any |= hits > 0;
        full += usize::from(hits >= FULL);
        if full == PARTS {
            return Repeats::InParts;
        }
    }
    if any {
        return Repeats::Somewhere;
    }
    // Afresh, or the strings of the windows would meet themselves. Those at multiples of both
    // distances are looked up first.
    let mut seen = Seen([0; 1 << LOG]);
    let remembered = src.windows(WORD).step_by(REMEMBERED);
    let looked_up = src.windows(WORD).step_by(LOOKED_UP);
    let hit = remembered
        .zip(looked_up)
        .fold(false, |hit, (remembered, looked_up)| {
            let found = seen.has(looked_up);
            seen.swap(remembered);
            hit | found
        });
    if hit {
        Repeats::Somewhere
    } else {
        Repeats::Never
    }
}

/// A mark of the last string in each slot. An empty slot has the mark of zeros, which repeat
/// wherever they are.
struct Seen([u32; 1 << LOG]);

impl Seen {
    #[inline]
    fn has(&self, word: &[u8]) -> bool {
        let (slot, mark) = place(word);
        self.0[slot] == mark
    }

    /// [`has`](Self::has), and remembers the string.
    #[inline]
    fn swap(&mut self, word: &[u8]) -> bool {
        let (slot, mark) = place(word);
        std::mem::replace(&mut self.0[slot], mark) == mark
    }
}

/// The slot and the mark of a string.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "bits of a hash")]
fn place(word: &[u8]) -> (usize, u32) {
    let word = word
        .first_chunk()
        .map_or(0, |word| u64::from_le_bytes(*word));
    let hash = (word << (8 * (WORD - STRING))).wrapping_mul(GOLDEN);
    ((hash >> (64 - LOG)) as usize, (hash >> (32 - LOG)) as u32)
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

    #[test]
    fn nothing_repeats_in_noise() {
        for seed in 0..50 {
            for len in [LEAST, LEAST + 1, 65_536, 131_072, 1 << 20] {
                assert_eq!(repeats(&noise(len, seed)), Repeats::Never, "{len} {seed}");
            }
        }
    }

    #[test]
    fn short_streams_are_left_to_the_codec() {
        for len in [0, 1, 7, 8, LEAST - 1] {
            assert_eq!(repeats(&noise(len, 1)), Repeats::Somewhere, "{len}");
        }
    }

    #[test]
    fn copies_are_found_whatever_their_distance() {
        for distance in (1..40)
            .chain([64, 100, 127, 128, 129, 500, 1000, 1023, 2048, 4097])
            .chain([8191, 10_000, 16_384, 20_011, 50_000, 65_536])
        {
            let once = noise(distance, 3);
            let again: Vec<u8> = once.iter().copied().cycle().take(131_072).collect();
            assert_ne!(repeats(&again), Repeats::Never, "{distance}");
        }
    }

    /// Noise of 128 KiB, with `len` bytes from `at` on that compress.
    fn with_part(at: usize, len: usize) -> Vec<u8> {
        let mut src = noise(131_072, 9);
        for (n, byte) in src[at..at + len].iter_mut().enumerate() {
            *byte = n.to_le_bytes()[0] & 15;
        }
        src
    }

    #[test]
    fn a_compressible_part_is_found_wherever_it_is() {
        for at in (0..=114_688).step_by(4096) {
            let found = repeats(&with_part(at, 16_384));
            assert_ne!(found, Repeats::Never, "an eighth at {at}");
        }
        for at in (0..=104_448).step_by(4096) {
            let found = repeats(&with_part(at, 26_624));
            assert_eq!(found, Repeats::InParts, "a fifth at {at}");
        }
    }
}
