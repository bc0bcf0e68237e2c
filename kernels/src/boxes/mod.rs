//! Boxes of arrays: the strided copy, and buffers that several threads fill box by box.
//!
//! A box is a range of indices along each axis of an array; its bytes lie at fixed strides in a
//! buffer. [`StridedCopy`] moves a box from one buffer to another, [`BoxGrid`] hands out disjoint
//! boxes of one output buffer.

mod grid;
mod strided;

pub use grid::{BoxGrid, BoxMut};
pub use strided::{MAX_AXES, StridedCopy};
