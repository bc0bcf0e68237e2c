//! Blosc2 in Rust: chunks, frames and n-dimensional arrays on hand-written SIMD kernels.
//!
//! ```
//! # #[cfg(feature = "b2nd")] {
//! use oxiblosc::b2nd::{Array, ArrayParams};
//!
//! # let dir = tempfile::tempdir().unwrap();
//! # let path = dir.path().join("grid.b2nd");
//! let grid: Vec<f32> = (0..6000_u16).map(f32::from).collect();
//! let params = ArrayParams::new::<f32>([100, 60]);
//! // `blosc2.open(path)` reads the file in Python.
//! Array::from_elements_in(&path, &grid, &params)?;
//! let part: Vec<f32> = Array::open(&path)?.slice((50.., 10..12))?;
//! assert_eq!(part[..2], [3010.0, 3011.0]);
//! # }
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! | you have | begin with |
//! |---|---|
//! | arrays of numbers or records, in files or in memory | `b2nd::Array` |
//! | a buffer to compress | [`compress`], [`compress_slice`], [`ChunkEncoder`] |
//! | a stream of bytes to store and to read in parts | `FrameWriter`, `SChunk` |
//! | files that python-blosc2 wrote, Zarr arrays | `b2nd::Array`, `store::Tree` |
//!
//! [`guide`] says which codec and filter to choose, and where things of Python and C are;
//! [`mod@format`] describes the bytes;
//! [`docs/architecture.md`](https://github.com/oxiblosc/oxiblosc/blob/main/docs/architecture.md)
//! the inside of the crate.
//!
//! Numeric data compresses badly as stored and well after its bytes are rearranged. Data is cut
//! into chunks and blocks that fit in the cache; each block is filtered and cut into streams, which
//! a fast codec compresses. The modules in this order follow the path of a byte:
//!
//! ```text
//! bytes -> filter -> stream -> codec -> chunk -> schunk -> frame -> b2nd     -> store
//!          shuffle   split     lz4 ...  header   many     a file   n-d arrays   many objects
//! ```
//!
//! C-Blosc2 3.x reads the output of this crate, and vice versa; BloscLZ chunks have the same bytes.
//! The bytes written depend on data and parameters alone: not on threads, instruction set or
//! earlier calls of an encoder.
//!
//! # One call
//!
//! ```
//! use oxiblosc::{compress, decompress, CParams, CodecId, FilterSlot};
//! let ramp: Vec<u8> = (0..10_000_u32).flat_map(u32::to_le_bytes).collect();
//! let cparams = CParams::new(4).codec(CodecId::BLOSCLZ).filters([FilterSlot::SHUFFLE]);
//! let chunk = compress(&ramp, &cparams)?;
//! assert!(chunk.len() * 10 < ramp.len());
//! assert_eq!(decompress(&chunk)?, ramp);
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! # Many calls
//!
//! [`ChunkEncoder`] and [`ChunkDecoder`] keep their buffers and codec states. Each operation has
//! three forms: one allocates, `_into` fills the caller's slice, `_append` grows a `Vec`. The
//! `_into` forms allocate nothing once they have seen data of the same shape.
//!
//! ```
//! use oxiblosc::{max_chunk_len, CParams, ChunkDecoder, ChunkEncoder};
//! let mut encoder = ChunkEncoder::new(CParams::new(8))?;
//! let mut decoder = ChunkDecoder::default();
//! let (mut chunk, mut back) = ([0; max_chunk_len(4096)], [0; 4096]);
//! for step in 0..3_u8 {
//!     let cbytes = encoder.encode_into(&[step; 4096], &mut chunk)?;
//!     decoder.decode_into(&chunk[..cbytes], &mut back)?;
//!     assert_eq!(back, [step; 4096]);
//! }
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! # Parts of a chunk
//!
//! Only the blocks that hold the items are decoded, and of those no more than the filters make
//! necessary.
//!
//! ```
//! use oxiblosc::{compress, CParams, ChunkDecoder};
//! let items: Vec<u8> = (0..100_000_u64).flat_map(u64::to_le_bytes).collect();
//! let chunk = compress(&items, &CParams::new(8))?;
//! let two = ChunkDecoder::default().decode_items(&chunk, 70_000..70_002)?;
//! assert_eq!(two, items[560_000..560_016]);
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! # Untrusted input
//!
//! No input makes this crate panic or read outside of it. Sizes are compared with [`Limits`]
//! before memory is allocated, and errors name the part, the offset and the numbers.
//!
//! ```
//! use oxiblosc::{compress, decompress, CParams, Part};
//! let mut chunk = compress(&[1, 2, 3, 4].repeat(1000), &CParams::new(4))?;
//! chunk[8] = 0xFF; // the block size
//! chunk[11] = 0xFF;
//! let error = decompress(&chunk).unwrap_err();
//! assert_eq!((error.part(), error.offset()), (Some(Part::ChunkHeader), Some(8)));
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! # Threads
//!
//! No thread is started unless requested: [`Threads`] names the rayon pool, or the threads of the
//! caller, that share the blocks of a chunk.
//!
//! ```
//! # #[cfg(feature = "rayon")] {
//! use oxiblosc::{compress, CParams, Threads};
//! let data = vec![7; 1 << 20];
//! let alone = compress(&data, &CParams::new(1))?;
//! let together = compress(&data, &CParams::new(1).threads(Threads::Current))?;
//! assert_eq!(alone, together);
//! # }
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! # Features
//!
//! | feature | default | brings |
//! |---|---|---|
//! | `rayon` | yes | [`Threads::Current`](Threads) and [`Threads::Pool`](Threads) |
//! | `lz4` | yes | LZ4 and LZ4HC, both ways |
//! | `snappy` | yes | Snappy in chunks of Blosc1, both ways |
//! | `zlib` | yes | zlib, both ways |
//! | `libdeflate` | no | streams of zlib's fixed codes decoded by libdeflate (C) |
//! | `zstd` | yes | Zstandard with dictionaries, both ways; libzstd (C) writes most levels |
//! | `zstd-read` | with `zstd` | reading Zstandard and writing its levels 4 to 6, without C |
//! | `pure-rust` | no | all codecs and containers without C: reads everything |
//! | `ndlz` | yes | NDLZ, the registered codec 32, for arrays of bytes |
//! | `zfp` | yes | ZFP, the registered codecs 33 to 35, lossy, for arrays of floats |
//! | `frame` | yes | super-chunks, frames and their storages |
//! | `b2nd` | yes | n-dimensional arrays; implies `frame` |
//! | `store` | no | bundles of python-blosc2, Zarr arrays, bloscpack, ASDF; implies `b2nd` |
//! | `bytedelta` | yes | the registered filter 35 |
//! | `ndarray` | no | arrays from and to `ndarray`, strided views too; implies `b2nd` |
//! | `half` | no | `half::f16` as an element of arrays |
//! | `derive` | no | `#[derive(Element)]`: records as elements of arrays |
//! | `num-complex` | no | `num_complex::Complex` of `f32` and `f64` as elements of arrays |
//! | `serde` | no | parameters, ids and limits as data; metadata of arrays as values |
//!
//! BloscLZ, shuffle, bitshuffle, delta and the truncating filters are always there:
//! `default-features = false` reads and writes default chunks and needs no C compiler. Only the
//! features marked (C) need one; with `zstd-read` in place of `zstd`, Zstandard is read without
//! it, and written at the levels 4 to 6. Features add; none changes safety or the bytes written.
#![forbid(unsafe_code)]
// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "b2nd")]
pub mod b2nd;
pub mod chunk;
pub mod codec;
pub mod error;
pub mod filter;
pub mod format;
#[cfg(feature = "frame")]
pub mod frame;
pub mod guide;
pub mod limits;
mod num;
pub mod params;
pub mod registry;
#[cfg(feature = "b2nd")]
pub mod remote;
#[cfg(feature = "frame")]
pub mod schunk;
#[cfg(feature = "frame")]
pub mod storage;
#[cfg(feature = "store")]
pub mod store;
mod stream;
pub mod threads;
pub mod tune;

