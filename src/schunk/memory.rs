//! A super-chunk in memory.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::incoming::{EncodedChunk, Origin, check_incoming, check_more_chunks};
use super::layout::ChunkLayout;
use super::metalayers::{Metalayers, VlMetalayers};
use super::recode::{copy_chunks, recode};
use super::sink::{ChunkSink, set_items};
use super::sizes::Sizes;
use super::source::ChunkSource;
use super::special::decode_special;
use super::stored::StoredChunk;
use crate::chunk::{ChunkDecoder, ChunkEncoder, ChunkHeader, HEADER_LEN, Special};
use crate::error::{Error, Result};
use crate::num::{saturating_i64, saturating_usize};
use crate::params::{CParams, DParams, MAX_NBYTES};

/// The chunk size where neither parameters nor chunks state one, in bytes.
pub(crate) const DEFAULT_CHUNKSIZE: usize = 1 << 20;
const _: () = assert!(DEFAULT_CHUNKSIZE <= MAX_NBYTES);

/// A super-chunk in memory: a list of chunks and their metalayers.
///
/// ```
/// use oxiblosc::schunk::SChunk;
/// use oxiblosc::CParams;
/// # fn main() -> oxiblosc::Result<()> {
/// let mut schunk = SChunk::new(CParams::new(2), 2000)?;
/// for i in 0..1500_u16 {
///     schunk.append(&i.to_le_bytes())?;
/// }
/// assert_eq!(schunk.read_items(1000..1002)?, [0xE8, 3, 0xE9, 3]);
/// schunk.set_items(1000, &[0, 0])?;
/// assert_eq!(schunk.read_items(1000..1001)?, [0, 0]);
/// let frame = schunk.to_cframe()?;
/// # assert!(frame.len() > 132);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "blosc2_schunk")]
pub struct SChunk {
    cparams: CParams,
    dparams: DParams,
    /// Never locked: `ChunkSource` is `Sync`, an encoder with its buffers is not, and `&mut self`
    /// reaches it through `get_mut`.
    encoder: Mutex<ChunkEncoder>,
    /// The chunk size of `append`, in bytes.
    cut: usize,
    sizes: Sizes,
    vlblocks: bool,
    cbytes: u64,
    chunks: Vec<Kept>,
    metalayers: Metalayers,
    vlmetalayers: VlMetalayers,
}

impl fmt::Debug for SChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SChunk")
            .field("layout", &self.layout())
            .field("metalayers", &self.metalayers)
            .field("vlmetalayers", &self.vlmetalayers)
            .finish_non_exhaustive()
    }
}

/// A chunk in the list.
#[derive(Clone)]
enum Kept {
    Bytes(Box<[u8]>),
    Special {
        special: Special<'static>,
        nbytes: usize,
    },
}

impl Kept {
    fn nbytes(&self) -> usize {
        match self {
            // The chunk was parsed when it came in.
            Self::Bytes(chunk) => {
                ChunkHeader::parse(chunk).map_or(0, |header| saturating_usize(header.nbytes))
            }
            Self::Special { nbytes, .. } => *nbytes,
        }
    }

    fn cbytes(&self) -> u64 {
        match self {
            Self::Bytes(chunk) => chunk.len() as u64,
            Self::Special { .. } => 0,
        }
    }
}

impl SChunk {
    /// An empty super-chunk whose chunks take `chunksize` bytes each.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a parameter is outside its range.
    #[doc(alias = "blosc2_schunk_new")]
    pub fn new(cparams: CParams, chunksize: usize) -> Result<Self> {
        check_chunksize(chunksize)?;
        Ok(Self {
            encoder: Mutex::new(ChunkEncoder::new(cparams.clone())?),
            cparams,
            dparams: DParams::new(),
            cut: chunksize,
            sizes: Sizes {
                chunksize: Some(0),
                nbytes: 0,
                nchunks: 0,
            },
            vlblocks: false,
            cbytes: 0,
            chunks: Vec::new(),
            metalayers: Metalayers::new(),
            vlmetalayers: VlMetalayers::new(),
        })
    }

