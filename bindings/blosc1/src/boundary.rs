//! The boundary between C and Rust: no panic passes, pointers become checked slices.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

/// Runs the body of an exported function; a panic answers `on_panic`.
pub(crate) fn guard<T>(on_panic: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(on_panic)
}

/// As [`guard`], for functions that answer a number, and -1 when they fail.
pub(crate) fn answer(body: impl FnOnce() -> Option<c_int>) -> c_int {
    guard(-1, || body().unwrap_or(-1))
}

/// The bytes at a pointer; none for null, and for a length that no object has.
///
/// # Safety
/// `pointer` is null, or `len` bytes there are readable while the result is in use.
pub(crate) unsafe fn bytes<'a>(pointer: *const c_void, len: usize) -> Option<&'a [u8]> {
    if len == 0 {
        return Some(&[]);
    }
    if pointer.is_null() || isize::try_from(len).is_err() {
        return None;
    }
    // SAFETY: not null, of a possible length; readable by the caller's promise.
    Some(unsafe { slice::from_raw_parts(pointer.cast::<u8>(), len) })
}

/// The memory at a pointer, which may not be initialised; none as for [`bytes`].
///
/// # Safety
/// `pointer` is null, or `len` bytes there are writable and no one else's while the result is in
/// use.
pub(crate) unsafe fn room<'a>(
    pointer: *mut c_void,
    len: usize,
) -> Option<&'a mut [MaybeUninit<u8>]> {
    if len == 0 {
        return Some(&mut []);
    }
    if pointer.is_null() || isize::try_from(len).is_err() {
        return None;
    }
    // SAFETY: not null, of a possible length; writable and exclusive by the caller's promise.
    Some(unsafe { slice::from_raw_parts_mut(pointer.cast::<MaybeUninit<u8>>(), len) })
}

/// Bytes of C that are about to be written, as a slice that can be read, too.
pub(crate) fn writable(room: &mut [MaybeUninit<u8>]) -> &mut [u8] {
    // SAFETY: the bytes come from the caller across the boundary, where they have some value; this
    // library writes each before it reads it.
    unsafe { slice::from_raw_parts_mut(room.as_mut_ptr().cast::<u8>(), room.len()) }
}

/// A string; none for null.
///
/// # Safety
/// `pointer` is null or a C string that is unchanged while the result is in use.
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: not null; a C string by the caller's promise.
    Some(unsafe { CStr::from_ptr(pointer) })
}

/// Stores a result; null is left alone.
///
/// # Safety
/// `pointer` is null or writable for a `T`.
pub(crate) unsafe fn put<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: not null; writable by the caller's promise.
        unsafe { pointer.write(value) };
    }
}
