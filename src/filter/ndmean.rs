//! NDMEAN: the items of each cell of an n-dimensional block replaced by their mean
//! ([format §5.9](crate::format#5.9)).
//!
//! The meta byte, a signed number above 0, is the side of a cell. The items are floats of 4 or 8
//! bytes; sums and means are taken in their own precision, in the order of the cell's rows, so
//! that every implementation gets the same bits. The block is stored cell after cell, as NDCELL
//! stores it, and decoding puts the cells back.

use super::cells::Cells;
use super::ndcell::scatter;
use super::{Filter, FilterContext, FilterId};
use crate::error::BoxError;

/// The mean of each cell.
#[derive(Debug)]
pub(crate) struct Ndmean;

/// The cells of the block, if the format allows them.
fn cells(cx: &FilterContext<'_>, len: usize) -> Result<Cells, BoxError> {
    if !matches!(cx.typesize, 4 | 8) {
        return Err(format!("floats have 4 or 8 bytes, the typesize is {}", cx.typesize).into());
    }
    if cx.meta > 127 {
        let side = cx.meta.cast_signed();
        return Err(
            format!("the meta byte, the side of a cell, is {side}; it must be 1 to 127").into(),
        );
    }
    Cells::new(cx, cx.meta, len)
}

/// The state of the current cell.
struct Cell<'a, T> {
    /// The output from this cell on.
    rest: &'a mut [u8],
    /// The sum of the rows so far.
    sum: T,
    /// The bytes of the rows so far.
    nbytes: usize,
}

/// Stamps the two precisions.
macro_rules! means {
    ($name:ident, $float:ty) => {
        fn $name(cells: &Cells, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
            const SIZE: usize = size_of::<$float>();
            let mut cell = Cell {
                rest: dst,
                sum: 0.0,
                nbytes: 0,
            };
            cells.each_row(
                &mut cell,
                |cell, row| {
                    cell.nbytes = cell.nbytes.checked_add(row.len())?;
                    for item in src.get(row)?.as_chunks().0 {
                        cell.sum += <$float>::from_le_bytes(*item);
                    }
                    Some(())
                },
                |cell| {
                    let mean = cell.sum / (cell.nbytes / SIZE) as $float;
                    for item in cell.rest.split_off_mut(..cell.nbytes)?.as_chunks_mut().0 {
                        *item = mean.to_le_bytes();
                    }
                    (cell.sum, cell.nbytes) = (0.0, 0);
                    Some(())
                },
            )
        }
    };
}

means!(means_f32, f32);
means!(means_f64, f64);

impl Filter for Ndmean {
    fn id(&self) -> FilterId {
        FilterId::NDMEAN
    }

    fn name(&self) -> &str {
        "ndmean"
    }

    fn is_lossless(&self) -> bool {
        false
    }

    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        let cells = cells(cx, src.len())?;
        if cells.starts_differ_in_c() {
            return Err(format!(
                "a cell of side {} is longer than the first dimension of the block and shorter \
                 than another; C-Blosc2 puts such cells to wrong places",
                cx.meta
            )
            .into());
        }
        if cx.typesize == 4 {
            means_f32(&cells, src, dst)
        } else {
            means_f64(&cells, src, dst)
        }
    }

    fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        scatter(&cells(cx, src.len())?, src, dst)
    }
}
