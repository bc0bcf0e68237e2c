//! The front of a chunk, and which of its other bytes a read needs. Nothing is read here.
//!
//! ```text
//! first read       | header | offsets of blocks | dictionary |
//! blocks named     |                                          | block 2 | block 0 | block 1 |
//! items of block 0 |                                          |         |=========|         |
//! ```
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::fmt;
use std::ops::Range;

use super::header::{BLOSC1_HEADER_LEN, ChunkHeader, HEADER_LEN, flag};
use super::layout::{BSTART_LEN, Layout, Payload, bstarts, bstarts_end};
use super::parsed::{ChunkPart, Parsed};
use super::ranges::{check_range, item_bytes, refuse_vlblocks};
use crate::error::{Error, Result};
use crate::filter::FilterId;
use crate::limits::Limits;
use crate::num::{saturating_i64, saturating_usize, to_u64};

/// The longest chunk that is read as a whole for a part of it.
const SMALL_CHUNK: usize = 4096;
/// The most bytes of the front that are read before the header is known: a table of 16 Ki blocks.
const MAX_FIRST_READ: usize = 64 << 10;
/// The assumed number of blocks, when the block size is not known.
const FEW_BLOCKS: usize = 32;

/// The number of bytes to read first of a chunk with `cbytes` bytes: all of a small one, else its
/// header and the offsets of its blocks, which have `blocksize` bytes, or an unknown size when that
/// is 0.
pub(crate) fn front_len(cbytes: u64, nbytes: Option<usize>, blocksize: usize) -> usize {
    if let Ok(cbytes) = usize::try_from(cbytes)
        && cbytes <= SMALL_CHUNK
    {
        return cbytes.max(HEADER_LEN);
    }
    let few = || bstarts_end(HEADER_LEN, FEW_BLOCKS).unwrap_or(HEADER_LEN);
    table_len(nbytes, blocksize).unwrap_or_else(few)
}

/// The length of a header and the offsets of the blocks of `nbytes` bytes, cut where it is too much
/// for a first read; `None` when a size is not known.
pub(crate) fn table_len(nbytes: Option<usize>, blocksize: usize) -> Option<usize> {
    let nblocks = nbytes?.div_ceil(Some(blocksize).filter(|&size| size > 0)?);
    let end = bstarts_end(HEADER_LEN, nblocks);
    Some(end.unwrap_or(MAX_FIRST_READ).min(MAX_FIRST_READ))
}

/// Whether every block needs the first one: DELTA does, and user-defined filters may.
pub(crate) fn needs_first(header: &ChunkHeader) -> bool {
    let own = |id: FilterId| {
        [
            FilterId::NONE,
            FilterId::SHUFFLE,
            FilterId::BITSHUFFLE,
            FilterId::TRUNC_PREC,
            FilterId::BYTEDELTA,
            FilterId::INT_TRUNC,
        ]
        .contains(&id)
    };
    !header.filters.iter().all(|slot| own(slot.id))
}

/// The length of the larger of both tables that a chunk may have whose header states a block size
/// of no whole items, as C once wrote it and cut by another ([format §14](crate::format#14)), and
/// of the size of a dictionary after it; `None` for other chunks.
pub(crate) fn odd_table(header: &ChunkHeader) -> Option<usize> {
    let blocksize = header.blocksize.min(header.nbytes).max(1);
    let rest = blocksize.checked_rem(u32::from(header.typesize));
    let rest = rest.filter(|&rest| rest > 0 && !header.is_vlblocks())?;
    let cut = blocksize.saturating_sub(rest).max(1);
    let nblocks = header.nbytes.div_ceil(cut);
    let end = bstarts_end(header.len(), saturating_usize(nblocks)).unwrap_or(usize::MAX);
    Some(end.saturating_add(BSTART_LEN))
}

/// The places of the blocks of a chunk: each reaches to the next one in the chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockPlaces {
    /// In the order of the blocks.
    pub(crate) starts: Vec<usize>,
    /// In the order of the chunk.
    sorted: Vec<usize>,
    /// The end of the chunk.
    end: usize,
}

