//! Chunks: the unit that is compressed and stored (format §1 to §8).
//!
//! [`ChunkEncoder`] makes them, [`ChunkDecoder`] takes them apart, [`ChunkView`] looks without
//! decoding. Chunks know nothing of each other.
//!
//! # The format
//!
#![doc = include_str!("FORMAT.md")]

mod assemble;
pub(crate) mod block;
mod blosc1;
mod check;
mod decoder;
mod dict;
mod encoder;
mod fields;
pub(crate) mod header;
mod hooks;
mod layout;
#[cfg(feature = "rayon")]
mod ordered;
#[cfg(feature = "b2nd")]
mod parts;
mod plain;
mod ranges;
pub(crate) mod scratch;
#[cfg(feature = "rayon")]
pub(crate) mod share;
mod source;
mod special;
mod tune;
mod view;
mod vlblocks;

#[cfg(feature = "b2nd")]
pub(crate) use block::Rows;
#[cfg(feature = "b2nd")]
pub(crate) use parts::{BlockPart, PartSink};

pub use decoder::ChunkDecoder;
pub use encoder::{ChunkEncoder, max_chunk_len};
pub use header::{BLOSC1_HEADER_LEN, ChunkHeader, HEADER_LEN};
pub use special::Special;
pub use view::ChunkView;
