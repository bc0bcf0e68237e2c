//! Super-chunks: an ordered list of chunks with common parameters and metalayers (format §9).
//!
//! ```text
//! schunk = chunk 0 | chunk 1 | ... | chunk n-1      all of `chunksize` bytes but the last,
//!          metalayers, vlmetalayers                 or of any size each
//! ```
//!
//! [`ChunkSource`] is what readers of many chunks need (slices, arrays, copies), wherever the
//! chunks live; [`ChunkSink`] is what writers need. A super-chunk in memory, a frame in memory
//! and a frame on disk all offer them.

mod ahead;
mod gather;
mod items;
mod memory;
mod metalayers;
mod pointers;
mod recode;
mod sizes;
mod special;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::chunk::{ChunkDecoder, Special};
use crate::error::Result;
use crate::params::DParams;

pub use ahead::ReadAhead;
pub(crate) use gather::{decode_ranges_into, fill_ranges};
pub(crate) use items::{check_range, decode_bytes_into, set_items};
pub use memory::SChunk;
pub(crate) use memory::check_chunksize;
pub use metalayers::{
    MAX_METALAYER_NAME, MAX_METALAYERS, MAX_VLMETALAYERS, Metalayers, VlMetalayers,
};
pub(crate) use metalayers::{check_vlmetalayer_chunk, metadata_decoder};
pub(crate) use pointers::forward_chunk_source;
pub use recode::{copy_chunks, recode};
pub(crate) use sizes::Sizes;
#[cfg(feature = "b2nd")]
pub(crate) use special::fill_special;
pub(crate) use special::{decode_special, solid_chunk, special_header};

/// How the data of a super-chunk is cut.
///
/// A source of your own starts from [`ChunkLayout::new`] and sets the other fields.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkLayout {
    /// The size of an item in bytes, not capped at 255.
    pub typesize: u32,
    /// The uncompressed size of every chunk but the last, in bytes; `None` when chunks differ in
    /// size. `Some(0)` when there is no chunk yet and the size is open.
    pub chunksize: Option<u32>,
    /// The block size asked for, in bytes; 0 for automatic.
    pub blocksize: u32,
    /// The number of chunks.
    pub nchunks: u64,
    /// The uncompressed size of all chunks together, in bytes.
    pub nbytes: u64,
    /// The compressed size of all chunks together, in bytes; special chunks count nothing.
    pub cbytes: u64,
}

impl ChunkLayout {
    /// The layout of a super-chunk without chunks, whose items have `typesize` bytes.
    pub const fn new(typesize: u32) -> Self {
        Self {
            typesize,
            chunksize: Some(0),
            blocksize: 0,
            nchunks: 0,
            nbytes: 0,
            cbytes: 0,
        }
    }
}

/// A chunk as stored in a super-chunk.
#[non_exhaustive]
#[derive(Clone)]
pub enum StoredChunk<'a> {
    /// The bytes of a chunk.
    Bytes(Cow<'a, [u8]>),
    /// A special value that is stored without bytes: zeros, NaN or uninitialised.
    Special {
        /// The value.
        special: Special<'static>,
        /// The uncompressed size in bytes.
        nbytes: u32,
    },
}

impl fmt::Debug for StoredChunk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(chunk) => write!(f, "Bytes({} bytes)", chunk.len()),
            Self::Special { special, nbytes } => f
                .debug_struct("Special")
                .field("special", special)
                .field("nbytes", nbytes)
                .finish(),
        }
    }
}

/// Chunks to read.
pub trait ChunkSource: Send + Sync {
    /// How the data is cut.
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

    /// The fixed metalayers.
    fn metalayers(&self) -> &Metalayers;

    /// The content of a variable-length metalayer, decompressed.
    ///
    /// # Errors
    /// When its chunk is damaged or larger than the limits allow.
    fn vlmetalayer(&self, name: &str) -> Result<Option<Vec<u8>>>;

    /// Decodes a chunk into `dst` and returns its size in bytes.
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

