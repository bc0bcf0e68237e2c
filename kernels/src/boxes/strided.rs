//! [`StridedCopy`]: copies an n-dimensional box between two strided buffers.
//!
//! A copy of a box is a copy of rows. Axes of length one are dropped, axes without a gap between
//! them on both sides merge, and the rest is
//!
//! ```text
//! outer axes (an odometer) -> inner axis (rows at fixed strides) -> one row of contiguous bytes
//! ```
//!
//! Rows of 1, 2, 4, ... 64 bytes have their own loops: a `memcpy` call per element would cost more
//! than the copy.
//!
//! A transposition, where rows follow each other along one axis in the source and along another in
//! the destination, goes in tiles of 8 by 8 rows: line by line, the lines of one side would be
//! evicted before their next row is needed, above all where strides are powers of two and all lines
//! share a few sets of the cache.

/// The largest number of axes of a box.
pub const MAX_AXES: usize = 16;

/// Rows of a tile along each axis: as many lines of one set fit in a first-level cache.
const TILE: usize = 8;
/// Rows this long fill the lines of both sides, without tiles.
const CACHE_LINE: usize = 64;

/// A prepared copy of a box between two buffers: the merged axes, without the buffers.
///
/// Preparing takes time in proportion to the number of axes, so keep a value for boxes of equal
/// shape and strides.
///
/// ```
/// use oxiblosc_kernels::StridedCopy;
///
/// // A 2 by 3 box of bytes, out of rows of 4 into rows of 3.
/// let copy = StridedCopy::new(1, &[2, 3], &[4, 1], &[3, 1]);
/// let mut dst = [0; 6];
/// copy.copy(&[1, 2, 3, 0, 4, 5, 6, 0], &mut dst);
/// assert_eq!(dst, [1, 2, 3, 4, 5, 6]);
///
/// // Other strides transpose it.
/// let transpose = StridedCopy::new(1, &[3, 2], &[1, 4], &[2, 1]);
/// transpose.copy(&[1, 2, 3, 0, 4, 5, 6, 0], &mut dst);
/// assert_eq!(dst, [1, 4, 2, 5, 3, 6]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StridedCopy {
    /// The merged axes, the innermost first.
    axes: [Axis; MAX_AXES],
    naxes: usize,
    /// Whether the first two axes are copied in tiles.
    tiled: bool,
    /// Contiguous bytes on both sides; 0 for an empty box.
    row: usize,
    /// Bytes from the first element to the end of the last one; `None` when they overflow.
    src_span: Option<usize>,
    dst_span: Option<usize>,
}

/// One axis of a copy: its length, and its strides in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Axis {
    len: usize,
    src_stride: usize,
    dst_stride: usize,
}

impl StridedCopy {
    /// Prepares the copy of a box of `shape` elements of `item_size` bytes.
    ///
    /// Strides are in bytes, one per axis; a source stride of 0 repeats elements.
    ///
    /// # Panics
    /// When `shape` has more than [`MAX_AXES`] axes, or either list of strides has another length.
    #[must_use]
    pub fn new(
        item_size: usize,
        shape: &[usize],
        src_strides: &[usize],
        dst_strides: &[usize],
    ) -> Self {
        let ndim = shape.len();
        assert!(
            ndim <= MAX_AXES,
            "strided copy: expected at most {MAX_AXES} axes, found {ndim}"
        );
        for (side, strides) in [("source", src_strides), ("destination", dst_strides)] {
            let found = strides.len();
            assert!(
                found == ndim,
                "strided copy: expected {ndim} {side} strides, found {found}"
            );
        }
        let empty = Self {
            axes: [Axis::default(); MAX_AXES],
            naxes: 0,
            tiled: false,
            row: 0,
            src_span: Some(0),
            dst_span: Some(0),
        };
        if item_size == 0 || shape.contains(&0) {
            return empty;
        }
        let mut copy = Self {
            row: item_size,
            src_span: span(item_size, shape, src_strides),
            dst_span: span(item_size, shape, dst_strides),
            ..empty
        };
        let strides = src_strides.iter().zip(dst_strides);
        for (&len, (&src_stride, &dst_stride)) in shape.iter().zip(strides).rev() {
            copy.push(Axis {
                len,
                src_stride,
                dst_stride,
            });
        }
        copy.find_tiles();
        copy
    }

    /// Makes the axis along which rows follow each other on one side the second one, if they do so
    /// along the first one on the other side.
    fn find_tiles(&mut self) {
        if self.row >= CACHE_LINE {
            return;
        }
        let row = self.row;
        let Some((inner, outer)) = self.axes[..self.naxes].split_first_mut() else {
            return;
        };
        let across = outer.iter().position(|axis| {
            (inner.dst_stride == row && axis.src_stride == row)
                || (inner.src_stride == row && axis.dst_stride == row)
        });
        if let Some(across) = across {
            outer[..=across].rotate_right(1);
            self.tiled = true;
        }
    }

