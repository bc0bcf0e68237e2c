//! Codecs of streams: BloscLZ, LZ4 with LZ4 HC, zlib (deflate and inflate), Zstandard (decoding),
//! NDLZ and ZFP.

pub mod blosclz;
mod boxed;
pub mod deflate;
mod error;
pub mod inflate;
mod lz;
pub mod lz4;
pub mod ndlz;
pub mod zfp;
mod zlib;
pub mod zstd;

pub use error::{DecodeError, DecodeErrorKind};