impl BlockPlaces {
    /// The places that a table of offsets states, of a chunk that ends at `end`.
    pub(crate) fn new(table: &[u8], end: usize) -> Self {
        let starts: Vec<usize> = bstarts(table).map(saturating_usize).collect();
        let mut sorted = starts.clone();
        sorted.sort_unstable();
        Self {
            starts,
            sorted,
            end,
        }
    }

    /// The bytes of the block that begins at `start`.
    pub(crate) fn place(&self, start: usize) -> Range<usize> {
        let next = self.sorted.partition_point(|&other| other <= start);
        start..self.sorted.get(next).copied().unwrap_or(self.end)
    }

    /// The start of the first block in the chunk.
    #[cfg(feature = "frame")]
    pub(crate) fn first(&self) -> Option<usize> {
        self.sorted.first().copied()
    }
}

/// Ranges in order; those that touch or overlap are one.
pub(crate) fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_unstable_by_key(|range| range.start);
    let mut runs: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match runs.last_mut() {
            Some(run) if range.start <= run.end => run.end = run.end.max(range.end),
            _ => runs.push(range),
        }
    }
    runs
}

/// The header of a chunk, the offsets of its blocks and its dictionary: what tells which other
/// bytes of the chunk a read needs. It reads nothing itself; the caller fetches ranges of bytes
/// from wherever the chunk is.
///
/// ```
/// use oxiblosc::chunk::{ChunkFront, ChunkPart};
/// use oxiblosc::{CParams, ChunkDecoder, Limits, compress};
///
/// let items: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
/// let stored = compress(&items, &CParams::new(4).blocksize(Some(8192)))?;
/// let fetch = |range: std::ops::Range<usize>| &stored[range]; // from a server, say
///
/// // Header and offsets, by a guess that a second request corrects.
/// let mut have = ChunkFront::first_len(stored.len() as u64, Some(items.len()), None);
/// let mut needed = ChunkFront::needed_len(fetch(0..have))?;
/// while needed > have {
///     have = needed;
///     needed = ChunkFront::needed_len(fetch(0..have))?;
/// }
/// let front = ChunkFront::parse(fetch(0..have), &Limits::UNTRUSTED)?;
///
/// // The blocks of two items.
/// let wanted = [front.bytes_of_items(5..6)?, front.bytes_of_items(90_000..90_001)?];
/// let ranges = front.missing(&wanted, &[])?;
/// assert_eq!(ranges.len(), 2);
/// let parts: Vec<_> =
///     ranges.into_iter().map(|range| ChunkPart::new(range.start, fetch(range))).collect();
/// assert!(front.missing(&wanted, &parts)?.is_empty());
///
/// let mut two = [0; 8];
/// ChunkDecoder::default().decode_parts_into(&front, &parts, &wanted, &mut two)?;
/// assert_eq!(two[4..], 90_000_u32.to_le_bytes());
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[derive(Clone)]
pub struct ChunkFront {
    bytes: Vec<u8>,
    header: ChunkHeader,
    layout: Layout,
    places: BlockPlaces,
}

impl fmt::Debug for ChunkFront {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChunkFront").field(&self.header).finish()
    }
}

impl ChunkFront {
    /// How many bytes of a chunk to read first: `cbytes` is its length, `u64::MAX` where that is
    /// not known, `nbytes` its decoded size and `blocksize` that of its blocks, all in bytes.
    ///
    /// The answer is a guess that [`needed_len`](Self::needed_len) corrects: all of a chunk of at
    /// most 4 KiB, else the header and the offsets of all blocks, 32 of them where a size is not
    /// known. It may exceed a chunk of less than 32 bytes.
    pub fn first_len(cbytes: u64, nbytes: Option<usize>, blocksize: Option<usize>) -> usize {
        front_len(cbytes, nbytes, blocksize.unwrap_or(0))
    }

