//! Arrays on disk, by their path.

use std::path::Path;

use crate::b2nd::array::Array;
use crate::b2nd::layout::params::ArrayParams;
use crate::chunk::Special;
use crate::error::Result;
use crate::frame::{Access, AnyFrame, AnyWriter, Locking, Lost};
use crate::params::{CParams, DParams};
use crate::schunk::{ChunkSource, SChunk};

/// An array on disk, opened for reading.
pub type ArrayReader = Array<AnyFrame>;

/// An array on disk, opened for changes, or a new one.
pub type ArrayWriter = Array<AnyWriter>;

/// An array in memory.
pub type MemoryArray = Array<SChunk>;

impl Array<AnyFrame> {
    /// Opens the array at `path` for reading: a file, or the directory of a sparse one.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("numbers.b2nd");
    /// Array::from_elements_in(&path, &[1_u8, 2, 3], &ArrayParams::new::<u8>(&[3]))?;
    /// assert_eq!(Array::open(&path)?.to_elements::<u8>()?, [1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`AnyFrame::open`] and [`open_in`](Self::open_in).
    #[doc(alias = "blosc2.open")]
    #[doc(alias = "b2nd_open")]
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, DParams::new(), Locking::None)
    }

    /// [`open`](Self::open) with limits, threads and user-defined codecs of the caller, and with
    /// locks: [`Locking::None`], or [`Locking::Shared`] for frames whose writers share them, too.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// use oxiblosc::frame::Locking;
    /// use oxiblosc::{DParams, Limits};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("numbers.b2nd");
    /// Array::from_elements_in(&path, &[7_u8; 5000], &ArrayParams::new::<u8>(&[5000]))?;
    /// let within = |bytes| {
    ///     let dparams = DParams::new().limits(Limits::UNTRUSTED.max_alloc(bytes));
    ///     Array::open_with(&path, dparams, Locking::None)?.to_elements::<u8>()
    /// };
    /// assert_eq!(within(5000)?, [7; 5000]);
    /// assert!(within(4000).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`AnyFrame::open_with`] and [`open_in`](Self::open_in).
    pub fn open_with(
        path: impl AsRef<Path>,
        dparams: DParams,
        access: impl Into<Access>,
    ) -> Result<Self> {
        Self::open_in(AnyFrame::open_with(path, dparams, access)?)
    }
}

impl Array<AnyWriter> {
    /// Begins a new array of zeros in a file. Nothing is at `path` until the first
    /// [`commit`](Self::commit) or [`finish`](Self::finish): the file has a temporary name beside
    /// it, and is removed when the array is dropped before. See
    /// [`from_elements_in`](Self::from_elements_in) for an array whose elements are there already.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("rows.b2nd");
    /// let params = ArrayParams::new::<f32>(&[0, 4]).chunkshape(&[1000, 4]);
    /// let mut array = Array::create(&path, &params)?;
    /// array.append(&[1_f32, 2.0, 3.0, 4.0])?;
    /// assert!(!path.exists());
    /// array.finish()?;
    /// assert_eq!(Array::open(&path)?.shape(), [1, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayParams::frame_params`] and
    /// [`FrameWriter::create`](crate::frame::FrameWriter::create): in particular when there is a
    /// file already and [`ArrayParams::overwrite`] was not asked for.
    #[doc(alias = "mode")]
    #[must_use = "dropped without finish(), a new array is lost"]
    pub fn create(path: impl AsRef<Path>, params: &ArrayParams) -> Result<Self> {
        Self::create_in(AnyWriter::create(path, params.frame_params()?)?, params)
    }

    /// Begins a new array of zeros in a directory with a file per chunk; see
    /// [`create`](Self::create). The directory is there at once, and holds an array after the first
    /// commit; it is removed when the array is dropped before.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("numbers.b2nd");
    /// let mut array = Array::create_sparse(&path, &ArrayParams::new::<u8>(&[3]))?;
    /// array.set_slice(1..3, &[7_u8, 8])?;
    /// array.finish()?;
    /// assert_eq!(Array::open(&path)?.to_elements::<u8>()?, [0, 7, 8]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`create`](Self::create).
    #[doc(alias = "contiguous")]
    #[must_use = "dropped without finish(), a new array is lost"]
    pub fn create_sparse(path: impl AsRef<Path>, params: &ArrayParams) -> Result<Self> {
        Self::create_in(
            AnyWriter::create_sparse(path, params.frame_params()?)?,
            params,
        )
    }

