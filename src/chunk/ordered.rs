//! Blocks encoded by several threads, put together in their order while others are still encoded.
//!
//! ```text
//! thread 0   encode 0 |put 0| encode 3      |put 3 4|           whoever brings the next blocks of
//! thread 1   encode 1   |put 1| encode 4  |  ...                the chunk puts them there, and those
//! thread 2   encode 2      |put 2| encode 5 |                   that wait behind them
//! ```
//!
//! Threads encode a few blocks into a buffer of their own, which is in the cache still when it is copied.
//! However late one of them is, no more than a wave of blocks waits for it.

use std::sync::{Mutex, PoisonError};

use super::assemble::Place;
use super::block::BlockEncoder;
use super::scratch::{Pool, Worker, room};
use super::share::{blocks_at_once, share};
use crate::error::{Error, Result};
use crate::stream::{CSIZE_LEN, Full};
use crate::threads::Threads;

/// About how many bytes of data are encoded before all of them are put in their place.
const WAVE: usize = 32 << 20;

/// What threads that encode blocks need, kept from chunk to chunk.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    pub(crate) pool: Pool,
    /// All blocks of variable length, side by side.
    pub(crate) bytes: Vec<u8>,
    idle: Vec<Encoded>,
}

/// Some blocks, encoded one behind the other.
#[derive(Debug, Default)]
struct Encoded {
    bytes: Vec<u8>,
    /// Where each ends in `bytes`; `Full` when it has to be encoded where it goes.
    ends: Vec<Result<usize, Full>>,
}

/// The chunk under way.
struct Chunk<'p, 'd> {
    place: &'p mut Place<'d>,
    /// The next block to put there.
    next: usize,
    /// Blocks that came before their turn, by the first of them.
    waiting: Vec<(usize, Encoded)>,
    idle: Vec<Encoded>,
    full: bool,
}

impl Chunk<'_, '_> {
    /// Puts the blocks from `first` on into the chunk, when it is their turn, and those that waited
    /// for them.
    fn take(
        &mut self,
        blocks: &BlockEncoder<'_>,
        worker: &mut Worker,
        first: usize,
        encoded: Encoded,
    ) -> Result<()> {
        self.waiting.push((first, encoded));
        while let Some(found) = self.waiting.iter().position(|at| at.0 == self.next) {
            let (_, encoded) = self.waiting.swap_remove(found);
            let put = self.put(blocks, worker, &encoded)?;
            self.idle.push(encoded);
            if let Err(Full) = put {
                self.full = true;
                // Ends the work of all threads; the caller looks at `full`.
                return Err(Error::OutputTooSmall {
                    needed: usize::MAX,
                    available: self.place.dst.len(),
                });
            }
        }
        Ok(())
    }

    fn put(
        &mut self,
        blocks: &BlockEncoder<'_>,
        worker: &mut Worker,
        encoded: &Encoded,
    ) -> Result<Result<(), Full>> {
        let mut start = 0;
        for &end in &encoded.ends {
            let block = self.next;
            self.place.put_bstart(block);
            self.next += 1;
            let at = self.place.at;
            // The end of the destination may change what the codec does.
            let fits = at + most(blocks, block) <= self.place.dst.len();
            match end {
                Ok(end) if fits => {
                    let bytes = &encoded.bytes[start..end];
                    self.place.dst[at..at + bytes.len()].copy_from_slice(bytes);
                    self.place.at += bytes.len();
                }
                _ => {
                    if let Err(full) = self.place.encode(blocks, worker, block)? {
                        return Ok(Err(full));
                    }
                }
            }
            start = end.unwrap_or(start);
        }
        Ok(Ok(()))
    }
}

/// The most room that an encoded block takes: streams that do not compress are stored raw.
fn most(blocks: &BlockEncoder<'_>, block: usize) -> usize {
    blocks.block_len(block) + CSIZE_LEN * blocks.nstreams(blocks.cut.blocksize)
}

/// Encodes blocks on this thread and on `helpers` that are free, and puts them together in order.
pub(super) fn encode_parallel(
    blocks: &BlockEncoder<'_>,
    threads: &Threads,
    helpers: usize,
    slots: &mut Slots,
    place: &mut Place<'_>,
) -> Result<Result<(), Full>> {
    let cut = blocks.cut;
    let slot = most(blocks, 0);
    let wave = (WAVE / cut.blocksize).max(2 * (helpers + 1));
    let at_once = blocks_at_once(cut.blocksize, wave.min(cut.nblocks), helpers);
    let chunk = Mutex::new(Chunk {
        place,
        next: 0,
        waiting: Vec::new(),
        idle: std::mem::take(&mut slots.idle),
        full: false,
    });
    let lock = || chunk.lock().unwrap_or_else(PoisonError::into_inner);
    let encode = |worker: &mut Worker, (first, end): (usize, usize)| {
        let mut encoded = lock().idle.pop().unwrap_or_default();
        let count = at_once.min(end - first);
        let bytes = room(&mut encoded.bytes, count * slot);
        encoded.ends.clear();
        let mut at = 0;
        for block in first..first + count {
            let end = blocks.encode(worker, block, bytes, at)?;
            at = end.unwrap_or(at);
            encoded.ends.push(end);
        }
        lock().take(blocks, worker, first, encoded)
    };
    let done = (0..cut.nblocks).step_by(wave).try_for_each(|first| {
        let end = cut.nblocks.min(first + wave);
        let groups = (first..end).step_by(at_once).map(|first| (first, end));
        share(threads, helpers, &slots.pool, groups, encode)
    });
    let chunk = chunk.into_inner().unwrap_or_else(PoisonError::into_inner);
    slots.idle = chunk.idle;
    if chunk.full {
        return Ok(Err(Full));
    }
    done.map(Ok)
}
