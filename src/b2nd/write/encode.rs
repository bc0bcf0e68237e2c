//! Building chunks: several in parallel when threads are requested, stored in order.
//!
//! ```text
//! thread 0   fill, encode chunk 0 | chunk 2 | ...        a batch of some chunks per thread
//! thread 1   fill, encode chunk 1 | chunk 3 | ...
//! caller                                     store 0 1 2 3 ...  then the next batch
//! ```
//!
//! The bytes of a chunk do not depend on the thread that builds it. Few chunks, or chunks that are
//! small together, are built one by one, and the threads share the blocks of each.

use crate::b2nd::array::Array;
use crate::b2nd::copy::{BufferBox, Direction, copy_part};
use crate::b2nd::layout::region::{Dims, Region};
use crate::b2nd::write::blocks::BlockCopy;
use crate::b2nd::write::builder::{ChunkBuilder, Store, encode};
use crate::chunk::{ChunkEncoder, Special};
use crate::error::Result;
use crate::num::to_usize;
use crate::schunk::ChunkSink;
use crate::threads::Threads;
use crate::threads::claim::{Helpers, share_out};
use crate::threads::work::Work;

/// The least number of chunks of a batch per thread. They stay in memory, compressed, until the
/// chunks before them are stored.
const BATCH_PER_THREAD: usize = 4;

/// The data of a batch of small chunks, in bytes, and the largest number of chunks in it.
const BATCH: (usize, usize) = (8 << 20, 1024);

impl<C: ChunkSink> Array<C> {
    /// Builds the chunks with some coordinates, and stores them in this order.
    pub(crate) fn build_chunks(
        &mut self,
        chunks: impl ExactSizeIterator<Item = Dims>,
        store: Store,
        make: impl Fn(&Self, &mut ChunkBuilder, &Dims) -> Result<Vec<u8>> + Sync,
    ) -> Result<()> {
        if let Some(batch) = self.batches(chunks.len())? {
            return self.build_batches(chunks, batch, store, make);
        }
        let mut builder = self.take_builder(None)?;
        let mut result = Ok(());
        for coords in chunks {
            let chunk = make(self, &mut builder, &coords);
            result = chunk.and_then(|chunk| {
                let nchunk = self.grid.chunk_number(&coords);
                self.store(nchunk, chunk, store)
            });
            if result.is_err() {
                break;
            }
        }
        self.keep_builder(builder);
        result
    }

    /// The number of chunks in a batch, and of threads to wake for it; `None` where building chunks
    /// one by one is faster.
    fn batches(&self, nchunks: usize) -> Result<Option<(usize, usize)>> {
        let threads = &self.cparams.threads;
        let count = threads.count();
        if count < 2 || nchunks < count.saturating_mul(2) {
            return Ok(None);
        }
        let chunksize = self.grid.chunksize().max(1);
        let len = count
            .saturating_mul(BATCH_PER_THREAD)
            .max((BATCH.0 / chunksize).min(BATCH.1))
            .min(nchunks);
        let work = Work::encode(self.cparams.codec, len.saturating_mul(chunksize));
        let helpers = work.helpers(threads, len);
        Ok((helpers > 0).then_some((len, helpers)))
    }

    /// Builds and stores batches of `len` chunks, each with `helpers` threads.
    fn build_batches(
        &mut self,
        mut chunks: impl ExactSizeIterator<Item = Dims>,
        (len, helpers): (usize, usize),
        store: Store,
        make: impl Fn(&Self, &mut ChunkBuilder, &Dims) -> Result<Vec<u8>> + Sync,
    ) -> Result<()> {
        let threads = self.cparams.threads.clone();
        let mut batch = Vec::with_capacity(len);
        while chunks.len() > 0 {
            batch.clear();
            batch.extend(chunks.by_ref().take(len).map(|coords| (coords, Vec::new())));
            let this = &*self;
            let helpers = Helpers {
                threads: &threads,
                count: helpers,
                at_once: 1,
            };
            let tools = |mut thread, run: &mut dyn FnMut(&mut usize)| run(&mut thread);
            let made = share_out(helpers, batch.iter_mut(), tools, |thread, item| {
                let (coords, chunk) = item;
                let mut builder = this.take_builder(Some(*thread))?;
                let made = make(this, &mut builder, coords);
                this.keep_builder(builder);
                *chunk = made?;
                Ok(())
            });
            // Up to the first failure, as one thread does.
            for (coords, chunk) in batch.drain(..) {
                if chunk.is_empty() {
                    break;
                }
                self.store(self.grid.chunk_number(&coords), chunk, store)?;
            }
            made?;
        }
        Ok(())
    }

