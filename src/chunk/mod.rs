//! Chunks: the unit of compression and storage.
//!
//! ```
//! use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, ChunkView, Limits};
//!
//! let data: Vec<u8> = (0..50_000_u32).flat_map(u32::to_le_bytes).collect();
//! let mut encoder = ChunkEncoder::new(CParams::new(4))?;
//! let mut decoder = ChunkDecoder::default();
//! let chunk = encoder.encode(&data)?;
//! assert_eq!(decoder.decode(&chunk)?, data);
//! // Items 40,000 to 40,009: only the blocks that hold them are decoded.
//! assert_eq!(decoder.decode_items(&chunk, 40_000..40_010)?, data[160_000..160_040]);
//! // The header and the block offsets are checked, and nothing is decoded.
//! assert_eq!(ChunkView::parse(&chunk, &Limits::UNTRUSTED)?.header().nbytes, 200_000);
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! [`ChunkEncoder`] compresses, [`ChunkDecoder`] decompresses, and [`ChunkView`] inspects without
//! decoding. Encoders and decoders keep their buffers and codec states between calls. Chunks are
//! independent of each other.
//!
//! ```text
//!   data    |  block 0  |  block 1  |  block 2  |b3|      cut into blocks that fit the cache
//!                 |           |                           pipeline of up to 6 filters
//!              +-----+     +-----+
//!              |  0  |     |  0  |                        split into streams, one per byte of an
//!              |  1  |     |  1  |                        item, or one in all
//!              +-----+     +-----+
//!                 |           |                           codec, run or raw copy per stream
//!   chunk   | header | offsets | block 0 | block 1 | block 2 | b3 |
//! ```
//!
//! # Invariants
//!
//! - The bytes of a chunk depend on the data and the parameters only, never on threads,
//!   instruction set or earlier calls. With `BloscLZ` they equal those of C-Blosc2 3.3.
//! - A chunk of `n` bytes of data has at most [`max_chunk_len(n)`](max_chunk_len) bytes.
//! - The encoder decides in the order of the blocks when to give up: the destination counts as
//!   `n + 32` bytes, each stream may use the space that is left, and when one does not fit, the
//!   whole chunk stores its data uncompressed.
//! - A decoder reads nothing outside of `cbytes`, allocates nothing beyond its
//!   [`Limits`](crate::Limits), and names the part and the offset of whatever it refuses.
//! - Deviations from C-Blosc2 are listed in the [format description](crate::format#14.2).
//!
//! Byte layouts are in the format description: [header](crate::format#1),
//! [blocks and streams](crate::format#2), [block size](crate::format#3),
//! [special values](crate::format#4), [variable-length blocks](crate::format#8).

mod copy;
mod decode;
mod encode;
mod front;
mod header;
mod layout;
mod parsed;
mod ranges;
mod rules;
pub(crate) mod scratch;
mod special;
mod streams;
mod tune;
mod typed;
mod view;
mod vlblocks;

pub use decode::ChunkDecoder;
#[cfg(feature = "b2nd")]
pub(crate) use decode::{BlockPart, PartSink, Rows};
pub use encode::{ChunkEncoder, max_chunk_len};
pub use front::ChunkFront;
#[cfg(feature = "frame")]
pub(crate) use front::{BlockPlaces, front_len, joined, needs_first, odd_table, table_len};
pub use header::{BLOSC1_HEADER_LEN, ChunkHeader, HEADER_LEN};
#[cfg(feature = "frame")]
pub(crate) use layout::{bstarts, bstarts_end};
pub use parsed::ChunkPart;
pub use special::Special;
pub use typed::{compress_slice, decompress_to_vec};
pub use view::ChunkView;
