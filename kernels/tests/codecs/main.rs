//! Codec kernels against naive decoders, other libraries and frozen bytes.

mod blosclz;
mod deflate;
mod inflate;
mod levels;
mod lz4;
mod lz4_c;
mod lz4_common;
