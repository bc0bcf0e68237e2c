//! The chunks of a Zarr array as a source of chunks.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use oxiblosc_kernels::Kernels;

use super::super::value::Value;
use super::codecs::Stored;
use super::crc::{CRC32C, crc};
use super::gzip;
use super::json::is_absent;
use super::meta::Meta;
use super::shard::Shard;
use super::walk::inside;
use crate::b2nd::{B2ndMeta, Dtype, Grid, METALAYER};
use crate::chunk::{ChunkDecoder, ChunkEncoder, ChunkHeader, Special};
use crate::codec::find::find;
use crate::codec::{CodecContext, CodecId};
use crate::error::{Error, Missing, Part, Result};
use crate::num::{saturating_usize, to_u64};
use crate::params::{CParams, DParams};
use crate::schunk::{ChunkLayout, ChunkSource, Metalayers, StoredChunk};
use crate::storage::{FileTree, ReadAt};

/// A Zarr array of version 2 or 3, sharded or not, whose chunks are Blosc chunks or raw elements.
///
/// It is a source of chunks with a `b2nd` metalayer of its own making, in which each chunk is one
/// block, so [`Array`](crate::b2nd::Array) reads it. A chunk that is not stored holds the fill
/// value.
///
/// ```no_run
/// use std::sync::Arc;
/// use oxiblosc::DParams;
/// use oxiblosc::b2nd::Array;
/// use oxiblosc::storage::DiskTree;
/// use oxiblosc::store::ZarrArray;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let files = Arc::new(DiskTree::open("data.zarr")?);
/// let array = Array::open_in(ZarrArray::open(files, "", DParams::new())?)?;
/// let corner: Vec<f64> = array.slice(&[0..10, 0..10])?;
/// # Ok(())
/// # }
/// ```
pub struct ZarrArray {
    files: Arc<dyn FileTree>,
    folder: String,
    meta: Meta,
    layout: ChunkLayout,
    metalayers: Metalayers,
    dparams: DParams,
    /// The number of chunks along each axis.
    lens: Vec<u64>,
    /// The shard that was used last, if it is stored, and its coordinates.
    shard: Mutex<Option<LastShard>>,
}

type LastShard = (Vec<u64>, Option<Arc<Shard>>);

impl fmt::Debug for ZarrArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ZarrArray")
            .field("folder", &self.folder)
            .field("shape", &self.meta.shape)
            .field("chunkshape", &self.meta.chunkshape)
            .field("dtype", &self.meta.dtype.as_str())
            .finish_non_exhaustive()
    }
}

impl ZarrArray {
    /// Opens the array in a folder of a tree of files; `""` is the tree itself.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when it needs a codec, data type, order or chunk grid that is not read,
    /// with its name; [`Error::Corrupt`] when its document is damaged, [`Error::Io`] when it cannot
    /// be read; the errors of [`Grid::new`] when shape or chunks are too large.
    pub fn open(files: Arc<dyn FileTree>, folder: &str, dparams: DParams) -> Result<Self> {
        let meta = Meta::read(&*files, folder, &dparams.limits)?;
        let (shape, chunkshape) = (&meta.shape, &meta.chunkshape);
        let grid = Grid::new(meta.typesize, shape, chunkshape, chunkshape)?;
        let mut layout = ChunkLayout::new(meta.typesize);
        let chunksize = to_u64(grid.chunksize());
        dparams.limits.check_chunk(chunksize, None)?;
        layout.chunksize = Some(grid.chunksize());
        layout.nchunks = grid.nchunks();
        layout.nbytes = chunksize.saturating_mul(grid.nchunks());
        let lens = shape.iter().zip(chunkshape);
        let lens = lens.map(|(&len, &chunk)| len.div_ceil(chunk.max(1)));
        let b2nd = B2ndMeta::new(shape, chunkshape, chunkshape, meta.dtype.as_str());
        let mut metalayers = Metalayers::new();
        metalayers.insert(METALAYER, &b2nd.to_bytes()?)?;
        Ok(Self {
            folder: folder.to_owned(),
            lens: lens.collect(),
            files,
            meta,
            layout,
            metalayers,
            dparams,
            shard: Mutex::new(None),
        })
    }

