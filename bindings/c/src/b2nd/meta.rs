//! The metalayer of arrays.

use std::ffi::{CString, c_char, c_int};
use std::io::Write as _;

use oxiblosc::b2nd::B2ndMeta;

use super::array;
use super::context::lengths;
use super::geometry::MAX_NDIM;
use crate::abi::{BLOSC2_ERROR_FAILURE, b2nd_array_t};
use crate::boundary::{Code, answer, bytes, items_mut, put, text};
use crate::memory::{self, Heap};

/// Makes the content of the metalayer of an array: its length, or an error code. The caller frees
/// `*smeta`.
///
/// # Safety
/// The shapes are null or have `ndim` lengths, `dtype` is null or a C string, `smeta` null or
/// writable.
#[unsafe(export_name = symbol!("b2nd_serialize_meta"))]
pub unsafe extern "C" fn b2nd_serialize_meta(
    ndim: i8,
    shape: *const i64,
    chunkshape: *const i32,
    blockshape: *const i32,
    dtype: *const c_char,
    dtype_format: i8,
    smeta: *mut *mut u8,
) -> c_int {
    answer(|| {
        let axes = usize::try_from(ndim)?;
        if axes > MAX_NDIM {
            return Err(Code::INVALID);
        }
        if smeta.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: `ndim` lengths by the caller's promise.
        let shape = unsafe { lengths(shape, axes) }?;
        // SAFETY: as above.
        let chunks = unsafe { lengths(chunkshape, axes) }?;
        // SAFETY: as above.
        let blocks = unsafe { lengths(blockshape, axes) }?;
        // SAFETY: null or a C string by the caller's promise.
        let dtype = unsafe { text(dtype) }.unwrap_or(c"|u1").to_string_lossy();
        let mut meta = B2ndMeta::new(&shape, &chunks, &blocks, &dtype);
        meta.dtype_format = u8::try_from(dtype_format)?;
        let content = Heap::copy(&meta.to_bytes()?)?;
        let len = c_int::try_from(content.len())?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(smeta, content.give()) };
        Ok(len)
    })
}

/// Reads the content of the metalayer of an array: how many bytes, or an error code. The caller
/// frees `*dtype`.
///
/// # Safety
/// `smeta` is null or readable for `smeta_len` bytes; the shapes are null or have room for 16
/// lengths; the others are null or writable.
#[unsafe(export_name = symbol!("b2nd_deserialize_meta"))]
pub unsafe extern "C" fn b2nd_deserialize_meta(
    smeta: *const u8,
    smeta_len: i32,
    ndim: *mut i8,
    shape: *mut i64,
    chunkshape: *mut i32,
    blockshape: *mut i32,
    dtype: *mut *mut c_char,
    dtype_format: *mut i8,
) -> c_int {
    answer(|| {
        let outputs = [shape.is_null(), chunkshape.is_null(), blockshape.is_null()];
        if smeta.is_null() || ndim.is_null() || outputs.contains(&true) {
            return Err(Code::NULL);
        }
        // SAFETY: null or writable by the caller's promise.
        unsafe { put(dtype, std::ptr::null_mut()) };
        // SAFETY: as above.
        unsafe { put(dtype_format, 0) };
        // SAFETY: readable by the caller's promise.
        let content = unsafe { bytes(smeta.cast(), smeta_len) }?;
        let meta = B2ndMeta::parse(content).map_err(|_| Code(BLOSC2_ERROR_FAILURE))?;
        let axes = meta.ndim();
        // SAFETY: room for as many lengths as there can be.
        let to = unsafe { items_mut(shape, axes) }?;
        for (to, &from) in to.iter_mut().zip(&meta.shape) {
            *to = i64::try_from(from)?;
        }
        for (to, from) in [
            (chunkshape, &meta.chunkshape),
            (blockshape, &meta.blockshape),
        ] {
            // SAFETY: as above.
            let to = unsafe { items_mut(to, axes) }?;
            for (to, &from) in to.iter_mut().zip(from) {
                *to = i32::try_from(from)?;
            }
        }
        // SAFETY: writable by the caller's promise.
        unsafe { put(ndim, i8::try_from(axes)?) };
        let mut len = 6 + 19 * axes;
        if let Some(text) = meta
            .dtype
            .filter(|_| !dtype.is_null() && !dtype_format.is_null())
        {
            len += 6 + text.len();
            let text = CString::new(text).map_err(|_| Code(BLOSC2_ERROR_FAILURE))?;
            // SAFETY: writable by the caller's promise.
            unsafe { put(dtype, memory::string(&text)?) };
            // SAFETY: as above.
            unsafe { put(dtype_format, i8::try_from(meta.dtype_format)?) };
        }
        Ok(c_int::try_from(len)?)
    })
}

/// Prints the metalayer of an array to the standard output: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library.
#[unsafe(export_name = symbol!("b2nd_print_meta"))]
pub unsafe extern "C" fn b2nd_print_meta(array: *const b2nd_array_t) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        handle.sync()?;
        let known = handle.known();
        let text = format!(
            "b2nd metalayer parameters:\n Ndim:       {}\n shape:      {:?}\n chunkshape: {:?}\n \
             dtype: {}\n blockshape: {:?}\n",
            known.shape.len(),
            known.shape,
            known.chunkshape,
            known.dtype.to_string_lossy(),
            known.blockshape,
        );
        // A closed output is no failure of the array.
        _ = std::io::stdout().write_all(text.as_bytes());
        Ok(0)
    })
}

/// Reads the shape of an array again if others have changed it: 1 if they have, 0 if not, or an
/// error code.
///
/// # Safety
/// `array` is null or an array of this library.
#[unsafe(export_name = symbol!("b2nd_refresh"))]
pub unsafe extern "C" fn b2nd_refresh(array: *mut b2nd_array_t) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        handle.sync().map(c_int::from)
    })
}
