//! Memory for results, which is not zeroed before it is written.
//!
//! ```text
//! append(vec, len, ..)    | old bytes | Unwritten: len bytes                     |
//!   split_at              | old bytes | Unwritten     | Unwritten                |   one per block
//!   zeroed, copy_from,    | old bytes | &mut [u8]     | &mut [u8]                |   counted
//!   unshuffle, ...
//! ```
//!
//! A byte is never read before it is written: an [`Unwritten`] gives out a slice only by writing
//! all of it, and each byte belongs to one of them. Each counts its bytes when it is written, so
//! the whole is written when the sum is its length, whatever the order and the threads.

use alloc::vec::Vec;
use core::fmt;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::{Kernels, Plane};

/// Bytes that are to be written, all of them, before any can be read.
///
/// ```
/// use oxiblosc_kernels::unwritten;
///
/// let mut bytes = vec![1, 2];
/// unwritten::append(&mut bytes, 5, |rest| {
///     let (front, back) = rest.split_at(3);
///     front.copy_from(&[3, 4, 5]);
///     back.zeroed()[1] = 7;
///     Ok::<(), ()>(())
/// })?;
/// assert_eq!(bytes, [1, 2, 3, 4, 5, 0, 7]);
/// # Ok::<(), ()>(())
/// ```
pub struct Unwritten<'a> {
    bytes: &'a mut [MaybeUninit<u8>],
    /// How many bytes of the whole are written.
    written: &'a AtomicUsize,
}

impl fmt::Debug for Unwritten<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unwritten({} bytes)", self.bytes.len())
    }
}

impl<'a> Unwritten<'a> {
    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The first `mid` bytes, and the others.
    ///
    /// # Panics
    /// When there are less.
    pub fn split_at(self, mid: usize) -> (Self, Self) {
        let written = self.written;
        let (front, back) = self.bytes.split_at_mut(mid);
        let part = |bytes| Self { bytes, written };
        (part(front), part(back))
    }

    /// Writes zeros.
    pub fn zeroed(self) -> &'a mut [u8] {
        self.fill(0)
    }

    /// Writes one value.
    pub fn fill(self, value: u8) -> &'a mut [u8] {
        self.bytes.fill(MaybeUninit::new(value));
        // SAFETY: `fill` has written every byte.
        unsafe { self.written() }
    }

    /// Writes bytes, as many as there are.
    ///
    /// # Panics
    /// When `src` has another length.
    pub fn copy_from(self, src: &[u8]) -> &'a mut [u8] {
        assert_eq!(src.len(), self.len(), "copy_from: the lengths differ");
        for (to, from) in self.bytes.iter_mut().zip(src) {
            to.write(*from);
        }
        // SAFETY: the loop has written every byte, since both are equally long.
        unsafe { self.written() }
    }

    /// Writes what [`Kernels::unshuffle`] makes of `src`.
    ///
    /// # Panics
    /// As [`Kernels::unshuffle`].
    pub fn unshuffle(self, kernels: Kernels, typesize: usize, src: &[u8]) -> &'a mut [u8] {
        self.by_kernel(|dst| kernels.unshuffle(typesize, src, dst))
    }

    /// Writes what [`Kernels::unshuffle_planes`] makes of planes without a tail.
    ///
    /// # Panics
    /// As [`Kernels::unshuffle_planes`].
    pub fn unshuffle_planes(self, kernels: Kernels, planes: &[Plane<'_>]) -> &'a mut [u8] {
        self.by_kernel(|dst| kernels.unshuffle_planes(planes, &[], dst))
    }

    /// Writes what [`Kernels::unshuffle_bytedelta`] makes of `src`.
    ///
    /// # Panics
    /// As [`Kernels::unshuffle_bytedelta`].
    pub fn unshuffle_bytedelta(
        self,
        kernels: Kernels,
        typesize: usize,
        src: &[u8],
    ) -> &'a mut [u8] {
        self.by_kernel(|dst| kernels.unshuffle_bytedelta(typesize, src, dst))
    }

    /// Writes what [`Kernels::unshuffle_bytedelta_planes`] makes of planes without a tail.
    ///
    /// # Panics
    /// As [`Kernels::unshuffle_bytedelta_planes`].
    pub fn unshuffle_bytedelta_planes(
        self,
        kernels: Kernels,
        planes: &[Plane<'_>],
    ) -> &'a mut [u8] {
        self.by_kernel(|dst| kernels.unshuffle_bytedelta_planes(planes, &[], dst))
    }

    /// Writes what [`Kernels::bitunshuffle`] makes of `src`.
    ///
    /// # Panics
    /// As [`Kernels::bitunshuffle`].
    pub fn bitunshuffle(self, kernels: Kernels, typesize: usize, src: &[u8]) -> &'a mut [u8] {
        self.by_kernel(|dst| kernels.bitunshuffle(typesize, src, dst))
    }

    /// Writes the output of a kernel that unshuffles.
    fn by_kernel(self, kernel: impl FnOnce(&mut [u8])) -> &'a mut [u8] {
        let Self { bytes, written } = self;
        // SAFETY: these kernels write every byte of their output and read none before that, at
        // every level; after a panic of theirs the bytes are not counted, and so are never shown.
        let dst = unsafe { assume(bytes) };
        kernel(dst);
        written.fetch_add(dst.len(), Ordering::Relaxed);
        dst
    }

    /// Counts the bytes as written.
    ///
    /// # Safety
    /// Every byte has been written, or is before anything reads it.
    unsafe fn written(self) -> &'a mut [u8] {
        self.written.fetch_add(self.bytes.len(), Ordering::Relaxed);
        // SAFETY: the caller answers for the content; `MaybeUninit<u8>` has the layout of `u8`.
        unsafe { assume(self.bytes) }
    }
}

