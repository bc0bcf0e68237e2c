//! The encoder (format §6.2 to §6.5).

use crate::Kernels;
use crate::codecs::lz::{Lanes, Task, run_256};

use super::Level;
use super::limits::{MARGIN, MAX_RUN, MAX_SHORT_DISTANCE};
use super::matches::{Match, find, word32};
use super::probe;
use super::table::{SLOTS, Slot, Table, View};

/// Streams shorter than this are never compressed.
const MIN_SRC: usize = 16;
/// The shortest output into which anything is compressed.
const MIN_DST: usize = 66;

/// The state of the encoder: its position tables, kept from stream to stream.
///
/// The bytes of a stream do not depend on the streams before it. [`Encoder::encode`] allocates with
/// the first stream longer than 64 KiB only.
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
    /// Makes an encoder that uses the instructions of `kernels`; its output is the same for all.
    ///
    /// Its table (32 KiB), and another one (64 KiB) with the first stream longer than 64 KiB, are
    /// the only memory it allocates.
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
    /// `clevel` goes from 1 to 9; 0 acts as 1, more than 9 as 9. The length of `dst` is the output
    /// limit: it takes part in the decision to give up, not in the bytes written. `None` means that
    /// the stream does not compress enough, does not fit, or is longer than 4 GiB; the content of
    /// `dst` is then unspecified.
    ///
    /// Source: format §6.2 to §6.5; the bytes are those of C-Blosc2 3.3.
    #[doc(alias = "blosclz_compress")]
    pub fn encode(&mut self, clevel: u8, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let level = Level::of(clevel);
        let window = &src[src.len() - src.len() / level.probe_part..];
        let sample = &window[..window.len().min(1 << level.hash_bits).min(SLOTS)];
        self.run(level, Some(sample), src, dst)
    }

    /// [`encode`](Self::encode) without its look at a part of the stream, by which it leaves alone
    /// what does not compress there: for callers that know better.
    ///
    /// The bytes are those of `encode` where that compresses the stream.
    #[must_use]
    pub fn encode_unprobed(&mut self, clevel: u8, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        self.run(Level::of(clevel), None, src, dst)
    }

    fn run(
        &mut self,
        level: Level,
        sample: Option<&[u8]>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        if src.len() < MIN_SRC || dst.len() < MIN_DST || src.len() > <u32 as Slot>::SPAN {
            return None;
        }
        let stream = Stream {
            near: &mut self.near,
            wide: &mut self.wide,
            level,
            sample,
            src,
            dst,
        };
        // 64 bytes at once gain nothing: the result of a comparison comes later, and most matches
        // are short.
        run_256(self.kernels, stream)
    }
}

/// A call of [`Encoder::encode`].
struct Stream<'a> {
    near: &'a mut Table<u16>,
    wide: &'a mut Option<Table<u32>>,
    level: Level,
    /// The bytes to probe, if any.
    sample: Option<&'a [u8]>,
    src: &'a [u8],
    dst: &'a mut [u8],
}

impl Task for Stream<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<usize> {
        let Self {
            near,
            wide,
            level,
            sample,
            src,
            dst,
        } = self;
        if let Some(sample) = sample {
            let table = near.begin::<true>(sample.len(), level.hash_bits);
            // SAFETY: a fresh table.
            if !unsafe { probe::is_compressible::<u16, L>(lanes, sample, table, level.min_ratio) } {
                return None;
            }
        }
        if src.len() <= u16::SPAN {
            if src.len() >> level.hash_bits > 0 {
                begin_and_compress::<u16, L, false>(lanes, near, level, src, dst)
            } else {
                begin_and_compress::<u16, L, true>(lanes, near, level, src, dst)
            }
        } else {
            let table = wide.get_or_insert_with(Table::new);
            begin_and_compress::<u32, L, false>(lanes, table, level, src, dst)
        }
    }
}

/// [`compress`] with a table that begins here.
#[inline(always)]
fn begin_and_compress<S: Slot, L: Lanes, const BASE: bool>(
    lanes: L,
    table: &mut Table<S>,
    level: Level,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    let table = table.begin::<BASE>(src.len(), level.hash_bits);
    // SAFETY: a fresh table.
    unsafe { compress(lanes, src, dst, table, level.insert_twice) }
}

