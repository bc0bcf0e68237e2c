//! Memory that HDF5 frees: from the allocator of libc, not zeroed.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// Memory of `malloc`; freed when it is dropped.
pub(super) struct Buffer {
    start: NonNull<c_void>,
    len: usize,
}

impl Buffer {
    /// Memory of `len` bytes, and of one for none.
    pub(super) fn new(len: usize) -> Option<Self> {
        // SAFETY: `malloc` takes any size.
        let start = unsafe { libc::malloc(len.max(1)) };
        let start = NonNull::new(start)?;
        Some(Self { start, len })
    }

    /// The bytes, for as long as the caller says.
    ///
    /// # Safety
    /// The buffer must live for `'a`, without another reference to its bytes.
    pub(super) unsafe fn bytes<'a>(&self) -> &'a mut [MaybeUninit<u8>] {
        let start = self.start.cast::<MaybeUninit<u8>>();
        // SAFETY: `malloc` gave `len` bytes, which no one else refers to, as the caller states.
        unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), self.len) }
    }

    /// Gives the memory away: the new owner frees it.
    pub(super) fn into_raw(self) -> *mut c_void {
        let start = self.start.as_ptr();
        std::mem::forget(self);
        start
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: `start` came from `malloc` and is freed only here.
        unsafe { libc::free(self.start.as_ptr()) };
    }
}
