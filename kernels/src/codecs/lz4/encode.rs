//! The fast compressor: one hash table, the newest position of each hash, greedy matches.
//!
//! ```text
//! anchor             p                        c: newest earlier position with p's hash
//! |  literals so far | p+0 p+1 p+2 p+2+s ...  probe until the first four bytes agree
//! ```
//!
//! A probe compares eight bytes at once, and most matches are shorter: then their length is known
//! with the hit. The distance between probes grows by one each 64 probes without a match, or each
//! 21, from the acceleration on, so that a stream without repeats is soon skipped. A match is
//! extended back over the literals as well.
//!
//! The next match often begins where one ends (in nine of ten sequences of a plane of slowly
//! changing numbers): such a match has its own path, without literals and without extension back
//! (1.14 times as fast there).
//!
//! The bottleneck is one dependency chain per sequence (position, hash, entry, candidate, length,
//! next position, about 28 cycles) and one or two mispredicted branches. Probing four positions per
//! branch and selecting the hit as data gives 0.84 times the C library's speed where this loop
//! gives 1.19 (geometric mean over 24 kinds of data, acceleration 1): the selection lengthens the
//! chain by more than the branches cost.
//!
//! The hash is of six bytes, where LZ4's is of four or five: the newest position with the same six
//! is the start of a longer match than the newest with the same four, and the matches of four and
//! five bytes that are no longer found save a byte or two each and cost as much time as any other.
//! Less is found at all, so a stream that hardly repeats is skipped sooner. Two thirds of the
//! acceleration make up for it: on 130 kinds of data, levels 1, 5 and 9, streams are 1.6 % shorter
//! in the mean than with hashes of four and five bytes (up to 20 % longer in one), and are written
//! 1.18 and read 1.27 times as fast. Where nothing is found for long, less acceleration is lost
//! time: above an acceleration of one, steps grow three times as fast, which writes 1.06 times as
//! fast, planes of noise up to 1.7 times, and 0.1 to 0.2 % more.
//!
//! Streams of up to 64 KiB use a table of 16-bit positions, longer ones, and those with a
//! dictionary, one of 32-bit positions, both in 16 KiB. Streams of up to 4 KiB use as many entries
//! as they have positions, and a hash of four bytes: there the newest position is the one that
//! counts.

use alloc::boxed::Box;
use alloc::{vec, vec::Vec};

use crate::Kernels;
use crate::codecs::lz::{Lanes, Task, run};

use super::fast_tables::{HASHED, LARGE_BITS, Large, SMALL_BITS, Short, Small, Table, hash_bits};
use super::history::History;
use super::limits::{LAST_LITERALS, MATCH_START_MARGIN, MAX_DISTANCE, MAX_INPUT, MIN_MATCH};
use super::sequence::Sink;

/// Every third position of a dictionary is entered: loading it costs as much as compressing.
const DICT_STEP: usize = 3;
/// Bytes in a hash where there is a dictionary: content is short there.
const HASHED_WITH_DICT: u32 = 5;
/// Steps between probes grow so fast in streams of more than 4 KiB, unless all of their positions
/// are to be looked at.
const GROWTH: usize = 3;

/// The fast compressor ("LZ4 fast"): two tables of 16 KiB at most, one for streams up to 64 KiB and
/// one for longer ones, that are made with the first stream that needs them and serve any number of
/// streams.
///
/// # Example
/// ```
/// use oxiblosc_kernels::{Kernels, lz4};
/// let kernels = Kernels::best();
/// let mut encoder = lz4::Encoder::new(kernels);
/// let src = [7; 1000];
/// let mut dst = [0; 64];
/// let n = encoder.encode(1, &src, &mut dst).unwrap();
/// let mut back = [0; 1000];
/// assert_eq!(lz4::decode(kernels, &dst[..n], &mut back), Ok(1000));
/// assert_eq!(back, src);
/// ```
pub struct Encoder {
    kernels: Kernels,
    /// Of the size that the longest stream so far needs.
    small: Vec<u16>,
    large: Option<Box<[u32; 1 << LARGE_BITS]>>,
}

impl core::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

