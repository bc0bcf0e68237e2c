//! A frame of any kind, on disk or in memory.

use std::path::Path;
use std::sync::Arc;

use super::lazy::LazyChunk;
use super::places::ChunkPlace;
use super::reader::FrameReader;
use super::verify::Verified;
use crate::error::Result;
use crate::frame::layout::header::FrameHeader;
use crate::frame::layout::locking::{Access, Locking};
use crate::frame::layout::trailer::Fingerprint;
use crate::frame::store::contiguous::Contiguous;
use crate::frame::store::sparse::Sparse;
use crate::params::DParams;
use crate::schunk::{ChunkSource, VlMetalayers, forward_chunk_source};
use crate::storage::{DiskDir, DiskFile, Memory, ReadAt};

/// A frame opened by its path, a file or a directory, or from bytes.
#[non_exhaustive]
#[derive(Debug)]
pub enum AnyFrame {
    /// One file.
    Contiguous(FrameReader<Contiguous<DiskFile>>),
    /// A directory with a file per chunk.
    Sparse(FrameReader<Sparse<DiskDir>>),
    /// The bytes of one file.
    Memory(FrameReader<Contiguous<Memory<Vec<u8>>>>),
    /// Another storage, such as a member of an archive.
    Storage(FrameReader<Contiguous<Arc<dyn ReadAt>>>),
}

macro_rules! forward {
    ($self:ident, $reader:ident => $call:expr) => {
        match $self {
            Self::Contiguous($reader) => $call,
            Self::Sparse($reader) => $call,
            Self::Memory($reader) => $call,
            Self::Storage($reader) => $call,
        }
    };
}

impl AnyFrame {
    /// Opens the frame at `path`: a contiguous one in a file, a sparse one in a directory
    /// ([format §9.8](crate::format#9.8)).
    ///
    /// ```
    /// use oxiblosc::frame::AnyFrame;
    /// use oxiblosc::schunk::ChunkSource;
    /// use oxiblosc::{CParams, DParams, FrameParams, FrameWriter};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// let (file, folder) = (dir.path().join("file"), dir.path().join("folder"));
    /// let params = FrameParams::new(CParams::new(1), 1000);
    /// FrameWriter::create(&file, params.clone())?.finish()?;
    /// FrameWriter::create_sparse(&folder, params)?.finish()?;
    /// for path in [file, folder] {
    ///     assert_eq!(AnyFrame::open(path, DParams::new())?.layout().nbytes, 0);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`FrameReader::open`] and [`FrameReader::open_sparse`].
    #[doc(alias = "blosc2_schunk_open")]
    pub fn open(path: impl AsRef<Path>, dparams: DParams) -> Result<Self> {
        Self::open_with(path, dparams, Locking::None)
    }

    /// [`open`](Self::open) with locks; see [`FrameReader::open_with`].
    ///
    /// # Errors
    /// As [`FrameReader::open_with`] and [`FrameReader::open_sparse_with`].
    pub fn open_with(
        path: impl AsRef<Path>,
        dparams: DParams,
        access: impl Into<Access>,
    ) -> Result<Self> {
        let path = path.as_ref();
        Ok(if path.is_dir() {
            Self::Sparse(FrameReader::open_sparse_with(path, dparams, access)?)
        } else {
            Self::Contiguous(FrameReader::open_with(path, dparams, access)?)
        })
    }

    /// Opens a contiguous frame in memory.
    ///
    /// ```
    /// use oxiblosc::frame::AnyFrame;
    /// use oxiblosc::schunk::ChunkSource;
    /// use oxiblosc::{CParams, DParams, FrameParams, FrameWriter};
    ///
    /// let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 1000))?;
    /// writer.append(&[7; 300])?;
    /// let frame = AnyFrame::from_bytes(writer.into_bytes()?, DParams::new())?;
    /// assert_eq!(frame.layout().nbytes, 300);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`FrameReader::from_bytes`].
    #[doc(alias = "blosc2_schunk_from_buffer")]
    pub fn from_bytes(bytes: Vec<u8>, dparams: DParams) -> Result<Self> {
        FrameReader::from_bytes(bytes, dparams).map(Self::Memory)
    }

    /// Opens a contiguous frame that begins in a storage at offset 0
    /// ([format §9.8](crate::format#9.8)).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use oxiblosc::frame::AnyFrame;
    /// use oxiblosc::schunk::ChunkSource;
    /// use oxiblosc::storage::Memory;
    /// use oxiblosc::{CParams, DParams, FrameParams, FrameWriter};
    ///
    /// let bytes = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 1000))?.into_bytes()?;
    /// let frame = AnyFrame::from_storage(Arc::new(Memory(bytes)), DParams::new())?;
    /// assert_eq!(frame.layout().nbytes, 0);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`FrameReader::open_in`].
    pub fn from_storage(storage: Arc<dyn ReadAt>, dparams: DParams) -> Result<Self> {
        FrameReader::open_in(Contiguous::new(storage), dparams).map(Self::Storage)
    }

    fn source(&self) -> &dyn ChunkSource {
        forward!(self, reader => reader)
    }

    /// The header.
    pub fn header(&self) -> &FrameHeader {
        forward!(self, reader => reader.header())
    }

    /// The variable-length metalayers.
    pub fn vlmetalayers(&self) -> &VlMetalayers {
        forward!(self, reader => reader.vlmetalayers())
    }

    /// The fingerprint in the trailer; see [`FrameReader::fingerprint`].
    pub fn fingerprint(&self) -> Fingerprint {
        forward!(self, reader => reader.fingerprint())
    }

    /// Opens a chunk to read single blocks of it; see [`FrameReader::lazy_chunk`].
    ///
    /// ```
    /// use oxiblosc::frame::AnyFrame;
    /// use oxiblosc::{CParams, DParams, SChunk};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut schunk = SChunk::new(CParams::new(1), 1000)?;
    /// schunk.append(&[7; 2500])?;
    /// let frame = AnyFrame::from_bytes(schunk.to_cframe()?, DParams::new())?;
    /// assert_eq!(frame.lazy_chunk(2)?.nbytes(), 500);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`FrameReader::lazy_chunk`].
    pub fn lazy_chunk(&self, nchunk: u64) -> Result<LazyChunk<'_>> {
        forward!(self, reader => reader.lazy_chunk(nchunk))
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
}

impl ChunkSource for AnyFrame {
    forward_chunk_source!(self => self.source());

    fn refresh(&mut self) -> Result<bool> {
        forward!(self, reader => reader.refresh())
    }
}
