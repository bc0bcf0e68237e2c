//! A chunk whose blocks are read from the storage on demand.
//!
//! ```text
//! on the storage   | header | bstarts | block 2 | block 0 | block 1 |
//! in memory        | header | bstarts |         | block 0 |         |     the rest is not read
//! ```
//!
//! The copy in memory has the length of the chunk, so decoders work on it as on any chunk, as
//! long as they look at blocks that are there.

use std::fmt;
use std::ops::Range;
use std::slice::from_ref;

use crate::chunk::{
    BlockPlaces, ChunkDecoder, ChunkHeader, ChunkView, Special, bstarts_end, joined, needs_first,
    odd_table,
};
use crate::error::{Error, Part, Result};
use crate::frame::store::located::Located;
use crate::limits::Limits;
use crate::num::{saturating_usize, to_u64};
use crate::schunk::{
    check_range, decode_bytes_into, decode_ranges_into, decode_special, fill_ranges,
};

/// A chunk of a frame, read block by block.
///
/// Made by [`FrameReader::lazy_chunk`](crate::frame::FrameReader::lazy_chunk), which reads only its
/// header and its table of blocks. Blocks that were read stay in memory.
///
/// ```
/// use oxiblosc::{CParams, ChunkDecoder, DParams, FrameReader, SChunk};
///
/// let items: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
/// let mut schunk = SChunk::new(CParams::new(4).blocksize(Some(4096)), items.len())?;
/// schunk.append(&items)?;
/// let reader = FrameReader::from_bytes(schunk.to_cframe()?, DParams::new())?;
/// let mut chunk = reader.lazy_chunk(0)?;
/// let mut part = [0; 40];
/// chunk.decode_bytes_into(&mut ChunkDecoder::default(), 200_000..200_040, &mut part)?;
/// assert_eq!(part, items[200_000..200_040]);
/// assert!(chunk.bytes_read() < 10_000);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[doc(alias = "blosc2_schunk_get_lazychunk")]
#[derive(Debug)]
pub struct LazyChunk<'a> {
    nchunk: u64,
    /// The typesize and the block size of the frame.
    sizes: (usize, usize),
    nbytes: usize,
    body: Body<'a>,
}

#[derive(Debug)]
enum Body<'a> {
    Special(Special<'static>),
    Stored(Box<Stored<'a>>),
}

struct Stored<'a> {
    located: Located<'a>,
    header: ChunkHeader,
    /// As long as the chunk; zeros where nothing was read yet.
    bytes: Vec<u8>,
    blocks: Vec<Block>,
    /// The size of the blocks in bytes, uncompressed.
    blocksize: usize,
    /// The number of bytes read from the storage.
    read: u64,
    /// The number of bytes read first.
    front: usize,
    /// The bytes between the table and the first block, until they are read.
    between: Range<usize>,
}

impl fmt::Debug for Stored<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stored")
            .field("located", &self.located)
            .field("header", &self.header)
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Debug)]
struct Block {
    place: Range<usize>,
    loaded: bool,
}

impl<'a> LazyChunk<'a> {
    pub(crate) fn special(
        nchunk: u64,
        special: Special<'static>,
        sizes: (usize, usize),
        nbytes: usize,
    ) -> Self {
        Self {
            nchunk,
            sizes,
            nbytes,
            body: Body::Special(special),
        }
    }

    /// A chunk that begins with `front`, which was read already; reads the rest of the table of
    /// blocks, if any.
    pub(crate) fn stored(
        nchunk: u64,
        sizes: (usize, usize),
        located: Located<'a>,
        front: &[u8],
    ) -> Result<Self> {
        let stored = Stored::open(nchunk, located, front)?;
        let nbytes = saturating_usize(stored.header.nbytes);
        Ok(Self {
            nchunk,
            sizes,
            nbytes,
            body: Body::Stored(Box::new(stored)),
        })
    }

    /// The header; `None` when the chunk is only a special value in the index.
    pub fn header(&self) -> Option<&ChunkHeader> {
        match &self.body {
            Body::Special(_) => None,
            Body::Stored(stored) => Some(&stored.header),
        }
    }

    /// The uncompressed size in bytes.
    pub fn nbytes(&self) -> usize {
        self.nbytes
    }

