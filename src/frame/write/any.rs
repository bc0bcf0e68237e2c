//! A writer of a frame on disk, of either kind.

use std::path::Path;

use super::writer::FrameWriter;
use crate::error::Result;
use crate::frame::layout::header::FrameHeader;
use crate::frame::layout::locking::{Access, Locking};
use crate::frame::layout::lost::Lost;
use crate::frame::layout::params::{Durability, FrameParams};
use crate::frame::store::contiguous::Contiguous;
use crate::frame::store::sparse::Sparse;
use crate::params::{CParams, DParams};
use crate::schunk::{
    ChunkSink, ChunkSource, VlMetalayers, forward_chunk_sink, forward_chunk_source,
};
use crate::storage::{DiskDir, DiskFile};
use crate::threads::Threads;

/// A frame on disk that is being written or changed: a file, or a directory with a file per chunk.
///
/// The counterpart of [`AnyFrame`](crate::frame::AnyFrame), which reads. As with every
/// [`FrameWriter`], which see, changes reach the disk with [`commit`](Self::commit) or
/// [`finish`](Self::finish).
#[must_use = "dropped without finish(), a new frame is lost"]
#[non_exhaustive]
#[derive(Debug)]
pub enum AnyWriter {
    /// One file.
    Contiguous(FrameWriter<Contiguous<DiskFile>>),
    /// A directory with a file per chunk.
    Sparse(FrameWriter<Sparse<DiskDir>>),
}

macro_rules! forward {
    ($self:expr, $writer:ident => $call:expr) => {
        match $self {
            AnyWriter::Contiguous($writer) => $call,
            AnyWriter::Sparse($writer) => $call,
        }
    };
}

impl AnyWriter {
    /// Begins a contiguous frame; see [`FrameWriter::create`].
    ///
    /// ```
    /// use oxiblosc::frame::{AnyFrame, AnyWriter};
    /// use oxiblosc::{CParams, ChunkSink, ChunkSource, DParams, FrameParams, compress};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("one chunk.b2frame");
    /// let mut writer = AnyWriter::create(&path, FrameParams::new(CParams::new(1), 1000))?;
    /// writer.append_chunk(&compress(&[7; 1000], &CParams::new(1))?)?;
    /// writer.finish()?;
    /// assert_eq!(AnyFrame::open(&path, DParams::new())?.layout().nbytes, 1000);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`FrameWriter::create`].
    pub fn create(path: impl AsRef<Path>, params: FrameParams) -> Result<Self> {
        FrameWriter::create(path, params).map(Self::Contiguous)
    }

    /// Begins a sparse frame; see [`FrameWriter::create_sparse`].
    ///
    /// # Errors
    /// As [`FrameWriter::create_sparse`].
    pub fn create_sparse(path: impl AsRef<Path>, params: FrameParams) -> Result<Self> {
        FrameWriter::create_sparse(path, params).map(Self::Sparse)
    }

    /// Opens the frame at `path` for changes: a contiguous one in a file, a sparse one in a
    /// directory ([format §9.8](crate::format#9.8)).
    ///
    /// # Errors
    /// As [`FrameWriter::open`] and [`FrameWriter::open_sparse`].
    pub fn open(path: impl AsRef<Path>, dparams: DParams) -> Result<Self> {
        Self::open_with(path, dparams, Locking::default())
    }

    /// [`open`](Self::open) with other locks than [`Locking::Exclusive`], or waiting for it.
    ///
    /// # Errors
    /// As [`FrameWriter::open_with`] and [`FrameWriter::open_sparse_with`].
    pub fn open_with(
        path: impl AsRef<Path>,
        dparams: DParams,
        access: impl Into<Access>,
    ) -> Result<Self> {
        let path = path.as_ref();
        Ok(if path.is_dir() {
            Self::Sparse(FrameWriter::open_sparse_with(path, dparams, access)?)
        } else {
            Self::Contiguous(FrameWriter::open_with(path, dparams, access)?)
        })
    }

    fn source(&self) -> &dyn ChunkSource {
        forward!(self, writer => writer)
    }

    fn sink(&mut self) -> &mut dyn ChunkSink {
        forward!(self, writer => writer)
    }

    /// The header, with changes that are not committed yet.
    pub fn header(&self) -> &FrameHeader {
        forward!(self, writer => writer.reader().header())
    }

    /// The variable-length metalayers, with changes that are not committed yet.
    pub fn vlmetalayers(&self) -> &VlMetalayers {
        forward!(self, writer => writer.reader().vlmetalayers())
    }

    /// The parameters for compressing new chunks.
    pub fn cparams(&self) -> &CParams {
        forward!(self, writer => writer.cparams())
    }

    /// Sets the threads that compress new chunks; see [`FrameWriter::set_threads`].
    pub fn set_threads(&mut self, threads: Threads) {
        forward!(self, writer => writer.set_threads(threads));
    }

    /// Sets the guarantee that a commit waits for.
    pub fn set_durability(&mut self, durability: Durability) {
        forward!(self, writer => writer.set_durability(durability));
    }

    /// Sets a function that is called when changes are lost; see [`FrameWriter::on_lost`].
    pub fn on_lost(&mut self, hook: impl Fn(&Lost) + Send + Sync + 'static) {
        forward!(self, writer => writer.on_lost(hook));
    }

    /// Adds bytes at the end, cut into chunks; see [`FrameWriter::append`].
    ///
    /// # Errors
    /// As [`FrameWriter::append`].
    pub fn append(&mut self, src: &[u8]) -> Result<()> {
        forward!(self, writer => writer.append(src))
    }

    /// Writes all changes to the disk; see [`FrameWriter::commit`].
    ///
    /// # Errors
    /// As [`FrameWriter::commit`].
    pub fn commit(&mut self) -> Result<()> {
        forward!(self, writer => writer.commit())
    }

    /// Discards everything since the last commit; see [`FrameWriter::rollback`].
    ///
    /// # Errors
    /// As [`FrameWriter::rollback`].
    pub fn rollback(&mut self) -> Result<()> {
        forward!(self, writer => writer.rollback())
    }

    /// Commits and closes the frame.
    ///
    /// # Errors
    /// As [`FrameWriter::finish`].
    pub fn finish(self) -> Result<()> {
        forward!(self, writer => writer.finish().map(drop))
    }
}

impl ChunkSource for AnyWriter {
    forward_chunk_source!(self => self.source());

    fn refresh(&mut self) -> Result<bool> {
        forward!(self, writer => writer.refresh())
    }
}

impl ChunkSink for AnyWriter {
    forward_chunk_sink!(self => self.sink());
}
