#![doc = include_str!("FORMAT.md")]

mod array;
mod copy;
mod create;
mod dtype;
mod grid;
mod meta;
mod params;
mod read;
mod resize;
mod shapes;
mod write;

pub use array::Array;

pub use dtype::{ByteOrder, Dtype, DtypeKind, Element, Field};
pub use grid::{Grid, MAX_NCHUNKS};
pub use meta::{B2ndMeta, DTYPE_NUMPY, MAX_NDIM, METALAYER, METALAYER_CATERVA};
pub use params::ArrayParams;
pub use shapes::{TARGET_BLOCKSIZE, TARGET_CHUNKSIZE, auto_blockshape, auto_chunkshape};
