//! Memory of libc: that which callers get and give back with `free`.

use std::ffi::{CStr, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};
use std::slice;

use crate::boundary::{Answer, Code};

/// Bytes from `malloc`, freed unless they are given away with [`Heap::give`].
#[derive(Debug)]
pub struct Heap {
    start: NonNull<u8>,
    len: usize,
}

impl Heap {
    /// Memory that is not initialised. No bytes are one, so that the pointer is not null.
    ///
    /// # Errors
    /// `MEMORY_ALLOC`.
    pub fn new(len: usize) -> Answer<Self> {
        // SAFETY: `malloc` takes every size but 0, which this is not.
        let start = unsafe { libc::malloc(len.max(1)) };
        let start = NonNull::new(start.cast::<u8>()).ok_or(Code::MEMORY)?;
        Ok(Self { start, len })
    }

    /// A copy of `bytes`.
    ///
    /// # Errors
    /// `MEMORY_ALLOC`.
    pub fn copy(bytes: &[u8]) -> Answer<Self> {
        let mut heap = Self::new(bytes.len())?;
        for (to, from) in heap.room().iter_mut().zip(bytes) {
            to.write(*from);
        }
        Ok(heap)
    }

    /// The memory, to be filled.
    pub fn room(&mut self) -> &mut [MaybeUninit<u8>] {
        // SAFETY: `new` allocated `len` bytes here, which are this value's alone.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr().cast(), self.len) }
    }

    /// Its bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Gives the memory away; the new owner frees it with libc's `free`.
    pub fn give(self) -> *mut u8 {
        let start = self.start.as_ptr();
        std::mem::forget(self);
        start
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        // SAFETY: `start` came from `malloc` and has not been given away.
        unsafe { libc::free(self.start.as_ptr().cast()) };
    }
}

/// A structure in memory of `malloc`, which its owner frees with `free`.
///
/// # Errors
/// `MEMORY_ALLOC`.
pub fn boxed<T: Copy>(value: T) -> Answer<*mut T> {
    const { assert!(align_of::<T>() <= 16, "malloc aligns to 16") };
    let place = Heap::new(size_of::<T>())?.give().cast::<T>();
    // SAFETY: `size_of::<T>()` fresh bytes, aligned for every type up to 16.
    unsafe { place.write(value) };
    Ok(place)
}

/// A copy of `items` in memory of `malloc`, which its owner frees with `free`.
///
/// # Errors
/// `MEMORY_ALLOC`.
pub fn array<T: Copy>(items: &[T]) -> Answer<*mut T> {
    const { assert!(align_of::<T>() <= 16, "malloc aligns to 16") };
    let place = Heap::new(size_of_val(items))?.give().cast::<T>();
    // SAFETY: fresh memory of exactly this many bytes, aligned, which overlaps nothing.
    unsafe { ptr::copy_nonoverlapping(items.as_ptr(), place, items.len()) };
    Ok(place)
}

/// A copy of a string, as `strdup` makes it.
///
/// # Errors
/// `MEMORY_ALLOC`.
pub fn string(text: &CStr) -> Answer<*mut c_char> {
    Ok(Heap::copy(text.to_bytes_with_nul())?
        .give()
        .cast::<c_char>())
}

/// Frees memory of libc; null is left alone.
///
/// # Safety
/// `pointer` is null or came from libc's allocator, and no one uses it afterwards.
pub unsafe fn free<T>(pointer: *mut T) {
    // SAFETY: the caller's promise; `free` takes null.
    unsafe { libc::free(pointer.cast::<c_void>()) };
}
