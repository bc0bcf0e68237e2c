//! n-dimensional arrays over chunks.
//!
//! ```
//! use oxiblosc::b2nd::{Array, ArrayParams};
//!
//! let params =
//!     ArrayParams::new::<f32>(&[100, 200]).chunkshape(&[50, 50]).blockshape(&[10, 25]);
//! let elements: Vec<f32> = (0..20_000_u16).map(f32::from).collect();
//! let array = Array::from_elements(&elements, &params)?;
//! assert_eq!(array.get::<f32>(&[1, 2])?, 202.0);
//! // Rows 10 and 11, columns 0 to 2: only the blocks that hold them are decoded.
//! let part: Vec<f32> = array.slice(&[10..12, 0..3])?;
//! assert_eq!(part, [2000.0, 2001.0, 2002.0, 2200.0, 2201.0, 2202.0]);
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! On disk, an array is a file (or a directory with a file per chunk):
//!
//! ```
//! use oxiblosc::b2nd::{Array, ArrayParams};
//! # fn main() -> oxiblosc::Result<()> {
//! # let dir = tempfile::tempdir().unwrap();
//! # let path = dir.path().join("numbers.b2nd");
//!
//! let params = ArrayParams::new::<f64>(&[2, 3]);
//! Array::from_elements_in(&path, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &params)?;
//! let mut array = Array::open_mut(&path)?;
//! array.append(&[6.0, 7.0, 8.0])?;
//! array.finish()?;
//! assert_eq!(Array::open(&path)?.slice::<f64>((1.., 0))?, [3.0, 6.0]);
//! # Ok(())
//! # }
//! ```
//!
//! **What is written has to be finished** ([`Array::finish`], or [`commit`](Array::commit)); only
//! arrays made of all their elements at once are committed when the call returns. A new array that
//! is dropped before leaves no file, or the old one, and says so ([`Array::on_lost`]). Of an array
//! that is on disk, dropping the handle commits what was appended, unless something else has
//! changed, a call has failed, or the thread panics.
//!
//! An [`Array`] lies over any [`ChunkSource`](crate::ChunkSource): a super-chunk in memory, a
//! contiguous or sparse frame, or a type of the caller. It adds a metalayer named `b2nd`, which
//! states shape, chunkshape, blockshape and element type; the chunks are ordinary.
//!
//! ```text
//!   array 5 x 7, chunkshape 4 x 4, blockshape 2 x 2
//!
//!    0 0 1 1 | 0 0 1 .        block of each element, numbered within its chunk
//!    0 0 1 1 | 0 0 1 .
//!    2 2 3 3 | 2 2 3 .        chunk 0 | chunk 1
//!    2 2 3 3 | 2 2 3 .        --------+--------
//!    --------+--------        chunk 2 | chunk 3
//!    0 0 1 1 | 0 0 1 .
//!    . . . . | . . . .        . is padding
//!    . . . . | . . . .
//!    . . . . | . . . .
//! ```
//!
//! # Invariants
//!
//! - Chunks, blocks and elements are in row-major order, each within its parent. Every chunk holds
//!   all its blocks in full; positions outside of the array are padding, which is written as zeros
//!   and never read.
//! - The elements that growing uncovers are zero, also where shrinking left old values in the
//!   padding.
//! - The metalayer is rewritten last when an array grows and first when it shrinks, so that a
//!   reader never finds fewer chunks than the shape requires.
//! - The typesize of the super-chunk decides the size of an element; a dtype of another size does
//!   not change it.
//! - Deviations from C-Blosc2 are listed in the [format description](crate::format#14.2).
//!
//! Byte layouts are in the format description: [metalayer](crate::format#11.1),
//! [partitioning](crate::format#11.2), [changes of the shape](crate::format#11.5).

mod array;
mod copy;
mod file;
mod layout;
#[cfg(feature = "ndarray")]
mod ndarray;
mod read;
mod refresh;
mod select;
mod tail;
mod workspace;
mod write;

pub use array::Array;
pub use file::{ArrayReader, ArrayWriter, MemoryArray};
pub(crate) use layout::dtype::fill_elements;
pub use layout::dtype::{ByteOrder, Dtype, DtypeKind, Element, Field};
pub use layout::grid::{Grid, MAX_NCHUNKS};
pub use layout::meta::{B2ndMeta, DTYPE_NUMPY, MAX_NDIM, METALAYER, METALAYER_CATERVA};
pub use layout::params::ArrayParams;
pub use layout::shapes::{TARGET_BLOCKSIZE, TARGET_CHUNKSIZE, auto_blockshape, auto_chunkshape};
/// Derives [`trait@Element`] for a struct, with its fields as a structured dtype of NumPy (feature
/// `derive`).
///
/// ```
/// use bytemuck::{Pod, Zeroable};
/// use oxiblosc::b2nd::{Array, ArrayParams, ByteString, Element};
///
/// #[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable, Element)]
/// #[repr(C)]
/// struct Star {
///     name: ByteString<6>,
///     #[element(padding)]
///     _pad: [u8; 2],
///     #[element(rename = "ra/dec")]
///     position: [f64; 2],
/// }
///
/// let star = Star { name: (*b"Vega\0\0").into(), _pad: [0; 2], position: [279.23, 38.78] };
/// let array = Array::from_elements(&[star; 3], &ArrayParams::new::<Star>([3]))?;
/// assert_eq!(
///     array.dtype().as_str(),
///     "[('name', '|S6'), ('', '|V2'), ('ra/dec', '<f8', (2,))]",
/// );
/// assert_eq!(array.get::<Star>([2])?, star);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[cfg(feature = "derive")]
pub use oxiblosc_derive::Element;
pub use oxiblosc_kernels::pod::{Bool, ByteString};
pub use read::chunkwise::ChunkBox;
pub use read::parts::ArrayPart;
pub use read::view::View;
pub(crate) use read::wanted::WantedChunk;
pub use select::axis::{AxisIndex, AxisRange, AxisSelection};
pub use select::per_axis::PerAxis;
pub(crate) use select::plan::ReadPlan;
pub use select::selection::Selection;
pub use write::target::ArrayTarget;
