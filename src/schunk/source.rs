//! Reading the chunks of a super-chunk.

use std::ops::Range;

use super::layout::ChunkLayout;
use super::metalayers::Metalayers;
use super::sizes::Sizes;
use super::stored::StoredChunk;
use crate::chunk::{ChunkDecoder, Special};
use crate::error::{Error, Result};
use crate::num::{saturating_usize, to_u64};
use crate::params::{CParams, DParams};

/// Chunks to read.
///
/// Sources are `Send` and `Sync`: decoding takes `&self`, so threads share one source.
///
/// ```
/// use oxiblosc::{CParams, ChunkDecoder, ChunkSource, SChunk};
///
/// /// Works for super-chunks in memory and for frames anywhere.
/// fn first_byte_of_each(source: &impl ChunkSource) -> oxiblosc::Result<Vec<u8>> {
///     let mut decoder = ChunkDecoder::new(source.dparams().clone());
///     let mut byte = [0];
///     (0..source.layout().nchunks)
///         .map(|n| {
///             source.decode_chunk_bytes_into(&mut decoder, n, 0..1, &mut byte)?;
///             Ok(byte[0])
///         })
///         .collect()
/// }
///
/// let mut schunk = SChunk::new(CParams::new(1), 100)?;
/// schunk.append(&[[1; 100], [2; 100], [3; 100]].concat())?;
/// assert_eq!(first_byte_of_each(&schunk)?, [1, 2, 3]);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
pub trait ChunkSource: Send + Sync {
    /// The sizes of items, blocks and chunks.
    fn layout(&self) -> ChunkLayout;

    /// The chunk with this index, as stored.
    ///
    /// # Errors
    /// When there is no such chunk, or it cannot be read.
    #[doc(alias = "blosc2_schunk_get_chunk")]
    fn chunk(&self, nchunk: u64) -> Result<StoredChunk<'_>>;

    /// The parameters with which this source was opened: limits, threads, user-defined codecs and
    /// instruction set. Everything opened on the source uses them.
    #[doc(alias = "blosc2_schunk_get_dparams")]
    fn dparams(&self) -> &DParams;

    /// The parameters with which new chunks are compressed, as far as the source knows them: codec,
    /// level, filters and their like; `None` by default. A frame states them in its header. Arrays
    /// opened on the source compress with them.
    #[doc(alias = "blosc2_schunk_get_cparams")]
    fn chunk_cparams(&self) -> Option<CParams> {
        None
    }

    /// The fixed metalayers.
    fn metalayers(&self) -> &Metalayers;

    /// The content of a variable-length metalayer, decompressed.
    ///
    /// # Errors
    /// When its chunk is damaged or larger than the limits allow.
    fn vlmetalayer(&self, name: &str) -> Result<Option<Vec<u8>>>;

    /// The names of the variable-length metalayers, in the order in which they were added.
    #[doc(alias = "blosc2_vlmeta_get_names")]
    fn vlmetalayer_names(&self) -> Vec<String>;