impl Encoder {
    /// An encoder without tables yet.
    #[must_use]
    pub fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            small: Vec::new(),
            large: None,
        }
    }

    /// Compresses `src` into `dst`; returns the stream's length, or `None` when it does not fit.
    ///
    /// `acceleration` is LZ4's: 1 looks everywhere, each step more is faster and compresses less;
    /// 0 counts as 1. Streams of more than 4 KiB are written with two thirds of it, but, above 1,
    /// with steps that grow faster.
    /// [`max_stream_len`](super::max_stream_len) bytes always suffice for inputs up to
    /// `0x7E00_0000` bytes, longer ones never fit.
    #[doc(alias = "LZ4_compress_fast")]
    pub fn encode(&mut self, acceleration: u32, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let short = Job {
            acceleration,
            growth: 1,
            dict: &[],
            src,
        };
        let job = Job {
            acceleration: acceleration - acceleration / 3,
            growth: if acceleration > 1 { GROWTH } else { 1 },
            ..short
        };
        if src.len() > 1 << 16 {
            let table = Large::<HASHED>::new(&mut self.large);
            run(self.kernels, Run::<_, false> { job, table, dst })
        } else {
            // A short stream does not fill the table, and making and clearing it takes a tenth of
            // the time: as many entries as positions, rounded up, will do.
            let bits = hash_bits(src.len(), SMALL_BITS);
            match self.small.get_mut(..1 << bits) {
                Some(used) => used.fill(0),
                None => self.small = vec![0; 1 << bits],
            }
            let slots = &mut self.small[..1 << bits];
            if let Some(slots) = slots.first_chunk_mut() {
                let table = Small(slots);
                run(self.kernels, Run::<_, false> { job, table, dst })
            } else {
                let table = Short::new(slots, bits);
                run(
                    self.kernels,
                    Run::<_, false> {
                        job: short,
                        table,
                        dst,
                    },
                )
            }
        }
    }

    /// [`Self::encode`] with a dictionary: `dict` is history before `src`, up to 64 KiB back.
    ///
    /// The stream needs the same dictionary to be decoded ([`decode_with_dict`]); it is loaded
    /// again for each stream.
    ///
    /// [`decode_with_dict`]: super::decode_with_dict
    #[doc(alias = "LZ4_loadDict")]
    pub fn encode_with_dict(
        &mut self,
        acceleration: u32,
        dict: &[u8],
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let dict = dict.get(dict.len().saturating_sub(MAX_DISTANCE)..)?;
        if dict.len() < 8 {
            return self.encode(acceleration, src, dst);
        }
        let mut table = Large::<HASHED_WITH_DICT>::new(&mut self.large);
        let mut at = 0;
        while let Some(&word) = dict.get(at..).and_then(<[u8]>::first_chunk) {
            table.replace(u64::from_le_bytes(word), at);
            at += DICT_STEP;
        }
        let job = Job {
            acceleration,
            growth: 1,
            dict,
            src,
        };
        run(self.kernels, Run::<_, true> { job, table, dst })
    }
}

/// One call.
#[derive(Clone, Copy)]
struct Job<'a> {
    acceleration: u32,
    /// How many 64ths of a position the step grows by with each probe.
    growth: usize,
    /// History before the content, at most 65535 bytes, and empty or at least 8.
    dict: &'a [u8],
    src: &'a [u8],
}

/// A call on a table.
struct Run<'a, T, const DICT: bool> {
    job: Job<'a>,
    table: T,
    dst: &'a mut [u8],
}

impl<T: Table, const DICT: bool> Task for Run<'_, T, DICT> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<usize> {
        encode::<L, T, DICT>(lanes, self.job, self.table, self.dst)
    }
}

