//! Fixed-size windows into slices and rows, for the loads and stores of the vector kernels.
//!
//! A block of items is a slice; its planes are rows of equal length. A slice per row would be as
//! safe, but then each load and store checks its own bounds, and shuffle of 4 bytes runs at
//! two thirds of its speed. Here the rows are checked when they are made, and a column (the same
//! offset of every row) once.

use core::marker::PhantomData;

use crate::filters::plane::{CONSTANTS, Plane};

/// The `N` bytes of `bytes` from `at` on; panics when there are fewer.
#[inline(always)]
pub(crate) fn window<const N: usize>(bytes: &[u8], at: usize) -> &[u8; N] {
    &bytes[at..].as_chunks().0[0]
}

/// The `N` bytes of `bytes` from `at` on, for writing; panics when there are fewer.
#[inline(always)]
pub(crate) fn window_mut<const N: usize>(bytes: &mut [u8], at: usize) -> &mut [u8; N] {
    &mut bytes[at..].as_chunks_mut().0[0]
}

/// Rows of equal length to read from.
pub(crate) trait Rows: Copy {
    /// Bytes `at..at + N` of row `j`, `N` being at most 64; panics when the row is shorter.
    fn row<const N: usize>(&self, j: usize, at: usize) -> &[u8; N];

    /// Panics when there are fewer than `count` rows, so that the checks of `row` are dropped.
    #[cfg(target_arch = "x86_64")]
    fn expect(&self, count: usize);

    /// Readable bytes from the start of any row.
    #[cfg(target_arch = "x86_64")]
    fn len(&self) -> usize;
}

/// Consecutive rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adjacent<'a> {
    start: *const u8,
    count: usize,
    /// From one row to the next.
    stride: usize,
    /// Readable bytes from the start of any row.
    reach: usize,
    rows: PhantomData<&'a [u8]>,
}

impl<'a> Adjacent<'a> {
    /// Cuts `bytes` into `count` rows of `bytes.len() / count` bytes; bytes left over may be read
    /// as if they belonged to every row.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], count: usize) -> Self {
        let stride = bytes.len() / count;
        Self {
            start: bytes.as_ptr(),
            count,
            stride,
            reach: bytes.len() - (count - 1) * stride,
            rows: PhantomData,
        }
    }
}

impl<'a> Adjacent<'a> {
    /// `bytes` as `count` rows of `stride` bytes, and nothing else.
    #[inline(always)]
    pub(crate) fn of(bytes: &'a [u8], count: usize, stride: usize) -> Self {
        assert!(count > 0 && bytes.len() == count * stride);
        Self {
            start: bytes.as_ptr(),
            count,
            stride,
            reach: stride,
            rows: PhantomData,
        }
    }

    /// Walks `count` rows from row `first` on, at offset `at` of each.
    ///
    /// One addition per row: with `row` the compiler multiplies for each, which halves the speed of
    /// shuffle of 32 bytes.
    #[inline(always)]
    pub(crate) fn walk(&self, first: usize, count: usize, at: usize) -> Walk<'a> {
        assert!(first < self.count && count <= self.count - first && at <= self.reach);
        Walk {
            next: self.start.wrapping_add(first * self.stride + at),
            left: count,
            stride: self.stride,
            reach: self.reach - at,
            rows: PhantomData,
        }
    }
}

/// The same offset of each row, row after row.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    next: *const u8,
    left: usize,
    stride: usize,
    reach: usize,
    rows: PhantomData<&'a [u8]>,
}

impl<'a> Walk<'a> {
    /// `N` bytes of the next row; panics after the last one.
    #[inline(always)]
    pub(crate) fn step<const N: usize>(&mut self) -> &'a [u8; N] {
        assert!(self.left > 0 && N <= self.reach);
        let row = self.next;
        self.left -= 1;
        // After the last row this may leave the slice; it is not read there.
        self.next = row.wrapping_add(self.stride);
        // SAFETY: a row was left, so these `N` bytes belong to the borrowed slice.
        unsafe { &*row.cast() }
    }
}