    /// Copies all chunks and fixed metalayers of another super-chunk, without decompressing them.
    /// New chunks are compressed with `cparams`; reading uses the parameters of the source.
    ///
    /// # Errors
    /// When a chunk cannot be read.
    #[doc(alias = "blosc2_schunk_copy")]
    pub fn from_source(source: &(impl ChunkSource + ?Sized), cparams: CParams) -> Result<Self> {
        let layout = source.layout();
        let size = layout.chunksize.filter(|&size| size > 0);
        let size = size.unwrap_or(DEFAULT_CHUNKSIZE);
        let mut schunk = Self::new(cparams, size)?;
        schunk.dparams = source.dparams().clone();
        schunk.metalayers = source.metalayers().clone();
        copy_chunks(source, &mut schunk)?;
        Ok(schunk)
    }

    /// The size of the chunks that [`append`](Self::append) cuts, in bytes.
    pub fn chunksize(&self) -> usize {
        self.cut
    }

    /// The parameters for compressing new chunks.
    #[doc(alias = "blosc2_schunk_get_cparams")]
    pub fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// Sets the parameters for decompressing chunks.
    pub fn set_dparams(&mut self, dparams: DParams) {
        self.dparams = dparams;
    }

    /// The fixed metalayers, to add to them.
    pub fn metalayers_mut(&mut self) -> &mut Metalayers {
        &mut self.metalayers
    }

    /// The variable-length metalayers.
    pub fn vlmetalayers(&self) -> &VlMetalayers {
        &self.vlmetalayers
    }

    /// The variable-length metalayers, to change them.
    pub fn vlmetalayers_mut(&mut self) -> &mut VlMetalayers {
        &mut self.vlmetalayers
    }

    /// Adds bytes at the end. A short last chunk is filled up and compressed again, then
    /// chunks of the chunk size follow, so few large calls are better than many small ones.
    ///
    /// # Errors
    /// When a chunk cannot be compressed; [`Error::Refused`] when the chunks consist of
    /// variable-length blocks.
    #[doc(alias = "blosc2_schunk_append_buffer")]
    pub fn append(&mut self, mut src: &[u8]) -> Result<()> {
        if self.vlblocks {
            let why = "the chunks have variable-length blocks";
            return Err(Error::Refused {
                what: "append bytes",
                why,
            });
        }
        let ours = self.sizes.chunksize == Some(self.cut) || self.sizes.nchunks == 1;
        if let Some(last) = self.sizes.last_len()
            && ours
            && last < self.cut
            && !src.is_empty()
        {
            let (now, later) = src.split_at(src.len().min(self.cut.saturating_sub(last)));
            let nchunk = self.sizes.nchunks.saturating_sub(1);
            self.dparams.limits.check_alloc(last as u64, None)?;
            let mut chunk = vec![0; last];
            let mut decoder = ChunkDecoder::new(self.dparams.clone());
            self.decode_chunk_into(&mut decoder, nchunk, &mut chunk)?;
            chunk.extend_from_slice(now);
            let chunk = self.encode(nchunk, &chunk)?;
            if nchunk == 0 {
                self.sizes.chunksize = Some(self.cut);
            }
            self.update(nchunk, chunk.into(), Origin::Encoder)?;
            src = later;
        }
        for piece in src.chunks(self.cut) {
            let chunk = self.encode(self.sizes.nchunks, piece)?;
            if self.chunks.is_empty() {
                // The chunk size is the requested one, however short the first chunk is.
                self.sizes.chunksize = Some(self.cut);
            }
            self.insert(self.sizes.nchunks, chunk.into(), Origin::Encoder)?;
        }
        Ok(())
    }

