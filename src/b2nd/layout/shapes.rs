//! Chunk and block shapes where the caller gives none.
//!
//! Two sizes matter: a block is decoded as a whole, so it should stay in the second-level cache
//! beside its filtered copy; a chunk is stored as a whole, so it should be some MiB. Within those
//! sizes the aspect is near cubic, with the last axis twice the others (elements along it lie
//! next to each other in C order, and long rows copy faster):
//!
//! ```text
//! from the last axis to the first, with r elements left for k axes:
//!     length = 2 * r^(1/k), 4 at least, cut at the shape
//!     lowered to a power of two if that pads little, else evened out: of 10 in pieces of 8, 5
//! then the remaining factor lengthens the axes that are not yet whole, the last one first
//! ```
//!
//! A slice along any axis then touches few chunks, and padding stays near a sixteenth per axis.

use crate::b2nd::layout::grid::Grid;
use crate::b2nd::layout::rules::as_param;
use crate::b2nd::select::per_axis::{PerAxis, lens};
use crate::error::Result;
use crate::num::{saturating_u32, to_u64};

/// The target size of a chunk, in bytes.
pub const TARGET_CHUNKSIZE: usize = 4 << 20;

/// The target size of a block, in bytes.
pub const TARGET_BLOCKSIZE: usize = 256 << 10;

/// Chooses a chunkshape for an array.
///
/// `typesize` is the size of an element in bytes. Axes of length 0 get chunks as if they could
/// grow; the lengths never pass those of the shape otherwise.
///
/// ```
/// use oxiblosc::b2nd::{auto_blockshape, auto_chunkshape};
///
/// let chunkshape = auto_chunkshape(8, &[10_000, 10_000]);
/// assert_eq!(chunkshape, [512, 1024]);
/// assert_eq!(auto_blockshape(8, &chunkshape), [128, 256]);
/// assert_eq!(auto_chunkshape(1, &[3, 5]), [3, 5]);
/// ```
#[doc(alias = "compute_chunks_blocks")]
pub fn auto_chunkshape(typesize: usize, shape: impl PerAxis) -> Vec<u64> {
    let open: Vec<u64> = lens(shape)
        .into_iter()
        .map(|len| if len == 0 { u64::MAX } else { len })
        .collect();
    cut(&open, TARGET_CHUNKSIZE / typesize.max(1))
}

/// Chooses a blockshape within a chunkshape.
pub fn auto_blockshape(typesize: usize, chunkshape: impl PerAxis) -> Vec<u64> {
    cut(&lens(chunkshape), TARGET_BLOCKSIZE / typesize.max(1))
}

/// Cuts lengths into pieces of about `budget` elements.
fn cut(lens: &[u64], budget: usize) -> Vec<u64> {
    let mut left = to_u64(budget).max(1);
    let mut pieces = vec![1_u64; lens.len()];
    for (axis, (piece, &len)) in pieces.iter_mut().zip(lens).enumerate().rev() {
        let axes = saturating_u32(axis).saturating_add(1);
        let wanted = if axes == 1 {
            left
        } else {
            root(left, axes).saturating_mul(2).max(4)
        };
        *piece = even(len, wanted.min(left));
        left = (left / *piece).max(1);
    }
    // Short axes leave a factor; the last axes take it first.
    for (piece, &len) in pieces.iter_mut().zip(lens).rev() {
        let longer = even(len, piece.saturating_mul(left));
        left = (left / longer.div_ceil(*piece)).max(1);
        *piece = longer;
    }
    pieces
}

/// A piece of about `wanted` elements of a length: a power of two where the last piece then
/// overhangs by less than a sixteenth of the length, else one of equal pieces.
fn even(len: u64, wanted: u64) -> u64 {
    if wanted >= len {
        return len.max(1);
    }
    let power = 1 << wanted.max(1).ilog2();
    let overhang = (power - len % power) % power;
    if overhang <= len / 16 {
        power
    } else {
        len.div_ceil(len.div_ceil(wanted.max(1)))
    }
}

/// The largest whole number whose `axes`-th power is at most `value`.
fn root(value: u64, axes: u32) -> u64 {
    let mut low = 1_u64;
    let mut high = value.max(1);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if middle.checked_pow(axes).is_some_and(|power| power <= value) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// Shapes for an array; those of the caller are kept.
pub(crate) fn choose(
    typesize: usize,
    shape: &[u64],
    chunkshape: Option<&[u64]>,
    blockshape: Option<&[u64]>,
) -> Result<Grid> {
    let chunks = match (chunkshape, blockshape) {
        (Some(chunks), _) => chunks.to_vec(),
        (None, None) => auto_chunkshape(typesize, shape),
        (None, Some(blocks)) => {
            // Chunks in whole blocks, so that nothing is padded inside.
            let mut chunks = auto_chunkshape(typesize, shape);
            for (chunk, &block) in chunks.iter_mut().zip(blocks) {
                *chunk = chunk.next_multiple_of(block.max(1));
            }
            chunks
        }
    };
    let blocks = blockshape.map_or_else(|| auto_blockshape(typesize, &chunks), <[u64]>::to_vec);
    // The same rules as for a file, but these are parameters of the caller.
    Grid::new(typesize, shape, &chunks, &blocks)
        .map_err(|error| as_param(error, (shape, &chunks, &blocks)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_stay_near_their_targets() {
        for shape in [
            &[1_000_000_000][..],
            &[20_000, 30_000],
            &[500, 600, 700],
            &[40, 40, 40, 40, 40],
            &[1_000_000, 3],
            &[3, 1_000_000],
            &[16; 7],
        ] {
            for typesize in [1_usize, 2, 4, 8, 12, 16, 100] {
                let chunks = auto_chunkshape(typesize, shape);
                let blocks = auto_blockshape(typesize, &chunks);
                let grid = Grid::new(typesize, shape, &chunks, &blocks).unwrap();
                let total = grid.nbytes();
                assert!(
                    grid.chunksize() < 9 << 20,
                    "{shape:?} {typesize}: {chunks:?}"
                );
                assert!(
                    grid.blocksize() < 520 << 10,
                    "{shape:?} {typesize}: {blocks:?}"
                );
                assert!(
                    grid.chunksize() as u64 >= (1 << 20).min(total),
                    "{shape:?} {typesize}: {chunks:?}"
                );
                assert!(
                    grid.blocksize() as u64 >= (64 << 10).min(total),
                    "{shape:?} {typesize}: {blocks:?}"
                );
                let padded = grid.nchunks() * grid.chunksize() as u64;
                assert!(
                    padded <= 2 * total,
                    "{shape:?} {typesize}: {chunks:?} {blocks:?}"
                );
            }
        }
    }

    #[test]
    fn empty_axes_can_grow() {
        assert_eq!(auto_chunkshape(1, &[0, 5]).len(), 2);
        assert!(auto_chunkshape(1, &[0, 5]).iter().all(|&len| len > 0));
        assert!(auto_chunkshape(8, ()).is_empty());
    }

    #[test]
    fn roots_are_floors() {
        assert_eq!(root(0, 2), 1);
        assert_eq!(root(26, 3), 2);
        assert_eq!(root(27, 3), 3);
        assert_eq!(root(u64::MAX, 1), u64::MAX);
    }
}
