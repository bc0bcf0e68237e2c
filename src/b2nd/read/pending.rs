//! Chunks as readers see them: stored ones, and those of rows that are not stored yet.

use std::borrow::Cow;
use std::ops::Range;

use crate::b2nd::array::Array;
use crate::b2nd::copy::{BufferBox, Direction, copy_part};
use crate::b2nd::layout::region::Region;
use crate::chunk::{ChunkDecoder, ChunkEncoder};
use crate::error::Result;
use crate::num::saturating_usize;
use crate::params::CParams;
use crate::schunk::{ChunkSource, StoredChunk};

impl<C: ChunkSource> Array<C> {
    /// Whether the bytes of a chunk are in memory.
    pub(crate) fn chunk_is_in_memory(&self, nchunk: u64) -> bool {
        self.tail.chunk(nchunk).is_some() || self.chunks.chunk_is_in_memory(nchunk)
    }

    /// A chunk as stored, or uncompressed with the rows that are not stored yet.
    pub(crate) fn chunk_now(&self, nchunk: u64) -> Result<StoredChunk<'_>> {
        match self.pending_chunk(nchunk)? {
            Some(chunk) => Ok(StoredChunk::Bytes(Cow::Borrowed(chunk))),
            None => self.chunks.chunk(nchunk),
        }
    }

    /// Decodes a chunk.
    pub(crate) fn decode_now(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        dst: &mut [u8],
    ) -> Result<usize> {
        match self.pending_chunk(nchunk)? {
            Some(chunk) => decoder.in_chunk(nchunk, |decoder| decoder.decode_into(chunk, dst)),
            None => self.chunks.decode_chunk_into(decoder, nchunk, dst),
        }
    }

    /// Decodes bytes of a chunk.
    pub(crate) fn decode_bytes_now(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        if self.tail.chunk(nchunk).is_none() {
            return self
                .chunks
                .decode_chunk_bytes_into(decoder, nchunk, bytes, dst);
        }
        let (chunk, layout) = (self.chunk_now(nchunk)?, self.chunks.layout());
        decoder.in_chunk(nchunk, |decoder| {
            chunk.decode_bytes_into(decoder, &layout, bytes, dst)
        })
    }

    /// Decodes ranges of bytes of a chunk.
    pub(crate) fn decode_ranges_now(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        ranges: &[Range<usize>],
        dst: &mut [u8],
    ) -> Result<usize> {
        if self.tail.chunk(nchunk).is_none() {
            return self
                .chunks
                .decode_chunk_ranges_into(decoder, nchunk, ranges, dst);
        }
        let (chunk, layout) = (self.chunk_now(nchunk)?, self.chunks.layout());
        decoder.in_chunk(nchunk, |decoder| {
            chunk.decode_ranges_into(decoder, &layout, ranges, dst)
        })
    }

    /// The box of the rows that are not stored yet.
    pub(crate) fn pending_region(&self) -> Region {
        let mut region = Region::whole(self.shape());
        region.lo[0] = self.tail.first;
        region
    }

    /// A chunk that holds rows that are not stored yet, uncompressed.
    fn pending_chunk(&self, nchunk: u64) -> Result<Option<&[u8]>> {
        let Some(place) = self.tail.chunk(nchunk) else {
            return Ok(None);
        };
        if let Some(chunk) = place.get() {
            return Ok(Some(chunk));
        }
        let chunksize = self.grid.chunksize();
        self.dparams.limits.check_alloc(chunksize as u64, None)?;
        let mut data = vec![0; chunksize];
        if nchunk < self.chunks.layout().nchunks {
            // A postfilter has its turn when the chunk is read.
            let mut dparams = self.dparams.clone();
            dparams.postfilter = None;
            let mut decoder = ChunkDecoder::new(dparams);
            let len = self
                .chunks
                .decode_chunk_into(&mut decoder, nchunk, &mut data)?;
            self.check_len(nchunk, len)?;
        }
        let coords = self.grid.chunk_coords(nchunk);
        let pending = self.pending_region();
        let part = self.grid.chunk_box(&coords).and(&pending);
        let from = Direction::In(&mut data, &self.tail.bytes);
        copy_part(&self.grid, &coords, &part, &BufferBox::new(pending), from)?;
        let blocksize = saturating_usize(self.grid.blocksize());
        let cparams = CParams::new(saturating_usize(self.typesize()))
            .clevel(0)
            .filters([])
            .blocksize(Some(blocksize));
        let chunk = ChunkEncoder::new(cparams)?.encode(&data)?;
        self.tail.note_built();
        Ok(Some(place.get_or_init(|| chunk)))
    }
}
