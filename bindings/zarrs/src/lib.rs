//! The Zarr codec `blosc` for zarrs, and `oxiblosc.b2nd_chunk`.
//!
//! ```
//! use std::sync::Arc;
//! use zarrs::array::{ArrayBuilder, ArraySubset, data_type};
//! use zarrs::array::codec::api::Codec;
//! use zarrs::metadata::v3::MetadataV3;
//! use zarrs::storage::store::MemoryStore;
//!
//! zarrs_oxiblosc::install(); // `blosc` is this crate's from here on, in every array
//! let blosc = MetadataV3::try_from(r#"{"name": "blosc", "configuration": {"cname": "lz4",
//!     "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}"#)?;
//! let Codec::BytesToBytes(blosc) = Codec::from_metadata(&blosc)? else { unreachable!() };
//! let array = ArrayBuilder::new(vec![2000, 1000], vec![500, 1000], data_type::float32(), 0.0_f32)
//!     .bytes_to_bytes_codecs(vec![blosc])
//!     .build(Arc::new(MemoryStore::new()), "/rows")?;
//! let numbers: Vec<f32> = (0..2_000_000).map(|n| n as f32).collect();
//! array.store_array_subset(&array.subset_all(), &numbers)?;
//! let row = ArraySubset::new_with_ranges(&[7..8, 0..1000]);
//! let row: Vec<f32> = array.retrieve_array_subset(&row)?;
//! assert_eq!(row[..2], [7000.0, 7001.0]); // two reads: the offsets of the blocks, one block
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`install`] registers the codecs; arrays that are opened or created afterwards use them.
//! Chunks are those of C-Blosc: every Zarr library reads them, and this one reads theirs.
//!
//! # What is different from the codec in zarrs
//!
//! - A read of a part of a chunk fetches the header with the offsets of the blocks in one request,
//!   the blocks that it needs in a second one, and decodes these alone. Chunks of at most 128 KiB,
//!   and those of which most is wanted, are fetched as a whole in one.
//! - Encoders and decoders are kept, for each thread that is at work.
//! - The thread budget of zarrs (`CodecOptions::concurrent_target`) also serves single large
//!   chunks: with one chunk and eight threads, eight blocks are decoded at a time.
//! - What a chunk claims is checked against its place in the array before memory is taken.
//!
//! For arrays of Zarr v2, zarrs makes its own codec without asking for others; [`adopt`] gives such
//! an array this one.
#![forbid(unsafe_code)]

mod b2nd_chunk;
mod blosc;
mod fetch;
mod plan;
mod tools;
mod v2;

use std::sync::Mutex;
use std::sync::PoisonError;

pub use b2nd_chunk::{B2ndChunkCodec, B2ndChunkConfiguration, Endian};
pub use blosc::BloscCodec;
pub use v2::adopt;
use zarrs::array::codec::api::{
    CodecRuntimePluginV2, CodecRuntimePluginV3, CodecTraitsV2, CodecTraitsV3, register_codec_v2,
    register_codec_v3,
};

/// Makes zarrs use this crate for `blosc` and `numcodecs.blosc`, of Zarr v3 and v2, and adds
/// `oxiblosc.b2nd_chunk`. Arrays that are open keep their codecs. Calls after the first one do
/// nothing.
pub fn install() {
    static DONE: Mutex<bool> = Mutex::new(false);
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::replace(&mut *done, true) {
        return;
    }
    let is_blosc = |name: &str| name == blosc::NAME || name == blosc::NAME_NUMCODECS;
    register_codec_v3(CodecRuntimePluginV3::new(
        is_blosc,
        <BloscCodec as CodecTraitsV3>::create,
    ));
    register_codec_v2(CodecRuntimePluginV2::new(
        is_blosc,
        <BloscCodec as CodecTraitsV2>::create,
    ));
    let is_b2nd = |name: &str| name == b2nd_chunk::NAME;
    register_codec_v3(CodecRuntimePluginV3::new(is_b2nd, B2ndChunkCodec::create));
}