impl Rows for Adjacent<'_> {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn expect(&self, count: usize) {
        assert!(count <= self.count);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn len(&self) -> usize {
        self.reach
    }

    #[inline(always)]
    fn row<const N: usize>(&self, j: usize, at: usize) -> &[u8; N] {
        assert!(j < self.count && N <= self.reach && at <= self.reach - N);
        let row = self.start.wrapping_add(j * self.stride + at);
        // SAFETY: the last row starts `reach` bytes before the end of the borrowed slice, all
        // others earlier, and `N` bytes from `at` on are within that reach.
        unsafe { &*row.cast() }
    }
}

/// Up to `MAX` separate rows, some of them constant.
///
/// Passed by reference: a copy would wait for all the stores that made the value.
#[derive(Debug)]
pub(crate) struct Scattered<'a, const MAX: usize> {
    /// The start of each row, as if none of them were constant.
    rows: Separate<'a, MAX>,
    /// The mask that keeps a constant row at its start.
    masks: [usize; MAX],
    /// Whether any row is constant.
    constants: bool,
}

impl<'a, const MAX: usize> Scattered<'a, MAX> {
    /// No rows yet.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            rows: Separate {
                starts: [CONSTANTS.as_ptr().cast(); MAX],
                count: 0,
                len: 0,
                rows: PhantomData,
            },
            masks: [0; MAX],
            constants: false,
        }
    }

    /// Makes the rows the first `MAX` of `planes`, which have `len` bytes each.
    #[inline(always)]
    pub(crate) fn set(&mut self, planes: &[Plane<'a>], len: usize) -> &Self {
        self.constants = false;
        let starts = &mut self.rows.starts;
        for ((start, mask), plane) in starts.iter_mut().zip(&mut self.masks).zip(planes) {
            (*start, *mask) = match plane {
                Plane::Bytes(bytes) => {
                    assert!(bytes.len() >= len);
                    (bytes.as_ptr(), usize::MAX)
                }
                Plane::Constant(byte) => {
                    self.constants = true;
                    (CONSTANTS[usize::from(*byte)].as_ptr(), 0)
                }
            }
        }
        (self.rows.count, self.rows.len) = (planes.len().min(MAX), len);
        self
    }

    /// The rows, if none of them is constant.
    #[inline(always)]
    pub(crate) fn varied(&self) -> Option<&Separate<'a, MAX>> {
        (!self.constants).then_some(&self.rows)
    }
}

impl<const MAX: usize> Rows for &Scattered<'_, MAX> {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn expect(&self, count: usize) {
        assert!(count <= self.rows.count && count <= MAX);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn len(&self) -> usize {
        self.rows.len
    }

    #[inline(always)]
    fn row<const N: usize>(&self, j: usize, at: usize) -> &[u8; N] {
        const { assert!(N <= 64) }
        let rows = &self.rows;
        assert!(j < rows.count && N <= rows.len && at <= rows.len - N);
        let row = rows.starts[j].wrapping_add(at & self.masks[j]);
        // SAFETY: a borrowed row has `len` bytes, checked by `set`; a constant one has 64, and its
        // mask keeps the offset at 0.
        unsafe { &*row.cast() }
    }
}

/// Up to `MAX` separate rows, none of them constant. Without masks, unshuffle of 8 bytes takes 0.8
/// times as long, and a block of few vectors takes less time than the stores of [`Scattered`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separate<'a, const MAX: usize> {
    starts: [*const u8; MAX],
    count: usize,
    len: usize,
    rows: PhantomData<&'a [u8]>,
}

