//! A C-order buffer cut into boxes that several threads fill at the same time.
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
//! Boxes are disjoint because cuts ascend, and each is handed out once. So whoever has one may
//! write to its rows while others write to theirs.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering};

/// The most axes of a buffer.
pub const MAX_AXES: usize = 16;

/// A buffer in C order, cut into boxes.
///
/// ```
/// use oxiblosc_kernels::BoxGrid;
///
/// let mut buffer = [0; 10];
/// let grid = BoxGrid::new(&mut buffer, 1, vec![vec![0, 2], vec![0, 3, 5]]);
/// let (mut left, mut right) = (grid.claim(&[0, 0]).unwrap(), grid.claim(&[0, 3]).unwrap());
/// left.copy_from(&[1, 2, 3, 4, 5, 6], 0, &[3, 1]);
/// right.copy_from(&[7, 8, 9, 10], 0, &[2, 1]);
/// assert!(grid.claim(&[0, 3]).is_none()); // nobody gets it twice
/// drop(grid);
/// assert_eq!(buffer, [1, 2, 3, 7, 8, 4, 5, 6, 9, 10]);
/// ```
pub struct BoxGrid<'a> {
    data: *mut u8,
    typesize: usize,
    /// Per axis the borders of the boxes in elements, from 0 to the length.
    cuts: Vec<Vec<usize>>,
    /// Per axis how far apart neighbours are in the buffer, in bytes.
    steps: [usize; MAX_AXES],
    /// A bit per box.
    claimed: Vec<AtomicU64>,
    buffer: PhantomData<&'a mut [u8]>,
}

// SAFETY: the buffer is borrowed exclusively, and its bytes are reached only through boxes that are
// handed out once each.
unsafe impl Send for BoxGrid<'_> {}
// SAFETY: as above; `claim` is atomic.
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
    /// Cuts a buffer of elements of `typesize` bytes: per axis the borders in elements, ascending,
    /// the first 0, the last the length of the axis.
    ///
    /// # Panics
    /// When there are more than [`MAX_AXES`] axes, the cuts do not ascend from 0, or the buffer
    /// has not the size of all elements.
    #[must_use]
    pub fn new(buffer: &'a mut [u8], typesize: usize, cuts: Vec<Vec<usize>>) -> Self {
        assert!(cuts.len() <= MAX_AXES, "{} axes, at most 16", cuts.len());
        let mut steps = [0; MAX_AXES];
        let mut step = Some(typesize);
        let mut nboxes = Some(1_usize);
        for (place, cuts) in steps[..cuts.len()].iter_mut().zip(&cuts).rev() {
            assert!(
                cuts.first() == Some(&0) && cuts.is_sorted_by(|a, b| a < b),
                "the cuts {cuts:?} do not ascend from 0"
            );
            *place = step.unwrap_or(0);
            let len = cuts.last().copied().unwrap_or(0);
            step = step.and_then(|step| step.checked_mul(len));
            nboxes = nboxes.and_then(|nboxes| nboxes.checked_mul(cuts.len() - 1));
        }
        assert!(
            step == Some(buffer.len()),
            "the cuts make {step:?} bytes, the buffer has {}",
            buffer.len()
        );
        let words = nboxes.unwrap_or(usize::MAX).div_ceil(64);
        Self {
            data: buffer.as_mut_ptr(),
            typesize,
            cuts,
            steps,
            claimed: (0..words).map(|_| AtomicU64::new(0)).collect(),
            buffer: PhantomData,
        }
    }

    /// The box that begins at these indices, in elements; `None` when no box does, or somebody has
    /// it already.
    #[must_use]
    pub fn claim(&self, corner: &[usize]) -> Option<BoxMut<'_>> {
        if corner.len() != self.cuts.len() {
            return None;
        }
        let mut lens = [1; MAX_AXES];
        let (mut number, mut offset) = (0, 0);
        for (axis, (cuts, &at)) in self.cuts.iter().zip(corner).enumerate() {
            let place = cuts.binary_search(&at).ok()?;
            lens[axis] = cuts.get(place + 1)? - at;
            number = number * (cuts.len() - 1) + place;
            offset += at * self.steps[axis];
        }
        let bit = 1 << (number % 64);
        let before = self
            .claimed
            .get(number / 64)?
            .fetch_or(bit, Ordering::Relaxed);
        if before & bit != 0 {
            return None;
        }
        // SAFETY: `offset` is the position of an element of the buffer.
        let data = unsafe { self.data.add(offset) };
        Some(BoxMut {
            data,
            typesize: self.typesize,
            naxes: self.cuts.len(),
            lens,
            steps: self.steps,
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
    steps: [usize; MAX_AXES],
    buffer: PhantomData<&'g mut [u8]>,
}

// SAFETY: nobody else reaches the bytes of a box.
unsafe impl Send for BoxMut<'_> {}

impl fmt::Debug for BoxMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoxMut")
            .field("lens", &&self.lens[..self.naxes])
            .field("typesize", &self.typesize)
            .finish_non_exhaustive()
    }
}

/// One axis of a copy: how many steps, and how far a step goes on each side.
#[derive(Clone, Copy, Default)]
struct Axis {
    len: usize,
    src_step: usize,
    dst_step: usize,
}