    /// The value of a chunk that is kept as a special value and takes no room, when that is known
    /// without reading it. `None` by default; the chunk may hold a special value all the same.
    fn special_value(&self, nchunk: u64) -> Option<Special<'static>> {
        let _ = nchunk;
        None
    }

    /// Whether [`chunk`](Self::chunk) lends the bytes of this chunk where they lie, without reading
    /// or copying them. False by default.
    fn lends_chunk(&self, nchunk: u64) -> bool {
        let _ = nchunk;
        false
    }

    /// The uncompressed size of a chunk in bytes.
    ///
    /// # Errors
    /// When there is no such chunk, or its header cannot be read.
    fn chunk_nbytes(&self, nchunk: u64) -> Result<u32> {
        items::chunk_nbytes(self, nchunk)
    }

    /// The chunk that holds a byte of the whole super-chunk, and the byte with which that chunk
    /// begins; the number of chunks and bytes when there are not so many. Where chunks differ in
    /// size, this may read the headers of all chunks before.
    ///
    /// # Errors
    /// When a chunk header cannot be read.
    fn find_chunk(&self, byte: u64) -> Result<(u64, u64)> {
        items::find_chunk(self, byte)
    }

    /// Decodes the bytes `bytes` of a chunk into the front of `dst` and returns their number.
    /// Where possible, only the blocks that hold them are read and decoded.
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
        items::decode_chunk_bytes_into(self, decoder, nchunk, bytes, dst)
    }

    /// Decodes ranges of bytes of a chunk, one behind the other into the front of `dst`, and
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
        gather::decode_chunk_ranges_into(self, decoder, nchunk, ranges, dst)
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
        gather::read_items_at_into(self, decoder, items, dst)
    }

    /// Decodes single items of the whole super-chunk, in the order of the list.
    ///
    /// # Errors
    /// As [`read_items_at_into`](Self::read_items_at_into), and when they pass the limit of
    /// memory.
    fn read_items_at(&self, decoder: &mut ChunkDecoder, items: &[u64]) -> Result<Vec<u8>> {
        let typesize = u64::from(self.layout().typesize);
        let nbytes = (items.len() as u64).saturating_mul(typesize);
        decoder.dparams().limits.check_alloc(nbytes, None)?;
        let mut dst = vec![0; usize::try_from(nbytes).unwrap_or(usize::MAX)];
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
        items::read_bytes_into(self, decoder, bytes, dst)
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
        let bytes = items::item_bytes(self.layout(), items)?;
        self.read_bytes_into(decoder, bytes, dst)
    }
}

/// Chunks to write. Positions count chunks; every call keeps the others in order.
pub trait ChunkSink: ChunkSource {
    /// Adds a chunk at the end and returns the new number of chunks.
    ///
    /// # Errors
    /// When the chunk is damaged, does not fit the super-chunk, or cannot be stored.
    #[doc(alias = "blosc2_schunk_append_chunk")]
    fn append_chunk(&mut self, chunk: &[u8]) -> Result<u64>;

    /// [`append_chunk`](Self::append_chunk) for whoever has no further use of the chunk: what keeps
    /// chunks in memory takes it as it is, instead of a copy.
    ///
    /// # Errors
    /// As [`append_chunk`](Self::append_chunk).
    fn append_owned_chunk(&mut self, chunk: Vec<u8>) -> Result<u64> {
        self.append_chunk(&chunk)
    }

    /// Replaces the chunk with this index.
    ///
    /// # Errors
    /// When there is no such chunk, or the new one does not fit or cannot be stored.
    #[doc(alias = "blosc2_schunk_update_chunk")]
    fn update_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()>;

    /// [`update_chunk`](Self::update_chunk) for whoever has no further use of the chunk.
    ///
    /// # Errors
    /// As [`update_chunk`](Self::update_chunk).
    fn update_owned_chunk(&mut self, nchunk: u64, chunk: Vec<u8>) -> Result<()> {
        self.update_chunk(nchunk, &chunk)
    }

    /// Inserts a chunk before the one with this index; at the end when the index is the number
    /// of chunks.
    ///
    /// # Errors
    /// When the index is too large, or the chunk does not fit or cannot be stored.
    #[doc(alias = "blosc2_schunk_insert_chunk")]
    fn insert_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()>;

    /// Removes the chunk with this index.
    ///
    /// # Errors
    /// When there is no such chunk, or the storage fails.
    #[doc(alias = "blosc2_schunk_delete_chunk")]
    fn delete_chunk(&mut self, nchunk: u64) -> Result<()>;

    /// Overwrites the content of a fixed metalayer, which keeps its length.
    ///
    /// # Errors
    /// When there is no such metalayer, or the content is longer than it.
    fn update_metalayer(&mut self, name: &str, content: &[u8]) -> Result<()>;

    /// Adds or replaces a variable-length metalayer; the content is compressed.
    ///
    /// # Errors
    /// When the name is too long or the storage fails.
    fn set_vlmetalayer(&mut self, name: &str, content: &[u8]) -> Result<()>;

    /// Removes a variable-length metalayer; false when there is none.
    ///
    /// # Errors
    /// When the storage fails.
    fn remove_vlmetalayer(&mut self, name: &str) -> Result<bool>;
}
