//! The sizes of a super-chunk.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::num::to_u64;

/// The sizes of the items, blocks and chunks of a super-chunk.
///
/// A source of your own starts from [`ChunkLayout::new`] and sets the other fields.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkLayout {
    /// The size of an item in bytes, not capped at 255.
    pub typesize: usize,
    /// The uncompressed size of every chunk but the last, in bytes; `None` when chunks differ in
    /// size. `Some(0)` when there is no chunk yet and the size is open.
    pub chunksize: Option<usize>,
    /// The requested block size, in bytes; 0 for automatic.
    pub blocksize: usize,
    /// The number of chunks.
    pub nchunks: u64,
    /// The uncompressed size of all chunks together, in bytes.
    pub nbytes: u64,
    /// The compressed size of all chunks together, in bytes; special values count 0.
    pub cbytes: u64,
}

impl ChunkLayout {
    /// The layout of a super-chunk without chunks, whose items have `typesize` bytes.
    pub const fn new(typesize: usize) -> Self {
        Self {
            typesize,
            chunksize: Some(0),
            blocksize: 0,
            nchunks: 0,
            nbytes: 0,
            cbytes: 0,
        }
    }

    /// The bytes of items; they may exceed the data.
    pub(crate) fn item_bytes(&self, items: Range<u64>) -> Result<Range<u64>> {
        let typesize = to_u64(self.typesize);
        let bytes = |item: u64| {
            item.checked_mul(typesize).ok_or(Error::OutOfBounds {
                what: "item",
                index: item,
                len: self.nbytes.checked_div(typesize).unwrap_or(0),
            })
        };
        Ok(bytes(items.start)?..bytes(items.end)?)
    }

    /// Refuses bytes beyond the end of the data.
    pub(crate) fn check_bytes(&self, bytes: &Range<u64>) -> Result<()> {
        if bytes.start > bytes.end || bytes.end > self.nbytes {
            return Err(Error::OutOfBounds {
                what: "byte",
                index: bytes.end.max(bytes.start),
                len: self.nbytes,
            });
        }
        Ok(())
    }
}
