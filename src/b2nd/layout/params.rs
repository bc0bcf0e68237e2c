//! Parameters of a new array.

use crate::b2nd::layout::dtype::{Dtype, Element};
use crate::b2nd::layout::grid::Grid;
use crate::b2nd::layout::meta::{B2ndMeta, METALAYER};
use crate::b2nd::layout::shapes;
use crate::b2nd::select::per_axis::{PerAxis, lens};
use crate::error::{Error, Result};
use crate::frame::{Access, Durability, FrameParams, Lost, OnLost};
use crate::num::saturating_i64;
use crate::params::{CParams, DParams};
use crate::schunk::{Metalayers, VlMetalayers};

/// The shape, dtype, partition and compression of a new array.
///
/// ```
/// use oxiblosc::b2nd::ArrayParams;
/// use oxiblosc::{CParams, CodecId};
///
/// let params = ArrayParams::new::<f64>(&[100, 200])
///     .chunkshape(&[50, 100])
///     .blockshape(&[10, 100])
///     .cparams(CParams::new(8).codec(CodecId::ZSTD));
/// assert_eq!(params.grid()?.nchunks(), 4);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[doc(alias = "b2nd_create_ctx")]
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct ArrayParams {
    /// The length of each axis, in elements.
    pub shape: Vec<u64>,
    /// The type of the elements.
    pub dtype: Dtype,
    /// The length of a chunk along each axis; `None` for
    /// [`auto_chunkshape`](crate::b2nd::auto_chunkshape).
    pub chunkshape: Option<Vec<u64>>,
    /// The length of a block along each axis; `None` for
    /// [`auto_blockshape`](crate::b2nd::auto_blockshape).
    pub blockshape: Option<Vec<u64>>,
    /// Compression of the chunks; see [`cparams`](Self::cparams()).
    pub cparams: CParams,
    /// Decompression of the chunks. A new array over chunks of the caller takes those of the
    /// chunks, as an array that is opened does.
    pub dparams: DParams,
    /// Metalayers after `b2nd`.
    pub metalayers: Metalayers,
    /// Metalayers of variable length.
    pub vlmetalayers: VlMetalayers,
    /// The guarantee that a commit waits for, of an array that is made by its path.
    pub durability: Durability,
    /// Whether an array that is made by its path may replace an old one; see
    /// [`overwrite`](Self::overwrite).
    pub overwrite: bool,
    /// The locks of an array that is made by its path, until it is finished or dropped.
    pub access: Access,
    /// Whether the partition is that of an array, which may have larger blocks than chunks.
    pub(super) any_blocks: bool,
    /// The function that is called when changes are lost.
    on_lost: OnLost,
}

impl ArrayParams {
    /// The default parameters for elements of type `T`.
    pub fn new<T: Element>(shape: impl PerAxis) -> Self {
        Self::with_dtype(Dtype::of::<T>(), shape)
    }

    /// The default parameters for elements of any dtype, handled as bytes.
    pub fn with_dtype(dtype: Dtype, shape: impl PerAxis) -> Self {
        let typesize = dtype
            .itemsize()
            .and_then(|size| usize::try_from(size).ok())
            .unwrap_or(0);
        Self {
            shape: lens(shape),
            dtype,
            chunkshape: None,
            blockshape: None,
            cparams: CParams::new(typesize),
            dparams: DParams::new(),
            metalayers: Metalayers::new(),
            vlmetalayers: VlMetalayers::new(),
            durability: Durability::None,
            overwrite: false,
            access: Access::default(),
            any_blocks: false,
            on_lost: OnLost::default(),
        }
    }

    /// Sets the chunkshape, in elements.
    #[must_use]
    pub fn chunkshape(mut self, chunkshape: impl PerAxis) -> Self {
        self.chunkshape = Some(lens(chunkshape));
        self.any_blocks = false;
        self
    }

    /// Sets the blockshape, in elements: at most the chunkshape along each axis.
    #[must_use]
    pub fn blockshape(mut self, blockshape: impl PerAxis) -> Self {
        self.blockshape = Some(lens(blockshape));
        self.any_blocks = false;
        self
    }