/// The crate whose traits say which types are plain bytes, in the version that this crate uses.
pub use bytemuck;

/// The kernels of an instruction set, as codecs and filters receive them.
pub mod kernels {
    pub use oxiblosc_kernels::{Isa, Kernels, Plane};
}

/// `half`, in the version whose types are elements here.
#[cfg(feature = "half")]
pub use ::half as half_2;
/// `ndarray`, in the version whose arrays go in and out here.
#[cfg(feature = "ndarray")]
pub use ::ndarray as ndarray_0_17;
/// `num_complex`, in the version whose types are elements here.
#[cfg(feature = "num-complex")]
pub use ::num_complex as num_complex_0_4;
/// `rayon`, in the version whose pools [`Threads::Pool`] takes.
#[cfg(feature = "rayon")]
pub use ::rayon as rayon_1;

#[cfg(feature = "b2nd")]
pub use b2nd::{Array, ArrayParams};
pub use chunk::{
    ChunkDecoder, ChunkEncoder, ChunkHeader, ChunkView, Special, compress_slice, decompress_to_vec,
    max_chunk_len,
};
pub use codec::CodecId;
pub use error::{Error, ErrorKind, Fault, Missing, Part, Result};
pub use filter::{FilterId, FilterSlot};
#[cfg(feature = "frame")]
pub use frame::{FrameParams, FrameReader, FrameWriter};
pub use limits::Limits;
pub use params::{CParams, DParams, SplitMode};
pub use registry::Registry;
#[cfg(feature = "frame")]
pub use schunk::{ChunkSink, ChunkSource, SChunk};
pub use threads::Threads;

