//! The ranges of a chunk that a caller asks for.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::ops::Range;

use super::layout::{Layout, Payload};
use crate::error::{Error, Result};
use crate::num::to_u64;

/// Refuses variable-length blocks, which have no fixed positions.
#[inline]
pub(crate) fn refuse_vlblocks(layout: &Layout) -> Result<()> {
    if layout.payload == Payload::VlBlocks {
        return Err(Error::Refused {
            what: "read by position",
            why: "the blocks of this chunk have individual lengths",
        });
    }
    Ok(())
}

/// The bytes of a range of items.
pub(crate) fn item_bytes(layout: &Layout, items: &Range<usize>) -> Result<Range<usize>> {
    let typesize = usize::from(layout.header.typesize);
    let nitems = layout.nbytes.checked_div(typesize).unwrap_or(0);
    check_range("item", items, nitems)?;
    Ok(items.start.saturating_mul(typesize)..items.end.saturating_mul(typesize))
}

/// The length of all ranges of a chunk with blocks of one size.
pub(crate) fn len_of_ranges(layout: &Layout, ranges: &[Range<usize>]) -> Result<usize> {
    refuse_vlblocks(layout)?;
    let mut len = 0_usize;
    for range in ranges {
        check_range("byte", range, layout.nbytes)?;
        len = len.saturating_add(range.len());
    }
    Ok(len)
}

/// Refuses a range that exceeds the data or whose start exceeds its end.
pub(crate) fn check_range(what: &'static str, range: &Range<usize>, len: usize) -> Result<()> {
    if range.start > range.end {
        return Err(Error::reversed(range.start));
    }
    if range.end > len {
        return Err(Error::OutOfBounds {
            what,
            index: to_u64(range.end),
            len: to_u64(len),
        });
    }
    Ok(())
}