    /// Sets the chunkshape and the blockshape of another array. Its blocks may be larger than its
    /// chunks, as the format allows; they waste space, so [`blockshape`](Self::blockshape()) does
    /// not.
    ///
    /// ```
    /// use oxiblosc::b2nd::{ArrayParams, Grid};
    ///
    /// let grid = Grid::new(1, &[10], &[4], &[6])?;
    /// let params = ArrayParams::new::<u8>(&[10]);
    /// assert!(params.clone().partition(&grid).grid().is_ok());
    /// assert!(params.chunkshape(&[4]).blockshape(&[6]).grid().is_err());
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    #[must_use]
    pub fn partition(mut self, grid: &Grid) -> Self {
        self.chunkshape = Some(grid.chunkshape().to_vec());
        self.blockshape = Some(grid.blockshape().to_vec());
        self.any_blocks = true;
        self
    }

    /// Sets how chunks are compressed. The typesize must be that of the dtype; a blocksize may be
    /// absent, or that of the blockshape. Anything else is an [`Error::Mismatch`] when the array is
    /// made.
    #[must_use]
    pub fn cparams(mut self, cparams: CParams) -> Self {
        self.cparams = cparams;
        self
    }

    /// Sets the decompression parameters.
    #[must_use]
    pub fn dparams(mut self, dparams: DParams) -> Self {
        self.dparams = dparams;
        self
    }

    /// Adds a metalayer after `b2nd`.
    ///
    /// # Errors
    /// As [`Metalayers::insert`].
    pub fn metalayer(mut self, name: &str, content: &[u8]) -> Result<Self> {
        self.metalayers.insert(name, content)?;
        Ok(self)
    }

