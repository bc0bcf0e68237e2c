//! Codecs of streams: BloscLZ, LZ4 with LZ4 HC, and zlib (deflate and inflate).

pub mod blosclz;
mod boxed;
pub mod deflate;
mod error;
pub mod inflate;
mod lz;
pub mod lz4;
mod zlib;

pub use error::{DecodeError, DecodeErrorKind};
