//! Closures around the pipeline: a prefilter before it, a postfilter after it.
//!
//! ```text
//! data --prefilter--> block --filters, codec--> chunk        compressing
//! data <-postfilter-- block <--filters, codec-- chunk        decompressing
//! ```
//!
//! Both receive whole blocks and are independent of filters. Nothing about them is stored in the
//! chunk.

use std::fmt;
use std::sync::Arc;

use crate::error::{BoxError, Error, Result};

/// The block that a [`BlockFn`] receives.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use oxiblosc::schunk::ChunkSource;
/// use oxiblosc::{CParams, ChunkDecoder, DParams, SChunk};
/// let mut schunk = SChunk::new(CParams::new(1).blocksize(Some(500)), 1000)?;
/// schunk.append(&[7; 2000])?;
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let list = Arc::clone(&seen);
/// let mut decoder = ChunkDecoder::new(DParams::new().postfilter(move |cx, src, dst| {
///     list.lock().unwrap().push((cx.chunk, cx.block, cx.thread));
///     dst.copy_from_slice(src);
///     Ok(())
/// }));
/// schunk.read_bytes_into(&mut decoder, 700..1200, &mut [0; 500])?;
/// assert_eq!(*seen.lock().unwrap(), [(Some(0), 1, 0), (Some(1), 0, 0)]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockContext {
    /// The number of the thread among those that share the call, below
    /// [`Threads::count`](crate::Threads::count): two threads that work at the same time have
    /// different numbers, and one that works alone is 0. Calls that run at the same time number
    /// their threads independently. With `schunk::ReadAhead` the reader may be one thread more.
    pub thread: usize,
    /// The number of the chunk within its super-chunk, frame or array, and for a chunk that is
    /// appended the number that it gets. `None` for a chunk that belongs to none of them, as far as
    /// is known: [`ChunkDecoder::in_chunk`](crate::ChunkDecoder::in_chunk) and
    /// [`ChunkEncoder::in_chunk`](crate::ChunkEncoder::in_chunk) set it.
    pub chunk: Option<u64>,
    /// The index of the block within the chunk.
    pub block: usize,
    /// The position of the block within the uncompressed chunk, in bytes.
    pub offset: usize,
    /// The uncompressed size of the chunk in bytes.
    pub nbytes: usize,
    /// The stored typesize in bytes, 1 to 255.
    pub typesize: usize,
}

/// A closure that maps a block to a block, for [`CParams::prefilter`](crate::CParams) and
/// [`DParams::postfilter`](crate::DParams).
///
/// It gets the block and fills all of the output, which is as long. Threads call it for several
/// blocks at once and in any order, so its output must depend on its arguments alone: bytes
/// are then the same for any number of threads.
#[derive(Clone)]
pub struct BlockFn(Arc<Inner>);

type Inner = dyn Fn(&BlockContext, &[u8], &mut [u8]) -> Result<(), BoxError> + Send + Sync;

impl BlockFn {
    /// Wraps a closure.
    pub fn new(
        closure: impl Fn(&BlockContext, &[u8], &mut [u8]) -> Result<(), BoxError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self(Arc::new(closure))
    }

    /// Calls the closure; `name` is its name in errors.
    pub(crate) fn call(
        &self,
        name: &'static str,
        cx: &BlockContext,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<()> {
        (self.0)(cx, src, dst).map_err(|source| Error::Hook {
            name,
            block: cx.block,
            source,
        })
    }
}

impl fmt::Debug for BlockFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BlockFn")
    }
}
