//! Fixed-size windows into slices and rows: what the vector kernels load from and store to.
//!
//! A block of items is a slice; the planes beside it are rows of equal length. Slices of rows would
//! be as safe, but then each load and store checks its own bounds, and shuffle of 4 bytes runs at
//! two thirds of its speed. Here the rows are checked when they are made, and a column (the same
//! place of every row) once.

use core::marker::PhantomData;

use crate::Plane;

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
}

/// Rows one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adjacent<'a> {
    start: *const u8,
    count: usize,
    len: usize,
    rows: PhantomData<&'a [u8]>,
}

impl<'a> Adjacent<'a> {
    /// Cuts `bytes` into `count` rows of `bytes.len() / count` bytes.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], count: usize) -> Self {
        Self {
            start: bytes.as_ptr(),
            count,
            len: bytes.len() / count,
            rows: PhantomData,
        }
    }
}

impl Rows for Adjacent<'_> {
    #[inline(always)]
    fn row<const N: usize>(&self, j: usize, at: usize) -> &[u8; N] {
        assert!(j < self.count && N <= self.len && at <= self.len - N);
        // SAFETY: place `at` of row `j` and `N` bytes behind it lie in that row, so in the slice.
        let row = unsafe { self.start.add(j * self.len + at) };
        // SAFETY: the bytes belong to the borrowed slice; an array of bytes has no alignment.
        unsafe { &*row.cast() }
    }
}

/// Up to 16 rows that lie anywhere, some of them one byte over and over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scattered<'a> {
    /// Where each row starts, and the mask that keeps a constant row at its start.
    starts: [(*const u8, usize); 16],
    count: usize,
    len: usize,
    rows: PhantomData<&'a [u8]>,
}

/// The bytes of constant rows: as many as one load takes.
pub(crate) type Fills = [[u8; 64]; 16];

impl<'a> Scattered<'a> {
    /// The first 16 of `planes`, which have `len` bytes each; `fills` holds what is constant.
    #[inline]
    pub(crate) fn new(planes: &[Plane<'a>], len: usize, fills: &'a mut Fills) -> Self {
        let count = planes.len().min(16);
        let mut starts = [(fills.as_ptr().cast::<u8>(), 0); 16];
        for ((start, fill), plane) in starts.iter_mut().zip(fills).zip(planes) {
            *start = match plane {
                Plane::Bytes(bytes) => {
                    assert!(bytes.len() >= len);
                    (bytes.as_ptr(), usize::MAX)
                }
                Plane::Constant(byte) => {
                    fill.fill(*byte);
                    (fill.as_ptr(), 0)
                }
            };
        }
        Self {
            starts,
            count,
            len,
            rows: PhantomData,
        }
    }
}

impl Rows for Scattered<'_> {
    #[inline(always)]
    fn row<const N: usize>(&self, j: usize, at: usize) -> &[u8; N] {
        const { assert!(N <= 64) }
        assert!(j < self.count && N <= self.len && at <= self.len - N);
        let (start, mask) = self.starts[j];
        // SAFETY: a row has `len` bytes, checked when it was made, or its mask makes this 0.
        let row = unsafe { start.add(at & mask) };
        // SAFETY: the bytes belong to the borrowed row or to the 64 bytes of its fill.
        unsafe { &*row.cast() }
    }
}

/// Rows one after another, for writing.
#[derive(Debug)]
pub(crate) struct RowsMut<'a> {
    start: *mut u8,
    count: usize,
    len: usize,
    rows: PhantomData<&'a mut [u8]>,
}

impl<'a> RowsMut<'a> {
    /// Cuts `bytes` into `count` rows of `bytes.len() / count` bytes.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a mut [u8], count: usize) -> Self {
        Self {
            start: bytes.as_mut_ptr(),
            count,
            len: bytes.len() / count,
            rows: PhantomData,
        }
    }

    /// Bytes `at..at + N` of row `j`; panics when the row is shorter.
    #[inline(always)]
    pub(crate) fn row<const N: usize>(&mut self, j: usize, at: usize) -> &mut [u8; N] {
        assert!(j < self.count && N <= self.len && at <= self.len - N);
        // SAFETY: place `at` of row `j` and `N` bytes behind it lie in that row, so in the slice.
        let row = unsafe { self.start.add(j * self.len + at) };
        // SAFETY: the bytes belong to the slice borrowed mutably, and the borrow of `self` keeps
        // this reference the only one.
        unsafe { &mut *row.cast() }
    }
}