    fn create_in(frame: AnyWriter, params: &ArrayParams) -> Result<Self> {
        let mut array = Self::begin(frame, params)?;
        array.append_special(Special::Zeros)?;
        Ok(array)
    }

    /// Opens the array at `path` for changes: a file, or the directory of a sparse one. Other
    /// writers are kept out until it is finished or dropped. What is written is compressed by the
    /// codec, level and filters that the frame states.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("numbers.b2nd");
    /// Array::from_elements_in(&path, &[1_u8, 2, 3, 4], &ArrayParams::new::<u8>(&[2, 2]))?;
    /// let mut array = Array::open_mut(&path)?;
    /// array.append(&[5_u8, 6])?;
    /// array.finish()?;
    /// assert_eq!(Array::open(&path)?.to_elements::<u8>()?, [1, 2, 3, 4, 5, 6]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`AnyWriter::open`] and [`open_in`](Self::open_in).
    #[doc(alias = "mode")]
    pub fn open_mut(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_mut_with(path, DParams::new(), Locking::default())
    }

    /// [`open_mut`](Self::open_mut) with limits, threads and user-defined codecs of the caller, and
    /// with other locks than [`Locking::Exclusive`], or waiting for it. The threads read and write.
    ///
    /// # Errors
    /// As [`AnyWriter::open_with`] and [`open_in`](Self::open_in).
    pub fn open_mut_with(
        path: impl AsRef<Path>,
        dparams: DParams,
        access: impl Into<Access>,
    ) -> Result<Self> {
        let threads = dparams.threads.clone();
        let mut array = Self::open_in(AnyWriter::open_with(path, dparams, access)?)?;
        array.cparams.threads = threads;
        Ok(array)
    }

    /// Sets a function that is called when the array is dropped and loses changes; see
    /// [`FrameWriter::on_lost`](crate::frame::FrameWriter::on_lost).
    pub fn on_lost(&mut self, hook: impl Fn(&Lost) + Send + Sync + 'static) {
        self.chunks.on_lost(hook);
    }

    /// Writes all changes to the disk. Does nothing when nothing has changed.
    ///
    /// # Errors
    /// As [`FrameWriter::commit`](crate::frame::FrameWriter::commit).
    pub fn commit(&mut self) -> Result<()> {
        self.store_rows()?;
        self.chunks.commit()
    }

    /// Writes all changes to the disk and closes the array.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn finish(self) -> Result<()> {
        self.into_inner()?.finish()
    }
}

impl<C: ChunkSource> Array<C> {
    /// Writes the array to a new file. Chunks are copied as they are stored, without decoding.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("numbers.b2nd");
    /// let array = Array::from_elements(&[1_u8, 2, 3], &ArrayParams::new::<u8>(&[3]))?;
    /// array.save(&path)?;
    /// assert_eq!(Array::open(&path)?.to_elements::<u8>()?, [1, 2, 3]);
    /// assert!(array.save(&path).is_err());
    /// array.save_with(&path, &array.params()?.overwrite(true))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`save_with`](Self::save_with); when there is a file already.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.copy_chunks_in(path.as_ref()).map(drop)
    }

    /// Writes the array to a new file with other parameters, based on [`params`](Self::params): for
    /// a file that exists already ([`ArrayParams::overwrite`]), for another guarantee of the
    /// commit, other chunks or another codec. Chunks are copied as they are stored, if partition
    /// and compression are the same.
    ///
    /// # Errors
    /// As [`FrameWriter::create`](crate::frame::FrameWriter::create) and
    /// [`copy_in`](Self::copy_in). The old file, if there is one, stays as it was.
    pub fn save_with(&self, path: impl AsRef<Path>, params: &ArrayParams) -> Result<()> {
        let own = self.params()?;
        let same = params.grid()? == own.grid()?
            && params.dtype == own.dtype
            && alike(&params.cparams, &own.cparams);
        if same {
            Array::make(path.as_ref(), params, |copy| self.copy_chunks_to(copy)).map(drop)
        } else {
            self.copy_in(path.as_ref(), params).map(drop)
        }
    }
}

/// Whether chunks of both are compressed in the same way.
fn alike(a: &CParams, b: &CParams) -> bool {
    let parts = |c: &CParams| {
        let codec = (c.codec, c.codec_meta, c.clevel);
        (codec, c.filters, c.split_mode, c.use_dict)
    };
    parts(a) == parts(b) && a.prefilter.is_none()
}
