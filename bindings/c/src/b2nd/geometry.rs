//! The geometry of an array: what callers see of it, and the grid of the library below.

use std::ffi::CString;

use oxiblosc::b2nd::{ArrayParams, B2ndMeta, Dtype, Grid};

use crate::abi::b2nd_array_t;
use crate::boundary::{Answer, Code};

/// The most dimensions.
pub(super) const MAX_NDIM: usize = 16;

/// Shapes and the type of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    pub(super) shape: Vec<u64>,
    pub(super) chunkshape: Vec<u64>,
    pub(super) blockshape: Vec<u64>,
    pub(super) dtype: CString,
    pub(super) dtype_format: i8,
    pub(super) typesize: usize,
}

impl Geometry {
    /// The geometry that a metalayer states, of items of `typesize` bytes.
    pub(super) fn parse(content: &[u8], typesize: usize) -> Answer<Self> {
        let meta = B2ndMeta::parse(content)?;
        let dtype = match meta.dtype {
            Some(text) => CString::new(text).map_err(|_| Code::FAILURE)?,
            None => default_dtype(typesize),
        };
        let geometry = Self {
            shape: meta.shape,
            chunkshape: meta.chunkshape,
            blockshape: meta.blockshape,
            dtype,
            dtype_format: i8::try_from(meta.dtype_format)?,
            typesize,
        };
        geometry.check()?;
        Ok(geometry)
    }

    /// Refuses products that C's fields cannot hold.
    pub(super) fn check(&self) -> Answer<()> {
        self.products().map(|_| ())
    }

    /// Items of: the array, a chunk, the array up to whole chunks, a block, a chunk up to whole
    /// blocks.
    fn products(&self) -> Answer<[i64; 5]> {
        let mut products = [1_i64; 5];
        for axis in 0..self.shape.len() {
            let lens = self.axis(axis)?;
            for (product, len) in products.iter_mut().zip(lens) {
                *product = product.checked_mul(len).ok_or(Code::INVALID)?;
            }
        }
        let [_, chunk, _, block, _] = products;
        i32::try_from(chunk)?;
        i32::try_from(block)?;
        Ok(products)
    }

    /// The lengths of an axis, in the order of [`products`](Self::products).
    fn axis(&self, axis: usize) -> Answer<[i64; 5]> {
        let at = |lens: &[u64]| i64::try_from(lens.get(axis).copied().unwrap_or(1));
        let (shape, chunk) = (at(&self.shape)?, at(&self.chunkshape)?);
        let block = at(&self.blockshape)?;
        Ok([
            shape,
            chunk,
            round_up(shape, chunk)?,
            block,
            round_up(chunk, block)?,
        ])
    }

    /// Writes the public fields of the shapes.
    pub(super) fn publish(&self, public: &mut b2nd_array_t) -> Answer<()> {
        let ndim = self.shape.len();
        let [nitems, chunk, ext, block, extchunk] = self.products()?;
        public.ndim = i8::try_from(ndim)?;
        (public.nitems, public.extnitems, public.extchunknitems) = (nitems, ext, extchunk);
        (public.chunknitems, public.blocknitems) = (i32::try_from(chunk)?, i32::try_from(block)?);
        for axis in 0..MAX_NDIM {
            let [shape, chunk, ext, block, extchunk] = self.axis(axis)?;
            public.shape[axis] = shape;
            public.chunkshape[axis] = i32::try_from(chunk)?;
            public.extshape[axis] = ext;
            public.blockshape[axis] = i32::try_from(block)?;
            public.extchunkshape[axis] = extchunk;
        }
        let wide = |lens: &[i32; MAX_NDIM]| lens.map(i64::from);
        let (chunks, blocks) = (wide(&public.chunkshape), wide(&public.blockshape));
        public.item_array_strides = strides(&public.shape, ndim);
        public.item_chunk_strides = strides(&chunks, ndim);
        public.item_extchunk_strides = strides(&public.extchunkshape, ndim);
        public.item_block_strides = strides(&blocks, ndim);
        public.block_chunk_strides = strides(&parts(&public.extchunkshape, &blocks), ndim);
        public.chunk_array_strides = strides(&parts(&public.extshape, &chunks), ndim);
        Ok(())
    }

