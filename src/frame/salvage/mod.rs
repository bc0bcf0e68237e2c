//! Salvage: every whole chunk of a damaged frame, and a new frame of them.
//!
//! ```
//! use oxiblosc::frame::salvage::salvage;
//! use oxiblosc::storage::Memory;
//! use oxiblosc::{ChunkSource, CParams, DParams, FrameParams, FrameReader, FrameWriter, Special};
//!
//! let items: Vec<u8> = (0..4000_u32).flat_map(u32::to_le_bytes).collect();
//! let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(4), 4000))?;
//! writer.append(&items)?;
//! let mut frame = writer.into_bytes()?;
//! frame[..400].fill(0); // the header and a part of the first chunk
//! assert!(FrameReader::from_bytes(&frame, DParams::new()).is_err());
//!
//! let saved = salvage(Memory(&frame), &DParams::new())?;
//! assert_eq!(saved.missing().collect::<Vec<_>>(), [0]);
//! let mut writer = FrameWriter::in_memory(saved.params()?)?;
//! let lost = saved.write_in(&mut writer, Special::Zeros)?;
//! let reader = FrameReader::from_bytes(writer.into_bytes()?, DParams::new())?;
//! assert_eq!((lost, reader.layout().nchunks), (vec![0], 4));
//! assert_eq!(reader.slice(1000..4000)?, items[4000..]);
//! # Ok::<(), oxiblosc::Error>(())
//! ```
//!
//! Chunks describe themselves ([format §1](crate::format#1)). Where the index can be read and
//! nothing has moved, it leads to them. Elsewhere they are found one after the other, and after
//! damage by looking at every byte. A chunk counts as whole when its header, its block offsets and
//! its streams fit together and it decodes; chunks never overlap.
//!
//! # Limits
//!
//! - Without a seal ([`FrameWriter::seal`](super::FrameWriter::seal)), a changed byte in stored
//!   data cannot be noticed when the chunk still decodes: [`Proof`] says which chunks are certain.
//! - Without an index or seal, chunks are numbered by their order in the file: wrong after changes
//!   that moved chunks, and blind to chunks that stand in the index alone. How many chunks are
//!   missing is then known from the header or the shape of an array, and where, only when one
//!   place is damaged.
//! - Where bytes are cut out of a copied chunk without a seal, it still decodes and takes as many
//!   of those after it: a chunk that lies exactly there is hidden. A chunk that came to lie exactly
//!   where another one was gets the number of either.
//! - A copied chunk whose own header is damaged and that contains chunks as data gives those.
//! - The time is linear: each byte is looked at a few times, and what decodes to nothing is limited
//!   to 16 times the size of the file and 64 MiB. When that is used up, scanning ends, and the loss
//!   names the limit.
//! - Chunks and metalayers meet [`Limits`](crate::Limits) as everywhere.
//!
//! # Reading the code
//!
//! ```text
//! bytes        a window over the storage
//! probe        whether a chunk is at a place
//! section      metalayers, entry by entry
//! walk         from chunk to chunk without an index
//! remains      header and trailer
//! find_index   the index, where the header does not lead to it
//! number       which chunk is which: by order, by seal
//! by_index     the same by the index, whose offsets may have moved
//! sizes        how many chunks there should be, and of what size
//! contiguous   all of this for one file
//! sparse       for a directory
//! salvaged     the result, and a new frame of it
//! ```

mod by_index;
mod bytes;
mod contiguous;
mod find_index;
mod losses;
mod number;
mod probe;
mod remains;
mod salvaged;
mod section;
mod sizes;
mod sparse;
mod walk;

use std::io;

use crate::error::Result;
use crate::frame::store::names::file_name;
use crate::params::DParams;
use crate::storage::{Directory, ReadAt};

pub use number::Placed;
pub use probe::Proof;
pub use salvaged::{Salvaged, SalvagedChunk};

/// Saves what is whole in a contiguous frame ([format §9](crate::format#9)). The frame begins with
/// the storage; any part of it may be damaged, displaced or cut off.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) when the storage cannot be read. Damage is no error.
pub fn salvage<'a>(file: impl ReadAt + 'a, dparams: &DParams) -> Result<Salvaged<'a>> {
    let collected = contiguous::collect(&file, dparams)?;
    Ok(Salvaged::new(Box::new(OneFile(file)), collected, dparams))
}

/// Saves what is whole in a sparse frame ([format §10](crate::format#10)). Files may be damaged or
/// missing, `chunks.b2frame` too: the names of the chunk files then say the order.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) when the directory cannot be read. Damage is no error.
pub fn salvage_sparse<'a>(dir: impl Directory + 'a, dparams: &DParams) -> Result<Salvaged<'a>> {
    let collected = sparse::collect(&dir, dparams)?;
    Ok(Salvaged::new(Box::new(Files(dir)), collected, dparams))
}

#[derive(Debug)]
struct OneFile<F>(F);

impl<F: ReadAt> salvaged::Stored for OneFile<F> {
    fn open(&self, _: Option<u64>) -> io::Result<Box<dyn ReadAt + '_>> {
        Ok(Box::new(&self.0))
    }
}

#[derive(Debug)]
struct Files<D>(D);

impl<D: Directory> salvaged::Stored for Files<D> {
    fn open(&self, file: Option<u64>) -> io::Result<Box<dyn ReadAt + '_>> {
        let name = file_name(file.unwrap_or_default()).map_err(io::Error::other)?;
        Ok(Box::new(self.0.open(&name)?))
    }
}
