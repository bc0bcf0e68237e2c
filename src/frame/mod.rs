#![doc = include_str!("FORMAT.md")]
//!
//! # Reading the code
//!
//! ```text
//! header  trailer  metadata  offsets  legacy      bytes to fields and back, over msgpack
//!         contents                                all of them together: an opened frame
//! store   contiguous  sparse                      where the parts lie
//! reader  any  lazy  cursor  check                FrameReader, AnyFrame, LazyChunk, ItemReader
//! writer  edit  commit  compact  seal  params     FrameWriter, how changes reach the storage
//! ```
#![deny(clippy::indexing_slicing)]

mod any;
mod cframe;
mod check;
mod commit;
mod compact;
mod contents;
mod contiguous;
mod cursor;
mod edit;
mod header;
mod lazy;
mod legacy;
mod metadata;
mod msgpack;
mod neighbours;
mod offsets;
mod params;
mod reader;
mod seal;
mod source;
mod sparse;
mod store;
mod trailer;
mod writer;

pub use any::AnyFrame;
pub use compact::Compacted;
pub use contiguous::Contiguous;
pub use cursor::ItemReader;
pub use header::{FRAME_HEADER_LEN, FrameHeader, FrameType};
pub use lazy::LazyChunk;
pub use legacy::{LEGACY_USERMETA, write_legacy};
pub use params::{FrameParams, Sync};
pub use reader::{ChunkPlace, FrameReader};
pub use seal::{SEAL, Verified, chunk_checksum};
pub use sparse::Sparse;
pub use store::{FrameStore, FrameStoreMut};
pub use trailer::Fingerprint;
pub use writer::FrameWriter;