    /// Appends `nbytes` bytes of one special value, cut into chunks of the chunk size. A short last
    /// chunk is not filled up; after one, the chunks vary in size
    /// ([format §9.6](crate::format#9.6)).
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when `nbytes` is no multiple of the typesize, or NaN is requested
    /// with a typesize that is not 4 or 8; [`Error::LimitExceeded`] when there would be more chunks
    /// than the format allows; [`Error::OutOfMemory`].
    #[doc(alias = "blosc2_schunk_fill_special")]
    pub fn append_special(&mut self, special: Special<'_>, nbytes: u64) -> Result<()> {
        // A chunk without data has a header of its own.
        let size = size_of::<Kept>().saturating_add(HEADER_LEN);
        check_more_chunks(self.chunks.len(), nbytes, self.cut, size)?;
        let mut left = nbytes;
        while left > 0 {
            let len = saturating_usize(left).min(self.cut);
            let encoder = self.encoder.get_mut();
            let encoder = encoder.unwrap_or_else(PoisonError::into_inner);
            let chunk = encoder.encode_special(special, len)?;
            if self.chunks.is_empty() {
                self.sizes.chunksize = Some(self.cut);
            }
            self.insert(self.sizes.nchunks, chunk.into(), Origin::Encoder)?;
            left = left.saturating_sub(len as u64);
        }
        Ok(())
    }

    /// Changes the order of the chunks: chunk `i` becomes what chunk `order[i]` was.
    ///
    /// # Errors
    /// [`Error::Refused`] when `order` does not name every chunk once.
    #[doc(alias = "blosc2_schunk_reorder_offsets")]
    pub fn reorder_chunks(&mut self, order: &[u64]) -> Result<()> {
        self.sizes.reorder(order)?;
        let mut old: Vec<Option<Kept>> = self.chunks.drain(..).map(Some).collect();
        let take = |&nchunk: &u64| {
            let at = usize::try_from(nchunk).ok()?;
            old.get_mut(at)?.take()
        };
        self.chunks = order.iter().filter_map(take).collect();
        Ok(())
    }

    /// A copy whose chunks are compressed again with other parameters; metalayers are
    /// copied.
    ///
    /// # Errors
    /// As [`recode`](crate::schunk::recode); [`Error::InvalidParam`] when a parameter is outside
    /// its range.
    #[doc(alias = "blosc2_schunk_copy")]
    pub fn recode(&self, cparams: CParams) -> Result<Self> {
        let mut encoder = ChunkEncoder::new(cparams.clone())?;
        let mut copy = Self::new(cparams, self.cut)?;
        copy.dparams = self.dparams.clone();
        copy.metalayers = self.metalayers.clone();
        copy.vlmetalayers = self.vlmetalayers.clone();
        // A single short chunk does not imply the chunk size.
        copy.sizes.chunksize = self.sizes.chunksize;
        let mut decoder = ChunkDecoder::new(self.dparams.clone());
        recode(self, &mut decoder, &mut encoder, &mut copy)?;
        Ok(copy)
    }

    /// Encodes the chunk with this number.
    fn encode(&mut self, nchunk: u64, src: &[u8]) -> Result<Vec<u8>> {
        self.encoder
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .in_chunk(nchunk, |encoder| encoder.encode(src))
    }

    /// Decodes items.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when there are fewer; [`Error::LimitExceeded`] when the result
    /// exceeds [`Limits::max_alloc`](crate::Limits::max_alloc); an error of decoding.
    #[doc(alias = "blosc2_schunk_get_slice_buffer")]
    pub fn read_items(&self, items: Range<u64>) -> Result<Vec<u8>> {
        let bytes = self.layout().item_bytes(items)?;
        self.layout().check_bytes(&bytes)?;
        let nbytes = bytes.end.saturating_sub(bytes.start);
        self.dparams.limits.check_alloc(nbytes, None)?;
        let mut dst = vec![0; saturating_usize(nbytes)];
        self.read_bytes_into(
            &mut ChunkDecoder::new(self.dparams.clone()),
            bytes,
            &mut dst,
        )?;
        Ok(dst)
    }

