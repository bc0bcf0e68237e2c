//! The high-ratio compressor: chains of all positions with the same hash, and a parse that looks
//! ahead.
//!
//! ```text
//! head[hash]  ->  newest position  - prev ->  the one before  - prev ->  ...
//!
//! A   |---------- match at hand ----------|
//! W             |----------- a wider one, found through A's last bytes --------|
//! ```
//!
//! Every position of the content is entered. A search follows the chain for as many candidates as
//! the level allows and keeps the longest match, extended to both sides (see `chains`, `search`).
//! Before a match `A` is written, a second search at its last bytes tries to find a longer one,
//! `W`, that begins inside `A` and ends after it: when `W` begins (almost) where `A` does it
//! replaces it, until a third shows that `A` served better; otherwise `A` ends where `W` begins to
//! pay, and `W` is at hand next.
//!
//! Levels 1 and 2 have no chains, see `mid`. The tables are not cleared between streams: an entry
//! is a position plus a [`BaseIndex`].

use alloc::boxed::Box;

use crate::Kernels;
use crate::codecs::boxed::zeroed;
use crate::codecs::lz::{BaseIndex, Lanes, Task, run};

use super::chains::{Attempts, Finder, HEAD_BITS, Match, WINDOW};
use super::history::History;
use super::limits::{LAST_LITERALS, MATCH_START_MARGIN, MAX_DISTANCE, MAX_INPUT, MIN_MATCH};
use super::mid;
use super::mid_tables::{Far, Near};
use super::search::LONG_ENOUGH;
use super::sequence::Sink;

/// The longest match whose length needs no extension byte.
const SHORT_MATCH: usize = MIN_MATCH + 14;
/// A search without result costs most where there is nothing to find: after each 2^6 literals the
/// step to the next search grows by one. A match found late is extended back over the skipped
/// bytes.
const SKIP_SHIFT: u32 = 6;
/// The longest step: after a plane of noise, another one may begin that repeats itself.
const MAX_SKIP: usize = 63;
/// A wider match that begins this close to the one at hand replaces it.
const MIN_CUT: usize = 3;
/// How many candidates, or runs of one byte, the searches of levels 3 to 12 look at.
const ATTEMPTS: [Attempts; 10] = [
    Attempts::new(3, 4, 1),
    Attempts::new(6, 8, 1),
    Attempts::new(12, 18, 2),
    Attempts::new(24, 36, 4),
    Attempts::new(48, 72, 8),
    Attempts::new(96, 144, 8),
    Attempts::new(256, 256, 16),
    Attempts::new(512, 512, 32),
    Attempts::new(1024, 1024, 64),
    Attempts::new(2048, 2048, 128),
];
/// So many literals cost less than a match between two others.
const CHEAP_LITERALS: usize = 2;

/// The high-ratio compressor ("LZ4 HC"): tables of 256 KiB that serve any number of streams.
///
/// # Example
/// ```
/// use oxiblosc_kernels::{Kernels, lz4};
/// let kernels = Kernels::best();
/// let mut encoder = lz4::HcEncoder::new(kernels);
/// let src = [7; 1000];
/// let mut dst = [0; 64];
/// let n = encoder.encode(9, &src, &mut dst).unwrap();
/// let mut back = [0; 1000];
/// assert_eq!(lz4::decode(kernels, &dst[..n], &mut back), Ok(1000));
/// assert_eq!(back, src);
/// ```
pub struct HcEncoder {
    kernels: Kernels,
    /// The index of the newest position, by hash.
    head: Box<[u32; 1 << HEAD_BITS]>,
    /// The distance from a position to the one before it in its chain; 65535 for the last.
    prev: Box<[u16; WINDOW]>,
    base: BaseIndex,
}

impl core::fmt::Debug for HcEncoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("HcEncoder").finish_non_exhaustive()
    }
}

impl HcEncoder {
    /// An encoder with empty tables; the only allocations it makes.
    #[must_use]
    pub fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            head: zeroed(),
            prev: zeroed(),
            base: BaseIndex::new(),
        }
    }

    /// Compresses `src` into `dst`; returns the stream's length, or `None` when it does not fit.
    ///
    /// `level` is 1 (fastest) to 12, 0 counts as 1 and more as 12; from 3 on each level looks at
    /// more candidates than the one before, mostly twice as many.
    /// [`max_stream_len`](super::max_stream_len) bytes always suffice for inputs up to
    /// `0x7E00_0000` bytes, longer ones never fit.
    #[doc(alias = "LZ4_compress_HC")]
    pub fn encode(&mut self, level: u8, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        self.run::<false>(level, src, &[], dst)
    }

    /// [`Self::encode`] with a dictionary: `dict` is history before `src`, up to 64 KiB back.
    ///
    /// The stream needs the same dictionary to be decoded ([`decode_with_dict`]); it is loaded
    /// again for each stream.
    ///
    /// [`decode_with_dict`]: super::decode_with_dict
    #[doc(alias = "LZ4_loadDictHC")]
    pub fn encode_with_dict(
        &mut self,
        level: u8,
        dict: &[u8],
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let dict = dict.get(dict.len().saturating_sub(MAX_DISTANCE)..)?;
        if dict.is_empty() {
            return self.encode(level, src, dst);
        }
        self.run::<true>(level, src, dict, dst)
    }

    fn run<const DICT: bool>(
        &mut self,
        level: u8,
        src: &[u8],
        dict: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        if src.len() > MAX_INPUT {
            return None;
        }
        let history = History::<DICT>::new(src, dict);
        if level <= 2 && !DICT && src.len() <= 1 << 16 {
            let tables = Near::new(&mut self.prev, src.len());
            return mid::encode(self.kernels, tables, history, src, dst);
        }
        // The indices of the dictionary come before those of the content.
        let first = self.base.take(dict.len() + src.len(), || self.head.fill(0)) as usize;
        if level <= 2 {
            let tables = Far::new(&mut self.head, first, dict);
            return mid::encode(self.kernels, tables, history, src, dst);
        }
        let mut finder = Finder::<DICT> {
            head: &mut self.head,
            prev: &mut self.prev,
            history,
            base: first + dict.len(),
            next: 0,
            attempts: ATTEMPTS[usize::from(level.min(12) - 3)],
        };
        finder.load_dict(dict);
        run(self.kernels, Run { finder, src, dst })
    }
}

