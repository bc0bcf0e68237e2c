//! Arrays: opening, properties, and the parts shared by reading and writing.

use std::fmt;

use crate::b2nd::layout::dtype::{Dtype, Element, Swap};
use crate::b2nd::layout::grid::Grid;
use crate::b2nd::layout::meta::{B2ndMeta, METALAYER, METALAYER_CATERVA};
use crate::b2nd::layout::params::chunk_cparams;
use crate::b2nd::layout::region::Region;
use crate::b2nd::tail::Tail;
use crate::b2nd::workspace::Workspace;
use crate::b2nd::write::builder::ChunkBuilder;
use crate::chunk::Special;
use crate::error::{Error, Part, Result};
use crate::num::to_u64;
use crate::params::{CParams, DParams};
#[cfg(feature = "serde")]
use crate::schunk::{ChunkSink, VlMeta, VlMetaMut};
use crate::schunk::{ChunkSource, Held};
use crate::threads::Threads;
use crate::threads::pool::Pool;

/// The metalayers of arrays that python-blosc2 computes or fetches; their chunks are empty.
const RECIPES: [&str; 2] = ["b2o", "LazyArray"];

/// An n-dimensional array over the chunks of a [`ChunkSource`]: a super-chunk in memory, or a
/// frame in memory or on disk.
///
/// Data is in C order everywhere: the last axis runs fastest.
///
/// ```
/// use oxiblosc::b2nd::{Array, ArrayParams};
///
/// let numbers: Vec<i32> = (0..12).collect();
/// let array = Array::from_elements(&numbers, &ArrayParams::new::<i32>(&[3, 4]))?;
/// assert_eq!(array.shape(), [3, 4]);
/// assert_eq!(array.slice::<i32>(&[1..3, 0..2])?, [4, 5, 8, 9]);
/// assert_eq!(array.get::<i32>(&[2, 3])?, 11);
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[doc(alias = "b2nd_array_t")]
pub struct Array<C> {
    pub(crate) chunks: Held<C>,
    /// Appended rows that are not in chunks yet.
    pub(crate) tail: Tail,
    /// Their functions, once there were some.
    pub(crate) storing: Option<Storing<C>>,
    pub(crate) meta: B2ndMeta,
    /// The name under which the metalayer was found.
    pub(crate) metalayer: &'static str,
    pub(crate) grid: Grid,
    pub(crate) dtype: Dtype,
    pub(crate) cparams: CParams,
    pub(crate) dparams: DParams,
    /// Decoders and buffers between uses, one set per reading thread: those that use the threads
    /// of `dparams`, and serial ones for workers of a parallel loop.
    pub(crate) workspaces: [Pool<Workspace>; 2],
    /// Encoders and buffers between uses, likewise.
    pub(crate) builders: [Pool<ChunkBuilder>; 2],
}

/// Functions that need a [`ChunkSink`](crate::ChunkSink), for methods and a destructor that exist
/// without.
pub(crate) struct Storing<C> {
    /// Stores the rows.
    pub(crate) now: fn(&mut Array<C>) -> Result<()>,
    /// Stores the rows, or notes that they are lost.
    pub(crate) at_end: fn(&mut Array<C>),
}

impl<C> Drop for Array<C> {
    fn drop(&mut self) {
        if let Some(storing) = self.storing.take()
            && !self.chunks.is_gone()
            && !self.tail.is_empty()
        {
            (storing.at_end)(self);
        }
    }
}

impl<C: fmt::Debug> fmt::Debug for Array<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array")
            .field("shape", &self.grid.shape())
            .field("chunkshape", &self.grid.chunkshape())
            .field("blockshape", &self.grid.blockshape())
            .field("dtype", &self.dtype.as_str())
            .field("chunks", &*self.chunks)
            .finish_non_exhaustive()
    }
}

impl<C: ChunkSource> Array<C> {
    /// Opens the array that these chunks hold, with the parameters of the source
    /// ([format §11.1](crate::format#11.1)).
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let chunks = Array::zeros(&ArrayParams::new::<u8>(&[5, 5]))?.into_inner()?;
    /// assert_eq!(Array::open_in(chunks)?.shape(), [5, 5]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`open_in_with`](Self::open_in_with).
    #[doc(alias = "b2nd_from_cframe")]
    #[doc(alias = "b2nd_open")]
    #[doc(alias = "b2nd_from_schunk")]
    pub fn open_in(chunks: C) -> Result<Self> {
        let dparams = chunks.dparams().clone();
        Self::open_in_with(chunks, dparams)
    }

