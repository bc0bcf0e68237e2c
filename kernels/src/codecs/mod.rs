//! Codecs of streams: BloscLZ, LZ4 with LZ4 HC, and zlib (deflate and inflate).

pub mod blosclz;
mod boxed;
pub mod deflate;
pub mod inflate;
pub mod lz4;
mod work;
mod zlib;
