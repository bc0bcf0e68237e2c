//! The partition of an array into chunks and blocks: index arithmetic
//! ([format §11.2](crate::format#11.2)).
//!
//! ```text
//!   shape 5 x 7, chunkshape 4 x 4, blockshape 3 x 2        one chunk, blocks 0..4
//!   +---------+-------+ -                                  +-----+-----+
//!   | chunk 0 | chunk |1|  chunks overhang the shape:      |  0  |  1  |  3 x 2 elements each,
//!   |         |       | |  shape padding                   |     |     |  row-major inside
//!   +---------+-------+ |                                  +-----+-----+
//!   | chunk 2 | chunk |3|                                  |  2  |  3  |  blocks overhang the
//!   + - - - - + - - - + +                                  +- - -+- - -+  chunk: block padding
//! ```
//!
//! Every chunk decodes to the same number of bytes, at the border too. A [`Grid`] is only made
//! from shapes whose products have all been checked, so later arithmetic cannot overflow.

use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Dims, Region, product};
use crate::b2nd::layout::rules::{Field, bounded, check_axis, field_offset};
use crate::error::{Error, Part, Result};
use crate::limits::Limits;
use crate::num::{saturating_i64, to_u64};
use crate::params::{MAX_BLOCKSIZE, MAX_NBYTES, MAX_TYPESIZE};

/// The most chunks that a frame holds ([format §9.2](crate::format#9.2)).
pub const MAX_NCHUNKS: u64 = Limits::FORMAT.max_nchunks;

/// A shape cut into chunks and blocks.
///
/// ```
/// use oxiblosc::b2nd::Grid;
///
/// let grid = Grid::new(8, &[5, 7], &[4, 4], &[3, 2])?;
/// assert_eq!(grid.nchunks(), 4);
/// assert_eq!(grid.blocksize(), 3 * 2 * 8);
/// assert_eq!(grid.chunksize(), 4 * 3 * 2 * 8); // four blocks, padding included
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    ndim: usize,
    typesize: usize,
    /// Shape, chunkshape and blockshape.
    s: Dims,
    c: Dims,
    b: Dims,
    /// Chunks along each axis, and row-major strides over them.
    g: Dims,
    chunk_strides: Dims,
    /// Blocks of a chunk along each axis.
    h: Dims,
    nchunks: u64,
    nitems: u64,
    chunksize: usize,
    blocksize: usize,
}

impl Grid {
    /// Checks the shapes and their products.
    ///
    /// `typesize` is the size of an element in bytes; the other lengths count elements. A chunk
    /// length may be zero only where the shape is, a block length only where the chunk is.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] for a typesize out of range or shapes of different lengths;
    /// [`Error::Corrupt`] of [`Part::B2nd`] for a broken rule, with the offset of the field in
    /// the metalayer.
    pub fn new(
        typesize: usize,
        shape: &[u64],
        chunkshape: &[u64],
        blockshape: &[u64],
    ) -> Result<Self> {
        let ndim = shape.len();
        if typesize == 0 || typesize > MAX_TYPESIZE {
            return Err(Error::InvalidParam {
                name: "typesize",
                value: saturating_i64(typesize),
                expected: "1 to 536866816",
            });
        }
        for (name, len) in [
            ("ndim", ndim),
            ("chunkshape", chunkshape.len()),
            ("blockshape", blockshape.len()),
        ] {
            if len != ndim || len > MAX_NDIM {
                return Err(Error::InvalidParam {
                    name,
                    value: saturating_i64(len),
                    expected: "at most 16 lengths, the same number for each shape",
                });
            }
        }

        let mut grid = Self {
            ndim,
            typesize,
            s: [0; MAX_NDIM],
            c: [0; MAX_NDIM],
            b: [0; MAX_NDIM],
            g: [0; MAX_NDIM],
            chunk_strides: [0; MAX_NDIM],
            h: [0; MAX_NDIM],
            nchunks: 1,
            nitems: 1,
            chunksize: 0,
            blocksize: 0,
        };
        for axis in 0..ndim {
            let (s, c, b) = (shape[axis], chunkshape[axis], blockshape[axis]);
            (grid.s[axis], grid.c[axis], grid.b[axis]) = (s, c, b);
            check_axis(ndim, axis, s, c, b)?;
            if c > 0 {
                grid.g[axis] = s.div_ceil(c);
            }
            if b > 0 {
                grid.h[axis] = c.div_ceil(b);
            }
        }
        grid.measure()?;
        Ok(grid)
    }

    /// The products: number of chunks, sizes, strides.
    fn measure(&mut self) -> Result<()> {
        let ndim = self.ndim;
        let shape_at = 4;
        let chunk_at = field_offset(ndim, Field::Chunkshape, 0);
        let block_at = field_offset(ndim, Field::Blockshape, 0);
        let typesize = to_u64(self.typesize);
        let max_nbytes = to_u64(MAX_NBYTES);
        let max_blocksize = to_u64(MAX_BLOCKSIZE);

        let block_items = product(&self.b[..ndim]);
        let blocksize = block_items.and_then(|items| items.checked_mul(typesize));
        self.blocksize = bounded(
            blocksize,
            max_blocksize,
            block_at,
            "bytes of a block of the blockshape",
        )?;
        let ext: Dims = std::array::from_fn(|axis| self.b[axis].saturating_mul(self.h[axis]));
        let chunksize = product(&ext[..ndim]).and_then(|items| items.checked_mul(typesize));
        self.chunksize = bounded(
            chunksize,
            max_nbytes,
            chunk_at,
            "bytes of a chunk of the chunkshape",
        )?;

        let empty = self.s[..ndim].contains(&0);
        let nitems = product(&self.s[..ndim]);
        let nbytes = nitems.and_then(|items| items.checked_mul(typesize));
        if nbytes.is_none_or(|nbytes| i64::try_from(nbytes).is_err()) {
            return Err(Error::out_of_range(
                Part::B2nd,
                shape_at,
                "bytes of the shape",
                i64::MAX,
                0,
                i64::MAX,
            ));
        }
        self.nitems = nitems.unwrap_or(0);
        let mut stride = 1_u64;
        for axis in (0..ndim).rev() {
            self.chunk_strides[axis] = stride;
            stride = if empty {
                0
            } else {
                stride.saturating_mul(self.g[axis])
            };
        }
        self.nchunks = stride;
        if self.nchunks > MAX_NCHUNKS {
            let field = "number of chunks of the shape";
            return Err(Error::out_of_range(
                Part::B2nd,
                shape_at,
                field,
                self.nchunks,
                0,
                MAX_NCHUNKS,
            ));
        }
        // At most 2^28 chunks of less than 2^31 bytes: the padded total fits in 63 bits.
        Ok(())
    }

