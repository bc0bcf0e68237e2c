#![doc = include_str!("FORMAT.md")]

mod array;
mod copy;
mod layout;
#[cfg(feature = "ndarray")]
mod ndarray;
mod pool;
mod read;
mod select;
mod workspace;
mod write;

pub use array::Array;
pub use layout::dtype::{ByteOrder, Dtype, DtypeKind, Element, Field};
pub use layout::grid::{Grid, MAX_NCHUNKS};
pub use layout::meta::{B2ndMeta, DTYPE_NUMPY, MAX_NDIM, METALAYER, METALAYER_CATERVA};
pub use layout::params::ArrayParams;
pub use layout::shapes::{TARGET_BLOCKSIZE, TARGET_CHUNKSIZE, auto_blockshape, auto_chunkshape};
pub use oxiblosc_kernels::pod::Bool;
pub use read::chunkwise::ChunkBox;
pub use read::view::View;
pub use select::axis::AxisSelection;
