//! [`BoxGrid`]: a C-order buffer cut into boxes that several threads fill at the same time.
//!
//! ```text
//!         0     3         8     cuts of axis 1
//!       0 +-----+---------+
//!         |  A  |    B    |     a row of the buffer crosses A and B: no slice of it belongs to
//!       2 +-----+---------+     one of them alone, yet no byte belongs to both
//!         |  C  |    D    |
//!       5 +-----+---------+
//! ```
//!
//! Boxes are disjoint because cuts ascend, and each is handed out once. So the owner of a box may
//! write to its rows while other threads write to other boxes.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering};

use super::strided::{MAX_AXES, StridedCopy};

/// A buffer in C order, cut into boxes.
///
/// ```
/// use oxiblosc_kernels::BoxGrid;
///
/// let mut buffer = [0; 10];
/// let grid = BoxGrid::new(&mut buffer, 1, vec![vec![0, 2], vec![0, 3, 5]]);
/// let (mut left, mut right) = (grid.claim(&[0, 0]).unwrap(), grid.claim(&[0, 3]).unwrap());
/// left.copy_from(&[1, 2, 3, 4, 5, 6], &[3, 1]);
/// right.copy_from(&[7, 8, 9, 10], &[2, 1]);
/// assert!(grid.claim(&[0, 3]).is_none()); // each box is handed out once
/// drop(grid);
/// assert_eq!(buffer, [1, 2, 3, 7, 8, 4, 5, 6, 9, 10]);
/// ```
pub struct BoxGrid<'a> {
    data: *mut u8,
    typesize: usize,
    /// Per axis the borders of the boxes in elements, from 0 to the length.
    cuts: Vec<Vec<usize>>,
    /// Per axis the distance of neighbours in the buffer, in bytes.
    strides: [usize; MAX_AXES],
    /// One bit per box.
    claimed: Vec<AtomicU64>,
    buffer: PhantomData<&'a mut [u8]>,
}

// SAFETY: `data` stands for a `&mut [u8]`, which is `Send`; all other fields are `Send`.
unsafe impl Send for BoxGrid<'_> {}
// SAFETY: through `&self` the buffer is reached by `claim` alone, whose atomic bit hands out each
// box to one caller, and boxes are disjoint.
unsafe impl Sync for BoxGrid<'_> {}

impl fmt::Debug for BoxGrid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoxGrid")
            .field("typesize", &self.typesize)
            .field("cuts", &self.cuts)
            .finish_non_exhaustive()
    }
}

impl<'a> BoxGrid<'a> {
    /// Cuts a buffer of elements of `typesize` bytes.
    ///
    /// `cuts` has the borders of the boxes along each axis, in elements: ascending, the first 0,
    /// the last the length of the axis.
    ///
    /// # Panics
    /// When there are more than [`MAX_AXES`] axes, the cuts do not ascend from 0, or the buffer
    /// does not have the size of all elements.
    #[must_use]
    pub fn new(buffer: &'a mut [u8], typesize: usize, cuts: Vec<Vec<usize>>) -> Self {
        assert!(
            cuts.len() <= MAX_AXES,
            "box grid: expected at most {MAX_AXES} axes, found {}",
            cuts.len()
        );
        let mut strides = [0; MAX_AXES];
        let mut nbytes = Some(typesize);
        let mut nboxes = Some(1_usize);
        for (stride, cuts) in strides[..cuts.len()].iter_mut().zip(&cuts).rev() {
            assert!(
                cuts.first() == Some(&0) && cuts.is_sorted_by(|a, b| a < b),
                "box grid: expected cuts that ascend from 0, found {cuts:?}"
            );
            *stride = nbytes.unwrap_or(0);
            let len = cuts.last().copied().unwrap_or(0);
            nbytes = nbytes.and_then(|nbytes| nbytes.checked_mul(len));
            nboxes = nboxes.and_then(|nboxes| nboxes.checked_mul(cuts.len() - 1));
        }
        assert!(
            nbytes == Some(buffer.len()),
            "box grid: the cuts need a buffer of {nbytes:?} bytes, found {}",
            buffer.len()
        );
        let words = nboxes.unwrap_or(usize::MAX).div_ceil(64);
        Self {
            data: buffer.as_mut_ptr(),
            typesize,
            cuts,
            strides,
            claimed: (0..words).map(|_| AtomicU64::new(0)).collect(),
            buffer: PhantomData,
        }
    }