    /// How many bytes from the start of a chunk [`parse`](Self::parse) needs, by the bytes from
    /// its start that were read: a number that they reach is final, another one may grow once
    /// more, at most twice.
    ///
    /// Of a chunk without blocks that is the header, and the value that it repeats. It is at most
    /// the length that the header states, 32 before there is one.
    ///
    /// # Errors
    /// As [`ChunkHeader::parse`], except that bytes may be missing.
    pub fn needed_len(have: &[u8]) -> Result<usize> {
        let is_extended = have
            .get(2)
            .is_none_or(|flags| flags & flag::EXTENDED == flag::EXTENDED);
        if have.len() < BLOSC1_HEADER_LEN || (is_extended && have.len() < HEADER_LEN) {
            return Ok(HEADER_LEN);
        }
        let header = ChunkHeader::parse(have)?;
        let cbytes = saturating_usize(header.cbytes);
        if header.special_kind()?.is_some() {
            return Ok(cbytes);
        }
        if header.is_memcpyed() && !header.is_vlblocks() {
            return Ok(header.len());
        }
        let blocksize = header.blocksize.min(header.nbytes).max(1);
        let nblocks = match header.is_vlblocks() {
            true => header.blocksize,
            false => header.nbytes.div_ceil(blocksize),
        };
        let table = bstarts_end(header.len(), saturating_usize(nblocks)).unwrap_or(usize::MAX);
        let end = match odd_table(&header) {
            // Where the dictionary is depends on the table that is really there.
            Some(_) if header.has_dict() => usize::MAX,
            Some(end) => end,
            None if header.has_dict() => {
                let size_end = table.saturating_add(BSTART_LEN);
                let size = have.get(table..size_end).map(|size| bstarts(size).next());
                let size = size
                    .flatten()
                    .map_or(0, |size| usize::try_from(size).unwrap_or(0));
                size_end.saturating_add(size)
            }
            None => table,
        };
        Ok(end.min(cbytes))
    }

    /// Takes the front of a chunk apart; `front` are bytes from its start, as many as
    /// [`needed_len`](Self::needed_len) says or more. Bytes of blocks among them are not used.
    ///
    /// # Errors
    /// As [`ChunkView::parse`](super::ChunkView::parse); [`Error::Truncated`] for too few bytes.
    pub fn parse(front: &[u8], limits: &Limits) -> Result<Self> {
        let needed = Self::needed_len(front)?;
        let bytes = front.get(..needed).unwrap_or(front);
        let view = Parsed::in_parts(bytes, &[])?;
        limits.check_chunk(to_u64(view.nbytes()), Some(4))?;
        view.check_blocks()?;
        let layout = *view.layout();
        let places = match layout.payload {
            Payload::Blocks => {
                let table = bstarts_end(layout.header.len(), layout.nblocks);
                let table = layout.header.len()..table.unwrap_or(usize::MAX);
                BlockPlaces::new(bytes.get(table).unwrap_or_default(), layout.cbytes)
            }
            _ => BlockPlaces::default(),
        };
        Ok(Self {
            bytes: bytes.to_vec(),
            header: view.header(),
            layout,
            places,
        })
    }

    /// The header, as stored.
    pub fn header(&self) -> &ChunkHeader {
        &self.header
    }

    /// The bytes of the front, as stored.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The decoded size of the chunk in bytes.
    pub fn nbytes(&self) -> usize {
        self.layout.nbytes
    }

    /// The length of the chunk in bytes, this front included.
    pub fn cbytes(&self) -> usize {
        self.layout.cbytes
    }

    /// The number of blocks.
    pub fn nblocks(&self) -> usize {
        self.layout.nblocks
    }

    /// The size in bytes that the data is cut by, the last block possibly being shorter. `None`
    /// for variable-length blocks.
    pub fn blocksize(&self) -> Option<usize> {
        (self.layout.payload != Payload::VlBlocks).then_some(self.layout.blocksize)
    }

    /// The decoded bytes of some items, which have the stored typesize.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when the range exceeds the chunk; [`Error::InvalidParam`] when it
    /// ends before it begins.
    pub fn bytes_of_items(&self, items: Range<usize>) -> Result<Range<usize>> {
        item_bytes(&self.layout, &items)
    }