/// Compresses `src` into a chunk ([format §2](crate::format#2)).
///
/// ```
/// use oxiblosc::{compress, decompress, CParams};
/// let chunk = compress(b"so it goes, so it goes, so it goes", &CParams::new(1))?;
/// assert_eq!(decompress(&chunk)?, b"so it goes, so it goes, so it goes");
/// # Ok::<(), oxiblosc::Error>(())
/// ```
///
/// # Errors
/// As [`ChunkEncoder::new`] and [`ChunkEncoder::encode`].
#[doc(alias = "blosc2_compress")]
pub fn compress(src: &[u8], cparams: &CParams) -> Result<Vec<u8>> {
    ChunkEncoder::new(cparams.clone())?.encode(src)
}

/// Compresses `src` into the front of `dst` and returns the length of the chunk; [`max_chunk_len`]
/// bytes always suffice ([format §2](crate::format#2)).
///
/// # Errors
/// As [`ChunkEncoder::new`] and [`ChunkEncoder::encode_into`].
#[doc(alias = "blosc1_compress")]
#[doc(alias = "blosc2_compress")]
pub fn compress_into(src: &[u8], dst: &mut [u8], cparams: &CParams) -> Result<usize> {
    ChunkEncoder::new(cparams.clone())?.encode_into(src, dst)
}

/// Compresses `src`, appends the chunk to `dst` and returns its length
/// ([format §2](crate::format#2)).
///
/// # Errors
/// As [`ChunkEncoder::new`] and [`ChunkEncoder::encode_append`].
#[doc(alias = "blosc2_compress")]
pub fn compress_append(src: &[u8], dst: &mut Vec<u8>, cparams: &CParams) -> Result<usize> {
    ChunkEncoder::new(cparams.clone())?.encode_append(src, dst)
}

/// Decompresses a chunk of at most 1 GiB ([`Limits::UNTRUSTED`]; [format §2](crate::format#2)).
///
/// # Errors
/// As [`ChunkDecoder::decode`].
#[doc(alias = "blosc2_decompress")]
pub fn decompress(chunk: &[u8]) -> Result<Vec<u8>> {
    ChunkDecoder::default().decode(chunk)
}

/// Decompresses a chunk into the front of `dst` and returns its size in bytes
/// ([format §2](crate::format#2)).
///
/// # Errors
/// As [`ChunkDecoder::decode_into`].
#[doc(alias = "blosc1_decompress")]
#[doc(alias = "blosc2_decompress")]
pub fn decompress_into(chunk: &[u8], dst: &mut [u8]) -> Result<usize> {
    ChunkDecoder::default().decode_into(chunk, dst)
}

/// Decompresses a chunk, appends it to `dst` and returns its size in bytes
/// ([format §2](crate::format#2)).
///
/// # Errors
/// As [`ChunkDecoder::decode_append`].
#[doc(alias = "blosc2_decompress")]
pub fn decompress_append(chunk: &[u8], dst: &mut Vec<u8>) -> Result<usize> {
    ChunkDecoder::default().decode_append(chunk, dst)
}

/// The examples of the README run, too.
#[cfg(all(doctest, feature = "lz4", feature = "b2nd"))]
#[doc = include_str!("../README.md")]
struct Readme;