    /// The number of dimensions, 0 to 16.
    pub fn ndim(&self) -> usize {
        self.ndim
    }

    /// The size of an element in bytes.
    pub fn typesize(&self) -> usize {
        self.typesize
    }

    /// The length of each axis, in elements.
    pub fn shape(&self) -> &[u64] {
        &self.s[..self.ndim]
    }

    /// The length of a chunk along each axis, in elements.
    pub fn chunkshape(&self) -> &[u64] {
        &self.c[..self.ndim]
    }

    /// The length of a block along each axis, in elements.
    pub fn blockshape(&self) -> &[u64] {
        &self.b[..self.ndim]
    }

    /// The number of elements.
    pub fn nitems(&self) -> u64 {
        self.nitems
    }

    /// The size of all elements in bytes, without padding.
    pub fn nbytes(&self) -> u64 {
        self.nitems * to_u64(self.typesize)
    }

    /// Makes the first axis longer by rows that lie in chunks it has already.
    pub(crate) fn add_rows(&mut self, rows: u64) {
        let row: u64 = self.s[1..self.ndim].iter().product();
        self.s[0] += rows;
        self.nitems += rows * row;
    }

    /// The number of chunks.
    pub fn nchunks(&self) -> u64 {
        self.nchunks
    }

    /// The size of every decoded chunk in bytes, padding included.
    pub fn chunksize(&self) -> usize {
        self.chunksize
    }

    /// The size of every block in bytes, padding included.
    pub fn blocksize(&self) -> usize {
        self.blocksize
    }

    /// The number of chunks along each axis.
    pub fn chunk_grid(&self) -> &[u64] {
        &self.g[..self.ndim]
    }

    /// The number of blocks of a chunk along each axis.
    pub fn block_grid(&self) -> &[u64] {
        &self.h[..self.ndim]
    }

    /// The number of the chunk with these coordinates in the chunk grid.
    pub(crate) fn chunk_number(&self, coords: &Dims) -> u64 {
        (0..self.ndim)
            .map(|axis| coords[axis] * self.chunk_strides[axis])
            .sum()
    }

    /// The coordinates of a chunk in the chunk grid.
    pub(crate) fn chunk_coords(&self, nchunk: u64) -> Dims {
        let mut rest = nchunk;
        std::array::from_fn(|axis| {
            if axis >= self.ndim || self.chunk_strides[axis] == 0 {
                return 0;
            }
            let coord = rest / self.chunk_strides[axis];
            rest %= self.chunk_strides[axis];
            coord
        })
    }

    /// The elements of the array that the chunk at `coords` holds: its box, cut at the shape.
    pub(crate) fn chunk_box(&self, coords: &Dims) -> Region {
        let mut region = Region::EMPTY;
        region.ndim = self.ndim;
        for (axis, &coord) in coords[..self.ndim].iter().enumerate() {
            let lo = coord * self.c[axis];
            region.lo[axis] = lo;
            region.hi[axis] = lo.saturating_add(self.c[axis]).min(self.s[axis]);
        }
        region
    }

    /// The coordinates of the chunks that a region touches, as a region of the chunk grid.
    pub(crate) fn chunks_of(&self, region: &Region) -> Region {
        let mut chunks = Region::EMPTY;
        chunks.ndim = self.ndim;
        for axis in 0..self.ndim {
            if region.lo[axis] >= region.hi[axis] {
                return Region {
                    ndim: self.ndim.max(1),
                    ..Region::EMPTY
                };
            }
            chunks.lo[axis] = region.lo[axis] / self.c[axis];
            chunks.hi[axis] = region.hi[axis].div_ceil(self.c[axis]);
        }
        chunks
    }

    /// The lengths of a decoded chunk, block padding included.
    pub(crate) fn extchunk(&self) -> Dims {
        std::array::from_fn(|axis| self.b[axis] * self.h[axis])
    }

    /// The blocks for copies: the lengths of a block, and the blocks along each axis. A chunk
    /// whose blocks follow each other in C order counts as a single block.
    pub(crate) fn copy_blocks(&self) -> (Dims, Dims) {
        let cut = (0..self.ndim)
            .find(|&axis| self.b[axis] > 1)
            .unwrap_or(self.ndim);
        if (cut..self.ndim).skip(1).all(|axis| self.h[axis] <= 1) {
            let ones: Dims = std::array::from_fn(|axis| u64::from(axis < self.ndim));
            (self.extchunk(), ones)
        } else {
            (self.b, self.h)
        }
    }

    /// The lengths of a block, and the blocks along each axis.
    pub(crate) fn blocks(&self) -> (Dims, Dims) {
        (self.b, self.h)
    }

    /// The lengths of a chunk.
    pub(crate) fn chunk_lens(&self) -> &Dims {
        &self.c
    }
}
