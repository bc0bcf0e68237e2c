#![doc = include_str!("FORMAT.md")]

mod array;
mod blocks;
mod chunkwise;
mod copies;
mod copy;
mod create;
mod dims;
mod dtype;
mod encode;
mod gather;
mod grid;
mod insert;
mod meta;
#[cfg(feature = "ndarray")]
mod ndarray;
mod params;
mod plan;
mod points;
mod read;
mod resize;
mod select;
mod shapes;
mod view;
mod write;

pub use array::Array;
pub use chunkwise::ChunkBox;

pub use crate::kernels::pod::Bool;
pub use dtype::{ByteOrder, Dtype, DtypeKind, Element, Field};
pub use grid::{Grid, MAX_NCHUNKS};
pub use meta::{B2ndMeta, DTYPE_NUMPY, MAX_NDIM, METALAYER, METALAYER_CATERVA};
pub use params::ArrayParams;
pub use select::Pick;
pub use shapes::{TARGET_BLOCKSIZE, TARGET_CHUNKSIZE, auto_blockshape, auto_chunkshape};
pub use view::View;