    /// Overwrites items from item `start` on with `src`; the chunks that hold them are
    /// compressed again.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when `src` reaches beyond the end; an error of decoding or
    /// compressing.
    #[doc(alias = "blosc2_schunk_set_slice_buffer")]
    pub fn set_items(&mut self, start: u64, src: &[u8]) -> Result<()> {
        let dparams = self.dparams.clone();
        set_items(self, &dparams, start, src, |schunk, nchunk, data| {
            let chunk = schunk.encode(nchunk, data)?;
            schunk.update(nchunk, chunk.into(), Origin::Encoder)
        })
    }

    /// Checks an incoming chunk, and converts it to an entry of the list.
    fn keep(&self, chunk: Cow<'_, [u8]>, origin: Origin) -> Result<(Kept, ChunkHeader)> {
        let vlblocks = (!self.chunks.is_empty()).then_some(self.vlblocks);
        let (header, special) = check_incoming(&chunk, origin, vlblocks)?;
        let nbytes = saturating_usize(header.nbytes);
        let kept = match special {
            Some(Special::Zeros) => Kept::Special {
                special: Special::Zeros,
                nbytes,
            },
            // The bytes of a NaN depend on the typesize of the chunk.
            Some(Special::Nans) if usize::from(header.typesize) == self.cparams.typesize => {
                Kept::Special {
                    special: Special::Nans,
                    nbytes,
                }
            }
            Some(Special::Uninit) => Kept::Special {
                special: Special::Uninit,
                nbytes,
            },
            _ => Kept::Bytes(chunk.into_owned().into_boxed_slice()),
        };
        Ok((kept, header))
    }

    fn update(&mut self, nchunk: u64, chunk: Cow<'_, [u8]>, origin: Origin) -> Result<()> {
        let old = self.kept(nchunk)?.nbytes();
        let (kept, header) = self.keep(chunk, origin)?;
        self.sizes.update(nchunk, old, kept.nbytes())?;
        let place = usize::try_from(nchunk)
            .ok()
            .and_then(|at| self.chunks.get_mut(at));
        if let Some(place) = place {
            let others = self.cbytes.saturating_sub(place.cbytes());
            self.cbytes = others.saturating_add(kept.cbytes());
            *place = kept;
        }
        self.vlblocks = header.is_vlblocks();
        Ok(())
    }

    fn insert(&mut self, nchunk: u64, chunk: Cow<'_, [u8]>, origin: Origin) -> Result<()> {
        let (kept, header) = self.keep(chunk, origin)?;
        self.sizes.insert(nchunk, kept.nbytes())?;
        let at = saturating_usize(nchunk).min(self.chunks.len());
        self.cbytes = self.cbytes.saturating_add(kept.cbytes());
        self.chunks.insert(at, kept);
        self.vlblocks = header.is_vlblocks();
        Ok(())
    }

    fn kept(&self, nchunk: u64) -> Result<&Kept> {
        let kept = usize::try_from(nchunk)
            .ok()
            .and_then(|nchunk| self.chunks.get(nchunk));
        kept.ok_or(Error::OutOfBounds {
            what: "chunk",
            index: nchunk,
            len: self.chunks.len() as u64,
        })
    }
}

/// Refuses sizes that no chunk can have.
pub(crate) fn check_chunksize(chunksize: usize) -> Result<()> {
    if chunksize == 0 || chunksize > MAX_NBYTES {
        return Err(Error::InvalidParam {
            name: "chunksize",
            value: saturating_i64(chunksize),
            expected: "1 to 2147483615",
        });
    }
    Ok(())
}

impl ChunkSource for SChunk {
    fn layout(&self) -> ChunkLayout {
        let blocksize = self.cparams.blocksize.unwrap_or(0);
        ChunkLayout {
            typesize: self.cparams.typesize,
            chunksize: self.sizes.chunksize,
            blocksize,
            nchunks: self.sizes.nchunks,
            nbytes: self.sizes.nbytes,
            cbytes: self.cbytes,
        }
    }