    /// Adds the next outer axis: drops it, merges it into the row or the last axis, or keeps it.
    fn push(&mut self, axis: Axis) {
        if axis.len == 1 {
            return;
        }
        let Some(last) = self.naxes.checked_sub(1) else {
            if axis.src_stride == self.row
                && axis.dst_stride == self.row
                && let Some(row) = self.row.checked_mul(axis.len)
            {
                self.row = row;
                return;
            }
            self.axes[0] = axis;
            self.naxes = 1;
            return;
        };
        let inner = &mut self.axes[last];
        if inner.src_stride.checked_mul(inner.len) == Some(axis.src_stride)
            && inner.dst_stride.checked_mul(inner.len) == Some(axis.dst_stride)
            && let Some(len) = inner.len.checked_mul(axis.len)
        {
            inner.len = len;
            return;
        }
        self.axes[self.naxes] = axis;
        self.naxes += 1;
    }

    /// Bytes of source from the first element of the box to the end of its last one.
    ///
    /// `None` when they exceed `usize`, so that no buffer is large enough.
    #[must_use]
    #[inline]
    pub const fn src_span(&self) -> Option<usize> {
        self.src_span
    }

    /// Bytes of destination from the first element of the box to the end of its last one.
    ///
    /// `None` when they exceed `usize`, so that no buffer is large enough.
    #[must_use]
    #[inline]
    pub const fn dst_span(&self) -> Option<usize> {
        self.dst_span
    }

    /// Copies the box. The first element of the box is the first one of `src` and of `dst`.
    ///
    /// # Panics
    /// When `src` is shorter than [`src_span`](Self::src_span) or `dst` than
    /// [`dst_span`](Self::dst_span).
    #[inline]
    pub fn copy(&self, src: &[u8], dst: &mut [u8]) {
        check_span("destination", self.dst_span, dst.len());
        self.check_source(src);
        // SAFETY: both spans were checked; `dst` is borrowed exclusively, so the two are disjoint.
        unsafe { self.copy_unchecked(src.as_ptr(), dst.as_mut_ptr()) };
    }

    /// Panics unless `src` has the bytes of the source span.
    #[inline]
    pub(super) fn check_source(&self, src: &[u8]) {
        check_span("source", self.src_span, src.len());
    }

    /// Copies the box without checks of its spans.
    ///
    /// # Safety
    /// `src` is readable for the source span. `dst` is writable at every element of the box, whose
    /// bytes no reference and no other thread uses meanwhile. The two do not overlap.
    #[inline]
    pub(super) unsafe fn copy_unchecked(&self, src: *const u8, dst: *mut u8) {
        let run: unsafe fn(&Self, *const u8, *mut u8) = match self.row {
            0 => return,
            1 => Self::run::<Fixed<1>>,
            2 => Self::run::<Fixed<2>>,
            4 => Self::run::<Fixed<4>>,
            8 => Self::run::<Fixed<8>>,
            16 => Self::run::<Fixed<16>>,
            32 => Self::run::<Fixed<32>>,
            64 => Self::run::<Fixed<64>>,
            _ => Self::run::<Any>,
        };
        // SAFETY: the contract is the same, and `run` copies rows of `self.row` bytes.
        unsafe { run(self, src, dst) };
    }

    /// Copies all rows of the box.
    ///
    /// # Safety
    /// As [`copy_unchecked`](Self::copy_unchecked), and `R` is the length of a row of `self`.
    unsafe fn run<R: RowLen>(&self, mut src: *const u8, mut dst: *mut u8) {
        let row = R::of(self);
        let (inner, across, outer) = match &self.axes[..self.naxes] {
            [inner, across, outer @ ..] if self.tiled => (*inner, *across, outer),
            [inner, outer @ ..] => (*inner, Axis::ONE, outer),
            [] => (Axis::ONE, Axis::ONE, &[][..]),
        };
        let width = if self.tiled { TILE } else { inner.len };
        let mut odometer = [0; MAX_AXES];
        loop {
            // SAFETY: these two axes at one place of all others are within the box.
            unsafe { copy_tiles(row, (inner, across), width, src, dst) };
            let mut axes = outer.iter().zip(&mut odometer);
            loop {
                let Some((axis, index)) = axes.next() else {
                    return;
                };
                if *index + 1 < axis.len {
                    *index += 1;
                    src = src.wrapping_add(axis.src_stride);
                    dst = dst.wrapping_add(axis.dst_stride);
                    break;
                }
                src = src.wrapping_sub(axis.src_stride.wrapping_mul(*index));
                dst = dst.wrapping_sub(axis.dst_stride.wrapping_mul(*index));
                *index = 0;
            }
        }
    }
}