    /// The number of bytes read from the storage.
    pub fn bytes_read(&self) -> u64 {
        match &self.body {
            Body::Special(_) => 0,
            Body::Stored(stored) => stored.read,
        }
    }

    /// The header and the table of blocks, as they are stored; `None` when the chunk is only a
    /// special value in the index. What follows the header of a chunk without blocks is not part of
    /// it.
    pub fn front(&self) -> Option<&[u8]> {
        let Body::Stored(stored) = &self.body else {
            return None;
        };
        let end = bstarts_end(stored.header.len(), stored.blocks.len());
        Some(stored.bytes.get(..end?).unwrap_or_default())
    }

    /// The ranges of bytes of the chunk in which its blocks lie, in the order of the blocks: each
    /// reaches to the next one in the chunk. None when the chunk has no table of blocks.
    pub fn block_places(&self) -> impl ExactSizeIterator<Item = Range<usize>> {
        let blocks = match &self.body {
            Body::Special(_) => &[],
            Body::Stored(stored) => stored.blocks.as_slice(),
        };
        blocks.iter().map(|block| block.place.clone())
    }

    /// The bytes of the chunk, of which those blocks were read that hold the data `bytes`; zeros
    /// stand for the others. Decoders take it as the chunk while they decode such data only.
    ///
    /// ```
    /// use oxiblosc::{CParams, ChunkDecoder, DParams, FrameReader, SChunk};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut schunk = SChunk::new(CParams::new(1).blocksize(Some(1000)), 9000)?;
    /// let data: Vec<u8> = (0..9000_u32).map(|i| i.to_le_bytes()[usize::from(i > 300)]).collect();
    /// schunk.append(&data)?;
    /// let reader = FrameReader::from_bytes(schunk.to_cframe()?, DParams::new())?;
    /// let mut chunk = reader.lazy_chunk(0)?;
    /// let part = chunk.bytes_for(4100..4200)?;
    /// assert_eq!(ChunkDecoder::default().decode_bytes(part, 4100..4200)?, data[4100..4200]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the range is longer than the chunk, or a block cannot be read; [`Error::Refused`] when
    /// the chunk is only a special value in the index.
    pub fn bytes_for(&mut self, bytes: Range<usize>) -> Result<&[u8]> {
        check_range(&bytes, self.nbytes)?;
        let loaded = match &mut self.body {
            Body::Special(_) => Err(Error::Refused {
                what: "read the bytes of the chunk",
                why: "the index alone describes it",
            }),
            Body::Stored(stored) => stored.load(&bytes, true),
        };
        loaded.map_err(|error| self.failed(error))?;
        Ok(match &self.body {
            Body::Special(_) => &[],
            Body::Stored(stored) => &stored.bytes,
        })
    }

    /// An error of this chunk, with its number and its file.
    fn failed(&self, error: Error) -> Error {
        match &self.body {
            Body::Special(_) => error.in_chunk(self.nchunk),
            Body::Stored(stored) => stored.located.in_chunk(self.nchunk, error),
        }
    }

    /// Decodes one variable-length block; reads it, unless it was read before. With a postfilter,
    /// the blocks before it are read, too.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when there is no such block; [`Error::Refused`] when the blocks are
    /// of one size; when the block cannot be read or decoded.
    pub fn decode_vlblock(&mut self, decoder: &mut ChunkDecoder, block: usize) -> Result<Vec<u8>> {
        // A postfilter receives the position of the block.
        let positioned = decoder.dparams().postfilter.is_some();
        let done = decoder.in_chunk(self.nchunk, |decoder| match &mut self.body {
            Body::Special(_) => Err(Error::Refused {
                what: "read a variable-length block",
                why: "the blocks of this chunk are of one size",
            }),
            Body::Stored(stored) => stored.load_vlblock(block, positioned).and_then(|()| {
                let base = stored.located.base();
                let bytes = decoder.decode_vlblock(&stored.bytes, block);
                bytes.map_err(|error| error.rebase(base))
            }),
        });
        done.map_err(|error| self.failed(error))
    }