/// # Safety
/// Every byte has been written, or is before anything reads it.
unsafe fn assume(bytes: &mut [MaybeUninit<u8>]) -> &mut [u8] {
    let bytes: *mut [MaybeUninit<u8>] = bytes;
    // SAFETY: the pointer comes from a reference of the same lifetime to elements of the same
    // layout; the caller answers for the content.
    unsafe { &mut *(bytes as *mut [u8]) }
}

/// Lets `write` write all of `dst`, and returns the bytes.
///
/// # Errors
/// That of `write`; `dst` is then as good as not written.
///
/// # Panics
/// When `write` succeeds without having written all.
pub fn write_all<E>(
    dst: &mut [MaybeUninit<u8>],
    write: impl FnOnce(Unwritten<'_>) -> Result<(), E>,
) -> Result<&mut [u8], E> {
    let count = AtomicUsize::new(0);
    write(Unwritten {
        bytes: &mut *dst,
        written: &count,
    })?;
    assert_eq!(
        count.into_inner(),
        dst.len(),
        "bytes written, and bytes to write"
    );
    // SAFETY: parts do not overlap, and each is counted once, after which it is used up; so every
    // byte is written.
    Ok(unsafe { assume(dst) })
}

/// Appends `len` bytes to `vec`, which `write` writes all.
///
/// # Errors
/// That of `write`; `vec` then has the content that it had.
///
/// # Panics
/// When `write` succeeds without having written all.
pub fn append<E>(
    vec: &mut Vec<u8>,
    len: usize,
    write: impl FnOnce(Unwritten<'_>) -> Result<(), E>,
) -> Result<(), E> {
    if vec.is_empty() {
        vec.reserve_exact(len);
    } else {
        vec.reserve(len);
    }
    let end = vec.len() + len;
    let (spare, _) = vec.spare_capacity_mut().split_at_mut(len);
    write_all(spare, write)?;
    // SAFETY: `write_all` has initialised the `len` bytes after the old ones, which the capacity
    // holds.
    unsafe { vec.set_len(end) };
    Ok(())
}