/// The main loop, for at least 16 bytes of `src` and 66 of `dst`.
///
/// # Safety
///
/// The table is fresh.
#[inline(always)]
unsafe fn compress<S: Slot, L: Lanes, const BASE: bool>(
    lanes: L,
    src: &[u8],
    dst: &mut [u8],
    mut table: View<'_, S, BASE>,
    insert_twice: bool,
) -> Option<usize> {
    let end = src.len() - MARGIN;
    let (mut run_start, mut at, mut out) = (0, 4, 0);
    let base = table.base();
    let mut earlier = None;
    loop {
        // SAFETY: the table was fresh, and positions only grow.
        let found = unsafe { find::<_, _, true, _>(lanes, src, &mut table, at, end, earlier) };
        let Some(found) = found else { break };
        let run = found.at - run_start;
        let source = src.get(run_start..).and_then(<[u8]>::first_chunk);
        let target = dst.get_mut(out..).and_then(<[u8]>::first_chunk_mut);
        if let (Some(source), Some(target)) = (source, target)
            && run <= MAX_RUN
            && found.len() < LONG
        {
            out += put_short(source, run, found, target);
        } else {
            out = put_literals(&src[run_start..found.at], dst, out)?;
            out = put_match(found, dst, out)?;
        }
        let anchor = found.anchor;
        let word = word32(src, anchor);
        let first = (word, base + anchor);
        let second = (word >> 8, base + anchor + 1);
        earlier = Some([first, if insert_twice { second } else { first }]);
        at = anchor + 2;
        run_start = at;
    }
    out = put_literals(&src[run_start..], dst, out)?;
    dst[0] |= 32;
    Some(out)
}

/// Space for [`put_short`]: a run's token, 32 literals and the 8 bytes a match is written with.
const SLACK: usize = 1 + MAX_RUN + 8;

/// Biased lengths from here on need bytes of 255.
const LONG: usize = 7 + 255;

/// Writes a literal token of `run` bytes, 32 at most (none for 0), and a match token with at most
/// one byte more of length, both by stores of fixed width. Returns their length; one byte is free
/// after them.
#[inline(always)]
fn put_short(source: &[u8; MAX_RUN], run: usize, found: Match, target: &mut [u8; SLACK]) -> usize {
    debug_assert!(run <= MAX_RUN && found.len() < LONG, "{run}, {found:?}");
    target[0] = low_byte(run.wrapping_sub(1));
    target[1..=MAX_RUN].copy_from_slice(source);
    let used = run + usize::from(run > 0);

    let len = found.len();
    let x = found.distance - 1;
    let long = x >= MAX_SHORT_DISTANCE;
    let rest = if long { x - MAX_SHORT_DISTANCE } else { x };
    let (high, tail, tail_len) = if long {
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
    target[used..used + 8].copy_from_slice(&word.to_le_bytes());
    used + 1 + tail_len
}

#[expect(clippy::cast_possible_truncation, reason = "the low byte is asked for")]
#[inline(always)]
const fn low_byte(number: usize) -> u8 {
    (number & 255) as u8
}

/// Writes literal tokens at `out` and returns where they end. One byte must stay free after them.
fn put_literals(literals: &[u8], dst: &mut [u8], out: usize) -> Option<usize> {
    let len = literals.len() + literals.len().div_ceil(MAX_RUN);
    let target = dst.get_mut(out..)?;
    if len >= target.len() {
        return None;
    }
    for (token, run) in target.chunks_mut(MAX_RUN + 1).zip(literals.chunks(MAX_RUN)) {
        token[0] = u8::try_from(run.len() - 1).ok()?;
        token[1..=run.len()].copy_from_slice(run);
    }
    Some(out + len)
}

/// Writes a match token at `out` and returns where it ends. One byte must stay free after it.
fn put_match(found: Match, dst: &mut [u8], out: usize) -> Option<usize> {
    let (len, mut x) = (found.len(), found.distance - 1);
    let long = x >= MAX_SHORT_DISTANCE;
    let mut token = [0; 6];
    let mut used = 1;
    if long {
        x -= MAX_SHORT_DISTANCE;
    }
    let high = if long { 31 } else { x >> 8 };
    token[0] = u8::try_from((len.min(7) << 5) + high).ok()?;
    let full = len.checked_sub(7).map_or(0, |rest| rest / 255);
    if len >= 7 {
        token[1] = u8::try_from((len - 7) % 255).ok()?;
        used = 2;
    }
    let [.., hi, lo] = x.to_be_bytes();
    if long {
        token[used..used + 3].copy_from_slice(&[255, hi, lo]);
        used += 3;
    } else {
        token[used] = lo;
        used += 1;
    }
    let end = out + used + full;
    if end >= dst.len() {
        return None;
    }
    dst[out] = token[0];
    dst[out + 1..=out + full].fill(255);
    dst[out + 1 + full..end].copy_from_slice(&token[1..used]);
    Some(end)
}
