//! Files of bloscpack (`.blp`), version 3 of its format ([format §17.9](crate::format#17.9)).
//!
//! ```
//! use std::sync::Arc;
//! use oxiblosc::storage::Memory;
//! use oxiblosc::store::bloscpack::Bloscpack;
//! use oxiblosc::{ChunkDecoder, ChunkSource, DParams};
//! # fn main() -> oxiblosc::Result<()> {
//! let file = std::fs::read("tests/data/old/numbers.blp").unwrap();
//! let pack = Bloscpack::open_in(Arc::new(Memory(file)), DParams::new())?;
//! assert_eq!(pack.tensor().map(|tensor| tensor.shape.as_slice()), Some(&[30, 20][..]));
//! let mut bytes = vec![0; pack.layout().nbytes as usize];
//! pack.read_bytes_into(&mut ChunkDecoder::default(), 0..2400, &mut bytes)?;
//! assert_eq!(bytes[4..8], 1_i32.to_le_bytes());
//! # Ok(())
//! # }
//! ```
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use oxiblosc_kernels::Kernels;
use serde_json::Value as Json;

use super::tensor::Tensor;
use crate::b2nd::Dtype;
use crate::chunk::{ChunkDecoder, ChunkHeader};
use crate::codec::find::find;
use crate::codec::{CodecContext, CodecId};
use crate::error::{Error, Missing, Part, Result};
use crate::num::{saturating_usize, to_u64};
use crate::params::DParams;
use crate::schunk::{ChunkLayout, ChunkSource, Metalayers, StoredChunk};
use crate::storage::{DiskFile, ReadAt};

const MAGIC: &[u8; 4] = b"blpk";
const VERSION: u8 = 3;
/// The length of the header, and of the header of the metadata.
const HEADER_LEN: u64 = 32;
/// The length of the shortest chunk.
const MIN_CHUNK_LEN: u64 = 16;
/// The bits of the options.
const HAS_OFFSETS: u8 = 1;
const HAS_METADATA: u8 = 2;
/// The lengths of the checksums by their numbers: none, Adler-32, CRC-32, MD5, SHA-1, SHA-2 of 224,
/// 256, 384 and 512 bits.
const CHECKSUMS: [u64; 9] = [0, 4, 4, 16, 20, 28, 32, 48, 64];
const ADLER32: u8 = 1;
/// The number of zlib among the codecs of metadata; 0 is none.
const ZLIB: u8 = 1;

/// An open bloscpack file: Blosc chunks of one size. Checksums of chunks are compared when they are
/// Adler-32, bloscpack's default; others are skipped.
#[derive(Debug)]
pub struct Bloscpack {
    storage: Arc<dyn ReadAt>,
    checksum: u8,
    /// The offset of each chunk.
    offsets: Vec<u64>,
    layout: ChunkLayout,
    metadata: Option<Vec<u8>>,
    tensor: Option<Tensor>,
    metalayers: Metalayers,
    dparams: DParams,
}

impl Bloscpack {
    /// Opens a file.
    ///
    /// # Errors
    /// As [`open_in`](Self::open_in), and when the file cannot be opened.
    pub fn open(path: impl AsRef<Path>, dparams: DParams) -> Result<Self> {
        let file = DiskFile::open(path).map_err(|error| Error::io(PART, None, error))?;
        Self::open_in(Arc::new(file), dparams)
    }

    /// Whether bytes begin as a bloscpack file does.
    pub fn is_one(start: &[u8]) -> bool {
        start.starts_with(MAGIC)
    }

