//! Frames: super-chunks in bytes, in a file or in a directory.
//!
//! ```
//! use oxiblosc::frame::{FrameParams, FrameReader, FrameWriter};
//! use oxiblosc::{CParams, ChunkSink, ChunkSource, DParams};
//!
//! let params = FrameParams::new(CParams::new(4), 4000).metalayer("unit", b"kelvin")?;
//! let mut writer = FrameWriter::in_memory(params)?;
//! for step in 0..3_u32 {
//!     let items: Vec<u8> = (0..1000).flat_map(|item| (step * item).to_le_bytes()).collect();
//!     writer.append(&items)?;
//! }
//! let bytes = writer.into_bytes()?;
//!
//! let reader = FrameReader::from_bytes(bytes, DParams::new())?;
//! assert_eq!(reader.layout().nchunks, 3);
//! assert_eq!(reader.metalayers().get("unit"), Some(&b"kelvin"[..]));
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! **A frame that is written has to be finished**: [`FrameWriter::finish`], or
//! [`commit`](FrameWriter::commit). A writer of a new file that is dropped before leaves no file,
//! or the old one, and says so ([`FrameWriter::on_lost`]).
//!
//! [`FrameWriter`] creates and changes frames, [`FrameReader`] reads them; [`AnyWriter`] and
//! [`AnyFrame`] do it with a frame of either kind by its path, and [`LazyChunk`] fetches single
//! blocks of a chunk.
//!
//! ```text
//! contiguous   | header | chunks, in any order, gaps allowed | index | trailer |
//!
//!   header     parameters for new chunks, metalayers of fixed size
//!   index      the position of each chunk
//!   trailer    metalayers of variable size, fingerprint
//!
//! sparse       name/chunks.b2frame    | header | index | trailer |
//!              name/00000000.chunk    one chunk per file
//! ```
//!
//! # Invariants
//!
//! - A commit is one write of the header (of a sparse frame: one replacement of `chunks.b2frame`),
//!   after everything it refers to. A crash leaves the frame of the last commit or that of the new
//!   one, unless [`FrameParams::in_place`] gave that up; a loss of power needs
//!   [`Durability::Data`] or more.
//! - Opening reads header, index and trailer and checks every offset against the size of the chunks
//!   (of a sparse frame: file numbers against 32 bits); chunks are read when they are asked for.
//! - A sealed frame ([`FrameWriter::seal`]) reports any changed byte of chunks, index and trailer.
//! - Deviations from C-Blosc2 are listed in the [format description](crate::format#14.2).
//!
//! Byte layouts are in the format description: [contiguous frames](crate::format#9),
//! [sparse frames](crate::format#10).
//!
//! # Reading the code
//!
//! ```text
//! layout   header, trailer, index, metalayers: bytes to fields and back
//! store    one piece of bytes, or a directory: finding, storing and committing parts
//! read     FrameReader, AnyFrame, LazyChunk, ItemReader
//! write    FrameWriter, AnyWriter: appending, changing, sealing, compacting
//! salvage  whole chunks of damaged frames, and new frames of them
//! ```
//!
//! Each folder imports from those above it only.
#![deny(clippy::indexing_slicing)]

mod layout;
mod read;
pub mod salvage;
mod store;
mod write;

pub use layout::header::{FRAME_HEADER_LEN, FrameHeader, FrameType};
pub use layout::legacy::LEGACY_USERMETA;
pub use layout::locking::{Access, Locking};
pub use layout::lost::Lost;
#[cfg(feature = "b2nd")]
pub(crate) use layout::lost::OnLost;
pub use layout::params::{Durability, FrameParams};
pub use layout::seal::chunk_checksum;
pub use layout::trailer::{Fingerprint, SEAL};
pub use read::any::AnyFrame;
pub use read::cursor::ItemReader;
pub use read::lazy::LazyChunk;
pub use read::places::ChunkPlace;
pub use read::reader::FrameReader;
pub use read::sniff::FileKind;
pub use read::verify::Verified;
pub use store::contiguous::Contiguous;
pub use store::names::SPARSE_FRAME_FILE;
pub use store::sparse::Sparse;
pub use store::traits::{FrameStore, FrameStoreMut};
pub use write::any::AnyWriter;
pub use write::compact::Compacted;
pub use write::writer::FrameWriter;