    /// Opens the array that these chunks hold ([format §11.1](crate::format#11.1)).
    ///
    /// # Errors
    /// [`Error::Refused`] when there is no `b2nd` metalayer, or python-blosc2 stored a recipe or
    /// reference (metalayer `b2o` or `LazyArray`), whose chunks are not data; [`Error::Truncated`],
    /// [`Error::Corrupt`] or [`Error::LimitExceeded`] when it is damaged, or does not fit the
    /// chunks. Offsets count from the start of the metalayer's content.
    #[doc(alias = "b2nd_open_offset")]
    pub fn open_in_with(chunks: C, dparams: DParams) -> Result<Self> {
        let found = [METALAYER, METALAYER_CATERVA]
            .into_iter()
            .find_map(|name| Some((name, chunks.metalayers().get(name)?)));
        let Some((metalayer, content)) = found else {
            return Err(Error::Refused {
                what: "open as an array",
                why: "it has no b2nd metalayer",
            });
        };
        if RECIPES
            .iter()
            .any(|name| chunks.metalayers().get(name).is_some())
        {
            return Err(Error::Refused {
                what: "open as an array",
                why: "it is a stored recipe or reference, such as a lazy expression, without data",
            });
        }
        let meta = B2ndMeta::parse(content)?;
        let layout = chunks.layout();
        let typesize = layout.typesize;
        let grid = Grid::new(typesize, &meta.shape, &meta.chunkshape, &meta.blockshape)?;
        dparams.limits.check_chunk(to_u64(grid.chunksize()), None)?;
        if layout.nchunks != grid.nchunks() {
            let field = "number of chunks by the shape";
            return Err(Error::unequal(
                Part::B2nd,
                4,
                field,
                grid.nchunks(),
                layout.nchunks,
            ));
        }
        if grid.nchunks() > 0 && layout.chunksize != Some(grid.chunksize()) {
            let field = "chunksize by the shapes";
            let stored = layout.chunksize.unwrap_or(0);
            return Err(Error::unequal(
                Part::B2nd,
                4,
                field,
                grid.chunksize(),
                stored,
            ));
        }
        let cparams = match chunks.chunk_cparams() {
            // Blocks are those of the metalayer, whatever the source states.
            Some(mut cparams) => {
                (cparams.typesize, cparams.blocksize) = (typesize, None);
                cparams
            }
            None => CParams::new(typesize),
        };
        Self::assemble(chunks, metalayer, meta, grid, &cparams, dparams)
    }

    /// An array of parts that have been checked.
    pub(crate) fn assemble(
        chunks: C,
        metalayer: &'static str,
        meta: B2ndMeta,
        grid: Grid,
        cparams: &CParams,
        dparams: DParams,
    ) -> Result<Self> {
        let dtype = match meta.dtype.as_deref() {
            Some(text) => Dtype::from_stored(text),
            None => Dtype::void(grid.typesize()),
        };
        let cparams = chunk_cparams(cparams, &grid, &meta)?;
        let dparams = dparams.b2nd(meta.to_bytes()?);
        Ok(Self {
            chunks: Held::new(chunks),
            tail: Tail::default(),
            storing: None,
            meta,
            metalayer,
            grid,
            dtype,
            cparams,
            dparams,
            workspaces: [Pool::new(), Pool::new()],
            builders: [Pool::new(), Pool::new()],
        })
    }

    /// Sets the parameters of all chunks encoded from now on. The typesize must be that of the
    /// array; a blocksize may be absent, or that of the array.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another typesize or blocksize; [`Error::InvalidParam`] as
    /// [`CParams::validate`].
    pub fn set_cparams(&mut self, cparams: &CParams) -> Result<()> {
        self.store_rows()?;
        let cparams = chunk_cparams(cparams, &self.grid, &self.meta)?;
        cparams.validate()?;
        self.cparams = cparams;
        self.builders = [Pool::new(), Pool::new()];
        Ok(())
    }

    /// The number of dimensions, 0 to 16.
    pub fn ndim(&self) -> usize {
        self.grid.ndim()
    }

    /// The length of each axis, in elements.
    pub fn shape(&self) -> &[u64] {
        self.grid.shape()
    }

    /// The length of a chunk along each axis, in elements.
    pub fn chunkshape(&self) -> &[u64] {
        self.grid.chunkshape()
    }

    /// The length of a block along each axis, in elements.
    pub fn blockshape(&self) -> &[u64] {
        self.grid.blockshape()
    }

    /// The type of the elements.
    pub fn dtype(&self) -> &Dtype {
        &self.dtype
    }

    /// The size of an element in bytes, even where the dtype states another.
    pub fn typesize(&self) -> usize {
        self.grid.typesize()
    }

    /// The number of elements.
    pub fn nitems(&self) -> u64 {
        self.grid.nitems()
    }

    /// The size of all elements in bytes, padding not counted.
    pub fn nbytes(&self) -> u64 {
        self.grid.nbytes()
    }

    /// The size of all chunks as they are stored, in bytes.
    #[doc(alias = "cratio")]
    pub fn cbytes(&self) -> u64 {
        self.chunks.layout().cbytes
    }

    /// The partition into chunks and blocks.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The content of the metalayer.
    pub fn meta(&self) -> &B2ndMeta {
        &self.meta
    }

    /// The super-chunk that holds the chunks: one in memory, or a frame. Rows that were
    /// [appended](Self::append) and do not fill their chunks yet are not in it.
    #[doc(alias = "chunks")]
    pub fn schunk(&self) -> &C {
        &self.chunks
    }