    /// Opens a file in a storage: header, metadata and offsets are read.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for another version than 3, and for a stream whose number of chunks
    /// is not stated; [`Error::Corrupt`], [`Error::Truncated`] or [`Error::LimitExceeded`] when the
    /// file is damaged or too large.
    pub fn open_in(storage: Arc<dyn ReadAt>, dparams: DParams) -> Result<Self> {
        let mut reader = Reader {
            storage: &*storage,
            at: 0,
            dparams: &dparams,
        };
        let header: [u8; 32] = reader.take()?;
        let [magic @ .., version, options, checksum, typesize] = first8(&header);
        if magic != *MAGIC {
            return Err(Error::broken(PART, 0, "the file does not begin with blpk"));
        }
        if version != VERSION {
            let what = Missing::Version(version);
            return Err(Error::Unsupported {
                part: PART,
                offset: 4,
                what,
            });
        }
        let digest = digest_len(checksum, 6)?;
        let sizes = Sizes::parse(&header)?;
        let mut layout = ChunkLayout::new(usize::from(typesize.max(1)));
        layout.chunksize = Some(saturating_usize(sizes.chunk));
        layout.nchunks = sizes.nchunks;
        layout.nbytes = match sizes.nchunks.checked_sub(1) {
            Some(before) => before
                .saturating_mul(sizes.chunk.into())
                .saturating_add(sizes.last.into()),
            None => 0,
        };
        dparams.limits.check_chunk(sizes.chunk.into(), Some(8))?;
        let metadata = match options & HAS_METADATA {
            0 => None,
            _ => Some(reader.metadata()?),
        };
        let offsets = reader.offsets(options & HAS_OFFSETS != 0, &sizes, digest)?;
        let tensor = metadata
            .as_deref()
            .and_then(tensor_of)
            .filter(|tensor| nbytes_of(tensor) == Some(layout.nbytes));
        Ok(Self {
            storage,
            checksum,
            offsets,
            layout,
            metadata,
            tensor,
            metalayers: Metalayers::new(),
            dparams,
        })
    }

    /// The metadata, decompressed: JSON as bloscpack writes it.
    pub fn metadata(&self) -> Option<&[u8]> {
        self.metadata.as_deref()
    }

    /// The dtype and shape of a NumPy array in C order; `None` for other content.
    pub fn tensor(&self) -> Option<&Tensor> {
        self.tensor.as_ref()
    }
}

const PART: Part = Part::Bloscpack;

fn first8(header: &[u8; 32]) -> [u8; 8] {
    header.first_chunk().copied().unwrap_or_default()
}

/// The length of a checksum by its number.
fn digest_len(number: u8, offset: u64) -> Result<u64> {
    let len = CHECKSUMS.get(usize::from(number)).copied();
    len.ok_or_else(|| Error::out_of_range(PART, offset, "checksum", number, 0, 8))
}

/// The sizes in the header.
struct Sizes {
    chunk: u32,
    last: u32,
    nchunks: u64,
    /// The offsets that are reserved for chunks to come.
    reserved: u64,
}

impl Sizes {
    fn parse(header: &[u8; 32]) -> Result<Self> {
        let int = |at: usize| {
            let bytes = header.get(at..).and_then(|rest| rest.first_chunk::<4>());
            i32::from_le_bytes(bytes.copied().unwrap_or_default())
        };
        let long = |at: usize| {
            let bytes = header.get(at..).and_then(|rest| rest.first_chunk::<8>());
            i64::from_le_bytes(bytes.copied().unwrap_or_default())
        };
        let (chunk, last, nchunks, reserved) = (int(8), int(12), long(16), long(24));
        if nchunks == -1 {
            return Err(Error::Unsupported {
                part: PART,
                offset: 16,
                what: Missing::Feature("a stream of unknown length"),
            });
        }
        let negative =
            |at, field, value: i64| Error::out_of_range(PART, at, field, value, 0, i64::MAX);
        let sizes = Self {
            chunk: u32::try_from(chunk).map_err(|_| negative(8, "chunk size", chunk.into()))?,
            last: u32::try_from(last).map_err(|_| negative(12, "last chunk", last.into()))?,
            nchunks: u64::try_from(nchunks).map_err(|_| negative(16, "nchunks", nchunks))?,
            reserved: u64::try_from(reserved)
                .map_err(|_| negative(24, "max_app_chunks", reserved))?,
        };
        if sizes.last > sizes.chunk {
            let (last, chunk) = (sizes.last, sizes.chunk);
            return Err(Error::out_of_range(PART, 12, "last chunk", last, 0, chunk));
        }
        Ok(sizes)
    }
}

