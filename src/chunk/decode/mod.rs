//! From chunks to bytes.
//!
//! ```text
//! request (chunk, items, ranges, blocks, box) -> tasks -> executor -> destinations
//!          decoder, items, blocks, parts         task     executor     task
//!                                                         block, planes, part: one block
//! ```

mod block;
mod blocks;
mod decoder;
mod executor;
mod fetched;
mod items;
mod part;
#[cfg(feature = "b2nd")]
mod parts;
mod planes;
mod target;
mod task;

pub use decoder::ChunkDecoder;
#[cfg(feature = "b2nd")]
pub(crate) use part::Rows;
#[cfg(feature = "b2nd")]
pub(crate) use parts::{BlockPart, PartSink};