    /// Decodes a chunk into `dst` and returns its size in bytes. Implementations decode inside of
    /// [`ChunkDecoder::in_chunk`], so that postfilters receive the number of the chunk.
    ///
    /// # Errors
    /// When the chunk cannot be read or decoded, or `dst` is too small.
    #[doc(alias = "blosc2_schunk_decompress_chunk")]
    fn decode_chunk_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        dst: &mut [u8],
    ) -> Result<usize>;

    /// Reads the sizes, the index and the metalayers again when others have changed the source, and
    /// returns whether they have. Does nothing by default.
    ///
    /// # Errors
    /// When the storage fails, or is damaged.
    fn refresh(&mut self) -> Result<bool> {
        Ok(false)
    }

    /// The value of a chunk that is stored as a special value without bytes, when it is known
    /// without reading the chunk. `None` by default; the chunk may still hold a special value.
    fn special_value(&self, nchunk: u64) -> Option<Special<'static>> {
        let _ = nchunk;
        None
    }

    /// Whether [`chunk`](Self::chunk) returns a reference to the bytes of this chunk, without
    /// reading or copying them. False by default.
    fn chunk_is_in_memory(&self, nchunk: u64) -> bool {
        let _ = nchunk;
        false
    }

    /// Whether chunks come from far away, so that arrays read only the blocks that a request
    /// touches, however many they are ([`ReadAt::is_far`](crate::storage::ReadAt::is_far)). False
    /// by default.
    fn chunks_are_far(&self) -> bool {
        false
    }

    /// The uncompressed size of a chunk in bytes.
    ///
    /// # Errors
    /// When there is no such chunk, or its header cannot be read.
    fn chunk_nbytes(&self, nchunk: u64) -> Result<usize> {
        let layout = self.layout();
        if nchunk >= layout.nchunks {
            return Err(Error::OutOfBounds {
                what: "chunk",
                index: nchunk,
                len: layout.nchunks,
            });
        }
        if let Some(nbytes) = Sizes::of(&layout).chunk_nbytes(nchunk) {
            return Ok(nbytes);
        }
        let nbytes = self.chunk(nchunk)?.nbytes();
        nbytes.map_err(|error| error.in_chunk(nchunk))
    }

    /// The chunk that holds a byte of the whole super-chunk, and the first byte of that chunk; the
    /// numbers of chunks and bytes when the byte is beyond the end. When chunks differ in size,
    /// this may read the headers of all chunks before.
    ///
    /// # Errors
    /// When a chunk header cannot be read.
    fn find_chunk(&self, byte: u64) -> Result<(u64, u64)> {
        let layout = self.layout();
        if let Some(chunksize) = layout.chunksize.filter(|&size| size > 0) {
            let chunksize = to_u64(chunksize);
            let nchunk = byte.min(layout.nbytes) / chunksize;
            return Ok((nchunk, nchunk.saturating_mul(chunksize)));
        }
        let mut start = 0_u64;
        for nchunk in 0..layout.nchunks {
            let end = start.saturating_add(to_u64(self.chunk_nbytes(nchunk)?));
            if byte < end {
                return Ok((nchunk, start));
            }
            start = end;
        }
        Ok((layout.nchunks, start))
    }

    /// Decodes the bytes `bytes` of a chunk into the front of `dst` and returns their number.
    /// Only the blocks that hold them are read and decoded, if the source can read parts of chunks.
    ///
    /// # Errors
    /// When there is no such chunk, the range is longer than the chunk, the chunk cannot be read
    /// or decoded, or `dst` is too small.
    fn decode_chunk_bytes_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let chunk = self.chunk(nchunk)?;
        let done = decoder.in_chunk(nchunk, |decoder| {
            chunk.decode_bytes_into(decoder, &self.layout(), bytes, dst)
        });
        done.map_err(|error| error.in_chunk(nchunk))
    }

    /// Decodes ranges of bytes of a chunk, in order, into the front of `dst`, and
    /// returns their number. Each block that they touch is read and decoded once.
    ///
    /// # Errors
    /// As [`decode_chunk_bytes_into`](Self::decode_chunk_bytes_into).
    fn decode_chunk_ranges_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        ranges: &[Range<usize>],
        dst: &mut [u8],
    ) -> Result<usize> {
        let chunk = self.chunk(nchunk)?;
        let done = decoder.in_chunk(nchunk, |decoder| {
            chunk.decode_ranges_into(decoder, &self.layout(), ranges, dst)
        });
        done.map_err(|error| error.in_chunk(nchunk))
    }

    /// Decodes single items of the whole super-chunk, in the order of the list, which may repeat
    /// them, into the front of `dst` and returns their number of bytes. Each block that holds one
    /// is read and decoded once.
    ///
    /// ```
    /// use oxiblosc::schunk::ChunkSource;
    /// use oxiblosc::{CParams, ChunkDecoder, SChunk};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut schunk = SChunk::new(CParams::new(2), 100)?;
    /// schunk.append(&(0..1000_u16).flat_map(u16::to_le_bytes).collect::<Vec<_>>())?;
    /// let mut items = [0; 6];
    /// schunk.read_items_at_into(&mut ChunkDecoder::default(), &[999, 3, 3], &mut items)?;
    /// assert_eq!(items, [0xE7, 3, 3, 0, 3, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When there is no such item, a chunk cannot be read or decoded, or `dst` is too small.
    #[doc(alias = "blosc2_schunk_get_sparse_buffer")]
    fn read_items_at_into(
        &self,
        decoder: &mut ChunkDecoder,
        items: &[u64],
        dst: &mut [u8],
    ) -> Result<usize> {
        let layout = self.layout();
        let typesize = to_u64(layout.typesize.max(1));
        let len = layout.nbytes.checked_div(typesize).unwrap_or(0);
        let size = layout.typesize.max(1);
        let needed = items.len().saturating_mul(size);
        let available = dst.len();
        let dst = dst
            .get_mut(..needed)
            .ok_or(Error::OutputTooSmall { needed, available })?;
        if let Some(&index) = items.iter().find(|&&item| item >= len) {
            let what = "item";
            return Err(Error::OutOfBounds { what, index, len });
        }
        // Ascending, so that each chunk is visited once; the order of the list is restored below.
        let mut order: Vec<usize> = (0..items.len()).collect();
        let item = |place: usize| items.get(place).copied().unwrap_or_default();
        order.sort_unstable_by_key(|&place| item(place));
        let (mut ranges, mut gathered) = (Vec::new(), Vec::new());
        let mut rest = order.as_slice();
        while let Some(&first) = rest.first() {
            let (nchunk, start) = self.find_chunk(item(first).saturating_mul(typesize))?;
            let end = start.saturating_add(to_u64(self.chunk_nbytes(nchunk)?));
            let inside =
                |place: &usize| item(*place).saturating_add(1).saturating_mul(typesize) <= end;
            let (now, later) = rest.split_at(rest.partition_point(inside));
            if now.is_empty() {
                // An item that lies across two chunks, which uneven sizes allow.
                let from = item(first).saturating_mul(typesize);
                let at = first.saturating_mul(size);
                let part = dst.get_mut(at..at.saturating_add(size)).unwrap_or_default();
                self.read_bytes_into(decoder, from..from.saturating_add(typesize), part)?;
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            ranges.clear();
            ranges.extend(now.iter().map(|&place| {
                let at = item(place).saturating_mul(typesize).saturating_sub(start);
                let at = saturating_usize(at);
                at..at.saturating_add(size)
            }));
            gathered.resize(now.len().saturating_mul(size), 0);
            self.decode_chunk_ranges_into(decoder, nchunk, &ranges, &mut gathered)?;
            for (&place, value) in now.iter().zip(gathered.chunks_exact(size)) {
                let at = place.saturating_mul(size);
                if let Some(part) = dst.get_mut(at..at.saturating_add(size)) {
                    part.copy_from_slice(value);
                }
            }
            rest = later;
        }
        Ok(needed)
    }

    /// Decodes single items of the whole super-chunk, in the order of the list.
    ///
    /// # Errors
    /// As [`read_items_at_into`](Self::read_items_at_into), and when they exceed
    /// [`Limits::max_alloc`](crate::Limits::max_alloc).
    fn read_items_at(&self, decoder: &mut ChunkDecoder, items: &[u64]) -> Result<Vec<u8>> {
        let typesize = to_u64(self.layout().typesize);
        let nbytes = to_u64(items.len()).saturating_mul(typesize);
        decoder.dparams().limits.check_alloc(nbytes, None)?;
        let mut dst = vec![0; saturating_usize(nbytes)];
        self.read_items_at_into(decoder, items, &mut dst)?;
        Ok(dst)
    }

    /// Decodes the bytes `bytes` of the whole super-chunk into the front of `dst` and returns
    /// their number.
    ///
    /// # Errors
    /// When the range is longer than the data, a chunk cannot be read or decoded, or `dst` is too
    /// small.
    fn read_bytes_into(
        &self,
        decoder: &mut ChunkDecoder,
        bytes: Range<u64>,
        dst: &mut [u8],
    ) -> Result<usize> {
        self.layout().check_bytes(&bytes)?;
        let needed = saturating_usize(bytes.end - bytes.start);
        let available = dst.len();
        let mut dst = dst
            .get_mut(..needed)
            .ok_or(Error::OutputTooSmall { needed, available })?;
        let (mut nchunk, mut start) = self.find_chunk(bytes.start)?;
        let mut at = bytes.start;
        while !dst.is_empty() {
            let nbytes = self.chunk_nbytes(nchunk)?;
            let skip = saturating_usize(at.saturating_sub(start));
            let len = nbytes.saturating_sub(skip).min(dst.len());
            let (now, later) = dst.split_at_mut(len);
            if len == nbytes {
                self.decode_chunk_into(decoder, nchunk, now)?;
            } else if len > 0 {
                let range = skip..skip.saturating_add(len);
                self.decode_chunk_bytes_into(decoder, nchunk, range, now)?;
            }
            dst = later;
            at = at.saturating_add(to_u64(len));
            start = start.saturating_add(to_u64(nbytes));
            nchunk = nchunk.saturating_add(1);
        }
        Ok(needed)
    }

    /// Decodes items of the whole super-chunk into the front of `dst` and returns their number
    /// of bytes. Items have [`ChunkLayout::typesize`] bytes.
    ///
    /// # Errors
    /// As [`read_bytes_into`](Self::read_bytes_into).
    #[doc(alias = "blosc2_schunk_get_slice_buffer")]
    fn read_items_into(
        &self,
        decoder: &mut ChunkDecoder,
        items: Range<u64>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let bytes = self.layout().item_bytes(items)?;
        self.read_bytes_into(decoder, bytes, dst)
    }
}