    /// The box whose first element has these indices.
    ///
    /// `None` when no box starts there, or the box is already claimed.
    #[must_use]
    pub fn claim(&self, corner: &[usize]) -> Option<BoxMut<'_>> {
        if corner.len() != self.cuts.len() {
            return None;
        }
        let mut lens = [1; MAX_AXES];
        let (mut number, mut offset) = (0, 0);
        for (axis, (cuts, &at)) in self.cuts.iter().zip(corner).enumerate() {
            let cut = cuts.binary_search(&at).ok()?;
            lens[axis] = cuts.get(cut + 1)? - at;
            number = number * (cuts.len() - 1) + cut;
            offset += at * self.strides[axis];
        }
        let bit = 1 << (number % 64);
        let before = self
            .claimed
            .get(number / 64)?
            .fetch_or(bit, Ordering::Relaxed);
        (before & bit == 0).then(|| BoxMut {
            data: self.data.wrapping_add(offset),
            typesize: self.typesize,
            naxes: self.cuts.len(),
            lens,
            strides: self.strides,
            buffer: PhantomData,
        })
    }
}

/// One box of a [`BoxGrid`], for writing.
pub struct BoxMut<'g> {
    /// Its first element.
    data: *mut u8,
    typesize: usize,
    naxes: usize,
    lens: [usize; MAX_AXES],
    strides: [usize; MAX_AXES],
    buffer: PhantomData<&'g mut [u8]>,
}

// SAFETY: the bytes of a box are reached through this value alone, and bytes are `Send`.
unsafe impl Send for BoxMut<'_> {}

impl fmt::Debug for BoxMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoxMut")
            .field("lens", &&self.lens[..self.naxes])
            .field("typesize", &self.typesize)
            .finish_non_exhaustive()
    }
}

impl BoxMut<'_> {
    /// The size of the box in bytes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.lens[..self.naxes].iter().product::<usize>() * self.typesize
    }

    /// The box as a slice, when it is contiguous in the buffer.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> Option<&mut [u8]> {
        let mut nbytes = self.typesize;
        for (&len, &stride) in self.lens[..self.naxes].iter().zip(&self.strides).rev() {
            if len > 1 && stride != nbytes {
                return None;
            }
            nbytes *= len;
        }
        // SAFETY: the elements of the box are consecutive, `nbytes` from the first one on, and are
        // reached through this value alone, which stays borrowed exclusively.
        Some(unsafe { core::slice::from_raw_parts_mut(self.data, nbytes) })
    }

    /// Fills the box from a strided source.
    ///
    /// Element (i, j, ...) of the box is read from byte
    /// i * `src_strides[0]` + j * `src_strides[1]` + ... of `src` on.
    ///
    /// # Panics
    /// When there is not one stride per axis, or an element lies outside of `src`.
    pub fn copy_from(&mut self, src: &[u8], src_strides: &[usize]) {
        let (shape, strides) = (&self.lens[..self.naxes], &self.strides[..self.naxes]);
        let copy = StridedCopy::new(self.typesize, shape, src_strides, strides);
        copy.check_source(src);
        // SAFETY: the source span was checked; shape and strides are those of the box, whose
        // elements lie in a buffer borrowed exclusively and are reached through this value alone.
        unsafe { copy.copy_unchecked(src.as_ptr(), self.data) };
    }
}