    /// Appends all chunks of a new array, each from the elements of its box in C order, or from a
    /// special value.
    pub(crate) fn append_boxes(
        &mut self,
        fill: impl Fn(&Self, &Region, &mut Vec<u8>) -> Result<Option<Special<'static>>> + Sync,
    ) -> Result<()> {
        let chunksize = self.grid.chunksize();
        let nchunks = to_usize(self.grid.nchunks())?;
        let grid = self.grid.clone();
        let chunks = (0..nchunks).map(|nchunk| grid.chunk_coords(nchunk as u64));
        self.build_chunks(chunks, Store::Append, |array, builder, coords| {
            let part = array.grid.chunk_box(coords);
            let mut bytes = std::mem::take(&mut builder.bytes);
            let chunk = match fill(array, &part, &mut bytes) {
                Ok(Some(special)) => builder.encoder.encode_special(special, chunksize),
                Ok(None) => {
                    let buffer = BufferBox::new(part);
                    array.build_chunk(builder, coords, &part, &buffer, &bytes)
                }
                Err(error) => Err(error),
            };
            builder.bytes = bytes;
            chunk
        })
    }

    /// Builds a chunk whose `part` comes from the buffer; the rest of it keeps its elements.
    pub(crate) fn build_chunk(
        &self,
        builder: &mut ChunkBuilder,
        coords: &Dims,
        part: &Region,
        buffer: &BufferBox,
        src: &[u8],
    ) -> Result<Vec<u8>> {
        let chunksize = self.grid.chunksize();
        let nchunk = self.grid.chunk_number(coords);
        if let Some(at) = self.direct(part, buffer)? {
            return encode(&mut builder.encoder, nchunk, &src[at..at + chunksize]);
        }
        // Few elements may need a chunk of any size that the metalayer states.
        self.dparams.limits.check_alloc(chunksize as u64, None)?;
        let whole = *part == self.grid.chunk_box(coords);
        let encoder = &mut builder.encoder;
        // At level 0 the chunk is compared with zeros as a whole first.
        if whole
            && encoder.cparams().clevel > 0
            && encoder.blocksize_for(chunksize) == self.grid.blocksize()
        {
            let blocks = BlockCopy::new(self, part, buffer, src)?;
            return encoder.in_chunk(nchunk, |encoder| {
                encoder.encode_blocks(chunksize, &|block, dst| blocks.fill(block, dst))
            });
        }
        self.with_workspace(builder.thread, |workspace| {
            let (decoder, chunk) = workspace.chunk_buffer(chunksize)?;
            if whole {
                if part.lens()[..part.ndim] != self.grid.extchunk()[..part.ndim] {
                    // Padding is zeros.
                    chunk.fill(0);
                }
            } else {
                let len = self.chunks.decode_chunk_into(decoder, nchunk, chunk)?;
                self.check_len(nchunk, len)?;
            }
            copy_part(&self.grid, coords, part, buffer, Direction::In(chunk, src))?;
            encode(encoder, nchunk, chunk)
        })
    }

    /// A builder, kept from an earlier call or new. Inside a parallel loop over chunks, `thread` is
    /// the number of the worker, which alone encodes the blocks.
    pub(crate) fn take_builder(&self, thread: Option<usize>) -> Result<ChunkBuilder> {
        let mut builder = match self.builders[usize::from(thread.is_some())].take() {
            Some(builder) => builder,
            None => {
                let mut cparams = self.cparams.clone();
                if thread.is_some() {
                    cparams = cparams.threads(Threads::Serial);
                }
                ChunkBuilder {
                    encoder: ChunkEncoder::new(cparams)?,
                    bytes: Vec::new(),
                    thread,
                }
            }
        };
        builder.thread = thread;
        if let Some(thread) = thread {
            builder.encoder.set_thread(thread);
        }
        Ok(builder)
    }

    /// Keeps a builder for the next call.
    pub(crate) fn keep_builder(&self, builder: ChunkBuilder) {
        self.builders[usize::from(builder.thread.is_some())].put(builder);
    }
}