/// A call on the tables.
struct Run<'a, const DICT: bool> {
    finder: Finder<'a, DICT>,
    src: &'a [u8],
    dst: &'a mut [u8],
}

impl<const DICT: bool> Task for Run<'_, DICT> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<usize> {
        encode(lanes, self.finder, self.src, self.dst)
    }
}

/// The end of `first` when `wider`, which begins inside it, follows: its own end, or the first
/// length that would cost another byte, but such that a match remains for `wider`.
#[inline(always)]
fn split(first: Match, wider: Match, last_start: usize) -> usize {
    let gain = wider.start - first.start;
    let len = first.len.min(SHORT_MATCH.max(gain));
    (first.start + len)
        .min(wider.end() - MIN_MATCH)
        .min(last_start)
}

#[inline(always)]
fn encode<L: Lanes, const DICT: bool>(
    lanes: L,
    mut finder: Finder<'_, DICT>,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    let mut sink = Sink::new(dst);
    let Some(last_start) = src.len().checked_sub(MATCH_START_MARGIN) else {
        return sink.finish(src);
    };
    let end = src.len() - LAST_LITERALS;
    let mut anchor = 0;
    let mut p = 0;
    while p <= last_start {
        // SAFETY: anchor <= p <= last_start, which is 7 before `end`.
        let Some(mut first) = (unsafe { finder.search(lanes, p, anchor, end) }) else {
            p += 1 + ((p - anchor) >> SKIP_SHIFT).min(MAX_SKIP);
            continue;
        };
        let mut second = None;
        // The match that `first` replaced, to be used after all where the next begins inside it.
        let mut replaced: Option<Match> = None;
        loop {
            let last = second.unwrap_or(first);
            let wider = if last.end() - 2 <= last_start && last.len < LONG_ENOUGH {
                // SAFETY: last.end() - 2 <= last_start, which is 7 before `end`.
                unsafe { finder.search_wider(lanes, last, end) }
            } else {
                None
            };
            match (second, wider) {
                (None, None) => {
                    emit(lanes, &mut sink, src, &mut anchor, first, first.end())?;
                    break;
                }
                (None, Some(wider)) => {
                    if let Some(former) = replaced.take()
                        && wider.start < former.end()
                        && wider.start >= former.start + MIN_MATCH
                    {
                        first = former;
                    }
                    let cut = split(first, wider, last_start);
                    if wider.start - first.start < MIN_CUT || cut - first.start < MIN_MATCH {
                        if wider.start > first.start {
                            replaced = Some(first);
                        }
                        first = wider;
                    } else {
                        second = Some(wider.from(cut));
                    }
                }
                (Some(next), None) => {
                    emit(lanes, &mut sink, src, &mut anchor, first, next.start)?;
                    first = next;
                    emit(lanes, &mut sink, src, &mut anchor, first, first.end())?;
                    break;
                }
                (Some(next), Some(third)) => {
                    let cut = split(next, third, last_start);
                    if third.start > first.end() + CHEAP_LITERALS && cut >= next.start + MIN_MATCH {
                        // Room for all three.
                        emit(lanes, &mut sink, src, &mut anchor, first, next.start)?;
                        first = next;
                        second = Some(third.from(cut));
                    } else if third.start >= first.end() {
                        // The second falls away.
                        emit(lanes, &mut sink, src, &mut anchor, first, first.end())?;
                        first = third;
                        second = None;
                    } else {
                        second = Some(third.from(split(first, third, last_start)));
                    }
                }
            }
        }
        p = anchor;
    }
    sink.finish(src.get(anchor..)?)
}

/// Writes a match up to `end`, or its own end if that is earlier.
#[inline(always)]
fn emit<L: Lanes>(
    lanes: L,
    sink: &mut Sink<'_>,
    src: &[u8],
    anchor: &mut usize,
    it: Match,
    end: usize,
) -> Option<()> {
    let len = it.len.min(end - it.start);
    sink.sequence(lanes, src, *anchor, it.start - *anchor, it.distance, len)?;
    *anchor = it.start + len;
    Some(())
}
