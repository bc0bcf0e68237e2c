//! The boundary between C and Rust: no panic passes, pointers become checked slices, errors codes.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use crate::abi::{
    BLOSC2_ERROR_FAILURE, BLOSC2_ERROR_INVALID_PARAM, BLOSC2_ERROR_MEMORY_ALLOC,
    BLOSC2_ERROR_NULL_POINTER,
};

/// A `BLOSC2_ERROR_*` code, as the error of functions within this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub c_int);

/// The result of functions within this crate.
pub type Answer<T> = Result<T, Code>;

impl Code {
    /// A failure without a code of its own.
    pub const FAILURE: Self = Self(BLOSC2_ERROR_FAILURE);
    /// An argument has an impossible value.
    pub const INVALID: Self = Self(BLOSC2_ERROR_INVALID_PARAM);
    /// An argument is null.
    pub const NULL: Self = Self(BLOSC2_ERROR_NULL_POINTER);
    /// Memory could not be had.
    pub const MEMORY: Self = Self(BLOSC2_ERROR_MEMORY_ALLOC);
}

impl From<oxiblosc::Error> for Code {
    fn from(error: oxiblosc::Error) -> Self {
        crate::global::trace(&error);
        Self(error.c_code())
    }
}

impl From<std::num::TryFromIntError> for Code {
    fn from(_: std::num::TryFromIntError) -> Self {
        Self::INVALID
    }
}

/// Runs the body of an exported function; a panic answers `on_panic`.
pub fn guard<T>(on_panic: T, body: impl FnOnce() -> T) -> T {
    // What a panic leaves half done is protected by locks, whose poisoning is an error.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(on_panic)
}

/// As [`guard`], for functions that answer an `int` or an error code.
pub fn answer(body: impl FnOnce() -> Answer<c_int>) -> c_int {
    guard(BLOSC2_ERROR_FAILURE, || {
        body().unwrap_or_else(|code| code.0)
    })
}

/// As [`guard`], for functions that answer an `int64_t` or an error code.
pub fn answer_long(body: impl FnOnce() -> Answer<i64>) -> i64 {
    let failed = i64::from(BLOSC2_ERROR_FAILURE);
    guard(failed, || body().unwrap_or_else(|code| i64::from(code.0)))
}

/// As [`guard`], for functions that answer a pointer, null for every error.
pub fn answer_pointer<T>(body: impl FnOnce() -> Answer<*mut T>) -> *mut T {
    guard(std::ptr::null_mut(), || {
        body().unwrap_or(std::ptr::null_mut())
    })
}

/// A length of C as a `usize`: negative ones are an impossible size.
///
/// # Errors
/// `INVALID_PARAM`.
pub fn length(len: impl TryInto<usize>) -> Answer<usize> {
    let len = len.try_into().map_err(|_| Code::INVALID)?;
    // The language allows no object beyond it.
    if isize::try_from(len).is_err() {
        return Err(Code::INVALID);
    }
    Ok(len)
}

/// The bytes at a pointer of the caller.
///
/// # Errors
/// `NULL_POINTER` for null with a length other than 0, `INVALID_PARAM` for an impossible length.
///
/// # Safety
/// `pointer` is null, or `len` bytes there are readable and unchanged while the result is in use.
pub unsafe fn bytes<'a>(pointer: *const c_void, len: impl TryInto<usize>) -> Answer<&'a [u8]> {
    // SAFETY: the caller's promise, for bytes.
    unsafe { items(pointer.cast::<u8>(), len) }
}

/// The items at a pointer of the caller.
///
/// # Errors
/// As [`bytes`]; also a pointer that is not aligned is an impossible parameter.
///
/// # Safety
/// `pointer` is null, or `len` items there are readable and unchanged while the result is in use.
pub unsafe fn items<'a, T: Copy>(pointer: *const T, len: impl TryInto<usize>) -> Answer<&'a [T]> {
    let len = length(len)?;
    if len == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Code::NULL);
    }
    if !pointer.is_aligned() || length(len.saturating_mul(size_of::<T>())).is_err() {
        return Err(Code::INVALID);
    }
    // SAFETY: not null, aligned, of a possible size; readable by the caller's promise.
    Ok(unsafe { slice::from_raw_parts(pointer, len) })
}

/// The memory at a pointer of the caller, to be written; it may not be initialised.
///
/// # Errors
/// As [`bytes`].
///
/// # Safety
/// `pointer` is null, or `len` bytes there are writable and no one else's while the result is in
/// use.
pub unsafe fn room<'a>(
    pointer: *mut c_void,
    len: impl TryInto<usize>,
) -> Answer<&'a mut [MaybeUninit<u8>]> {
    let len = length(len)?;
    if len == 0 {
        return Ok(&mut []);
    }
    if pointer.is_null() {
        return Err(Code::NULL);
    }
    // SAFETY: not null, of a possible size; writable and exclusive by the caller's promise.
    Ok(unsafe { slice::from_raw_parts_mut(pointer.cast::<MaybeUninit<u8>>(), len) })
}

/// The items at a pointer of the caller, to be changed; they are initialised.
///
/// # Errors
/// As [`items`].
///
/// # Safety
/// `pointer` is null, or `len` initialised items there are writable and no one else's while the
/// result is in use.
pub unsafe fn items_mut<'a, T: Copy>(
    pointer: *mut T,
    len: impl TryInto<usize>,
) -> Answer<&'a mut [T]> {
    let len = length(len)?;
    if len == 0 {
        return Ok(&mut []);
    }
    if pointer.is_null() {
        return Err(Code::NULL);
    }
    if !pointer.is_aligned() || length(len.saturating_mul(size_of::<T>())).is_err() {
        return Err(Code::INVALID);
    }
    // SAFETY: not null, aligned, of a possible size; writable and exclusive by the promise.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, len) })
}

/// A string of the caller.
///
/// # Errors
/// `NULL_POINTER` for null.
///
/// # Safety
/// `pointer` is null or a C string that is unchanged while the result is in use.
pub unsafe fn text<'a>(pointer: *const c_char) -> Answer<&'a CStr> {
    if pointer.is_null() {
        return Err(Code::NULL);
    }
    // SAFETY: not null; a C string by the caller's promise.
    Ok(unsafe { CStr::from_ptr(pointer) })
}

/// The object at a pointer of the caller.
///
/// # Errors
/// `NULL_POINTER` for null.
///
/// # Safety
/// `pointer` is null, or a valid `T` that no one changes while the result is in use.
pub unsafe fn object<'a, T>(pointer: *const T) -> Answer<&'a T> {
    // SAFETY: valid, if not null, by the caller's promise.
    unsafe { pointer.as_ref() }.ok_or(Code::NULL)
}

/// The object at a pointer of the caller, to be changed.
///
/// # Errors
/// `NULL_POINTER` for null.
///
/// # Safety
/// `pointer` is null, or a valid `T` that no one else uses while the result is in use.
pub unsafe fn object_mut<'a, T>(pointer: *mut T) -> Answer<&'a mut T> {
    // SAFETY: valid and exclusive, if not null, by the caller's promise.
    unsafe { pointer.as_mut() }.ok_or(Code::NULL)
}

/// Stores a result at a pointer of the caller; null is left alone.
///
/// # Safety
/// `pointer` is null or writable for a `T`; what is there is not dropped.
pub unsafe fn put<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: not null; writable by the caller's promise.
        unsafe { pointer.write(value) };
    }
}
