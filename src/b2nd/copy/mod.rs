//! Strided copies between C-order buffers and decoded chunks.

pub(crate) mod buffer;
pub(crate) mod rows;
