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

/// The block that a [`BlockFn`] receives. Fields may be added (thread, chunk).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockContext {
    /// The index of the block within the chunk.
    pub block: u32,
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