/// A position in the file.
struct Reader<'a> {
    storage: &'a dyn ReadAt,
    at: u64,
    dparams: &'a DParams,
}

impl Reader<'_> {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        let read = self.storage.read_exact_at(bytes, self.at);
        read.map_err(|error| Error::io(PART, Some(self.at), error))?;
        self.at = self.at.saturating_add(to_u64(bytes.len()));
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn vec(&mut self, len: u64) -> Result<Vec<u8>> {
        let at = self.at;
        self.dparams.limits.check_alloc(len, Some(at))?;
        let total = self.storage.len();
        let total = total.map_err(|error| Error::io(PART, None, error))?;
        let available = total.saturating_sub(at);
        if len > available {
            return Err(Error::Truncated {
                part: PART,
                offset: at,
                needed: len,
                available,
            });
        }
        let mut bytes = vec![0; saturating_usize(len)];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// The metadata, decompressed; skips the room that is reserved for more, and the checksum.
    fn metadata(&mut self) -> Result<Vec<u8>> {
        let start = self.at;
        let header: [u8; 32] = self.take()?;
        let [.., _options, checksum, codec, _level] =
            *header.first_chunk::<12>().unwrap_or(&[0; 12]);
        let int = |at: usize| {
            let bytes = header.get(at..).and_then(|rest| rest.first_chunk::<4>());
            u64::from(u32::from_le_bytes(bytes.copied().unwrap_or_default()))
        };
        let (len, room, stored) = (int(12), int(16), int(20));
        if stored > room {
            let at = start.saturating_add(20);
            return Err(Error::out_of_range(
                PART,
                at,
                "metadata size",
                stored,
                0,
                room,
            ));
        }
        let digest = digest_len(checksum, start.saturating_add(9))?;
        let bytes = self.vec(stored)?;
        self.at = start
            .saturating_add(HEADER_LEN)
            .saturating_add(room)
            .saturating_add(digest);
        match codec {
            0 => Ok(bytes),
            ZLIB => self.inflate(&bytes, len),
            _ => Err(Error::out_of_range(
                PART,
                start.saturating_add(10),
                "codec of the metadata",
                codec,
                0,
                1,
            )),
        }
    }

    fn inflate(&self, bytes: &[u8], len: u64) -> Result<Vec<u8>> {
        self.dparams.limits.check_alloc(len, None)?;
        let id = CodecId::ZLIB;
        let codec = find(None, id).ok_or(Error::Unsupported {
            part: PART,
            offset: HEADER_LEN,
            what: Missing::Codec(id),
        })?;
        let mut out = vec![0; saturating_usize(len)];
        let cx = CodecContext {
            clevel: 0,
            meta: 0,
            typesize: 1,
            blocksize: out.len(),
            dict: None,
            b2nd: None,
            kernels: Kernels::best(),
            sampled: false,
        };
        let decoded = codec
            .decoder(&cx)
            .and_then(|mut decoder| decoder.decode(bytes, &mut out));
        decoded.map_err(|source| Error::Codec {
            id,
            block: 0,
            stream: 0,
            offset: HEADER_LEN,
            source,
        })?;
        Ok(out)
    }

    /// The offset of each chunk, as stored, or by walking over the chunks.
    fn offsets(&mut self, stored: bool, sizes: &Sizes, digest: u64) -> Result<Vec<u64>> {
        let total = self.storage.len();
        let total = total.map_err(|error| Error::io(PART, None, error))?;
        // Each chunk has a header, so a damaged number of chunks takes no memory.
        let most = total.div_euclid(MIN_CHUNK_LEN);
        if sizes.nchunks > most {
            return Err(Error::out_of_range(
                PART,
                16,
                "nchunks",
                sizes.nchunks,
                0,
                most,
            ));
        }
        let limits = &self.dparams.limits;
        limits.check_alloc(sizes.nchunks.saturating_mul(8), Some(16))?;
        if stored {
            let used = self.vec(sizes.nchunks.saturating_mul(8))?;
            let skipped = sizes.reserved.saturating_mul(8);
            self.at = self.at.saturating_add(skipped);
            let (entries, _) = used.as_chunks::<8>();
            return Ok(entries
                .iter()
                .map(|&entry| u64::from_le_bytes(entry))
                .collect());
        }
        let mut offsets = Vec::new();
        for _ in 0..sizes.nchunks {
            offsets.push(self.at);
            let front: [u8; 16] = self.take()?;
            let header = ChunkHeader::parse(&front).map_err(|error| error.rebase(self.at))?;
            let before = self.at.saturating_sub(16);
            self.at = before
                .saturating_add(header.cbytes.into())
                .saturating_add(digest);
        }
        Ok(offsets)
    }
}

