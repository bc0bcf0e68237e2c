//! The stores of a frame: one piece of bytes, or a file for each chunk.

use std::fmt;

use crate::error::Result;
use crate::frame::layout::contents::Contents;
use crate::frame::layout::header::{FrameHeader, FrameType};
use crate::frame::layout::params::Durability;
use crate::frame::layout::trailer::Fingerprint;
use crate::frame::store::located::Located;
use crate::frame::store::undo::Abandon;
use crate::storage::{ReadAt, Shareable, Sidecar, Stamp};

/// A store that a frame can be read from: [`Contiguous`](crate::frame::Contiguous) or
/// [`Sparse`](crate::frame::Sparse).
pub trait FrameStore: sealed::Sealed + fmt::Debug + Send + Sync {
    /// The frame type that the header must name.
    const FRAME_TYPE: FrameType;
}

/// A store that can be changed.
pub trait FrameStoreMut: FrameStore + sealed::SealedMut {}

#[expect(
    unnameable_types,
    private_interfaces,
    reason = "the set of stores is closed: these methods are not part of the API"
)]
pub(crate) mod sealed {
    use super::{
        Abandon, Committed, Contents, FrameHeader, Located, Placed, ReadAt, Result, Shareable,
        Sidecar, Stamp, WriteMode,
    };

    /// Methods for reading.
    pub trait Sealed {
        /// The bytes that hold the header, the index and the trailer.
        fn frame(&self) -> Result<&dyn ReadAt>;

        /// Finds a stored chunk.
        fn locate(&self, header: &FrameHeader, place: u64) -> Result<Located<'_>>;

        /// Finds a stored chunk in a file with this end, of which the cache has bytes.
        fn locate_cached(&self, header: &FrameHeader, place: u64, end: u64) -> Result<Located<'_>> {
            let _ = end;
            self.locate(header, place)
        }

        /// The file that holds the header, with its locks, if it has any.
        fn shareable(&self) -> Option<&dyn Shareable>;

        /// The sidecar of the frame, if its storage has such a thing.
        fn sidecar(&self, create: bool) -> Result<Option<Box<dyn Sidecar>>>;

        /// The stamp of the file that now holds the header; `None` when the storage has none.
        fn stamp(&self) -> Result<Option<Stamp>>;

        /// The bytes that now hold the header: of a sparse frame, those of a new
        /// `chunks.b2frame`, if there is one.
        fn live_frame(&self) -> Result<Box<dyn ReadAt + '_>>;

        /// Opens what the name of the frame now stands for.
        fn reopen(&mut self) -> Result<()>;
    }

    /// Methods for writing. They read the contents of the frame and return the changes; the writer
    /// applies them.
    pub trait SealedMut: Sealed {
        /// Prepares for a new, empty frame.
        fn begin(&mut self) -> Result<()>;

        /// Sets whether the file that holds the header stays locked when a commit replaces it.
        fn keep_locked(&mut self, locked: bool);

        /// A handle that removes what is written from now on, unless a commit follows.
        fn undo(&self) -> Result<Option<Box<dyn Abandon>>>;

        /// Prepares for changes to an existing frame.
        fn resume(&mut self, contents: &Contents, mode: WriteMode);

        /// Stores a new chunk.
        fn put(&mut self, contents: &Contents, chunk: &[u8], mode: WriteMode) -> Result<Placed>;

        /// Stores a chunk in place of the one with `old_len` bytes at `old`. Without a new chunk,
        /// the bytes of the old one become unused.
        fn replace(
            &mut self,
            contents: &Contents,
            old: u64,
            old_len: u64,
            new: Option<&[u8]>,
            mode: WriteMode,
        ) -> Result<Placed>;

        /// Releases a chunk that leaves the index; returns the new `cbytes`.
        fn remove(
            &mut self,
            contents: &Contents,
            old: u64,
            old_len: u64,
            mode: WriteMode,
        ) -> Result<u64>;

        /// Releases the last chunk, which is written again with more data; returns the new
        /// `cbytes`.
        fn take_back(
            &mut self,
            contents: &Contents,
            old: u64,
            old_len: u64,
            mode: WriteMode,
        ) -> Result<u64>;

        /// Makes the stored frame equal to `contents`.
        fn commit(
            &mut self,
            contents: &Contents,
            index: &[u8],
            mode: WriteMode,
        ) -> Result<Committed>;
    }
}

/// How changes reach the storage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteMode {
    pub(crate) durability: Durability,
    pub(crate) in_place: bool,
}

/// The result of storing a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The index entry of the chunk.
    pub(crate) place: u64,
    /// The new `cbytes` of the header.
    pub(crate) cbytes: u64,
    /// The other chunks that moved.
    pub(crate) moved: Option<Moved>,
}

/// Chunks that close up after one of them changed its length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    /// Chunks after this place moved.
    pub(crate) after: u64,
    /// The length of the chunk there before the change.
    pub(crate) old_len: u64,
    /// The length of the chunk there now.
    pub(crate) new_len: u64,
}

/// The fields of a frame that a commit sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Committed {
    pub(crate) cbytes: u64,
    pub(crate) frame_len: u64,
    pub(crate) fingerprint: Fingerprint,
}
