//! Boxes of an array: index ranges per axis, their sizes and strides.

use crate::b2nd::layout::meta::MAX_NDIM;

/// An index or a length per axis; only the first `ndim` entries count.
pub(crate) type Dims = [u64; MAX_NDIM];

/// A box: per axis the first index and the index after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) ndim: usize,
    pub(crate) lo: Dims,
    pub(crate) hi: Dims,
}

impl Region {
    /// A box of no dimensions holds one element; [`Region::is_empty`] is about lengths of zero.
    pub(crate) const EMPTY: Self = Self {
        ndim: 0,
        lo: [0; MAX_NDIM],
        hi: [0; MAX_NDIM],
    };

    /// The box of a whole shape.
    pub(crate) fn whole(shape: &[u64]) -> Self {
        let mut region = Self {
            ndim: shape.len(),
            ..Self::EMPTY
        };
        region.hi[..shape.len()].copy_from_slice(shape);
        region
    }

    pub(crate) fn len(&self, axis: usize) -> u64 {
        self.hi[axis].saturating_sub(self.lo[axis])
    }

    pub(crate) fn lens(&self) -> Dims {
        std::array::from_fn(|axis| self.len(axis))
    }

    pub(crate) fn is_empty(&self) -> bool {
        (0..self.ndim).any(|axis| self.len(axis) == 0)
    }

    /// The number of elements, when it fits.
    pub(crate) fn nitems(&self) -> Option<u64> {
        product(&self.lens()[..self.ndim])
    }

    /// The intersection of two boxes.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let mut both = *self;
        for axis in 0..self.ndim {
            both.lo[axis] = self.lo[axis].max(other.lo[axis]);
            both.hi[axis] = self.hi[axis].min(other.hi[axis]).max(both.lo[axis]);
        }
        both
    }

    /// All index tuples of the box, in C order.
    pub(crate) fn indices(&self) -> RegionIndices {
        RegionIndices {
            region: *self,
            next: (!self.is_empty()).then_some(self.lo),
        }
    }
}

/// Iterator over the index tuples of a box.
pub(crate) struct RegionIndices {
    region: Region,
    next: Option<Dims>,
}

impl Iterator for RegionIndices {
    type Item = Dims;

    fn next(&mut self) -> Option<Dims> {
        let coords = self.next?;
        let mut following = coords;
        self.next = None;
        for axis in (0..self.region.ndim).rev() {
            following[axis] += 1;
            if following[axis] < self.region.hi[axis] {
                self.next = Some(following);
                break;
            }
            following[axis] = self.region.lo[axis];
        }
        Some(coords)
    }
}

/// Row-major strides over lengths, in elements.
pub(crate) fn strides(lens: &Dims, ndim: usize) -> Dims {
    let mut strides = [0; MAX_NDIM];
    let mut stride = 1_u64;
    for axis in (0..ndim).rev() {
        strides[axis] = stride;
        stride = stride.saturating_mul(lens[axis]);
    }
    strides
}

/// The product of some lengths, when it fits.
pub(crate) fn product(lens: &[u64]) -> Option<u64> {
    if lens.contains(&0) {
        return Some(0);
    }
    lens.iter()
        .try_fold(1_u64, |product, &len| product.checked_mul(len))
}
