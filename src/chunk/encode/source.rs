//! The data of a chunk.
//!
//! ```text
//! in one piece     | block 0 | block 1 | ...     borrowed by the encoder of a block
//! block by block   rows of some larger array --> a buffer of one block, in the cache of the
//!                                                thread that encodes it next
//! ```

use std::fmt;

use super::super::copy::copy_into;
use super::super::scratch::grown;
use crate::error::Result;

/// Writes the data of the block with this number into all of a buffer. It may be asked for the same
/// block more than once, and by several threads.
pub(crate) type FillBlock<'f> = dyn Fn(usize, &mut [u8]) -> Result<()> + Sync + 'f;

/// The data of a chunk.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// In one piece.
    Bytes(&'a [u8]),
    /// Block by block.
    #[cfg_attr(
        not(feature = "b2nd"),
        expect(dead_code, reason = "arrays are encoded so")
    )]
    Blocks {
        /// The size of all blocks together in bytes.
        nbytes: usize,
        /// Writes one of them.
        fill: &'a FillBlock<'a>,
    },
}

impl<'a> Source<'a> {
    /// The size of the data in bytes.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bytes(src) => src.len(),
            Self::Blocks { nbytes, .. } => *nbytes,
        }
    }

    /// The length of a block, where all but the last have `blocksize` bytes.
    pub(crate) fn block_len(&self, blocksize: usize, block: usize) -> usize {
        self.len().saturating_sub(block * blocksize).min(blocksize)
    }

    /// Writes all of it into all of `dst`, which has the same length.
    pub(crate) fn copy_into(&self, blocksize: usize, dst: &mut [u8]) -> Result<()> {
        match self {
            Self::Bytes(src) => copy_into(src, dst),
            Self::Blocks { fill, .. } => {
                for (block, dst) in dst.chunks_mut(blocksize).enumerate() {
                    fill(block, dst)?;
                }
            }
        }
        Ok(())
    }

    /// The bytes of a block, in `buffer` when the source writes them.
    pub(crate) fn block<'b>(
        &self,
        blocksize: usize,
        block: usize,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8]>
    where
        'a: 'b,
    {
        let len = self.block_len(blocksize, block);
        match self {
            Self::Bytes(src) => Ok(&src[block * blocksize..][..len]),
            Self::Blocks { fill, .. } => {
                let to = grown(buffer, len);
                fill(block, to)?;
                Ok(to)
            }
        }
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Bytes(_) => "Bytes",
            Self::Blocks { .. } => "Blocks",
        };
        f.debug_struct(name).field("len", &self.len()).finish()
    }
}
