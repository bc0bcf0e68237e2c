//! Blocks shared between threads.
//!
//! ```text
//! calling thread   | 0 | 1 |   3   | 4 | 6 |          whoever is free takes the next piece
//! helper     ......woken| 2 |   5     | 7 |
//! ```
//!
//! Pieces of work come from an iterator behind a lock, in order: with one helper or fifteen, late
//! or not at all, every piece is taken exactly once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::scratch::{Pool, Worker};
use crate::codec::CodecId;
use crate::error::{Error, Result};
use crate::threads::{PARALLEL_WORK, Threads};

/// About how many bytes of data a thread takes at once, when blocks are smaller.
const GRAIN: usize = 64 << 10;

/// How many blocks of this size a thread takes at once.
pub(crate) fn blocks_at_once(blocksize: usize, nblocks: usize, helpers: usize) -> usize {
    let most = nblocks / (4 * (helpers + 1));
    (GRAIN / blocksize.max(1)).min(most).max(1)
}

/// Does `work` on every item, on the calling thread and on as many `helpers` as are free, each with
/// a worker of the pool.
///
/// # Errors
/// Those of [`share_out`].
pub(crate) fn share<I: Iterator + Send>(
    threads: &Threads,
    helpers: usize,
    pool: &Pool,
    items: I,
    work: impl Fn(&mut Worker, I::Item) -> Result<()> + Sync,
) -> Result<()> {
    let take = || pool.take();
    share_out(threads, helpers, items, take, |worker, item| {
        work(worker, item)
    })
}

/// Does `work` on every item, on the calling thread and on as many `helpers` as are free. A thread
/// that gets an item makes its `tools` first.
///
/// # Errors
/// The failure of the first item, in the order of the iterator, that fails: those before it were
/// taken before it, and what is taken is done.
pub(crate) fn share_out<I: Iterator + Send, T>(
    threads: &Threads,
    helpers: usize,
    items: I,
    tools: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, I::Item) -> Result<()> + Sync,
) -> Result<()> {
    let items = Mutex::new(items.enumerate());
    let failed = AtomicBool::new(false);
    let first_failure: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let next = || {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        lock(&items).next()
    };
    threads.join(helpers, || {
        let mut item = next();
        if item.is_none() {
            return;
        }
        let mut tools = tools();
        while let Some((index, at_hand)) = item {
            if let Err(error) = work(&mut tools, at_hand) {
                failed.store(true, Ordering::Relaxed);
                let mut first = lock(&first_failure);
                if first.as_ref().is_none_or(|(other, _)| index < *other) {
                    *first = Some((index, error));
                }
                return;
            }
            item = next();
        }
    });
    match first_failure
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
    {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// The value behind a lock; a panic elsewhere goes its own way.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// [`PARALLEL_WORK`] in picoseconds.
fn floor_picos() -> u64 {
    u64::try_from(PARALLEL_WORK.as_nanos())
        .unwrap_or(u64::MAX)
        .saturating_mul(1000)
}

/// How long one thread is likely to need at the least, in picoseconds.
///
/// ```text
/// picoseconds a byte      fast codecs   zstd   lz4hc   zlib
/// encode, byte of data            120    700    1000   1700
/// decode, byte of data             30     30      30     30
///       + byte of chunk           150    700     150   2000
/// ```
///
/// The numbers are the quick end of what the contents of the benchmark take on one core of a
/// Zen 5; too low an estimate costs less than a thread woken in vain.
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
    /// `cbytes`: as [`decode`](Self::decode) where all is wanted, else two thirds of what a byte of data
    /// costs go by what is wanted, since no more than that is unfiltered and copied.
    #[cfg(feature = "b2nd")]
    pub(crate) fn read(codec: CodecId, nbytes: usize, cbytes: usize, wanted: usize) -> Self {
        let Self(decoded) = Self::decode(Some(codec), nbytes, cbytes);
        let unwanted = nbytes.saturating_sub(wanted) as u64;
        Self(decoded.saturating_sub(unwanted.saturating_mul(20)))
    }

    /// The work of copying `nbytes` bytes: what a closure on blocks costs is not known, and at
    /// least this much.
    pub(crate) fn copy(nbytes: usize) -> Self {
        Self((nbytes as u64).saturating_mul(70))
    }

    /// How many threads to wake for it in `nitems` pieces, beside the calling one.
    pub(crate) fn helpers(self, threads: &Threads, nitems: usize) -> usize {
        if nitems < 2 || self.0 < 2 * floor_picos() || matches!(threads, Threads::Serial) {
            return 0;
        }
        let paid = usize::try_from(self.0 / floor_picos().max(1)).unwrap_or(usize::MAX);
        threads.count().min(nitems).min(paid).saturating_sub(1)
    }
}
