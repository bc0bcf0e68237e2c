//! Strided copies between a box of a C-order buffer and a decoded chunk in block order.
//!
//! A copy of an n-dimensional box is a copy of rows. Axes of length one fall away, axes that
//! follow each other without a gap on both sides merge. The rest is
//!
//! ```text
//! outer axes (an odometer) -> inner axis (n rows at fixed steps) -> one row of contiguous bytes
//! ```
//!
//! Rows of 1, 2, 4, 8 and 16 bytes have separate loops, since a `memcpy` call per element
//! would cost more than the copy. All positions are bytes.

use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Dims, to_usize};
use crate::error::Result;

/// One axis of a copy: the number of steps, and the length of a step on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Axis {
    len: usize,
    src_step: usize,
    dst_step: usize,
}

/// A copy of a box, cut into rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPlan {
    axes: [Axis; MAX_NDIM],
    naxes: usize,
    row: usize,
}

impl RowPlan {
    /// Merges the axes of a box of `lens` elements of `typesize` bytes. Strides count elements.
    pub(crate) fn new(
        ndim: usize,
        typesize: usize,
        lens: &Dims,
        src_strides: &Dims,
        dst_strides: &Dims,
    ) -> Result<Self> {
        let mut plan = Self {
            axes: [Axis::default(); MAX_NDIM],
            naxes: 0,
            row: typesize,
        };
        let mut kept: [Axis; MAX_NDIM] = [Axis::default(); MAX_NDIM];
        let mut nkept = 0_usize;
        for axis in (0..ndim).rev() {
            let len = to_usize(lens[axis])?;
            let src_step = to_usize(src_strides[axis])? * typesize;
            let dst_step = to_usize(dst_strides[axis])? * typesize;
            if len == 0 {
                return Ok(Self {
                    row: 0,
                    naxes: 0,
                    ..plan
                });
            }
            if len == 1 {
                continue;
            }
            if nkept == 0 && src_step == plan.row && dst_step == plan.row {
                plan.row *= len;
                continue;
            }
            // `kept` holds the innermost axis first.
            if let Some(inner) = nkept.checked_sub(1).map(|last| &mut kept[last])
                && src_step == inner.src_step * inner.len
                && dst_step == inner.dst_step * inner.len
            {
                inner.len *= len;
                continue;
            }
            kept[nkept] = Axis {
                len,
                src_step,
                dst_step,
            };
            nkept += 1;
        }
        kept[..nkept].reverse();
        plan.axes = kept;
        plan.naxes = nkept;
        Ok(plan)
    }

    /// Whether the box is one piece on both sides.
    #[cfg(test)]
    fn is_contiguous(&self) -> bool {
        self.naxes == 0
    }

    /// Copies the box. `src_at` and `dst_at` are the positions of its first element.
    pub(crate) fn copy(&self, src: &[u8], src_at: usize, dst: &mut [u8], dst_at: usize) {
        if self.row == 0 {
            return;
        }
        let Some((inner, outer)) = self.axes[..self.naxes].split_last() else {
            dst[dst_at..dst_at + self.row].copy_from_slice(&src[src_at..src_at + self.row]);
            return;
        };
        let mut odometer = [0_usize; MAX_NDIM];
        let (mut from, mut to) = (src_at, dst_at);
        loop {
            copy_rows(self.row, inner, &src[from..], &mut dst[to..]);
            let mut axis = outer.len();
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                odometer[axis] += 1;
                from += outer[axis].src_step;
                to += outer[axis].dst_step;
                if odometer[axis] < outer[axis].len {
                    break;
                }
                odometer[axis] = 0;
                from -= outer[axis].src_step * outer[axis].len;
                to -= outer[axis].dst_step * outer[axis].len;
            }
        }
    }
}

fn copy_rows(row: usize, axis: &Axis, src: &[u8], dst: &mut [u8]) {
    match row {
        1 => copy_fixed::<1>(axis, src, dst),
        2 => copy_fixed::<2>(axis, src, dst),
        4 => copy_fixed::<4>(axis, src, dst),
        8 => copy_fixed::<8>(axis, src, dst),
        16 => copy_fixed::<16>(axis, src, dst),
        32 => copy_fixed::<32>(axis, src, dst),
        64 => copy_fixed::<64>(axis, src, dst),
        _ => {
            for n in 0..axis.len {
                let (from, to) = (n * axis.src_step, n * axis.dst_step);
                dst[to..to + row].copy_from_slice(&src[from..from + row]);
            }
        }
    }
}

/// Rows of constant length: a load and a store each.
#[inline]
fn copy_fixed<const ROW: usize>(axis: &Axis, src: &[u8], dst: &mut [u8]) {
    for n in 0..axis.len {
        let (from, to) = (n * axis.src_step, n * axis.dst_step);
        let (Some(from), Some(to)) = (
            src.get(from..).and_then(|src| src.first_chunk::<ROW>()),
            dst.get_mut(to..)
                .and_then(|dst| dst.first_chunk_mut::<ROW>()),
        ) else {
            // A plan never leaves its buffers; a wrong one must not pass silently.
            panic_outside(n, axis);
        };
        *to = *from;
    }
}

#[cold]
#[expect(
    clippy::panic,
    reason = "a copy outside its buffers is a bug of this module"
)]
fn panic_outside(row: usize, axis: &Axis) -> ! {
    panic!("row {row} of {axis:?} lies outside the buffer")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::b2nd::layout::region::strides;

    fn dims(lens: &[u64]) -> Dims {
        let mut dims = [0; MAX_NDIM];
        dims[..lens.len()].copy_from_slice(lens);
        dims
    }

    #[test]
    fn adjacent_axes_merge_into_one_row() {
        let lens = dims(&[3, 1, 4, 5]);
        let packed = strides(&lens, 4);
        let plan = RowPlan::new(4, 2, &lens, &packed, &packed).unwrap();
        assert!(plan.is_contiguous());
        assert_eq!(plan.row, 120);

        let wide = strides(&dims(&[3, 1, 4, 6]), 4);
        let plan = RowPlan::new(4, 2, &lens, &wide, &packed).unwrap();
        assert_eq!((plan.naxes, plan.row), (1, 10));
        assert_eq!(
            plan.axes[0],
            Axis {
                len: 12,
                src_step: 12,
                dst_step: 10
            }
        );
    }

    #[test]
    fn transposed_strides_copy_element_by_element() {
        let lens = dims(&[2, 3]);
        let plan = RowPlan::new(2, 1, &lens, &dims(&[1, 2]), &dims(&[3, 1])).unwrap();
        let mut dst = [0; 6];
        plan.copy(&[1, 2, 3, 4, 5, 6], 0, &mut dst, 0);
        assert_eq!(dst, [1, 3, 5, 2, 4, 6]);
    }

    #[test]
    fn a_box_of_length_zero_copies_nothing() {
        let lens = dims(&[2, 0]);
        let plan = RowPlan::new(2, 1, &lens, &dims(&[1, 1]), &dims(&[1, 1])).unwrap();
        plan.copy(&[], 0, &mut [], 0);
    }
}