    /// Adds a metalayer of variable length.
    ///
    /// ```
    /// use oxiblosc::ChunkSource;
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let params = ArrayParams::new::<u8>(&[3]).vlmetalayer("unit", b"kelvin")?;
    /// let array = Array::from_elements(&[1_u8, 2, 3], &params)?;
    /// assert_eq!(array.schunk().vlmetalayer("unit")?, Some(b"kelvin".to_vec()));
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`VlMetalayers::set`].
    pub fn vlmetalayer(mut self, name: &str, content: &[u8]) -> Result<Self> {
        self.vlmetalayers.set(name, content)?;
        Ok(self)
    }

    /// Sets the guarantee that a commit waits for, of an array that is made by its path.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Sets whether an array that is made by its path may take the place of an old one. Off by
    /// default: then a path that exists is an error. The old one stays as it is until the new one
    /// is committed.
    #[must_use]
    pub fn overwrite(mut self, overwrite: bool) -> Self {
        self.overwrite = overwrite;
        self
    }

    /// Sets the locks of an array that is made by its path, such as
    /// [`Locking::Shared`](crate::frame::Locking::Shared).
    #[must_use]
    pub fn locking(mut self, access: impl Into<Access>) -> Self {
        self.access = access.into();
        self
    }

    /// Sets a function that is called when the array is dropped and loses changes, of an array that
    /// is made by its path; also when it cannot be made. See
    /// [`FrameWriter::on_lost`](crate::frame::FrameWriter::on_lost).
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("forgotten.b2nd");
    /// let lost = Arc::new(AtomicBool::new(false));
    /// let noted = Arc::clone(&lost);
    /// let params = ArrayParams::new::<u8>([0, 3])
    ///     .chunkshape([100, 3])
    ///     .on_lost(move |_| noted.store(true, Ordering::Relaxed));
    /// Array::create(&path, &params)?.append(&[1_u8, 2, 3])?;
    /// assert!(lost.load(Ordering::Relaxed) && !path.exists());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn on_lost(mut self, hook: impl Fn(&Lost) + Send + Sync + 'static) -> Self {
        self.on_lost = OnLost::new(hook);
        self
    }

    /// The size of an element in bytes.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when the dtype is not understood or has no size.
    pub fn typesize(&self) -> Result<usize> {
        let size = self.dtype.itemsize().unwrap_or(0);
        usize::try_from(size)
            .ok()
            .filter(|&size| size > 0)
            .ok_or(Error::InvalidParam {
                name: "dtype item size",
                value: saturating_i64(size),
                expected: "a known dtype of 1 to 536866816 bytes",
            })
    }

    /// The partition, with automatic shapes filled in.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when the shapes do not fit together or are too large.
    pub fn grid(&self) -> Result<Grid> {
        let (chunkshape, blockshape) = (self.chunkshape.as_deref(), self.blockshape.as_deref());
        if let (Some(chunks), Some(blocks), false) = (chunkshape, blockshape, self.any_blocks) {
            let mut lens = blocks.iter().zip(chunks).enumerate();
            // Chunks of no length are refused with the shape.
            let large = lens.find(|(_, (block, chunk))| block > chunk && **chunk > 0);
            if let Some((axis, (&block, chunk))) = large {
                return Err(Error::InvalidAxisParam {
                    axis,
                    name: "blockshape",
                    value: saturating_i64(block),
                    expected: format!("at most the chunkshape, {chunk}").into(),
                });
            }
        }
        shapes::choose(self.typesize()?, &self.shape, chunkshape, blockshape)
    }

    /// The metalayers of the array: `b2nd` first, then the others.
    ///
    /// # Errors
    /// As [`grid`](Self::grid), and when a metalayer of the caller is named `b2nd`.
    pub fn all_metalayers(&self) -> Result<Metalayers> {
        let mut all = Metalayers::new();
        all.insert(METALAYER, &self.meta()?.to_bytes()?)?;
        for (name, content) in self.metalayers.iter() {
            all.insert(name, content)?;
        }
        Ok(all)
    }

    /// The content of the `b2nd` metalayer.
    ///
    /// # Errors
    /// As [`grid`](Self::grid).
    pub fn meta(&self) -> Result<B2ndMeta> {
        let grid = self.grid()?;
        let (shape, chunks, blocks) = (grid.shape(), grid.chunkshape(), grid.blockshape());
        Ok(B2ndMeta::new(shape, chunks, blocks, self.dtype.as_str()))
    }

    /// The parameters of a frame for the array.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// use oxiblosc::frame::{FrameReader, FrameWriter};
    /// use oxiblosc::DParams;
    ///
    /// let params = ArrayParams::new::<u16>(&[2, 2]);
    /// let frame = FrameWriter::in_memory(params.frame_params()?)?;
    /// let array = Array::from_bytes_in(frame, &[1, 0, 2, 0, 3, 0, 4, 0], &params)?;
    /// let bytes = array.into_inner()?.into_bytes()?;
    ///
    /// let array = Array::open_in(FrameReader::from_bytes(bytes, DParams::new())?)?;
    /// assert_eq!(array.to_bytes()?, [1, 0, 2, 0, 3, 0, 4, 0]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`chunk_cparams`](Self::chunk_cparams).
    pub fn frame_params(&self) -> Result<FrameParams> {
        // Shapes of no elements may leave chunks of no bytes; the frame then never gets one.
        let chunksize = self.grid()?.chunksize();
        let mut params = FrameParams::new(self.chunk_cparams()?, chunksize.max(1));
        params.kept_chunksize = Some((chunksize > 0).then_some(chunksize));
        params.metalayers = self.all_metalayers()?;
        params.vlmetalayers = self.vlmetalayers.clone();
        params.durability = self.durability;
        params.overwrite = self.overwrite;
        params.access = self.access;
        params.on_lost = self.on_lost.clone();
        Ok(params.dparams(self.dparams.clone()))
    }

    /// The compression parameters of the chunks: with the typesize of the dtype and blocks of
    /// exactly the blockshape.
    ///
    /// ```
    /// use oxiblosc::CParams;
    /// use oxiblosc::b2nd::ArrayParams;
    ///
    /// let params = ArrayParams::new::<u16>(&[8, 8]).blockshape(&[4, 4]).cparams(CParams::new(4));
    /// let error = params.chunk_cparams().unwrap_err();
    /// assert_eq!(error.to_string(), "typesize of the array is 2, requested 4");
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when [`cparams`](Self::cparams()) has another typesize, or another
    /// blocksize; otherwise as [`grid`](Self::grid).
    pub fn chunk_cparams(&self) -> Result<CParams> {
        chunk_cparams(&self.cparams, &self.grid()?, &self.meta()?)
    }
}

/// Compression parameters for the chunks of an array.
pub(crate) fn chunk_cparams(cparams: &CParams, grid: &Grid, meta: &B2ndMeta) -> Result<CParams> {
    let typesize = grid.typesize();
    let blocksize = grid.blocksize();
    expect("typesize of the array", typesize, cparams.typesize)?;
    if let Some(asked) = cparams.blocksize {
        expect("blocksize of the array", blocksize, asked)?;
    }
    let mut chunk_cparams = cparams.clone().b2nd(meta.to_bytes()?);
    chunk_cparams.blocksize = Some(blocksize).filter(|&size| size > 0);
    Ok(chunk_cparams)
}

/// Refuses a size that is not the one of the array.
fn expect(what: &'static str, stored: usize, asked: usize) -> Result<()> {
    if stored == asked {
        return Ok(());
    }
    Err(Error::Mismatch {
        what,
        stored: stored.to_string().into(),
        asked: asked.to_string().into(),
    })
}