    /// The decoded bytes of a block.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when there is no such block; [`Error::Refused`] for variable-length
    /// blocks.
    pub fn bytes_of_block(&self, block: usize) -> Result<Range<usize>> {
        refuse_vlblocks(&self.layout)?;
        if block >= self.layout.nblocks {
            let (index, len) = (to_u64(block), to_u64(self.layout.nblocks));
            return Err(Error::out_of_bounds("block", index, len));
        }
        let start = block.saturating_mul(self.layout.blocksize);
        Ok(start..start.saturating_add(self.layout.block_len(block)))
    }

    /// The ranges of bytes of the chunk to fetch before [`decode_parts_into`] can decode `wanted`,
    /// ranges of decoded bytes, with those that are held in `parts`: in order, none of them
    /// touching another. Nothing when nothing is missing.
    ///
    /// Each is for one part, which may hold more. Of a chunk whose blocks use bytes of others, as
    /// a damaged one may, this is the whole chunk, once parts show it.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] or [`Error::InvalidParam`] for a range that the chunk does not have;
    /// [`Error::Refused`] for variable-length blocks, whose positions in the data only the blocks
    /// state; [`Error::InvalidParam`] when parts are not in order or overlap.
    ///
    /// [`decode_parts_into`]: crate::ChunkDecoder::decode_parts_into
    pub fn missing(
        &self,
        wanted: &[Range<usize>],
        parts: &[ChunkPart<'_>],
    ) -> Result<Vec<Range<usize>>> {
        refuse_vlblocks(&self.layout)?;
        let view = self.view(parts)?;
        for range in wanted {
            check_range("byte", range, self.layout.nbytes)?;
        }
        let wanted = wanted.iter().filter(|range| !range.is_empty());
        match self.layout.payload {
            Payload::Special(_) | Payload::VlBlocks => Ok(Vec::new()),
            Payload::Memcpyed(at) => {
                let place = |range: &Range<usize>| {
                    at.saturating_add(range.start)..at.saturating_add(range.end)
                };
                let places = wanted.map(place);
                let absent = places.filter(|place| view.part(place).is_none());
                Ok(joined(absent.collect()))
            }
            Payload::Blocks => {
                let blocksize = self.layout.blocksize.max(1);
                let block = |at: usize| at.checked_div(blocksize).unwrap_or(0);
                let of = |range: &Range<usize>| {
                    block(range.start)..block(range.end.saturating_sub(1)).saturating_add(1)
                };
                let mut blocks = joined(wanted.map(of).collect());
                if needs_first(&self.header) && !blocks.is_empty() {
                    blocks.push(0..1);
                }
                Ok(self.missing_blocks(&joined(blocks), &view))
            }
        }
    }

    /// The ranges that these blocks lack.
    fn missing_blocks(&self, blocks: &[Range<usize>], view: &Parsed<'_>) -> Vec<Range<usize>> {
        let starts = |range: &Range<usize>| self.places.starts.get(range.clone());
        let starts = blocks
            .iter()
            .flat_map(|range| starts(range).unwrap_or_default());
        let places = starts.map(|&start| self.places.place(start));
        let absent: Vec<_> = places.filter(|place| view.part(place).is_none()).collect();
        if !absent.is_empty() {
            return joined(absent);
        }
        // The rest of a block that continues in another one. A part that holds all to the end of
        // the chunk lacks nothing that there is.
        let whole = 0..self.layout.cbytes;
        let lacks = |block: usize| {
            matches!(view.walk(block), Err(Error::Truncated { .. }))
                && self
                    .places
                    .starts
                    .get(block)
                    .is_some_and(|&start| view.part(&(start..whole.end)).is_none())
        };
        let lacking = blocks.iter().cloned().flatten().any(lacks);
        Vec::from_iter(lacking.then_some(whole))
    }

    /// The chunk, of which these parts were fetched.
    pub(crate) fn view<'a>(&'a self, parts: &'a [ChunkPart<'a>]) -> Result<Parsed<'a>> {
        let mut end = 0;
        for part in parts {
            if part.at < end {
                return Err(Error::InvalidParam {
                    name: "offset of a part",
                    value: saturating_i64(part.at),
                    expected: "at least the end of the part before it",
                });
            }
            end = part.at.saturating_add(part.bytes.len());
        }
        Ok(Parsed::of_front(&self.bytes, self.layout, parts))
    }
}
