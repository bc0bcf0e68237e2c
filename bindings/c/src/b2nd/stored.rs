//! Arrays of super-chunks, frames and files, and back.

use std::ffi::{c_char, c_int};

use super::array;
use crate::abi::{b2nd_array_t, blosc2_schunk, blosc2_storage};
use crate::boundary::{Answer, Code, answer, answer_long, put, text};
use crate::io::local_path;
use crate::schunk::{
    blosc2_schunk_append_file, blosc2_schunk_avoid_cframe_free, blosc2_schunk_copy,
    blosc2_schunk_free, blosc2_schunk_from_buffer, blosc2_schunk_open_offset,
    blosc2_schunk_to_buffer, blosc2_schunk_to_file,
};

/// Makes an array of a super-chunk with the metalayer `b2nd`, which belongs to the array then: 0,
/// or an error code, and the super-chunk stays the caller's.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, `array` null or writable.
#[unsafe(export_name = symbol!("b2nd_from_schunk"))]
pub unsafe extern "C" fn b2nd_from_schunk(
    schunk: *mut blosc2_schunk,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    answer(|| {
        if schunk.is_null() || array.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: a super-chunk by the caller's promise.
        let geometry = unsafe { array::stored(schunk) }?;
        // SAFETY: as above.
        let made = unsafe { array::make(schunk, geometry) }?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(array, made) };
        Ok(0)
    })
}

/// Makes an array of a super-chunk that belongs to this call.
///
/// # Safety
/// `schunk` is null or a super-chunk that no one else has; `array` is writable.
unsafe fn adopt(schunk: *mut blosc2_schunk, array: *mut *mut b2nd_array_t) -> Answer<c_int> {
    if schunk.is_null() {
        return Err(Code::FAILURE);
    }
    // SAFETY: the caller's promise.
    let code = unsafe { b2nd_from_schunk(schunk, array) };
    if code < 0 {
        // SAFETY: it belongs to this call, and no array has it.
        unsafe { blosc2_schunk_free(schunk) };
        return Err(Code(code));
    }
    Ok(0)
}

/// Stores an array as a contiguous frame in memory: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library; the others are null or writable. The caller frees
/// `*cframe` if `*needs_free`.
#[unsafe(export_name = symbol!("b2nd_to_cframe"))]
pub unsafe extern "C" fn b2nd_to_cframe(
    array: *const b2nd_array_t,
    cframe: *mut *mut u8,
    cframe_len: *mut i64,
    needs_free: *mut bool,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        if cframe.is_null() || cframe_len.is_null() || needs_free.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: the super-chunk of the array; the pointers are writable.
        let len = unsafe { blosc2_schunk_to_buffer(handle.schunk(), cframe, needs_free) };
        if len < 0 {
            return Err(Code(i32::try_from(len)?));
        }
        // SAFETY: writable by the caller's promise.
        unsafe { put(cframe_len, len) };
        Ok(0)
    })
}

/// Opens an array in a contiguous frame in memory: 0, or an error code.
///
/// # Safety
/// `cframe` is null or readable for `cframe_len` bytes, and for as long as the array lives without
/// `copy`; `array` is null or writable.
#[unsafe(export_name = symbol!("b2nd_from_cframe"))]
pub unsafe extern "C" fn b2nd_from_cframe(
    cframe: *mut u8,
    cframe_len: i64,
    copy: bool,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    answer(|| {
        if cframe.is_null() || array.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: the caller's promise.
        let schunk = unsafe { blosc2_schunk_from_buffer(cframe, cframe_len, copy) };
        if schunk.is_null() {
            return Err(Code::FAILURE);
        }
        // The bytes stay the caller's, whatever happens.
        // SAFETY: made above.
        unsafe { blosc2_schunk_avoid_cframe_free(schunk, !copy) };
        // SAFETY: made above; writable by the caller's promise.
        unsafe { adopt(schunk, array) }
    })
}

/// Opens an array on disk: 0, or an error code.
///
/// # Safety
/// `urlpath` is null or a C string, `array` null or writable.
#[unsafe(export_name = symbol!("b2nd_open"))]
pub unsafe extern "C" fn b2nd_open(urlpath: *const c_char, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { b2nd_open_offset(urlpath, array, 0) }
}

/// Opens an array in a file, from `offset` on: 0, or an error code.
///
/// # Safety
/// As for [`b2nd_open`].
#[unsafe(export_name = symbol!("b2nd_open_offset"))]
pub unsafe extern "C" fn b2nd_open_offset(
    urlpath: *const c_char,
    array: *mut *mut b2nd_array_t,
    offset: i64,
) -> c_int {
    answer(|| {
        if urlpath.is_null() || array.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: a C string by the caller's promise.
        let schunk = unsafe { blosc2_schunk_open_offset(urlpath, offset) };
        // SAFETY: made above; writable by the caller's promise.
        unsafe { adopt(schunk, array) }
    })
}

/// Stores an array in a new file, or in a new folder if the array is not contiguous: 0, or an error
/// code. Nothing may be there.
///
/// # Safety
/// `array` is null or an array of this library, `urlpath` null or a C string.
#[unsafe(export_name = symbol!("b2nd_save"))]
pub unsafe extern "C" fn b2nd_save(array: *const b2nd_array_t, urlpath: *mut c_char) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        if urlpath.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: a C string by the caller's promise.
        if local_path(unsafe { text(urlpath) }?).exists() {
            return Err(Code::FAILURE);
        }
        let schunk = handle.schunk();
        // SAFETY: the super-chunk of the array.
        let storage = unsafe { (*schunk).storage };
        // SAFETY: null or valid, as a field of a super-chunk.
        let storage = unsafe { storage.as_ref() };
        if storage.is_none_or(|storage| storage.contiguous) {
            // SAFETY: the super-chunk of the array; a C string by the caller's promise.
            let len = unsafe { blosc2_schunk_to_file(schunk, urlpath) };
            return if len < 0 {
                Err(Code(i32::try_from(len)?))
            } else {
                Ok(0)
            };
        }
        let mut folder = blosc2_storage {
            contiguous: false,
            urlpath,
            ..blosc2_storage::default()
        };
        // SAFETY: the super-chunk of the array; a storage with a path by the caller's promise.
        let copy = unsafe { blosc2_schunk_copy(schunk, &raw mut folder) };
        if copy.is_null() {
            return Err(Code::FAILURE);
        }
        // SAFETY: made above, and no one else has it.
        Ok(unsafe { blosc2_schunk_free(copy) })
    })
}

/// Appends an array to a file: the offset where it begins, or an error code.
///
/// # Safety
/// As for [`b2nd_save`].
#[unsafe(export_name = symbol!("b2nd_save_append"))]
pub unsafe extern "C" fn b2nd_save_append(
    array: *const b2nd_array_t,
    urlpath: *const c_char,
) -> i64 {
    answer_long(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        if urlpath.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: the super-chunk of the array; a C string by the caller's promise.
        let offset = unsafe { blosc2_schunk_append_file(handle.schunk(), urlpath) };
        if offset < 0 {
            Err(Code(i32::try_from(offset)?))
        } else {
            Ok(offset)
        }
    })
}