    /// Decodes bytes into the front of `dst` and returns their number; reads the blocks that hold
    /// them, unless they were read before ([format §8.3](crate::format#8.3)). Of a chunk with
    /// variable-length blocks, all are read: only the blocks themselves contain their sizes.
    ///
    /// # Errors
    /// When the range is longer than the chunk, a block cannot be read or decoded, or `dst` is
    /// too small.
    pub fn decode_bytes_into(
        &mut self,
        decoder: &mut ChunkDecoder,
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        check_range(&bytes, self.nbytes)?;
        let nbytes = self.nbytes;
        // A postfilter takes whole blocks.
        let whole = decoder.dparams().postfilter.is_some();
        let done = decoder.in_chunk(self.nchunk, |decoder| match &mut self.body {
            Body::Special(special) => decode_special(
                decoder,
                *special,
                self.sizes,
                nbytes,
                (bytes.start, bytes.end),
                dst,
            ),
            Body::Stored(stored) => stored.load(&bytes, whole).and_then(|()| {
                let base = stored.located.base();
                decode_bytes_into(decoder, &stored.bytes, bytes, dst)
                    .map_err(|error| error.rebase(base))
            }),
        });
        done.map_err(|error| self.failed(error))
    }

    /// Reads the blocks that hold these ranges of bytes, in one request, unless they were read
    /// before.
    ///
    /// # Errors
    /// When a range is longer than the chunk, or a block cannot be read.
    pub fn load(&mut self, ranges: &[Range<usize>]) -> Result<()> {
        for range in ranges {
            check_range(range, self.nbytes)?;
        }
        let loaded = match &mut self.body {
            Body::Special(_) => Ok(()),
            Body::Stored(stored) => stored.load_all(ranges, false),
        };
        loaded.map_err(|error| self.failed(error))
    }

    /// Decodes ranges of bytes, in order, into the front of `dst`, and returns their number; each
    /// block that holds some of them is read and decoded once ([format §8.3](crate::format#8.3)).
    ///
    /// # Errors
    /// As [`decode_bytes_into`](Self::decode_bytes_into).
    pub fn decode_ranges_into(
        &mut self,
        decoder: &mut ChunkDecoder,
        ranges: &[Range<usize>],
        dst: &mut [u8],
    ) -> Result<usize> {
        for range in ranges {
            check_range(range, self.nbytes)?;
        }
        let (sizes, nbytes) = (self.sizes, self.nbytes);
        let whole = decoder.dparams().postfilter.is_some();
        let done = decoder.in_chunk(self.nchunk, |decoder| match &mut self.body {
            Body::Special(special) => fill_ranges(ranges, nbytes, dst, |range, dst| {
                let range = (range.start, range.end);
                decode_special(decoder, *special, sizes, nbytes, range, dst)
            }),
            Body::Stored(stored) => stored.load_all(ranges, whole).and_then(|()| {
                let base = stored.located.base();
                decode_ranges_into(decoder, &stored.bytes, ranges, dst)
                    .map_err(|error| error.rebase(base))
            }),
        });
        done.map_err(|error| self.failed(error))
    }
}

impl<'a> Stored<'a> {
    fn open(nchunk: u64, located: Located<'a>, front: &[u8]) -> Result<Self> {
        let header = located.header(front);
        let header = header.map_err(|error| located.in_chunk(nchunk, error))?;
        let cbytes = saturating_usize(header.cbytes);
        let mut stored = Self {
            located,
            header,
            bytes: vec![0; cbytes],
            blocks: Vec::new(),
            blocksize: saturating_usize(header.blocksize.min(header.nbytes).max(1)),
            read: front.len() as u64,
            front: front.len(),
            between: 0..0,
        };
        let known = front.len().min(cbytes);
        if let (Some(bytes), Some(front)) = (stored.bytes.get_mut(..known), front.get(..known)) {
            bytes.copy_from_slice(front);
        }
        match stored.find() {
            Ok(()) => Ok(stored),
            Err(error) => Err(stored.located.in_chunk(nchunk, error)),
        }
    }

    /// Finds the blocks, where the chunk has any.
    fn find(&mut self) -> Result<()> {
        let special = self.header.special_kind();
        let special = special.map_err(|error| error.rebase(self.located.base()))?;
        if special.is_some() || self.header.is_memcpyed() {
            return Ok(());
        }
        let table = self.read_table()?;
        self.find_blocks(table)
    }

