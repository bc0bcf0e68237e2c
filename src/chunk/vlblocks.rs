//! Chunks of variable-length blocks ([format §8.1](crate::format#8.1)).
//!
//! ```text
//! header, blocksize = number of blocks | bstarts, increasing | [dictionary] | block 0 | block 1
//! block:  | n: int32 | codec data, or the n bytes themselves |        up to the next block
//! ```
//!
//! Such blocks are never split and never stored as runs, and each is independent: for DELTA, every
//! one of them is a first block.

use super::layout::Payload;
use super::parsed::Parsed;
use crate::error::{Error, Part, Result};
use crate::num::to_u64;
use crate::stream::{CSIZE_LEN, Stream};

/// The stream and the uncompressed length of one block.
fn block<'a>(view: &Parsed<'a>, block: usize) -> Result<(Stream<'a>, usize)> {
    let layout = view.layout();
    let span = layout.vlblock_span(view.as_bytes(), block)?;
    let at = span.start;
    let bytes = view.as_bytes().get(span).unwrap_or(&[]);
    let Some((prefix, data)) = bytes.split_first_chunk::<CSIZE_LEN>() else {
        return Err(Error::Truncated {
            part: Part::VlBlock,
            offset: at as u64,
            needed: CSIZE_LEN as u64,
            available: bytes.len() as u64,
        });
    };
    let nbytes = i32::from_le_bytes(*prefix);
    let len = usize::try_from(nbytes).unwrap_or(0);
    if len == 0 || len > layout.nbytes {
        return Err(Error::out_of_range(
            Part::VlBlock,
            at as u64,
            "block length",
            nbytes,
            1,
            layout.nbytes,
        ));
    }
    let stream = if data.len() == len {
        Stream::Raw(data)
    } else {
        Stream::Coded {
            within: data,
            csize: data.len(),
            offset: (at + CSIZE_LEN) as u64,
        }
    };
    Ok((stream, len))
}

/// The uncompressed lengths of the blocks, which must add up to that of the chunk.
pub(crate) fn lens(view: &Parsed<'_>) -> impl Iterator<Item = Result<usize>> {
    let nblocks = view.layout().nblocks;
    let mut left = view.layout().nbytes;
    (0..nblocks).map(move |index| {
        let (_, len) = block(view, index)?;
        let last = index + 1 == nblocks;
        if len > left || (last && len != left) {
            return Err(Error::out_of_range(
                Part::VlBlock,
                view.layout().block_at(view.as_bytes(), index)? as u64,
                "block length",
                len,
                if last { left } else { 1 },
                left,
            ));
        }
        left -= len;
        Ok(len)
    })
}

/// The stream of one block.
pub(crate) fn stream<'a>(view: &Parsed<'a>, index: usize) -> Result<Stream<'a>> {
    Ok(block(view, index)?.0)
}

/// The uncompressed length in bytes of one block.
pub(crate) fn len_of(view: &Parsed<'_>, index: usize) -> Result<usize> {
    if view.layout().payload != Payload::VlBlocks {
        return Err(Error::Refused {
            what: "read a variable-length block",
            why: "the blocks of this chunk have one size",
        });
    }
    if index >= view.nblocks() {
        return Err(Error::OutOfBounds {
            what: "block",
            index: to_u64(index),
            len: to_u64(view.nblocks()),
        });
    }
    Ok(block(view, index)?.1)
}