impl<'a, const MAX: usize> Separate<'a, MAX> {
    /// The planes, if they are `MAX` planes of `len` bytes without a constant one.
    #[inline(always)]
    pub(crate) fn new(planes: &[Plane<'a>], len: usize) -> Option<Self> {
        let planes: &[Plane<'a>; MAX] = planes.try_into().ok()?;
        let mut starts = [core::ptr::null(); MAX];
        for (start, plane) in starts.iter_mut().zip(planes) {
            match plane {
                Plane::Bytes(bytes) if bytes.len() == len => *start = bytes.as_ptr(),
                _ => return None,
            }
        }
        Some(Self {
            starts,
            count: MAX,
            len,
            rows: PhantomData,
        })
    }
}

impl<const MAX: usize> Rows for &Separate<'_, MAX> {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn expect(&self, count: usize) {
        assert!(count <= self.count && count <= MAX);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn row<const N: usize>(&self, j: usize, at: usize) -> &[u8; N] {
        assert!(j < self.count && N <= self.len && at <= self.len - N);
        let row = self.starts[j].wrapping_add(at);
        // SAFETY: none of the `count` rows is constant, and a borrowed one has `len` bytes, checked
        // by `new` or by `Scattered::set`.
        unsafe { &*row.cast() }
    }
}

/// Consecutive rows, for writing.
#[derive(Debug)]
pub(crate) struct RowsMut<'a> {
    start: *mut u8,
    count: usize,
    /// From one row to the next.
    stride: usize,
    /// Writable bytes from the start of any row.
    reach: usize,
    rows: PhantomData<&'a mut [u8]>,
}

impl<'a> RowsMut<'a> {
    /// Cuts `bytes` into `count` rows of `bytes.len() / count` bytes; bytes left over may be
    /// written as if they belonged to every row.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a mut [u8], count: usize) -> Self {
        let stride = bytes.len() / count;
        Self {
            start: bytes.as_mut_ptr(),
            count,
            stride,
            reach: bytes.len() - (count - 1) * stride,
            rows: PhantomData,
        }
    }

    /// Bytes `at..at + N` of row `j`; panics when the row is shorter.
    #[inline(always)]
    pub(crate) fn row<const N: usize>(&mut self, j: usize, at: usize) -> &mut [u8; N] {
        assert!(j < self.count && N <= self.reach && at <= self.reach - N);
        let row = self.start.wrapping_add(j * self.stride + at);
        // SAFETY: rows reach `reach` bytes, as above, in a slice borrowed mutably; the borrow of
        // `self` keeps this reference the only one.
        unsafe { &mut *row.cast() }
    }
}

impl<'a> RowsMut<'a> {
    /// Walks `count` rows from row `first` on, at offset `at` of each.
    #[inline(always)]
    pub(crate) fn walk(&mut self, first: usize, count: usize, at: usize) -> WalkMut<'_> {
        assert!(first <= self.count && count <= self.count - first && at <= self.reach);
        WalkMut {
            next: self.start.wrapping_add(first * self.stride + at),
            left: count,
            stride: self.stride,
            reach: self.reach - at,
            rows: PhantomData,
        }
    }
}

/// The same offset of each row, row after row, for writing.
#[derive(Debug)]
pub(crate) struct WalkMut<'a> {
    next: *mut u8,
    left: usize,
    stride: usize,
    reach: usize,
    rows: PhantomData<&'a mut [u8]>,
}

impl WalkMut<'_> {
    /// `N` bytes of the next row; panics after the last one.
    #[inline(always)]
    pub(crate) fn step<const N: usize>(&mut self) -> &mut [u8; N] {
        assert!(self.left > 0 && N <= self.reach);
        let row = self.next;
        self.left -= 1;
        // After the last row this may leave the slice; it is not written there.
        self.next = row.wrapping_add(self.stride);
        // SAFETY: a row was left, so these `N` bytes belong to the slice borrowed mutably, and the
        // borrow of `self` keeps this reference the only one.
        unsafe { &mut *row.cast() }
    }
}
