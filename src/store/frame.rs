//! The frame of a leaf, wherever its bytes are: in a file, inside an archive or a frame, or in a
//! directory.

use std::sync::Arc;

use crate::error::Result;
use crate::frame::{
    ChunkPlace, Contiguous, Fingerprint, FrameHeader, FrameReader, Sparse, Verified,
};
use crate::params::DParams;
use crate::schunk::{ChunkSource, VlMetalayers, forward_chunk_source};
use crate::storage::{DiskDir, ReadAt};

/// An open frame of a store.
#[non_exhaustive]
#[derive(Debug)]
pub enum LeafFrame {
    /// A contiguous frame: a file, a stored member of an archive, or bytes in memory.
    Contiguous(FrameReader<Contiguous<Arc<dyn ReadAt>>>),
    /// A directory with a file per chunk.
    Sparse(FrameReader<Sparse<DiskDir>>),
}

macro_rules! forward {
    ($self:ident, $reader:ident => $call:expr) => {
        match $self {
            Self::Contiguous($reader) => $call,
            Self::Sparse($reader) => $call,
        }
    };
}

impl LeafFrame {
    /// Opens a contiguous frame that begins these bytes ([format §9.8](crate::format#9.8)).
    ///
    /// # Errors
    /// As [`FrameReader::open_in`].
    pub fn open(storage: Arc<dyn ReadAt>, dparams: DParams) -> Result<Self> {
        FrameReader::open_in(Contiguous::new(storage), dparams).map(Self::Contiguous)
    }

    /// The header.
    pub fn header(&self) -> &FrameHeader {
        forward!(self, reader => reader.header())
    }

    /// The variable-length metalayers.
    pub fn vlmetalayers(&self) -> &VlMetalayers {
        forward!(self, reader => reader.vlmetalayers())
    }

    /// The fingerprint in the trailer.
    pub fn fingerprint(&self) -> Fingerprint {
        forward!(self, reader => reader.fingerprint())
    }

    /// The position of each chunk, in order; see [`FrameReader::chunk_places`].
    pub fn chunk_places(&self) -> Box<dyn ExactSizeIterator<Item = ChunkPlace> + '_> {
        forward!(self, reader => Box::new(reader.chunk_places()))
    }

    /// Checks the structure; see [`FrameReader::check`].
    ///
    /// # Errors
    /// The first fault, with its chunk.
    pub fn check(&self) -> Result<()> {
        forward!(self, reader => reader.check())
    }

    /// Checks the frame for damage; see [`FrameReader::verify`] ([format §9.5](crate::format#9.5)).
    ///
    /// # Errors
    /// The first damage, with its chunk.
    pub fn verify(&self) -> Result<Verified> {
        forward!(self, reader => reader.verify())
    }

    fn source(&self) -> &dyn ChunkSource {
        forward!(self, reader => reader)
    }
}

impl ChunkSource for LeafFrame {
    forward_chunk_source!(self => self.source());
}
