//! The encoder (format §6.2 to §6.5).

use crate::Kernels;
#[cfg(target_arch = "x86_64")]
use crate::kernels::Proof;

use super::lanes::{self, Lanes};
use super::matches::{Match, find, word32};
use super::probe;
use super::table::{SLOTS, Slot, Table, View};
use super::{Level, MARGIN, MAX_RUN, NEAR};

/// Streams shorter than this are never compressed.
const MIN_SRC: usize = 16;
/// Nothing is compressed into less room than this.
const MIN_DST: usize = 66;

/// The state of the encoder: its position tables, kept from stream to stream.
///
/// What a stream becomes does not depend on the streams before it. [`Encoder::encode`] allocates nothing.
///
/// ```
/// use oxiblosc_kernels::Kernels;
/// use oxiblosc_kernels::blosclz::{Encoder, decode};
///
/// let kernels = Kernels::best();
/// let src = b"abcdefgh".repeat(12);
/// let mut dst = [0; 96];
/// let cbytes = Encoder::new(kernels).encode(5, &src, &mut dst).unwrap();
/// assert_eq!(cbytes, 16);
///
/// let mut back = [0; 96];
/// assert_eq!(decode(kernels, &dst[..cbytes], &mut back), Ok(96));
/// assert_eq!(back[..], src[..]);
/// ```
#[derive(Clone)]
pub struct Encoder {
    kernels: Kernels,
    /// For the probe and for streams of up to 64 KiB.
    near: Table<u16>,
    /// For longer streams, made with the first of them.
    wide: Option<Table<u32>>,
}

impl core::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