    /// The grid of the library below.
    pub(super) fn grid(&self) -> Answer<Grid> {
        Ok(Grid::new(
            self.typesize,
            &self.shape,
            &self.chunkshape,
            &self.blockshape,
        )?)
    }

    /// The bytes of a chunk, and of a block.
    pub(super) fn sizes(&self) -> Answer<(i32, i32)> {
        let typesize = i64::try_from(self.typesize)?;
        let [_, _, _, block, extchunk] = self.products()?;
        let size = |items: i64| {
            let nbytes = items.checked_mul(typesize).ok_or(Code::INVALID)?;
            Ok::<i32, Code>(i32::try_from(nbytes)?)
        };
        Ok((size(extchunk)?, size(block)?))
    }

    /// The metalayer, as callers and files have it.
    pub(super) fn meta(&self) -> Answer<Vec<u8>> {
        let dtype = self.dtype.to_string_lossy();
        let mut meta = B2ndMeta::new(
            &self.shape,
            &self.chunkshape,
            &self.blockshape,
            dtype.as_ref(),
        );
        meta.dtype_format = u8::try_from(self.dtype_format)?;
        Ok(meta.to_bytes()?)
    }

    /// The parameters of an array of the library below, whose type is its size.
    pub(super) fn params(&self) -> Answer<ArrayParams> {
        let grid = self.grid()?;
        let dtype = Dtype::void(self.typesize);
        Ok(ArrayParams::with_dtype(dtype, &self.shape).partition(&grid))
    }

    /// As [`meta`](Self::meta), with the type of [`params`](Self::params).
    pub(super) fn plain_meta(&self) -> Answer<Vec<u8>> {
        let dtype = Dtype::void(self.typesize);
        let (shape, chunks, blocks) = (&self.shape, &self.chunkshape, &self.blockshape);
        Ok(B2ndMeta::new(shape, chunks, blocks, dtype.as_str()).to_bytes()?)
    }

    /// The same with another shape.
    pub(super) fn with_shape(&self, shape: &[u64]) -> Self {
        Self {
            shape: shape.to_vec(),
            ..self.clone()
        }
    }

    /// The bytes of so many items.
    pub(super) fn nbytes(&self, shape: impl IntoIterator<Item = u64>) -> Answer<usize> {
        let typesize = u64::try_from(self.typesize)?;
        let mut lens = shape.into_iter();
        let nbytes = lens.try_fold(typesize, u64::checked_mul);
        Ok(usize::try_from(nbytes.ok_or(Code::INVALID)?)?)
    }
}

/// The type of items when none is stated.
pub(super) fn default_dtype(typesize: usize) -> CString {
    let text = if typesize == 1 {
        "|u1".to_owned()
    } else {
        format!("|S{typesize}")
    };
    CString::new(text).unwrap_or_default()
}

fn round_up(len: i64, part: i64) -> Answer<i64> {
    if part == 0 {
        return Ok(0);
    }
    let parts = (len / part).checked_add(i64::from(len % part != 0));
    parts
        .and_then(|parts| parts.checked_mul(part))
        .ok_or(Code::INVALID)
}

/// Steps in items along each axis; 0 beyond the last.
fn strides(shape: &[i64; MAX_NDIM], ndim: usize) -> [i64; MAX_NDIM] {
    let mut strides = [0; MAX_NDIM];
    let mut step = 1_i64;
    for axis in (0..ndim).rev() {
        strides[axis] = step;
        step = step.saturating_mul(shape[axis]);
    }
    strides
}

fn parts(shape: &[i64; MAX_NDIM], part: &[i64; MAX_NDIM]) -> [i64; MAX_NDIM] {
    std::array::from_fn(|axis| shape[axis].checked_div(part[axis]).unwrap_or(0))
}
