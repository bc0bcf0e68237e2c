//! Parameters of new frames.

use super::locking::Access;
use super::lost::{Lost, OnLost};
use crate::error::Result;
use crate::params::{CParams, DParams};
use crate::schunk::{Metalayers, VlMetalayers, check_chunksize};

/// The guarantee that a commit waits for.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Durability {
    /// Nothing: the order of the writes alone protects against a crash of the program, not
    /// against a loss of power. The default.
    #[default]
    None,
    /// The data being stored, twice: once before the header changes and once after.
    Data,
    /// The data and everything that the file system knows about the file, twice.
    Full,
}

/// Parameters of a new frame. Setters take and return the value; fields can be read.
///
/// ```
/// use oxiblosc::frame::FrameParams;
/// use oxiblosc::CParams;
/// # fn main() -> oxiblosc::Result<()> {
/// let params = FrameParams::new(CParams::new(8), 1 << 20).metalayer("units", b"kelvin")?;
/// assert_eq!(params.metalayers.len(), 1);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "blosc2_storage")]
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct FrameParams {
    /// The parameters for compressing chunks.
    pub cparams: CParams,
    /// The uncompressed size of a chunk in bytes.
    pub chunksize: usize,
    /// The fixed metalayers; their names and lengths cannot change later.
    pub metalayers: Metalayers,
    /// The variable-length metalayers to begin with.
    pub vlmetalayers: VlMetalayers,
    /// The parameters for decompressing chunks, when the writer reads one back.
    pub dparams: DParams,
    /// The guarantee that a commit waits for.
    pub durability: Durability,
    /// Whether changes may overwrite the last commit; see
    /// [`in_place`](Self::in_place).
    pub in_place: bool,
    /// Whether a frame that exists on disk may be replaced; see [`overwrite`](Self::overwrite).
    pub overwrite: bool,
    /// Whether chunks come compressed; see [`encoded_chunks`](Self::encoded_chunks).
    pub encoded_chunks: bool,
    /// The locks of the writer. [`Exclusive`](crate::frame::Locking::Exclusive) by default.
    pub access: Access,
    /// The chunk size that the header names before the first chunk does; `None` inside when
    /// chunks may differ. Arrays without elements have one.
    pub(crate) kept_chunksize: Option<Option<usize>>,
    /// The function that is called when changes are lost.
    pub(crate) on_lost: OnLost,
}

impl FrameParams {
    /// Parameters for chunks of `chunksize` bytes, everything else at its default.
    #[doc(alias = "blosc2_get_blosc2_storage_defaults")]
    pub fn new(cparams: CParams, chunksize: usize) -> Self {
        Self {
            cparams,
            chunksize,
            metalayers: Metalayers::new(),
            vlmetalayers: VlMetalayers::new(),
            dparams: DParams::new(),
            durability: Durability::None,
            in_place: false,
            overwrite: false,
            encoded_chunks: false,
            access: Access::default(),
            kept_chunksize: None,
            on_lost: OnLost::default(),
        }
    }

    /// Adds a fixed metalayer.
    ///
    /// # Errors
    /// As [`Metalayers::insert`].
    pub fn metalayer(mut self, name: &str, content: &[u8]) -> Result<Self> {
        self.metalayers.insert(name, content)?;
        Ok(self)
    }

    /// Adds a variable-length metalayer.
    ///
    /// # Errors
    /// As [`VlMetalayers::set`].
    pub fn vlmetalayer(mut self, name: &str, content: &[u8]) -> Result<Self> {
        self.vlmetalayers.set(name, content)?;
        Ok(self)
    }

    /// Sets the parameters for decompressing chunks.
    #[must_use]
    pub fn dparams(mut self, dparams: DParams) -> Self {
        self.dparams = dparams;
        self
    }

    /// Sets the guarantee that a commit waits for.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Sets whether changes may overwrite the last commit. Off by default.
    ///
    /// Off, a commit is written after the old trailer and becomes valid with one write to the
    /// header: a crash leaves the old frame or the new one. The old index and trailer stay unused
    /// until the frame is compacted. On, they are overwritten and updated chunks close up, as in C:
    /// the file has no gaps, its bytes are those of C, and a crash may lose the frame. A new file
    /// then has its own name from the beginning, and the old one of that name is lost at once.
    #[must_use]
    pub fn in_place(mut self, in_place: bool) -> Self {
        self.in_place = in_place;
        self
    }

    /// Sets whether a new frame on disk may take the place of an old one. Off by default: then a
    /// path that exists is an error. The old frame stays as it is until the first commit.
    #[must_use]
    pub fn overwrite(mut self, overwrite: bool) -> Self {
        self.overwrite = overwrite;
        self
    }

    /// Sets whether all chunks come compressed, so that parameters which nothing can be compressed
    /// with, such as a codec that is not there, are only written to the header. Off by default:
    /// then they are an error. Compressing with such a writer is one all the same.
    ///
    /// ```
    /// use oxiblosc::{CParams, ChunkSink, CodecId, FrameParams, FrameWriter, compress};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let params = FrameParams::new(CParams::new(1).codec(CodecId::new(200)), 1000);
    /// assert!(FrameWriter::in_memory(params.clone()).is_err());
    /// let mut writer = FrameWriter::in_memory(params.encoded_chunks(true))?;
    /// writer.append_chunk(&compress(&[7; 1000], &CParams::new(1))?)?;
    /// assert!(writer.append(&[7; 1000]).is_err());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn encoded_chunks(mut self, encoded_chunks: bool) -> Self {
        self.encoded_chunks = encoded_chunks;
        self
    }

    /// Sets the locks of the writer, such as [`Locking::Shared`](crate::frame::Locking::Shared).
    #[must_use]
    pub fn locking(mut self, access: impl Into<Access>) -> Self {
        self.access = access.into();
        self
    }

    /// Sets a function that is called when the writer is dropped and loses changes, whatever fails
    /// before its caller has it; see
    /// [`FrameWriter::on_lost`](crate::frame::FrameWriter::on_lost).
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// use oxiblosc::{CParams, FrameParams, FrameWriter};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("forgotten.b2frame");
    /// let lost = Arc::new(AtomicBool::new(false));
    /// let noted = Arc::clone(&lost);
    /// let params = FrameParams::new(CParams::new(1), 1000)
    ///     .on_lost(move |_| noted.store(true, Ordering::Relaxed));
    /// FrameWriter::create(&path, params)?.append(&[7; 3000])?;
    /// assert!(lost.load(Ordering::Relaxed) && !path.exists());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn on_lost(mut self, hook: impl Fn(&Lost) + Send + Sync + 'static) -> Self {
        self.on_lost = OnLost::new(hook);
        self
    }

    /// Checks every field against its range.
    ///
    /// # Errors
    /// [`Error::InvalidParam`](crate::Error::InvalidParam) with the field and its range.
    pub fn validate(&self) -> Result<()> {
        self.cparams.validate()?;
        check_chunksize(self.chunksize)
    }
}