impl BoxMut<'_> {
    /// The size of the box in bytes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.lens[..self.naxes].iter().product::<usize>() * self.typesize
    }

    /// The box as a slice, when it is one piece of the buffer.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> Option<&mut [u8]> {
        let mut row = self.typesize;
        for axis in (0..self.naxes).rev() {
            if self.lens[axis] > 1 && self.steps[axis] != row {
                return None;
            }
            row *= self.lens[axis];
        }
        // SAFETY: the elements of the box follow each other, `row` bytes from the first one on; the
        // box belongs to the caller alone, and is borrowed exclusively.
        Some(unsafe { core::slice::from_raw_parts_mut(self.data, row) })
    }

    /// Fills the box with elements of `src`: that at place (i, j, ...) of the box from byte
    /// `at` + i * `steps[0]` + j * `steps[1]` + ... on.
    ///
    /// # Panics
    /// When there is not one step per axis, or an element lies outside of `src`.
    pub fn copy_from(&mut self, src: &[u8], at: usize, steps: &[usize]) {
        assert_eq!(steps.len(), self.naxes, "steps and axes");
        let mut axes = [Axis::default(); MAX_AXES];
        let mut naxes = 0;
        let mut row = self.typesize;
        // From the innermost axis outwards; axes without a gap on both sides merge.
        for axis in (0..self.naxes).rev() {
            let (len, src_step, dst_step) = (self.lens[axis], steps[axis], self.steps[axis]);
            if len == 0 {
                return;
            }
            if len == 1 {
                continue;
            }
            if naxes == 0 && src_step == row && dst_step == row {
                row *= len;
                continue;
            }
            if naxes > 0 {
                let inner = &mut axes[naxes - 1];
                if src_step == inner.src_step * inner.len && dst_step == inner.dst_step * inner.len
                {
                    inner.len *= len;
                    continue;
                }
            }
            axes[naxes] = Axis {
                len,
                src_step,
                dst_step,
            };
            naxes += 1;
        }
        let mut inner = Axis {
            len: 1,
            ..Axis::default()
        };
        let mut outer: &[Axis] = &[];
        if let Some((first, rest)) = axes[..naxes].split_first() {
            inner = *first;
            outer = rest;
        }
        let mut odometer = [0; MAX_AXES];
        let (mut from, mut to) = (at, 0);
        loop {
            // SAFETY: `to` is the position of an element of the box relative to its first one.
            let dst = unsafe { self.data.add(to) };
            // SAFETY: the rows of `inner` from there on are elements of the box too.
            unsafe { copy_rows(row, &inner, &src[from..], dst) };
            let mut axis = 0;
            loop {
                let Some(this) = outer.get(axis) else {
                    return;
                };
                odometer[axis] += 1;
                from += this.src_step;
                to += this.dst_step;
                if odometer[axis] < this.len {
                    break;
                }
                odometer[axis] = 0;
                from -= this.src_step * this.len;
                to -= this.dst_step * this.len;
                axis += 1;
            }
        }
    }
}

/// Copies rows of `row` bytes.
///
/// # Safety
/// `row` bytes from each of `axis.len` places, `axis.dst_step` bytes apart from `dst` on, must
/// belong to the caller alone.
unsafe fn copy_rows(row: usize, axis: &Axis, src: &[u8], dst: *mut u8) {
    match row {
        // SAFETY: the caller's promise.
        1 => unsafe { copy_fixed::<1>(axis, src, dst) },
        // SAFETY: the caller's promise.
        2 => unsafe { copy_fixed::<2>(axis, src, dst) },
        // SAFETY: the caller's promise.
        4 => unsafe { copy_fixed::<4>(axis, src, dst) },
        // SAFETY: the caller's promise.
        8 => unsafe { copy_fixed::<8>(axis, src, dst) },
        // SAFETY: the caller's promise.
        16 => unsafe { copy_fixed::<16>(axis, src, dst) },
        // SAFETY: the caller's promise.
        32 => unsafe { copy_fixed::<32>(axis, src, dst) },
        // SAFETY: the caller's promise.
        64 => unsafe { copy_fixed::<64>(axis, src, dst) },
        _ => {
            for n in 0..axis.len {
                let from = &src[n * axis.src_step..][..row];
                // SAFETY: the place of a row, by the caller's promise.
                let to = unsafe { dst.add(n * axis.dst_step) };
                // SAFETY: `from` has `row` bytes, `to` room for them that nobody else uses.
                unsafe { core::ptr::copy_nonoverlapping(from.as_ptr(), to, row) };
            }
        }
    }
}

/// Rows of a length the compiler knows: a load and a store each.
///
/// # Safety
/// As [`copy_rows`], for `ROW` bytes.
#[inline]
unsafe fn copy_fixed<const ROW: usize>(axis: &Axis, src: &[u8], dst: *mut u8) {
    for n in 0..axis.len {
        let row = src.get(n * axis.src_step..);
        let Some(from) = row.and_then(|row| row.first_chunk::<ROW>()) else {
            panic_outside(n);
        };
        // SAFETY: the place of a row, by the caller's promise.
        let to = unsafe { dst.add(n * axis.dst_step) };
        // SAFETY: room for a row that nobody else uses; bytes need no alignment.
        unsafe { to.cast::<[u8; ROW]>().write(*from) };
    }
}

#[cold]
#[expect(
    clippy::panic,
    reason = "a source that is too short is the caller's bug, and must not pass silently"
)]
fn panic_outside(row: usize) -> ! {
    panic!("row {row} lies outside of the source")
}
