//! Estimates of work: how many threads a call is worth.
//!
//! The calling thread begins with the first block at once; threads of the pool are asked to join.
//! Waking a thread and waiting for its last block takes some microseconds, as long as a small
//! chunk: each helper is woken only when there is [`PARALLEL_WORK`] for it.

use std::time::Duration;

use super::policy::Threads;
use crate::codec::id::CodecId;

/// The least serial work, as estimated from sizes and codec, for which a thread is woken.
///
/// Two threads share chunks from twice this on: about 1.2 MB to compress with the fast codecs,
/// 200 KB with Zstandard, 80 KB with zlib; to decompress, 2 to 4 MB with the fast codecs,
/// depending on the ratio, and 200 to 600 KB with the others. Waking a sleeping thread and waiting
/// for it takes 24 to 28 µs on the machine of `benches/RESULTS.md`, section "Threads".
const PARALLEL_WORK: Duration = Duration::from_micros(70);

/// [`PARALLEL_WORK`] in picoseconds.
fn floor_picos() -> u64 {
    u64::try_from(PARALLEL_WORK.as_nanos())
        .unwrap_or(u64::MAX)
        .saturating_mul(1000)
}

/// A lower estimate of the time one thread needs, in picoseconds.
///
/// ```text
/// picoseconds a byte      fast codecs   zstd   lz4hc   zlib
/// encode, byte of data            120    700    1000   1700
/// decode, byte of data             30     30      30     30
///       + byte of chunk           150    700     150   2000
/// ```
///
/// The numbers are the fast end of the benchmark's contents on one core of a Zen 5; too low an
/// estimate costs less than a thread woken in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Work(u64);

impl Work {
    /// The work of compressing `nbytes` bytes.
    pub(crate) fn encode(codec: CodecId, nbytes: usize) -> Self {
        let picos = match codec {
            CodecId::ZSTD => 700,
            CodecId::LZ4HC => 1000,
            CodecId::ZLIB => 1700,
            _ => 120,
        };
        Self((nbytes as u64).saturating_mul(picos))
    }

    /// The work of decompressing `nbytes` bytes from `cbytes`.
    pub(crate) fn decode(codec: Option<CodecId>, nbytes: usize, cbytes: usize) -> Self {
        let picos = match codec {
            Some(CodecId::ZSTD) => 700,
            Some(CodecId::ZLIB) => 2000,
            _ => 150,
        };
        let coded = (cbytes.min(nbytes) as u64).saturating_mul(picos);
        Self((nbytes as u64).saturating_mul(30).saturating_add(coded))
    }

    /// The work of reading `wanted` bytes out of blocks of which `nbytes` bytes are decoded from
    /// `cbytes`: as [`decode`](Self::decode) for whole blocks. Two thirds of the cost of a byte of
    /// data count for wanted bytes only, since only they are unfiltered and copied.
    #[cfg(feature = "b2nd")]
    pub(crate) fn read(codec: CodecId, nbytes: usize, cbytes: usize, wanted: usize) -> Self {
        let Self(decoded) = Self::decode(Some(codec), nbytes, cbytes);
        let unwanted = nbytes.saturating_sub(wanted) as u64;
        Self(decoded.saturating_sub(unwanted.saturating_mul(20)))
    }

    /// The work of copying `nbytes` bytes: a lower bound for a closure on blocks, whose cost is not
    /// known.
    pub(crate) fn copy(nbytes: usize) -> Self {
        Self((nbytes as u64).saturating_mul(70))
    }

    /// How many threads to wake beside the calling one, for work in `nitems` items.
    pub(crate) fn helpers(self, threads: &Threads, nitems: usize) -> usize {
        if nitems < 2 || self.0 < 2 * floor_picos() || threads.is_serial() {
            return 0;
        }
        let paid = usize::try_from(self.0 / floor_picos().max(1)).unwrap_or(usize::MAX);
        threads.count().min(nitems).min(paid).saturating_sub(1)
    }
}