    /// Reads the table of blocks and returns its range.
    fn read_table(&mut self) -> Result<Range<usize>> {
        let header = self.header;
        let at = header.len();
        let blocksize = header.blocksize.min(header.nbytes).max(1);
        let end = |nblocks: usize| bstarts_end(at, nblocks);
        let mut nblocks = saturating_usize(if header.is_vlblocks() {
            header.blocksize
        } else {
            header.nbytes.div_ceil(blocksize)
        });
        let odd = odd_table(&header);
        if let Some(both) = odd {
            // The larger of both possible tables, and the length of a dictionary after it, decide.
            self.read(at..both.min(self.bytes.len()))?;
            let view = ChunkView::parse(&self.bytes, &Limits::FORMAT);
            let view = view.map_err(|error| error.rebase(self.located.base()))?;
            nblocks = view.nblocks();
            self.blocksize = view.blocksize().unwrap_or(self.blocksize);
        }
        let table = end(nblocks).filter(|&end| end <= self.bytes.len());
        let table = at..table.ok_or_else(|| Error::Truncated {
            part: Part::Bstarts,
            offset: self.located.base().saturating_add(at as u64),
            needed: to_u64(nblocks).saturating_mul(4),
            available: self.bytes.len().saturating_sub(at) as u64,
        })?;
        if odd.is_none() {
            self.read(table.clone())?;
        }
        Ok(table)
    }

    /// Finds the ranges of the blocks, and of the bytes before all of them: a dictionary.
    fn find_blocks(&mut self, table: Range<usize>) -> Result<()> {
        let end = self.bytes.len();
        let places = BlockPlaces::new(self.bytes.get(table.clone()).unwrap_or_default(), end);
        let starts = &places.starts;
        if let Some(block) = starts
            .iter()
            .position(|&start| start < table.end || start >= end)
        {
            let at = table.start.saturating_add(block.saturating_mul(4)) as u64;
            let start = starts.get(block).copied().unwrap_or_default();
            return Err(Error::out_of_range(
                Part::Bstarts,
                self.located.base().saturating_add(at),
                "block offset",
                start,
                table.end,
                end.saturating_sub(1),
            ));
        }
        self.blocks = starts
            .iter()
            .map(|start| Block {
                place: places.place(*start),
                loaded: false,
            })
            .collect();
        self.between = table.end..places.first().unwrap_or(end);
        self.between.start = self.between.start.max(self.front.min(self.between.end));
        Ok(())
    }

    /// Reads the blocks that decoding `bytes` needs; of a chunk that is a copy of its data only
    /// these bytes, unless blocks are `whole`.
    fn load(&mut self, bytes: &Range<usize>, whole: bool) -> Result<()> {
        if self.blocks.is_empty() {
            let start = self.header.len();
            let special = self.header.special_kind().is_ok_and(|kind| kind.is_some());
            let payload = if self.header.is_memcpyed() && !special {
                let at = self.header.memcpyed_at();
                let bytes = match whole {
                    true => self.blocks_around(bytes),
                    false => bytes.clone(),
                };
                at.saturating_add(bytes.start)..at.saturating_add(bytes.end)
            } else {
                start..self.bytes.len()
            };
            return self.read(payload);
        }
        if self.header.is_vlblocks() {
            return self.load_blocks(from_ref(&(0..self.blocks.len())));
        }
        self.load_blocks(&[self.first(), self.touched(bytes)])
    }

    /// The block that every other one needs, if there is one.
    fn first(&self) -> Range<usize> {
        0..usize::from(needs_first(&self.header))
    }

    /// Reads one variable-length block, and those before it when its position is `wanted`: only the
    /// blocks contain their sizes. The decoder refuses a number that is out of range.
    fn load_vlblock(&mut self, block: usize, wanted: bool) -> Result<()> {
        if !self.header.is_vlblocks() || block >= self.blocks.len() {
            return Ok(());
        }
        let first = if wanted { 0 } else { block };
        self.load_blocks(from_ref(&(first..block.saturating_add(1))))
    }

    /// The blocks that hold some of `bytes`.
    fn touched(&self, bytes: &Range<usize>) -> Range<usize> {
        bytes.start / self.blocksize..bytes.end.div_ceil(self.blocksize)
    }

    /// The data of the blocks that hold some of `bytes`.
    fn blocks_around(&self, bytes: &Range<usize>) -> Range<usize> {
        let blocks = self.touched(bytes);
        let nbytes = saturating_usize(self.header.nbytes);
        let start = blocks.start.saturating_mul(self.blocksize);
        start..blocks.end.saturating_mul(self.blocksize).min(nbytes)
    }