impl Encoder {
    /// Makes an encoder that uses the instructions of `kernels`; the bytes it writes are the same for all.
    ///
    /// Its table (32 KiB), and another one (64 KiB) with the first stream longer than 64 KiB, are the only memory
    /// it allocates.
    #[must_use]
    pub fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            near: Table::new(),
            wide: None,
        }
    }

    /// Compresses the stream `src` into the front of `dst` and returns the number of bytes written.
    ///
    /// `clevel` goes from 1 to 9; 0 acts as 1, more than 9 as 9. The length of `dst` is the output limit: it takes
    /// part in the decision to give up, not in what is written. `None` means that the stream is not worth
    /// compressing, does not fit, or is longer than 4 GiB; `dst` then holds garbage.
    ///
    /// Source: format §6.2 to §6.5; the bytes are those of C-Blosc2 3.3.
    #[doc(alias = "blosclz_compress")]
    pub fn encode(&mut self, clevel: u8, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        if src.len() < MIN_SRC || dst.len() < MIN_DST || src.len() > <u32 as Slot>::SPAN {
            return None;
        }
        let level = Level::of(clevel);
        let window = &src[src.len() - src.len() / level.probe_part..];
        let sample = &window[..window.len().min(1 << level.hash_bits).min(SLOTS)];
        match self.kernels.proof() {
            // 64 bytes at once gain nothing: the answer to a comparison comes later, and most matches are short.
            // SAFETY: the token proves the instructions.
            #[cfg(target_arch = "x86_64")]
            Proof::Avx2(_) | Proof::Avx512(_) => unsafe {
                self.stream_avx2(level, sample, src, dst)
            },
            // SAFETY: the token proves the instructions.
            #[cfg(target_arch = "x86_64")]
            Proof::Sse2(_) => unsafe { self.stream::<lanes::Sse2>(level, sample, src, dst) },
            // SAFETY: needs nothing.
            _ => unsafe { self.stream::<lanes::Word>(level, sample, src, dst) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn stream_avx2(
        &mut self,
        level: Level,
        sample: &[u8],
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        // SAFETY: the function's features are those of the type.
        unsafe { self.stream::<lanes::Avx2>(level, sample, src, dst) }
    }

    /// # Safety
    ///
    /// The CPU has the instructions of `L`.
    #[inline(always)]
    unsafe fn stream<L: Lanes>(
        &mut self,
        level: Level,
        sample: &[u8],
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let table = self.near.begin(sample.len(), level.hash_bits);
        // SAFETY: a fresh table; for the rest, the caller.
        if !unsafe { probe::is_compressible::<u16, L>(sample, table, level.min_ratio) } {
            return None;
        }
        if src.len() <= u16::SPAN {
            let table = self.near.begin(src.len(), level.hash_bits);
            // SAFETY: a fresh table; for the rest, the caller.
            unsafe { compress::<u16, L>(src, dst, table, level.insert_twice) }
        } else {
            let table = self.wide.get_or_insert_with(Table::new);
            let table = table.begin(src.len(), level.hash_bits);
            // SAFETY: a fresh table; for the rest, the caller.
            unsafe { compress::<u32, L>(src, dst, table, level.insert_twice) }
        }
    }
}

/// The main loop, for at least 16 bytes of `src` and 66 of `dst`.
///
/// # Safety
///
/// The CPU has the instructions of `L`, and the table is fresh.
#[inline(always)]
unsafe fn compress<S: Slot, L: Lanes>(
    src: &[u8],
    dst: &mut [u8],
    mut table: View<'_, S>,
    insert_twice: bool,
) -> Option<usize> {
    let end = src.len() - MARGIN;
    let (mut run_start, mut at, mut out) = (0, 4, 0);
    // SAFETY: positions only grow; for the rest, the caller.
    while let Some(found) = unsafe { find::<S, L, true>(src, &mut table, at, end) } {
        let run = found.at - run_start;
        let fits = run <= MAX_RUN && run_start + MAX_RUN <= src.len() && out + SLACK <= dst.len();
        if fits && found.len() < LONG {
            // SAFETY: just asked.
            out = unsafe { put_short(src, run_start, found, dst, out) };
        } else {
            out = put_literals(&src[run_start..found.at], dst, out)?;
            out = put_match(found, dst, out)?;
        }
        let anchor = found.anchor;
        let word = word32(src, anchor);
        table.insert(word, anchor);
        if insert_twice {
            table.insert(word >> 8, anchor + 1);
        }
        at = anchor + 2;
        run_start = at;
    }
    out = put_literals(&src[run_start..], dst, out)?;
    dst[0] |= 32;
    Some(out)
}

/// Room for [`put_short`]: a run's token, 32 literals and the 8 bytes a match is written with.
const SLACK: usize = 1 + MAX_RUN + 8;

/// Biased lengths from here on need bytes of 255.
const LONG: usize = 7 + 255;

/// Writes a literal token of up to 32 bytes (none for 0) and a match token with at most one byte more of length, both
/// by stores of fixed width. Returns where they end; one byte is free behind them.
///
/// # Safety
///
/// The run is 32 bytes long at most, 32 bytes of `src` lie behind its start, `SLACK` of `dst` behind `out`, and the
/// match is shorter than `LONG`.
#[inline(always)]
unsafe fn put_short(
    src: &[u8],
    run_start: usize,
    found: Match,
    dst: &mut [u8],
    out: usize,
) -> usize {
    let run = found.at - run_start;
    debug_assert!(
        run <= MAX_RUN && run_start + MAX_RUN <= src.len(),
        "{run} literals"
    );
    debug_assert!(found.len() < LONG && out + SLACK <= dst.len(), "{found:?}");
    // SAFETY: inside `src` by the caller's promise.
    let from = unsafe { src.as_ptr().add(run_start) };
    // SAFETY: inside `dst` by the caller's promise.
    let to = unsafe { dst.as_mut_ptr().add(out) };
    // SAFETY: still inside `dst`.
    let to_literals = unsafe { to.add(1) };
    // SAFETY: 32 bytes are readable at `from` and, with the token, 33 writable at `to`; the slices are distinct.
    unsafe { core::ptr::copy_nonoverlapping(from, to_literals, MAX_RUN) };
    // SAFETY: inside `dst`.
    unsafe { to.write(low_byte(run.wrapping_sub(1))) };
    let used = run + usize::from(run > 0);

    let len = found.len();
    let x = found.distance - 1;
    let far = x >= NEAR;
    let rest = if far { x - NEAR } else { x };
    let (high, tail, tail_len) = if far {
        (31, 255 | (rest & 0xFF00) | (rest & 255) << 16, 3)
    } else {
        (x >> 8, x & 255, 1)
    };
    let (tail, tail_len) = if len < 7 {
        (tail, tail_len)
    } else {
        (tail << 8 | (len - 7), tail_len + 1)
    };
    let word = (len.min(7) << 5 | high) as u64 | (tail as u64) << 8;
    // SAFETY: at most 33 bytes behind `to`, where `SLACK` are writable.
    let to = unsafe { to.add(used) };
    // SAFETY: 8 bytes are writable there.
    unsafe { to.cast::<u64>().write_unaligned(word.to_le()) };
    out + used + 1 + tail_len
}

#[expect(clippy::cast_possible_truncation, reason = "the low byte is asked for")]
#[inline(always)]
const fn low_byte(number: usize) -> u8 {
    (number & 255) as u8
}

/// Writes literal tokens at `out` and returns where they end. One byte must stay free behind them.
fn put_literals(literals: &[u8], dst: &mut [u8], out: usize) -> Option<usize> {
    let len = literals.len() + literals.len().div_ceil(MAX_RUN);
    let room = dst.get_mut(out..)?;
    if len >= room.len() {
        return None;
    }
    for (token, run) in room.chunks_mut(MAX_RUN + 1).zip(literals.chunks(MAX_RUN)) {
        token[0] = u8::try_from(run.len() - 1).ok()?;
        token[1..=run.len()].copy_from_slice(run);
    }
    Some(out + len)
}

/// Writes a match token at `out` and returns where it ends. One byte must stay free behind it.
fn put_match(found: Match, dst: &mut [u8], out: usize) -> Option<usize> {
    let (len, mut x) = (found.len(), found.distance - 1);
    let far = x >= NEAR;
    let mut token = [0; 6];
    let mut used = 1;
    if far {
        x -= NEAR;
    }
    let high = if far { 31 } else { x >> 8 };
    token[0] = u8::try_from((len.min(7) << 5) + high).ok()?;
    let long = len.checked_sub(7).map_or(0, |rest| rest / 255);
    if len >= 7 {
        token[1] = u8::try_from((len - 7) % 255).ok()?;
        used = 2;
    }
    let [.., hi, lo] = x.to_be_bytes();
    if far {
        token[used..used + 3].copy_from_slice(&[255, hi, lo]);
        used += 3;
    } else {
        token[used] = lo;
        used += 1;
    }
    let end = out + used + long;
    if end >= dst.len() {
        return None;
    }
    dst[out] = token[0];
    dst[out + 1..=out + long].fill(255);
    dst[out + 1 + long..end].copy_from_slice(&token[1..used]);
    Some(end)
}
