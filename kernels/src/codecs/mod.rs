//! Codecs of streams: BloscLZ, LZ4 with LZ4 HC, zlib (deflate and inflate), Zstandard, NDLZ
//! and ZFP.

pub mod blosclz;
mod boxed;
pub mod deflate;
mod error;
mod huffman;
pub mod inflate;
mod log2;
mod lz;
pub mod lz4;
pub mod ndlz;
pub mod zfp;
mod zlib;
pub mod zstd;

pub use error::{DecodeError, DecodeErrorKind};
