//! Writing: from a box of elements to chunks, and changes of the shape.

mod append;
mod blocks;
pub(crate) mod builder;
mod copies;
mod create;
mod dims;
mod encode;
mod insert;
mod resize;
mod slice;
mod special;
pub(crate) mod target;
