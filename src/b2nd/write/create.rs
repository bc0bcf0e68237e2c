//! New arrays: from memory, from a stream, from a function.
//!
//! Chunks are built in the order in which they are stored, so a new array needs memory for one
//! chunk (or, from a stream, for one slab of chunks), and never for the whole array.

use std::io::{self, Read};
use std::ops::Range;

use crate::b2nd::array::Array;
use crate::b2nd::copy::BufferBox;
use crate::b2nd::layout::dtype::{Element, stored_bytes};
use crate::b2nd::layout::meta::METALAYER;
use crate::b2nd::layout::params::ArrayParams;
use crate::b2nd::layout::region::Region;
use crate::b2nd::write::builder::Store;
use crate::b2nd::write::target::ArrayTarget;
use crate::error::{Error, Part, Result};
use crate::num::to_usize;
use crate::schunk::{ChunkSink, SChunk};

impl Array<SChunk> {
    /// An array in memory from elements in C order.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype of the parameters is not that of `T`, or the number of
    /// elements not that of the shape; [`Error::InvalidParam`] for shapes that do not fit
    /// together.
    #[doc(alias = "b2nd_from_cbuffer")]
    pub fn from_elements<T: Element>(elements: &[T], params: &ArrayParams) -> Result<Self> {
        let swap = params.dtype.swap::<T>()?;
        Self::from_bytes(&stored_bytes(elements, &swap), params)
    }

    /// An array in memory from the bytes of elements in C order
    /// ([format §11.2](crate::format#11.2)).
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the number of bytes is not that of the shape;
    /// [`Error::InvalidParam`] for shapes that do not fit together.
    pub fn from_bytes(bytes: &[u8], params: &ArrayParams) -> Result<Self> {
        Self::from_bytes_in(Self::sink(params)?, bytes, params)
    }

    /// A super-chunk in memory, ready for the chunks.
    pub(crate) fn sink(params: &ArrayParams) -> Result<SChunk> {
        // Shapes of no elements may leave chunks of no bytes; the super-chunk then never gets one.
        let chunksize = params.grid()?.chunksize().max(1);
        let mut schunk = SChunk::new(params.chunk_cparams()?, chunksize)?;
        schunk.set_dparams(params.dparams.clone());
        *schunk.metalayers_mut() = params.all_metalayers()?;
        *schunk.vlmetalayers_mut() = params.vlmetalayers.clone();
        Ok(schunk)
    }
}

impl<C: ChunkSink> Array<C> {
    /// An array at a path, or in chunks of the caller, from elements in C order.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("numbers.b2nd");
    /// let numbers: Vec<f64> = (0..12).map(f64::from).collect();
    /// Array::from_elements_in(&path, &numbers, &ArrayParams::new::<f64>(&[3, 4]))?;
    /// assert_eq!(Array::open(&path)?.slice::<f64>((1, ..2))?, [4.0, 5.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype of the parameters is not that of `T`; otherwise as
    /// [`from_bytes_in`](Self::from_bytes_in).
    pub fn from_elements_in<T: Element>(
        target: impl ArrayTarget<Sink = C>,
        elements: &[T],
        params: &ArrayParams,
    ) -> Result<Self> {
        let swap = params.dtype.swap::<T>()?;
        Self::from_bytes_in(target, &stored_bytes(elements, &swap), params)
    }

    /// An array at a path, or in chunks of the caller, from the bytes of elements in C order.
    ///
    /// Chunks of the caller must have the metalayers of the parameters, and no chunks yet. Reading
    /// uses their [`dparams`](crate::ChunkSource::dparams); those in `params` do not count.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the number of bytes is not that of the shape; [`Error::Refused`]
    /// when the chunks were made for another array; the errors of making the file, and of encoding
    /// and storing chunks.
    pub fn from_bytes_in(
        target: impl ArrayTarget<Sink = C>,
        bytes: &[u8],
        params: &ArrayParams,
    ) -> Result<Self> {
        Self::make(target, params, |array| {
            let whole = Region::whole(array.shape());
            array.expect_nbytes(&whole, bytes)?;
            array.write_region(&whole, bytes, Store::Append)
        })
    }

    /// An array at a path, or in chunks of the caller, from a stream of the bytes of its elements
    /// in C order. One slab of chunks is in memory at a time: as many elements as a chunk has along
    /// the first axis, and all of the other axes. Bytes of the stream after them are not read.
    ///
    /// # Errors
    /// [`Error::Io`] when the stream fails or ends early; otherwise as
    /// [`from_bytes_in`](Self::from_bytes_in).
    pub fn from_reader_in(
        target: impl ArrayTarget<Sink = C>,
        mut reader: impl Read,
        params: &ArrayParams,
    ) -> Result<Self> {
        Self::make(target, params, |array| {
            let mut bytes = Vec::new();
            let mut at = 0_u64;
            let has_elements = array.nitems() > 0;
            let slabs: Vec<_> = array.slabs().take_while(|_| has_elements).collect();
            for slab in slabs {
                let len = array.region_nbytes(&slab)?;
                bytes.resize(to_usize(len)?, 0);
                reader.read_exact(&mut bytes).map_err(|source| Error::Io {
                    part: Part::Payload,
                    offset: Some(at),
                    source,
                })?;
                at = at.saturating_add(len);
                array.write_region(&slab, &bytes, Store::Append)?;
            }
            Ok(())
        })
    }