    /// The super-chunk, for metalayers and commits, with all rows in chunks. After a change of
    /// chunks or of the `b2nd` metalayer the array has to be opened again.
    ///
    /// # Errors
    /// The errors of storing appended rows.
    #[doc(alias = "chunks_mut")]
    pub fn schunk_mut(&mut self) -> Result<&mut C> {
        self.store_rows()?;
        Ok(&mut self.chunks)
    }

    /// The metadata of the array by name (feature `serde`): `schunk.vlmeta` of python-blosc2.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let mut array = Array::zeros(&ArrayParams::new::<f32>([10]))?;
    /// array.vlmeta_mut().set("unit", "kelvin")?;
    /// assert_eq!(array.vlmeta().get::<String>("unit")?.as_deref(), Some("kelvin"));
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn vlmeta(&self) -> VlMeta<'_, C> {
        VlMeta::new(&*self.chunks)
    }

    /// Returns the super-chunk, with all rows in chunks.
    ///
    /// # Errors
    /// The errors of storing appended rows.
    pub fn into_inner(mut self) -> Result<C> {
        self.store_rows()?;
        Ok(self.chunks.give())
    }

    /// Returns the super-chunk without the rows that are not in chunks yet. After
    /// [`FrameWriter::rollback`](crate::frame::FrameWriter::rollback), nothing remains of what was
    /// appended since the last commit.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let params = ArrayParams::new::<u8>([2, 3]).chunkshape([2, 3]);
    /// let mut array = Array::from_elements(&[7_u8; 6], &params)?;
    /// array.append(&[8_u8; 3])?;
    /// let array = Array::open_in(array.discard_rows())?;
    /// assert_eq!(array.shape(), [2, 3]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    pub fn discard_rows(mut self) -> C {
        self.tail.clear();
        self.chunks.give()
    }

    /// Stores appended rows that are not in chunks yet.
    pub(crate) fn store_rows(&mut self) -> Result<()> {
        match &self.storing {
            Some(storing) if !self.tail.is_empty() => (storing.now)(self),
            _ => Ok(()),
        }
    }

    /// The value of a chunk that is stored as a special value, unless a postfilter may change it.
    pub(crate) fn special_value(&self, nchunk: u64) -> Option<Special<'static>> {
        match self.dparams.postfilter {
            None if self.tail.chunk(nchunk).is_some() => None,
            None => self.chunks.special_value(nchunk),
            Some(_) => None,
        }
    }

    /// Calls `work` with a workspace of the pool. Inside a parallel loop over chunks, `thread` is
    /// the number of the worker, which alone decodes the blocks.
    pub(crate) fn with_workspace<R>(
        &self,
        thread: Option<usize>,
        work: impl FnOnce(&mut Workspace) -> Result<R>,
    ) -> Result<R> {
        let serial = thread.is_some();
        let pool = &self.workspaces[usize::from(serial)];
        let make = || {
            let dparams = self.dparams.clone();
            Workspace::new(if serial {
                dparams.threads(Threads::Serial)
            } else {
                dparams
            })
        };
        pool.with(make, |workspace| {
            if let Some(thread) = thread {
                workspace.decoder.set_thread(thread);
            }
            work(workspace)
        })
    }

    /// Checks that elements are values of `T`, and returns which of their bytes are swapped.
    pub(crate) fn check_element<T: Element>(&self) -> Result<Swap> {
        let swap = self.dtype.swap::<T>()?;
        if self.typesize() != size_of::<T>() {
            return Err(Error::Mismatch {
                what: "element size",
                stored: self.typesize().to_string().into(),
                asked: size_of::<T>().to_string().into(),
            });
        }
        Ok(swap)
    }

    /// The size of a region in bytes.
    pub(crate) fn region_nbytes(&self, region: &Region) -> Result<u64> {
        let items = region.nitems();
        items
            .and_then(|items| items.checked_mul(to_u64(self.typesize())))
            .ok_or(Error::LimitExceeded {
                limit: "max_alloc",
                offset: None,
                value: u64::MAX,
                max: self.dparams.limits.max_alloc,
            })
    }

    /// The array cut at the chunk borders of its first axis.
    pub(crate) fn slabs(&self) -> impl Iterator<Item = Region> + use<C> {
        let whole = Region::whole(self.shape());
        let step = self.chunkshape().first().map_or(1, |&len| len.max(1));
        let nslabs = match whole.ndim {
            0 => 1,
            _ => whole.len(0).div_ceil(step),
        };
        (0..nslabs).map(move |number| {
            let mut slab = whole;
            if whole.ndim == 0 {
                return slab;
            }
            slab.lo[0] = number.saturating_mul(step);
            slab.hi[0] = slab.lo[0].saturating_add(step).min(whole.hi[0]);
            slab
        })
    }
}

#[cfg(feature = "serde")]
impl<C: ChunkSink> Array<C> {
    /// The metadata of the array, to be changed (feature `serde`). Of a file, changes are part of
    /// the next commit.
    pub fn vlmeta_mut(&mut self) -> VlMetaMut<'_, C> {
        VlMetaMut::new(&mut self.chunks)
    }
}
