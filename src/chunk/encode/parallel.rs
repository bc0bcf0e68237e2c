//! Blocks encoded by several threads and written in order while others are still being encoded.
//!
//! ```text
//! thread 0   encode 0 |put 0| encode 3      |put 3 4|       the thread that completes the next
//! thread 1   encode 1   |put 1| encode 4  |  ...            blocks of the chunk writes them, and
//! thread 2   encode 2      |put 2| encode 5 |               the blocks that wait for them
//! ```
//!
//! Threads encode a few blocks into separate buffers, which are still in the cache when they are
//! copied. However late a thread is, no more than a wave of blocks waits for it.

use super::block::BlockEncoder;
use super::output::Output;
use crate::chunk::scratch::{Worker, grown};
use crate::error::{Error, Result};
use crate::stream::{CSIZE_LEN, Full};
use crate::threads::Threads;
use crate::threads::claim::{Helpers, blocks_at_once, share_pooled};
use crate::threads::pool::Pool;
use crate::threads::sync::{Mutex, into_inner, lock};

/// About how many bytes of data are encoded before all of them are written to the chunk.
const WAVE: usize = 32 << 20;

/// The buffers of threads that encode blocks, kept from chunk to chunk.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub(super) pool: Pool<Worker>,
    /// All blocks of variable length, side by side.
    pub(super) bytes: Vec<u8>,
    idle: Vec<Encoded>,
}

/// Some blocks, encoded consecutively.
#[derive(Debug, Default)]
struct Encoded {
    bytes: Vec<u8>,
    /// End of each in `bytes`; `Full` when it has to be encoded at its destination.
    ends: Vec<Result<usize, Full>>,
}

/// The chunk under way.
struct Chunk<'p, 'd> {
    output: &'p mut Output<'d>,
    /// The next block to write.
    next: usize,
    /// Blocks that were encoded before the next one, by the first of them.
    waiting: Vec<(usize, Encoded)>,
    idle: Vec<Encoded>,
    full: bool,
}

impl Chunk<'_, '_> {
    /// Writes the blocks from `first` on to the chunk, when they are next, and those that waited
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
                // Cancels the work of all threads; the caller checks `full`.
                return Err(Error::refused("encode more blocks", "the chunk is full"));
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
            self.output.put_bstart(block);
            self.next += 1;
            let at = self.output.end;
            // The end of the destination may change what the codec does.
            let fits = at + most(blocks, block) <= self.output.dst.len();
            match end {
                Ok(end) if fits => {
                    let bytes = &encoded.bytes[start..end];
                    self.output.dst[at..at + bytes.len()].copy_from_slice(bytes);
                    self.output.end += bytes.len();
                }
                _ => {
                    if let Err(full) = self.output.encode(blocks, worker, block, &mut None)? {
                        return Ok(Err(full));
                    }
                }
            }
            start = end.unwrap_or(start);
        }
        Ok(Ok(()))
    }
}

/// The most bytes of an encoded block: streams that do not compress are stored raw.
fn most(blocks: &BlockEncoder<'_>, block: usize) -> usize {
    blocks.block_len(block) + CSIZE_LEN * blocks.nstreams(blocks.cut.blocksize)
}

/// Encodes blocks on this thread and on as many of `helpers` as are free, and writes them in order.
pub(super) fn encode_parallel(
    blocks: &BlockEncoder<'_>,
    threads: &Threads,
    helpers: usize,
    slots: &mut Slots,
    output: &mut Output<'_>,
) -> Result<Result<(), Full>> {
    let cut = blocks.cut;
    let slot = most(blocks, 0);
    let wave = (WAVE / cut.blocksize).max(2 * (helpers + 1));
    let at_once = blocks_at_once(cut.blocksize, wave.min(cut.nblocks), helpers);
    let chunk = Mutex::new(Chunk {
        output,
        next: 0,
        waiting: Vec::new(),
        idle: std::mem::take(&mut slots.idle),
        full: false,
    });
    let encode = |worker: &mut Worker, (first, end): (usize, usize)| {
        let mut encoded = lock(&chunk).idle.pop().unwrap_or_default();
        let count = at_once.min(end - first);
        let bytes = grown(&mut encoded.bytes, count * slot);
        encoded.ends.clear();
        let mut at = 0;
        for block in first..first + count {
            let end = blocks.encode(worker, block, bytes, at)?;
            at = end.unwrap_or(at);
            encoded.ends.push(end);
        }
        lock(&chunk).take(blocks, worker, first, encoded)
    };
    let done = (0..cut.nblocks).step_by(wave).try_for_each(|first| {
        let end = cut.nblocks.min(first + wave);
        let groups = (first..end).step_by(at_once).map(|first| (first, end));
        let helpers = Helpers {
            threads,
            count: helpers,
            at_once: 1,
        };
        share_pooled(helpers, &slots.pool, groups, encode)
    });
    let chunk = into_inner(chunk);
    slots.idle = chunk.idle;
    if chunk.full {
        return Ok(Err(Full));
    }
    done.map(Ok)
}
