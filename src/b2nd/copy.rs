//! C-order buffers that hold a box of the array, and copies between them and decoded chunks.

use oxiblosc_kernels::{MAX_AXES, StridedCopy};

use crate::b2nd::layout::grid::Grid;
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Dims, Region, strides};
use crate::error::Result;
use crate::num::to_usize;

const _: () = assert!(MAX_NDIM <= MAX_AXES, "strided copies take every array");

/// The direction of a copy between a decoded chunk and a C-order buffer.
#[derive(Debug)]
pub(crate) enum Direction<'a, 'b> {
    /// From the chunk into the buffer.
    Out(&'a [u8], &'b mut [u8]),
    /// From the buffer into the chunk.
    In(&'a mut [u8], &'b [u8]),
}

/// A C-order buffer that holds a box of the array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BufferBox {
    /// The box.
    pub(crate) region: Region,
    /// The stride of each axis, in elements.
    pub(crate) strides: Dims,
}

impl BufferBox {
    pub(crate) fn new(region: Region) -> Self {
        Self {
            region,
            strides: strides(&region.lens(), region.ndim),
        }
    }

    /// The position of an element of the array in the buffer, in elements.
    pub(crate) fn position(&self, index: &Dims) -> u64 {
        (0..self.region.ndim)
            .map(|axis| (index[axis] - self.region.lo[axis]) * self.strides[axis])
            .sum()
    }

    /// Whether a part of the box is one contiguous piece of the buffer.
    pub(crate) fn is_contiguous(&self, part: &Region) -> bool {
        // After the first axis that is longer than one element, every axis must be whole.
        let first = (0..part.ndim)
            .find(|&axis| part.len(axis) > 1)
            .unwrap_or(part.ndim);
        (first..part.ndim)
            .skip(1)
            .all(|axis| part.len(axis) == self.region.len(axis))
    }
}

/// The copy of a box of `lens` elements. Strides count elements.
pub(crate) fn box_copy(
    ndim: usize,
    typesize: usize,
    lens: &Dims,
    src_strides: &Dims,
    dst_strides: &Dims,
) -> Result<StridedCopy> {
    let (mut shape, mut src, mut dst) = ([0; MAX_NDIM], [0; MAX_NDIM], [0; MAX_NDIM]);
    for axis in 0..ndim {
        shape[axis] = to_usize(lens[axis])?;
        src[axis] = to_usize(src_strides[axis])?.saturating_mul(typesize);
        dst[axis] = to_usize(dst_strides[axis])?.saturating_mul(typesize);
    }
    let (shape, src, dst) = (&shape[..ndim], &src[..ndim], &dst[..ndim]);
    Ok(StridedCopy::new(typesize, shape, src, dst))
}

/// Copies `part`, a box of the array inside the chunk at `coords`, between the decoded chunk and
/// the buffer.
pub(crate) fn copy_part(
    grid: &Grid,
    coords: &Dims,
    part: &Region,
    buffer: &BufferBox,
    mut direction: Direction<'_, '_>,
) -> Result<()> {
    if part.is_empty() {
        return Ok(());
    }
    let ndim = grid.ndim();
    let typesize = grid.typesize();
    let (block, nblocks) = grid.copy_blocks();
    let block_strides = strides(&block, ndim);
    let order = strides(&nblocks, ndim);
    let block_items: u64 = block[..ndim].iter().product();
    let origin: Dims = std::array::from_fn(|axis| coords[axis] * grid.chunk_lens()[axis]);

    // The blocks that the part touches, as coordinates in the block grid of the chunk.
    let mut touched = Region {
        ndim,
        ..Region::EMPTY
    };
    for axis in 0..ndim {
        touched.lo[axis] = (part.lo[axis] - origin[axis]) / block[axis];
        touched.hi[axis] = (part.hi[axis] - origin[axis]).div_ceil(block[axis]);
    }
    let mut last: Option<(Dims, StridedCopy)> = None;
    for at in touched.indices() {
        let mut piece = *part;
        let mut inside = 0;
        let mut number = 0;
        for axis in 0..ndim {
            let lo = origin[axis] + at[axis] * block[axis];
            piece.lo[axis] = part.lo[axis].max(lo);
            piece.hi[axis] = part.hi[axis].min(lo + block[axis]);
            inside += (piece.lo[axis] - lo) * block_strides[axis];
            number += at[axis] * order[axis];
        }
        let lens = piece.lens();
        let in_chunk = to_usize(number * block_items + inside)? * typesize;
        let in_buffer = to_usize(buffer.position(&piece.lo))? * typesize;
        // Most blocks of a chunk have the same lengths: the copy is prepared once for them.
        let (src_strides, dst_strides) = match direction {
            Direction::Out(..) => (&block_strides, &buffer.strides),
            Direction::In(..) => (&buffer.strides, &block_strides),
        };
        if last.as_ref().is_none_or(|(prepared, _)| *prepared != lens) {
            let copy = box_copy(ndim, typesize, &lens, src_strides, dst_strides)?;
            last = Some((lens, copy));
        }
        let Some((_, copy)) = &last else { continue };
        match &mut direction {
            Direction::Out(chunk, out) => {
                copy.copy(&chunk[in_chunk..], &mut out[in_buffer..]);
            }
            Direction::In(chunk, data) => {
                copy.copy(&data[in_buffer..], &mut chunk[in_chunk..]);
            }
        }
    }
    Ok(())
}

/// Fills `part` of the buffer with copies of an element.
pub(crate) fn fill_part(
    typesize: usize,
    part: &Region,
    buffer: &BufferBox,
    item: &[u8],
    dst: &mut [u8],
) -> Result<()> {
    let ndim = part.ndim;
    if part.is_empty() {
        return Ok(());
    }
    // The innermost axes that are whole in the buffer make one row.
    let mut row = part.len(ndim.saturating_sub(1)).max(1);
    let mut outer = ndim.saturating_sub(1);
    while outer > 0 && part.len(outer) == buffer.region.len(outer) {
        outer -= 1;
        row *= part.len(outer);
    }
    let row = to_usize(row)? * typesize;
    let rows = Region {
        ndim: outer,
        ..*part
    };
    let all_equal = item.iter().all(|&byte| Some(&byte) == item.first());
    for coords in rows.indices() {
        let mut index = part.lo;
        index[..outer].copy_from_slice(&coords[..outer]);
        let at = to_usize(buffer.position(&index))? * typesize;
        let row = &mut dst[at..at + row];
        if all_equal {
            row.fill(item.first().copied().unwrap_or(0));
        } else {
            for element in row.chunks_exact_mut(item.len()) {
                element.copy_from_slice(item);
            }
        }
    }
    Ok(())
}