    /// An array at a path, or in chunks of the caller, from pieces of any size, which together are
    /// the bytes of its elements in C order.
    ///
    /// # Errors
    /// As [`from_reader_in`](Self::from_reader_in).
    pub fn from_slabs_in<B: AsRef<[u8]>>(
        target: impl ArrayTarget<Sink = C>,
        slabs: impl IntoIterator<Item = B>,
        params: &ArrayParams,
    ) -> Result<Self> {
        let reader = SlabReader {
            slabs: slabs.into_iter(),
            slab: None,
            read: 0,
        };
        Self::from_reader_in(target, reader, params)
    }

    /// An array at a path, or in chunks of the caller, from a function that fills one box after the
    /// other. It receives the box of a chunk as ranges of the array, and the bytes to fill in C
    /// order.
    ///
    /// # Errors
    /// The errors of the function; otherwise as [`from_bytes_in`](Self::from_bytes_in).
    pub fn from_fn_in(
        target: impl ArrayTarget<Sink = C>,
        params: &ArrayParams,
        mut fill: impl FnMut(&[Range<u64>], &mut [u8]) -> Result<()>,
    ) -> Result<Self> {
        Self::make(target, params, |array| {
            let mut bytes = Vec::new();
            let mut ranges = Vec::with_capacity(array.ndim());
            for nchunk in 0..array.grid.nchunks() {
                let coords = array.grid.chunk_coords(nchunk);
                let part = array.grid.chunk_box(&coords);
                ranges.clear();
                ranges.extend((0..part.ndim).map(|axis| part.lo[axis]..part.hi[axis]));
                bytes.resize(to_usize(array.region_nbytes(&part)?)?, 0);
                fill(&ranges, &mut bytes)?;
                let buffer = BufferBox::new(part);
                array.write_part(&coords, &part, &buffer, &bytes, Store::Append)?;
            }
            Ok(())
        })
    }

    /// An array in a new place, whose chunks `fill` stores.
    pub(crate) fn make<T: ArrayTarget<Sink = C>>(
        target: T,
        params: &ArrayParams,
        fill: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Self> {
        let mut array = Self::begin(target.into_sink(params)?, params)?;
        fill(&mut array)?;
        T::complete(&mut array.chunks)?;
        Ok(array)
    }

    /// An array without its chunks yet.
    pub(crate) fn begin(mut chunks: C, params: &ArrayParams) -> Result<Self> {
        let grid = params.grid()?;
        let meta = params.meta()?;
        params.cparams.validate()?;
        let layout = chunks.layout();
        if chunks.metalayers().get(METALAYER) != Some(meta.to_bytes()?.as_slice()) {
            return Err(Error::Refused {
                what: "make an array",
                why: "the chunks were not created with its b2nd metalayer",
            });
        }
        let found = |(name, content)| chunks.metalayers().get(name) == Some(content);
        if !params.metalayers.iter().all(found) {
            return Err(Error::Refused {
                what: "make an array",
                why: "the chunks were not created with all metalayers of the parameters",
            });
        }
        if layout.nchunks != 0 || layout.typesize != grid.typesize() {
            return Err(Error::Refused {
                what: "make an array",
                why: "it has chunks already, or another typesize",
            });
        }
        for name in params.vlmetalayers.names() {
            let content = params.vlmetalayers.get(name, &params.dparams)?;
            if chunks.vlmetalayer(name)? != content {
                chunks.set_vlmetalayer(name, &content.unwrap_or_default())?;
            }
        }
        let dparams = chunks.dparams().clone();
        Self::assemble(chunks, METALAYER, meta, grid, &params.cparams, dparams)
    }
}

/// Slabs as one stream.
struct SlabReader<I, B> {
    slabs: I,
    slab: Option<B>,
    read: usize,
}

impl<I: Iterator<Item = B>, B: AsRef<[u8]>> Read for SlabReader<I, B> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        loop {
            let rest = match &self.slab {
                Some(slab) => slab.as_ref().get(self.read..).unwrap_or_default(),
                None => &[],
            };
            if !rest.is_empty() {
                let len = rest.len().min(dst.len());
                dst[..len].copy_from_slice(&rest[..len]);
                self.read = self.read.saturating_add(len);
                return Ok(len);
            }
            self.read = 0;
            self.slab = self.slabs.next();
            if self.slab.is_none() {
                return Ok(0);
            }
        }
    }
}
