//! Super-chunks: an ordered list of chunks with common parameters and metalayers
//! ([format §9](crate::format#9)).
//!
//! ```text
//! schunk = chunk 0 | chunk 1 | ... | chunk n-1      all of `chunksize` bytes but the last,
//!          metalayers, vlmetalayers                 or of any size each
//! ```
//!
//! [`ChunkSource`] is the interface for reading chunks (slices, arrays, copies), [`ChunkSink`] the
//! one for writing them. A super-chunk in memory, a frame in memory and a frame on disk implement
//! both.

mod ahead;
mod held;
mod incoming;
mod layout;
mod memory;
mod metalayers;
#[cfg(feature = "serde")]
mod msgpack;
mod pointers;
mod ranges;
mod recode;
mod sink;
mod sizes;
mod source;
mod special;
mod stored;
#[cfg(feature = "serde")]
mod vlmeta;

pub use ahead::ReadAhead;
pub(crate) use held::Held;
pub(crate) use incoming::{EncodedChunk, MIN_CHUNK_LEN, Origin, check_incoming, check_more_chunks};
pub use layout::ChunkLayout;
pub use memory::SChunk;
pub(crate) use memory::{DEFAULT_CHUNKSIZE, check_chunksize};
pub use metalayers::{
    MAX_METALAYER_NAME, MAX_METALAYERS, MAX_VLMETALAYERS, Metalayers, VlMetalayers,
};
pub(crate) use metalayers::{check_vlmetalayer_chunk, metadata_decoder};
pub(crate) use pointers::{forward_chunk_sink, forward_chunk_source};
pub(crate) use ranges::{check_range, decode_bytes_into, decode_ranges_into, fill_ranges};
pub use recode::{copy_chunks, recode};
pub use sink::ChunkSink;
pub(crate) use sink::set_items;
pub(crate) use sizes::Sizes;
pub use source::ChunkSource;
pub(crate) use special::{decode_special, solid_chunk};
#[cfg(feature = "b2nd")]
pub(crate) use special::{fill_special, special_header};
pub use stored::StoredChunk;
#[cfg(feature = "serde")]
pub use vlmeta::{VlMeta, VlMetaMut};
