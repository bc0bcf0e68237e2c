//! Zarr arrays, version 2 and 3, whose chunks are Blosc chunks, streams of Zstandard, or not
//! compressed
//! ([format §17.8](crate::format#17.8)).
//!
//! ```text
//! json     documents: .zarray, .zgroup, .zattrs, zarr.json
//! meta     the properties of an array, of either version
//! codecs   chains of codecs, of chunks and of shard indexes
//! fill     fill values
//! shard    the index of a shard
//! source   ZarrArray: the chunks of an array
//! ```

mod codecs;
mod crc;
mod dtype;
mod fill;
mod gzip;
mod json;
mod meta;
mod shard;
mod source;
mod walk;

pub use source::ZarrArray;
pub(super) use walk::{group_attributes, is_node, walk};