    /// The version of the format: 2 or 3.
    pub fn version(&self) -> u8 {
        self.meta.version
    }

    /// The length of each axis, in elements.
    pub fn shape(&self) -> &[u64] {
        &self.meta.shape
    }

    /// The length of a chunk along each axis, in elements; inside of shards, that of an inner
    /// chunk.
    pub fn chunkshape(&self) -> &[u64] {
        &self.meta.chunkshape
    }

    /// The type of the elements.
    pub fn dtype(&self) -> &Dtype {
        &self.meta.dtype
    }

    /// Whether several chunks share a file.
    pub fn is_sharded(&self) -> bool {
        self.meta.shard.is_some()
    }

    /// The attributes, by name.
    pub fn attributes(&self) -> &[(String, Value)] {
        &self.meta.attributes
    }

    /// The coordinates of a chunk.
    fn coords(&self, mut nchunk: u64) -> Vec<u64> {
        let mut coords = vec![0; self.lens.len()];
        for (coord, &len) in coords.iter_mut().zip(&self.lens).rev() {
            *coord = nchunk % len.max(1);
            nchunk /= len.max(1);
        }
        coords
    }

    /// The file of a chunk or a shard; `None` when it is not stored.
    fn file(&self, coords: &[u64]) -> Result<Option<Arc<dyn ReadAt>>> {
        let path = inside(&self.folder, &self.meta.names.of(coords));
        match self.files.open(&path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(Error::io(Part::ZarrChunk, None, error)),
        }
    }

    /// The bytes of a chunk as stored; `None` when it is not stored.
    fn stored(&self, nchunk: u64) -> Result<Option<Vec<u8>>> {
        let coords = self.coords(nchunk);
        let limits = &self.dparams.limits;
        let Some(shards) = &self.meta.shard else {
            let Some(file) = self.file(&coords)? else {
                return Ok(None);
            };
            let failed = |error| Error::io(Part::ZarrChunk, None, error);
            let len = file.len().map_err(failed)?;
            limits.check_alloc(len, None)?;
            let mut bytes = vec![0; saturating_usize(len)];
            file.read_exact_at(&mut bytes, 0).map_err(failed)?;
            return Ok(Some(bytes));
        };
        let mut number = 0_u64;
        let mut outer = Vec::with_capacity(coords.len());
        for (&coord, &len) in coords.iter().zip(&shards.lens) {
            number = number
                .saturating_mul(len)
                .saturating_add(coord % len.max(1));
            outer.push(coord / len.max(1));
        }
        match self.open_shard(outer)? {
            Some(shard) => shard.chunk(number, limits),
            None => Ok(None),
        }
    }

    /// Opens a shard, or takes the one that was used last.
    fn open_shard(&self, outer: Vec<u64>) -> Result<Option<Arc<Shard>>> {
        let last = || self.shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((coords, shard)) = &*last()
            && *coords == outer
        {
            return Ok(shard.clone());
        }
        let shard = match (self.file(&outer)?, &self.meta.shard) {
            (Some(file), Some(meta)) => {
                Some(Arc::new(Shard::open(file, meta, &self.dparams.limits)?))
            }
            _ => None,
        };
        *last() = Some((outer, shard.clone()));
        Ok(shard)
    }

