//! Cutting an array into pieces that fit in memory and follow each other in C order.

use std::ops::Range;

/// The most bytes of an array that are decoded before they are written.
const MAX_SLAB: u64 = 64 << 20;

/// A length as a 64-bit number.
pub(crate) fn wide(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

/// Slices of an array that follow each other in C order: rows of chunks, or parts of them when
/// they are large.
pub(crate) struct Slabs {
    shape: Vec<u64>,
    /// The axis that is cut; the ones before advance one by one.
    axis: usize,
    step: u64,
    next: Option<Vec<u64>>,
}

impl Slabs {
    /// Slabs of some lengths, of which those of `chunkshape` come together.
    pub(crate) fn new(shape: &[u64], chunkshape: &[u64], typesize: usize) -> Self {
        Self::within(MAX_SLAB, shape, chunkshape, typesize)
    }

    /// Slabs of two arrays at a time, which take no more together.
    pub(crate) fn of_two(shape: &[u64], chunkshape: &[u64], typesize: usize) -> Self {
        Self::within(MAX_SLAB / 2, shape, chunkshape, typesize)
    }

    fn within(most: u64, shape: &[u64], chunkshape: &[u64], typesize: usize) -> Self {
        let shape = shape.to_vec();
        let mut axis = 0;
        let mut step = 1;
        // The first axis of which one row of chunks is small enough, or even one element.
        for candidate in 0..shape.len() {
            axis = candidate;
            let trailing = shape.get(candidate + 1..).unwrap_or_default();
            let row = trailing
                .iter()
                .try_fold(wide(typesize), |row, &len| row.checked_mul(len))
                .unwrap_or(u64::MAX);
            let chunk = chunkshape.get(candidate).copied().unwrap_or(1).max(1);
            step = if row.saturating_mul(chunk) <= most {
                // Several rows of chunks when they are small: threads want work.
                chunk * (most / 4 / row.saturating_mul(chunk).max(1)).max(1)
            } else {
                (most / row.max(1)).max(1)
            };
            if row <= most {
                break;
            }
        }
        let next = (!shape.contains(&0)).then(|| vec![0; shape.len()]);
        Self {
            shape,
            axis,
            step,
            next,
        }
    }
}

impl Iterator for Slabs {
    type Item = Vec<Range<u64>>;

    fn next(&mut self) -> Option<Self::Item> {
        let corner = self.next.take()?;
        let slab = (corner.iter().zip(&self.shape).enumerate())
            .map(|(axis, (&start, &len))| match axis.cmp(&self.axis) {
                std::cmp::Ordering::Less => start..start + 1,
                std::cmp::Ordering::Equal => start..start.saturating_add(self.step).min(len),
                std::cmp::Ordering::Greater => 0..len,
            })
            .collect();
        let mut following = corner;
        for axis in (0..=self.axis.min(self.shape.len().saturating_sub(1))).rev() {
            let (Some(start), Some(&len)) = (following.get_mut(axis), self.shape.get(axis)) else {
                break;
            };
            *start = start.saturating_add(if axis == self.axis { self.step } else { 1 });
            if *start < len {
                self.next = Some(following);
                break;
            }
            *start = 0;
        }
        Some(slab)
    }
}