impl<const DICT: bool> History<'_, DICT> {
    /// Looks up and replaces the entry of position `p`; `AFTER` a match, two before `p` is entered
    /// first.
    ///
    /// # Safety
    /// `p + 8` is within the content, 8 bytes follow every position in the table, and `p` is not
    /// the first position of all; `AFTER` a match it is at least 2.
    #[inline(always)]
    unsafe fn probe<T: Table, const AFTER: bool>(self, table: &mut T, p: usize) -> Probe {
        // SAFETY: p + 8 is within the content.
        let here = unsafe { self.word_unchecked(p) };
        let at = p + self.dict_len();
        let from = if AFTER {
            // SAFETY: p - 2 is in the content, and 8 bytes follow it as they follow p.
            let before = unsafe { self.word_unchecked(p - 2) };
            table.replace_after(before, here, at)
        } else {
            table.replace(here, at)
        };
        let near = !T::CHECKS_DISTANCE || at.wrapping_sub(from) <= MAX_DISTANCE;
        // SAFETY: an earlier position of this stream, which 8 bytes follow.
        let there = u64::from_le_bytes(unsafe { self.load_at(from) });
        let differ = here ^ there;
        Probe {
            hit: (differ.trailing_zeros() >= 32) && near,
            p,
            from,
            differ,
        }
    }

    /// The position up to which the bytes from a hit on are those of its candidate, at most `end`.
    ///
    /// The next probe waits for it, so it is the sum of what is known before the candidate is
    /// loaded and of one number: 1.04 times as fast on images of 8 x 8 as a length and a distance.
    ///
    /// # Safety
    /// The probe hit in this content, and `end` is within it.
    #[inline(always)]
    unsafe fn end_of_match<L: Lanes>(self, lanes: L, probe: Probe, end: usize) -> usize {
        let Probe {
            p: at,
            from,
            differ,
            ..
        } = probe;
        let in_dict = DICT && from < self.dict_len();
        let distance = at + self.dict_len() - from;
        let to = if differ != 0 && !in_dict {
            // 4..8; at + 12 <= src.len(), so 7 end within `end`.
            at + (differ.trailing_zeros() / 8) as usize
        } else if at + 16 <= end && !in_dict {
            // SAFETY: at + 16 <= end.
            let here = unsafe { self.word_unchecked(at + 8) };
            // SAFETY: the 8 bytes after those of the probe, which are before `here`.
            let there = u64::from_le_bytes(unsafe { self.load_at(from + 8) });
            let differ = here ^ there;
            if differ != 0 {
                at + 8 + (differ.trailing_zeros() / 8) as usize
            } else {
                at + 16 + self.forward(lanes, at + 16, distance, end)
            }
        } else {
            at + self.forward(lanes, at, distance, end)
        };
        debug_assert!(to >= at + MIN_MATCH);
        to
    }
}

/// A probe of position `p`: where its candidate is, and where they differ.
#[derive(Clone, Copy)]
struct Probe {
    hit: bool,
    p: usize,
    /// The position of the candidate, from the start of the dictionary.
    from: usize,
    /// The first 8 bytes, each xor its counterpart.
    differ: u64,
}

#[inline(always)]
fn encode<L: Lanes, T: Table, const DICT: bool>(
    lanes: L,
    job: Job<'_>,
    mut table: T,
    dst: &mut [u8],
) -> Option<usize> {
    let Job {
        acceleration,
        growth,
        dict,
        src,
    } = job;
    if src.len() > MAX_INPUT {
        return None;
    }
    let mut sink = Sink::new(dst);
    let Some(last_start) = src.len().checked_sub(MATCH_START_MARGIN) else {
        return sink.finish(src);
    };
    let match_end = src.len() - LAST_LITERALS;
    let history = History::<DICT>::new(src, dict);
    let acceleration = acceleration.clamp(1, 65537) as usize;
    let mut anchor = 0;
    // The very first position has nothing before it; empty entries mean it.
    let mut p = usize::from(dict.is_empty());
    if p > last_start {
        return sink.finish(src);
    }
    // SAFETY: p <= last_start.
    let mut one = unsafe { history.probe::<_, false>(&mut table, p) };
    'sequences: loop {
        let found = 'search: {
            if one.hit {
                break 'search one;
            }
            // The two positions after it, and from then on in growing steps.
            p += 1;
            let mut step = 1;
            let mut trigger = acceleration << 6;
            loop {
                if p > last_start {
                    break 'sequences;
                }
                // SAFETY: p <= last_start.
                let one = unsafe { history.probe::<_, false>(&mut table, p) };
                if one.hit {
                    break one;
                }
                p += step;
                step = trigger >> 6;
                trigger += growth;
            }
        };
        let at = found.p;
        let distance = at + history.dict_len() - found.from;
        // SAFETY: a hit of this content.
        p = unsafe { history.end_of_match(lanes, found, match_end) };
        if at == anchor {
            // The end of a match is the start of this one: no literals to copy or to extend over.
            sink.match_only(src, at, distance, p - at)?;
        } else {
            // SAFETY: the distance of a hit at `at`.
            let back = unsafe { history.backward_unchecked(lanes, at, distance, at - anchor) };
            let start = at - back;
            sink.sequence(lanes, src, anchor, start - anchor, distance, p - start)?;
        }
        anchor = p;
        if p > last_start {
            break;
        }
        // SAFETY: p <= last_start, after a match of at least four bytes.
        one = unsafe { history.probe::<_, true>(&mut table, p) };
    }
    sink.finish(src.get(anchor..)?)
}
