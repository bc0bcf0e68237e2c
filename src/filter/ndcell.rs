//! NDCELL: the items of an n-dimensional block brought together by cells
//! ([format §5.8](crate::format#5.8)).
//!
//! The meta byte is the side of a cell. A cell must have no more items than the block.

use super::cells::Cells;
use super::{Filter, FilterContext, FilterId};
use crate::error::BoxError;

/// Reordering into cells.
#[derive(Debug)]
pub(crate) struct Ndcell;

/// The cells of the block, if the format allows them.
fn cells(cx: &FilterContext<'_>, len: usize) -> Result<Cells, BoxError> {
    let cells = Cells::new(cx, cx.meta, len)?;
    if !cells.cell_fits() {
        return Err(format!(
            "a cell of side {} has more items than the block of {} items",
            cx.meta,
            len / cx.typesize
        )
        .into());
    }
    Ok(cells)
}

/// Writes the rows of the cells one after another.
pub(super) fn gather(cells: &Cells, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
    let mut packed = dst;
    cells.each_row(
        &mut packed,
        |packed, row| {
            let to = packed.split_off_mut(..row.len())?;
            to.copy_from_slice(src.get(row)?);
            Some(())
        },
        |_| Some(()),
    )
}

/// Puts the rows of the cells back to their places.
pub(super) fn scatter(cells: &Cells, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
    let mut packed = src;
    cells.each_row(
        &mut packed,
        |packed, row| {
            let from = packed.split_off(..row.len())?;
            dst.get_mut(row)?.copy_from_slice(from);
            Some(())
        },
        |_| Some(()),
    )
}

impl Filter for Ndcell {
    fn id(&self) -> FilterId {
        FilterId::NDCELL
    }

    fn name(&self) -> &str {
        "ndcell"
    }

    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        gather(&cells(cx, src.len())?, src, dst)
    }

    fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        scatter(&cells(cx, src.len())?, src, dst)
    }
}