impl ChunkSource for Bloscpack {
    fn layout(&self) -> ChunkLayout {
        self.layout
    }

    fn chunk(&self, nchunk: u64) -> Result<StoredChunk<'_>> {
        let len = self.layout.nchunks;
        let offset = self.offsets.get(saturating_usize(nchunk)).copied();
        let offset = offset.ok_or_else(|| Error::out_of_bounds("chunk", nchunk, len))?;
        let read = || {
            let mut reader = Reader {
                storage: &*self.storage,
                at: offset,
                dparams: &self.dparams,
            };
            let front: [u8; 16] = reader.take()?;
            let header = ChunkHeader::parse(&front).map_err(|error| error.rebase(offset))?;
            let last = nchunk.saturating_add(1) == len;
            let before = to_u64(self.layout.chunksize.unwrap_or_default());
            let expected = match last {
                true => self
                    .layout
                    .nbytes
                    .saturating_sub(nchunk.saturating_mul(before)),
                false => before,
            };
            if u64::from(header.nbytes) != expected {
                let at = offset.saturating_add(4);
                return Err(Error::unequal(PART, at, "nbytes", header.nbytes, expected));
            }
            reader.at = offset;
            let chunk = reader.vec(header.cbytes.into())?;
            if self.checksum == ADLER32 {
                let at = reader.at;
                let stored = u32::from_le_bytes(reader.take()?);
                let found = Kernels::best().adler32(&chunk);
                if stored != found {
                    return Err(Error::unequal(PART, at, "checksum", stored, found));
                }
            }
            Ok(StoredChunk::Bytes(Cow::Owned(chunk)))
        };
        read().map_err(|error: Error| error.in_chunk(nchunk))
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
        let nbytes = self.chunk_nbytes(nchunk)?;
        self.decode_chunk_bytes_into(decoder, nchunk, 0..nbytes, dst)
    }
}

/// The dtype and shape of a NumPy array in C order, by the metadata.
fn tensor_of(metadata: &[u8]) -> Option<Tensor> {
    let json: Json = serde_json::from_slice(metadata).ok()?;
    let text = |field: &str| json.get(field)?.as_str();
    if text("container")? != "numpy" || text("order")? != "C" {
        return None;
    }
    let shape = json.get("shape")?.as_array()?.iter().map(Json::as_u64);
    // A literal of Python: text in quotes, or a list of fields.
    let dtype = text("dtype")?.trim_matches('\'');
    Some(Tensor {
        library: "numpy".to_owned(),
        shape: shape.collect::<Option<_>>()?,
        dtype: Dtype::from_stored(dtype),
    })
}

fn nbytes_of(tensor: &Tensor) -> Option<u64> {
    let items = tensor
        .shape
        .iter()
        .try_fold(1_u64, |all, &len| all.checked_mul(len))?;
    items.checked_mul(tensor.dtype.itemsize()?)
}