    fn chunk(&self, nchunk: u64) -> Result<StoredChunk<'_>> {
        Ok(match self.kept(nchunk)? {
            Kept::Bytes(chunk) => StoredChunk::Bytes(Cow::Borrowed(chunk)),
            &Kept::Special { special, nbytes } => StoredChunk::Special { special, nbytes },
        })
    }

    fn chunk_is_in_memory(&self, _nchunk: u64) -> bool {
        true
    }

    fn dparams(&self) -> &DParams {
        &self.dparams
    }

    fn chunk_cparams(&self) -> Option<CParams> {
        Some(self.cparams.clone())
    }

    fn metalayers(&self) -> &Metalayers {
        &self.metalayers
    }

    fn vlmetalayer(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.vlmetalayers.get(name, &self.dparams)
    }

    fn vlmetalayer_names(&self) -> Vec<String> {
        self.vlmetalayers.names().map(str::to_owned).collect()
    }

    fn special_value(&self, nchunk: u64) -> Option<Special<'static>> {
        match self.kept(nchunk) {
            Ok(&Kept::Special { special, .. }) => Some(special),
            _ => None,
        }
    }

    fn chunk_nbytes(&self, nchunk: u64) -> Result<usize> {
        Ok(self.kept(nchunk)?.nbytes())
    }

    fn decode_chunk_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        dst: &mut [u8],
    ) -> Result<usize> {
        let kept = self.kept(nchunk)?;
        let done = decoder.in_chunk(nchunk, |decoder| match kept {
            Kept::Bytes(chunk) => decoder.decode_into(chunk, dst),
            &Kept::Special { special, nbytes } => {
                let layout = self.layout();
                let sizes = (layout.typesize, layout.blocksize);
                decode_special(decoder, special, sizes, nbytes, (0, nbytes), dst)
            }
        });
        done.map_err(|error| error.in_chunk(nchunk))
    }
}

impl ChunkSink for SChunk {
    fn append_chunk(&mut self, chunk: &[u8]) -> Result<u64> {
        self.insert(self.sizes.nchunks, chunk.into(), Origin::Any)?;
        Ok(self.sizes.nchunks)
    }

    fn append_owned_chunk(&mut self, chunk: Vec<u8>) -> Result<u64> {
        self.insert(self.sizes.nchunks, chunk.into(), Origin::Any)?;
        Ok(self.sizes.nchunks)
    }

    fn update_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()> {
        self.update(nchunk, chunk.into(), Origin::Any)
    }

    fn update_owned_chunk(&mut self, nchunk: u64, chunk: Vec<u8>) -> Result<()> {
        self.update(nchunk, chunk.into(), Origin::Any)
    }

    fn append_encoded_chunk(&mut self, chunk: EncodedChunk) -> Result<u64> {
        let chunk = chunk.into_bytes().into();
        self.insert(self.sizes.nchunks, chunk, Origin::Encoder)?;
        Ok(self.sizes.nchunks)
    }

    fn update_encoded_chunk(&mut self, nchunk: u64, chunk: EncodedChunk) -> Result<()> {
        self.update(nchunk, chunk.into_bytes().into(), Origin::Encoder)
    }

    fn insert_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()> {
        self.insert(nchunk, chunk.into(), Origin::Any)
    }

    fn delete_chunk(&mut self, nchunk: u64) -> Result<()> {
        let old = self.kept(nchunk)?.nbytes();
        self.sizes.delete(nchunk, old)?;
        let gone = self.chunks.remove(saturating_usize(nchunk));
        self.cbytes = self.cbytes.saturating_sub(gone.cbytes());
        Ok(())
    }

    fn update_metalayer(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.metalayers.update(name, content)
    }

    fn set_vlmetalayer(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.vlmetalayers.set(name, content)
    }

    fn remove_vlmetalayer(&mut self, name: &str) -> Result<bool> {
        Ok(self.vlmetalayers.remove(name))
    }
}