/// Copies the rows of two axes in tiles, `width` rows wide and [`TILE`] high.
///
/// # Safety
/// Each row of `row` bytes is readable on its place from `src` on, and on its place from `dst` on
/// writable, in another buffer and by the caller alone.
#[inline(always)]
unsafe fn copy_tiles(
    row: usize,
    (inner, across): (Axis, Axis),
    width: usize,
    mut src: *const u8,
    mut dst: *mut u8,
) {
    // After the last row the pointers may leave the buffers; they are not used there.
    let mut rows = across.len;
    while rows > 0 {
        let height = TILE.min(rows);
        rows -= height;
        let (mut tile_src, mut tile_dst) = (src, dst);
        let mut columns = inner.len;
        while columns > 0 {
            let width = width.min(columns);
            columns -= width;
            for y in 0..height {
                let mut from = tile_src.wrapping_add(across.src_stride.wrapping_mul(y));
                let mut to = tile_dst.wrapping_add(across.dst_stride.wrapping_mul(y));
                for _ in 0..width {
                    // SAFETY: one of the rows: readable, and writable in another buffer.
                    unsafe { core::ptr::copy_nonoverlapping(from, to, row) };
                    from = from.wrapping_add(inner.src_stride);
                    to = to.wrapping_add(inner.dst_stride);
                }
            }
            tile_src = tile_src.wrapping_add(inner.src_stride.wrapping_mul(width));
            tile_dst = tile_dst.wrapping_add(inner.dst_stride.wrapping_mul(width));
        }
        src = src.wrapping_add(across.src_stride.wrapping_mul(height));
        dst = dst.wrapping_add(across.dst_stride.wrapping_mul(height));
    }
}

impl Axis {
    /// The inner axis of a contiguous box: a single row.
    const ONE: Self = Self {
        len: 1,
        src_stride: 0,
        dst_stride: 0,
    };
}

/// The length of a row, known to the compiler or not.
trait RowLen {
    fn of(copy: &StridedCopy) -> usize;
}

/// Rows of `N` bytes: one load and one store each.
struct Fixed<const N: usize>;

/// Rows of any length: one `memcpy` each.
struct Any;

impl<const N: usize> RowLen for Fixed<N> {
    #[inline(always)]
    fn of(_: &StridedCopy) -> usize {
        N
    }
}

impl RowLen for Any {
    #[inline(always)]
    fn of(copy: &StridedCopy) -> usize {
        copy.row
    }
}

/// Bytes from the first element of a box to the end of its last one, `None` on overflow.
fn span(item_size: usize, shape: &[usize], strides: &[usize]) -> Option<usize> {
    let mut span = item_size;
    for (&len, &stride) in shape.iter().zip(strides) {
        span = span.checked_add(stride.checked_mul(len - 1)?)?;
    }
    Some(span)
}

/// Panics unless a buffer of `len` bytes holds the span of a box.
#[inline]
fn check_span(side: &str, span: Option<usize>, len: usize) {
    if span.is_none_or(|span| span > len) {
        refuse_span(side, span, len);
    }
}

#[cold]
#[expect(
    clippy::panic,
    reason = "a box outside its buffer is the caller's bug, and must not pass silently"
)]
fn refuse_span(side: &str, span: Option<usize>, len: usize) -> ! {
    match span {
        Some(span) => panic!("strided copy: the {side} needs {span} bytes, found {len}"),
        None => panic!("strided copy: the {side} needs more than usize::MAX bytes, found {len}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_axes_merge_into_one_row() {
        let packed = [40, 40, 10, 2];
        let copy = StridedCopy::new(2, &[3, 1, 4, 5], &packed, &packed);
        assert_eq!((copy.naxes, copy.row, copy.src_span), (0, 120, Some(120)));

        let wide = [48, 48, 12, 2];
        let copy = StridedCopy::new(2, &[3, 1, 4, 5], &wide, &packed);
        assert_eq!((copy.naxes, copy.row), (1, 10));
        let axis = Axis {
            len: 12,
            src_stride: 12,
            dst_stride: 10,
        };
        assert_eq!(copy.axes[0], axis);
    }

    #[test]
    fn counts_that_overflow_do_not_merge() {
        let copy = StridedCopy::new(1, &[usize::MAX, 2], &[0, 0], &[0, 0]);
        assert_eq!((copy.naxes, copy.src_span), (2, Some(1)));
        let copy = StridedCopy::new(1, &[2, usize::MAX], &[usize::MAX, 1], &[0, 0]);
        assert_eq!((copy.naxes, copy.src_span), (2, None));
    }
}