    /// Reads the blocks that decoding `ranges` needs, in one request where they have a table.
    fn load_all(&mut self, ranges: &[Range<usize>], whole: bool) -> Result<()> {
        if !self.blocks.is_empty() && !self.header.is_vlblocks() {
            let wanted = ranges.iter().filter(|range| !range.is_empty());
            let mut blocks: Vec<_> = wanted.map(|range| self.touched(range)).collect();
            blocks.push(self.first());
            return self.load_blocks(&blocks);
        }
        let mut pending: Option<Range<usize>> = None;
        for range in ranges {
            if range.is_empty() {
                continue;
            }
            if let Some(run) = &mut pending {
                let (run_blocks, blocks) = (self.touched(run), self.touched(range));
                if range.start >= run.start && blocks.start <= run_blocks.end {
                    run.end = run.end.max(range.end);
                    continue;
                }
            }
            if let Some(run) = pending.replace(range.clone()) {
                self.load(&run, whole)?;
            }
        }
        pending.map_or(Ok(()), |run| self.load(&run, whole))
    }

    fn load_blocks(&mut self, wanted: &[Range<usize>]) -> Result<()> {
        // Adjacent blocks share one range, whatever their order in the chunk.
        let blocks = |range: &Range<usize>| self.blocks.get(range.clone()).unwrap_or_default();
        let missing = wanted.iter().flat_map(blocks).filter(|block| !block.loaded);
        let mut places: Vec<_> = missing.map(|block| block.place.clone()).collect();
        if places.is_empty() {
            return Ok(());
        }
        places.push(self.between.clone());
        let runs = joined(places);
        match runs.as_slice() {
            [run] => self.read(run.clone())?,
            runs => self.read_all(runs)?,
        }
        self.between = 0..0;
        let is_wanted = |index: &usize| wanted.iter().any(|range| range.contains(index));
        let mut blocks = self.blocks.iter().enumerate();
        let all = blocks.all(|(index, block)| block.loaded || is_wanted(&index));
        let mut loaded = wanted;
        let whole = 0..self.blocks.len();
        if !all && !wanted.iter().all(|range| self.is_enough(range.clone())) {
            self.front = 0;
            self.read(0..self.bytes.len())?;
            loaded = from_ref(&whole);
        }
        // Only now: after a failed read, the blocks are read again.
        for range in loaded {
            for block in self.blocks.get_mut(range.clone()).unwrap_or_default() {
                block.loaded = true;
            }
        }
        Ok(())
    }

    /// Whether blocks end before the next one in the storage begins. In a damaged chunk they may
    /// overlap others, which decoding the whole chunk accepts.
    fn is_enough(&self, mut wanted: Range<usize>) -> bool {
        ChunkView::parse(&self.bytes, &Limits::FORMAT).is_ok_and(|view| {
            wanted.all(|index| {
                let place = self.blocks.get(index).map(|block| &block.place);
                let end = view.block_end(index);
                end.is_ok_and(|end| place.is_some_and(|place| end <= place.end))
            })
        })
    }

    /// Reads ranges, which are in order and do not overlap, in one request.
    fn read_all(&mut self, runs: &[Range<usize>]) -> Result<()> {
        let mut bufs = Vec::with_capacity(runs.len());
        let (mut rest, mut at) = (self.bytes.as_mut_slice(), 0);
        for run in runs {
            let skip = run.start.saturating_sub(at).min(rest.len());
            let (_, tail) = rest.split_at_mut(skip);
            let (buf, tail) = tail.split_at_mut(run.len().min(tail.len()));
            self.read = self.read.saturating_add(buf.len() as u64);
            bufs.push(buf);
            (rest, at) = (tail, run.end);
        }
        self.located.read_ranges(runs, &mut bufs)
    }

    fn read(&mut self, mut place: Range<usize>) -> Result<()> {
        place.start = place.start.max(self.front.min(place.end));
        let at = place.start as u64;
        let Some(bytes) = self.bytes.get_mut(place).filter(|bytes| !bytes.is_empty()) else {
            return Ok(());
        };
        self.read = self.read.saturating_add(bytes.len() as u64);
        self.located.read_at(at, bytes)
    }
}
