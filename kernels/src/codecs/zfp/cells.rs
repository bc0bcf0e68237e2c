//! An array as a grid of cells with four values along each axis.

use super::scalar::Scalar;

/// The most axes.
pub(super) const MAX_NDIM: usize = 4;

/// The cells of an array of 1 to 4 axes, in row-major order.
#[derive(Debug)]
pub(super) struct Grid {
    /// The number of axes.
    pub(super) ndim: usize,
    /// The lengths, the fastest axis last; 1 for the axes before.
    lens: [usize; MAX_NDIM],
    /// How far cells extend along each axis: 4, or 1 along the axes before.
    sides: [usize; MAX_NDIM],
    /// The start of the next cell; `None` after the last.
    next: Option<[usize; MAX_NDIM]>,
}

/// The values of a cell that lie in the array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    start: [usize; MAX_NDIM],
    /// 1 to 4 along each axis.
    lens: [usize; MAX_NDIM],
}

impl Grid {
    /// The grid of an array with this shape; `None` unless it has 1 to 4 axes.
    pub(super) fn new(shape: &[usize]) -> Option<Self> {
        let before = MAX_NDIM.checked_sub(shape.len())?;
        if shape.is_empty() {
            return None;
        }
        let (mut lens, mut sides) = ([1; MAX_NDIM], [1; MAX_NDIM]);
        lens[before..].copy_from_slice(shape);
        sides[before..].fill(4);
        Some(Self {
            ndim: shape.len(),
            lens,
            sides,
            next: (!lens.contains(&0)).then_some([0; MAX_NDIM]),
        })
    }

    /// The number of values; `None` when it overflows.
    pub(super) fn len(&self) -> Option<usize> {
        let mut lens = self.lens.iter();
        lens.try_fold(1_usize, |product, &len| product.checked_mul(len))
    }

    /// The next cell.
    pub(super) fn next(&mut self) -> Option<Place> {
        let start = self.next?;
        let mut lens = self.sides;
        for ((len, &start), &end) in lens.iter_mut().zip(&start).zip(&self.lens) {
            *len = (*len).min(end - start);
        }
        let mut next = start;
        let more = (0..MAX_NDIM).rev().any(|axis| {
            next[axis] += self.sides[axis];
            let fits = next[axis] < self.lens[axis];
            if !fits {
                next[axis] = 0;
            }
            fits
        });
        self.next = more.then_some(next);
        Some(Place { start, lens })
    }

    /// Calls `row` with the position in the cell, the byte offset in the array and the number of
    /// values of each row of a place.
    fn rows(&self, place: &Place, size: usize, mut row: impl FnMut(usize, usize, usize)) {
        let [_, n1, n2, n3] = self.lens;
        let Place {
            start: [s0, s1, s2, s3],
            lens: [l0, l1, l2, l3],
        } = *place;
        for i0 in 0..l0 {
            for i1 in 0..l1 {
                for i2 in 0..l2 {
                    let at = (((s0 + i0) * n1 + s1 + i1) * n2 + s2 + i2) * n3 + s3;
                    row((i0 * 4 + i1) * 16 + i2 * 4, at * size, l3);
                }
            }
        }
    }

    /// Copies the values of a place from the array to its cell, and continues them to the rest of
    /// the cell.
    pub(super) fn gather<S: Scalar>(&self, place: &Place, src: &[u8], cell: &mut [S]) {
        self.rows(place, S::SIZE, |at, offset, len| {
            let values = src[offset..].chunks_exact(S::SIZE);
            for (to, value) in cell[at..at + len].iter_mut().zip(values) {
                *to = S::read(value);
            }
        });
        // The fastest axis first; along each, all that is already filled.
        for axis in (MAX_NDIM - self.ndim..MAX_NDIM).rev() {
            let stride = 1 << (2 * (MAX_NDIM - 1 - axis));
            for group in cell.chunks_exact_mut(4 * stride) {
                // 0 1 2 3 of: a, a a a a; a b, a b b a; a b c, a b c a.
                for missing in place.lens[axis]..4 {
                    let from = if missing == 3 { 0 } else { missing - 1 };
                    group.copy_within(from * stride..(from + 1) * stride, missing * stride);
                }
            }
        }
    }

    /// Copies the values of a place from their cell to the array.
    pub(super) fn scatter<S: Scalar>(&self, place: &Place, cell: &[S], dst: &mut [u8]) {
        self.rows(place, S::SIZE, |at, offset, len| {
            let values = dst[offset..].chunks_exact_mut(S::SIZE);
            for (value, to) in cell[at..at + len].iter().zip(values) {
                value.write(to);
            }
        });
    }
}