    /// The chunk of elements as a Blosc chunk.
    fn blosc(&self, mut bytes: Vec<u8>) -> Result<Vec<u8>> {
        let part = Part::ZarrChunk;
        let chain = self.meta.chain;
        if chain.checksum {
            let at = bytes.len().saturating_sub(4);
            let checksum = bytes.split_off(at);
            let stored = checksum.try_into().map(u32::from_le_bytes);
            let found = crc(&CRC32C, &bytes);
            if stored != Ok(found) {
                let stored = stored.unwrap_or_default();
                return Err(Error::unequal(part, to_u64(at), "checksum", stored, found));
            }
        }
        let chunksize = self.layout.chunksize.unwrap_or_default();
        match chain.stored {
            Stored::Blosc => {
                let nbytes = ChunkHeader::parse(&bytes)?.nbytes;
                if saturating_usize(nbytes) != chunksize {
                    return Err(Error::unequal(part, 4, "nbytes", nbytes, chunksize));
                }
                Ok(bytes)
            }
            Stored::Raw => {
                if bytes.len() != chunksize {
                    return Err(Error::unequal(part, 0, "length", bytes.len(), chunksize));
                }
                self.encoder(0)?.encode(&bytes)
            }
            Stored::Zstd | Stored::Zlib | Stored::Gzip => {
                self.encoder(0)?.encode(&self.decompressed(bytes)?)
            }
        }
    }

    /// The elements of a chunk that is a stream of Zstandard, zlib or gzip.
    fn decompressed(&self, bytes: Vec<u8>) -> Result<Vec<u8>> {
        let stored = self.meta.chain.stored;
        let id = match stored {
            Stored::Zstd => CodecId::ZSTD,
            _ => CodecId::ZLIB,
        };
        let codec = find(None, id).ok_or(Error::Unsupported {
            part: Part::ZarrChunk,
            offset: 0,
            what: Missing::Codec(id),
        })?;
        // Within the limits: the shape was compared with them when the array was opened.
        let mut elements = vec![0; self.layout.chunksize.unwrap_or_default()];
        if stored == Stored::Gzip {
            gzip::decode(bytes, &mut elements)?;
            return Ok(elements);
        }
        let cx = CodecContext {
            clevel: 0,
            meta: 0,
            typesize: 1,
            blocksize: elements.len(),
            dict: None,
            b2nd: None,
            kernels: Kernels::best(),
            sampled: false,
        };
        let decoded = codec
            .decoder(&cx)
            .and_then(|mut decoder| decoder.decode(&bytes, &mut elements));
        decoded.map_err(|source| Error::Codec {
            id,
            block: 0,
            stream: 0,
            offset: 0,
            source,
        })?;
        Ok(elements)
    }

    fn encoder(&self, level: u8) -> Result<ChunkEncoder> {
        ChunkEncoder::new(CParams::new(self.meta.typesize).clevel(level))
    }

    /// A chunk of fill values.
    fn filled(&self) -> Result<StoredChunk<'static>> {
        let nbytes = self.layout.chunksize.unwrap_or_default();
        let Some(fill) = &self.meta.fill else {
            return Err(Error::Refused {
                what: "read a chunk that is not stored",
                why: "its fill value is in a form that is not read",
            });
        };
        if fill.iter().all(|&byte| byte == 0) {
            let special = Special::Zeros;
            return Ok(StoredChunk::Special { special, nbytes });
        }
        let special = Special::Repeat(fill);
        let chunk = self.encoder(5)?.encode_special(special, nbytes)?;
        Ok(StoredChunk::Bytes(Cow::Owned(chunk)))
    }
}

impl ChunkSource for ZarrArray {
    fn layout(&self) -> ChunkLayout {
        self.layout
    }

    fn chunk(&self, nchunk: u64) -> Result<StoredChunk<'_>> {
        let len = self.layout.nchunks;
        if nchunk >= len {
            return Err(Error::out_of_bounds("chunk", nchunk, len));
        }
        let stored = self.stored(nchunk).and_then(|bytes| match bytes {
            Some(bytes) => Ok(StoredChunk::Bytes(Cow::Owned(self.blosc(bytes)?))),
            None => self.filled(),
        });
        stored.map_err(|error| error.in_chunk(nchunk))
    }

    fn dparams(&self) -> &DParams {
        &self.dparams
    }

    fn metalayers(&self) -> &Metalayers {
        &self.metalayers
    }

    fn vlmetalayer(&self, _name: &str) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    fn vlmetalayer_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn decode_chunk_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        dst: &mut [u8],
    ) -> Result<usize> {
        let nbytes = self.layout.chunksize.unwrap_or_default();
        self.decode_chunk_bytes_into(decoder, nchunk, 0..nbytes, dst)
    }
}
