//! Which bytes of a stored chunk a read fetches.
//!
//! ```text
//! 1. one request     header and offsets
//! 2. one request     the ranges of the blocks, those with small gaps between them as one
//! ```
//!
//! A chunk of which that would spare little is read as a whole, in one request.

use std::ops::Range;

use oxiblosc::chunk::{ChunkFront, ChunkPart};
use oxiblosc::{Limits, Result};
use zarrs::storage::byte_range::ByteRange;

/// Decoded sizes up to this one are read as a whole: two requests cost more than the bytes.
const SMALL: usize = 128 << 10;
/// Ranges with smaller gaps between them are one.
const GAP: usize = 16 << 10;
/// The assumed size of blocks. Smaller ones mean one more request, larger ones some spare bytes.
const BLOCK: usize = 32 << 10;

/// The next request.
pub(crate) enum Next {
    /// All of the chunk.
    Whole,
    /// The first bytes of the chunk, this many.
    Front(usize),
    /// These ranges of it.
    Parts(Box<ChunkFront>, Vec<Range<usize>>),
}

/// The first request of a read of `wanted` bytes in all, of a chunk that decodes to `nbytes`.
pub(crate) fn first(nbytes: usize, wanted: usize, blocksize: usize) -> Next {
    if nbytes <= SMALL || wanted > nbytes / 2 {
        return Next::Whole;
    }
    let blocksize = if blocksize == 0 { BLOCK } else { blocksize };
    Next::Front(ChunkFront::first_len(
        u64::MAX,
        Some(nbytes),
        Some(blocksize),
    ))
}

/// The request after bytes from the start of the chunk are there, of which `asked` were asked for.
pub(crate) fn after_front(bytes: &[u8], asked: usize, wanted: &[Range<usize>]) -> Result<Next> {
    let needed = ChunkFront::needed_len(bytes)?;
    if needed > bytes.len() {
        // Stores give fewer bytes where the chunk ends.
        return Ok(match bytes.len() < asked {
            true => Next::Whole,
            false => Next::Front(needed),
        });
    }
    let front = ChunkFront::parse(bytes, &Limits::UNTRUSTED)?;
    if front.header().is_vlblocks() || front.nblocks() <= 2 {
        return Ok(Next::Whole);
    }
    let ranges = with_gaps(front.missing(wanted, &[])?);
    let fetched: usize = ranges.iter().map(Range::len).sum();
    if fetched > front.cbytes() / 4 * 3 {
        return Ok(Next::Whole);
    }
    Ok(Next::Parts(Box::new(front), ranges))
}

/// Joins ranges with small gaps between them.
fn with_gaps(ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(GAP) => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}

/// The ranges as zarrs asks for them.
pub(crate) fn requests(ranges: &[Range<usize>]) -> Vec<ByteRange> {
    let wide = |at: usize| u64::try_from(at).unwrap_or(u64::MAX);
    ranges
        .iter()
        .map(|range| ByteRange::new(wide(range.start)..wide(range.end)))
        .collect()
}

/// The ranges that were fetched, as parts of the chunk.
pub(crate) fn parts<'a, B: AsRef<[u8]>>(
    ranges: &[Range<usize>],
    fetched: &'a [B],
) -> Vec<ChunkPart<'a>> {
    let pairs = ranges.iter().zip(fetched);
    pairs
        .map(|(range, bytes)| ChunkPart::new(range.start, bytes.as_ref()))
        .collect()
}
