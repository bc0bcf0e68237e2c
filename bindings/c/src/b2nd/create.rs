//! Making and freeing arrays.

use std::ffi::{c_int, c_void};

use oxiblosc::b2nd::Array;

use super::chunks::Chunks;
use super::context::{self, Metalayer, OwnedContext};
use super::{array, geometry::Geometry};
use crate::abi::{b2nd_array_t, b2nd_context_t, blosc2_schunk};
use crate::boundary::{Answer, Code, answer, bytes, put};
use crate::schunk::{blosc2_schunk_fill_special, blosc2_schunk_free};

/// The special values of `blosc2_schunk_fill_special`.
const ZEROS: c_int = 1;
const NANS: c_int = 2;
const UNINIT: c_int = 4;

/// No metalayers but those of the parameters.
const NONE: &[Metalayer] = &[];

/// Makes an array, whose chunks `fill` makes, and frees what there is when it fails.
pub(super) fn make(
    context: &OwnedContext,
    geometry: &Geometry,
    more: &[Metalayer],
    fill: impl FnOnce(*mut blosc2_schunk) -> Answer<()>,
) -> Answer<*mut b2nd_array_t> {
    geometry.grid()?;
    let schunk = context.schunk(geometry, more)?;
    let made = fill(schunk).and_then(|()| {
        // SAFETY: made above.
        unsafe { array::make(schunk, geometry.clone()) }
    });
    if made.is_err() {
        // SAFETY: made above, and no array has it.
        unsafe { blosc2_schunk_free(schunk) };
    }
    made
}

/// Makes an array of a special value.
///
/// # Safety
/// `ctx` is null or valid parameters, `array` null or writable.
unsafe fn special(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    value: c_int,
) -> Answer<c_int> {
    // SAFETY: null or valid by the caller's promise.
    let context = unsafe { context::at(ctx) }?;
    if array.is_null() {
        return Err(Code::NULL);
    }
    let geometry = &context.geometry;
    if value == NANS && !matches!(geometry.typesize, 4 | 8) {
        return Err(Code::INVALID);
    }
    let made = make(context, geometry, NONE, |schunk| {
        fill_special(schunk, geometry, value)
    })?;
    // SAFETY: writable by the caller's promise.
    unsafe { put(array, made) };
    Ok(0)
}

/// Fills a new super-chunk with chunks of a special value.
pub(super) fn fill_special(
    schunk: *mut blosc2_schunk,
    geometry: &Geometry,
    value: c_int,
) -> Answer<()> {
    let grid = geometry.grid()?;
    let (chunksize, _) = geometry.sizes()?;
    let typesize = i64::try_from(geometry.typesize)?;
    let items = i64::from(chunksize).checked_div(typesize).unwrap_or(0);
    let nitems = items
        .checked_mul(i64::try_from(grid.nchunks())?)
        .ok_or(Code::INVALID)?;
    if nitems == 0 {
        return Ok(());
    }
    // SAFETY: a super-chunk that was just made.
    let code = unsafe { blosc2_schunk_fill_special(schunk, nitems, value, chunksize) };
    if code < 0 {
        Err(Code(i32::try_from(code)?))
    } else {
        Ok(())
    }
}

/// Makes an array whose values are not determined: 0, or an error code.
///
/// # Safety
/// `ctx` is null or parameters of this library, valid with all that they point to; `array` is null
/// or writable. The array is freed with [`b2nd_free`].
#[unsafe(export_name = symbol!("b2nd_uninit"))]
pub unsafe extern "C" fn b2nd_uninit(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { special(ctx, array, UNINIT) })
}

/// As [`b2nd_uninit`].
///
/// # Safety
/// As for [`b2nd_uninit`].
#[unsafe(export_name = symbol!("b2nd_empty"))]
pub unsafe extern "C" fn b2nd_empty(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { special(ctx, array, UNINIT) })
}

/// Makes an array of zeros: 0, or an error code.
///
/// # Safety
/// As for [`b2nd_uninit`].
#[unsafe(export_name = symbol!("b2nd_zeros"))]
pub unsafe extern "C" fn b2nd_zeros(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { special(ctx, array, ZEROS) })
}

/// Makes an array of NaN, of 4 or 8 bytes: 0, or an error code.
///
/// # Safety
/// As for [`b2nd_uninit`].
#[unsafe(export_name = symbol!("b2nd_nans"))]
pub unsafe extern "C" fn b2nd_nans(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { special(ctx, array, NANS) })
}

/// Makes an array of one value: 0, or an error code.
///
/// # Safety
/// As for [`b2nd_uninit`]; `fill_value` is null or readable for an item.
#[unsafe(export_name = symbol!("b2nd_full"))]
pub unsafe extern "C" fn b2nd_full(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    fill_value: *const c_void,
) -> c_int {
    answer(|| {
        // SAFETY: null or valid by the caller's promise.
        let context = unsafe { context::at(ctx) }?;
        let geometry = &context.geometry;
        if array.is_null() || fill_value.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: an item by the caller's promise.
        let value = unsafe { bytes(fill_value, geometry.typesize) }?;
        let made = make(context, geometry, NONE, |schunk| {
            // SAFETY: a super-chunk that was just made, with its contexts.
            let chunks = unsafe { Chunks::to_fill(schunk, geometry) }?;
            let params = geometry.params()?.cparams(chunks.new_cparams()?);
            Array::full_in(chunks, value, &params)?.into_inner()?;
            Ok(())
        })?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(array, made) };
        Ok(0)
    })
}

/// Makes an array whose chunks the library below writes.
pub(super) fn fill(
    context: &OwnedContext,
    geometry: &Geometry,
    more: &[Metalayer],
    write: impl FnOnce(Chunks) -> Answer<Array<Chunks>>,
) -> Answer<*mut b2nd_array_t> {
    make(context, geometry, more, |schunk| {
        // SAFETY: a super-chunk that was just made, with its contexts.
        let chunks = unsafe { Chunks::to_change(schunk, geometry) }?;
        write(chunks)?.into_inner()?;
        Ok(())
    })
}

/// Makes an array of items in C order: 0, or an error code.
///
/// # Safety
/// As for [`b2nd_uninit`]; `buffer` is null or readable for `buffersize` bytes.
#[unsafe(export_name = symbol!("b2nd_from_cbuffer"))]
pub unsafe extern "C" fn b2nd_from_cbuffer(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    buffer: *const c_void,
    buffersize: i64,
) -> c_int {
    answer(|| {
        // SAFETY: null or valid by the caller's promise.
        let context = unsafe { context::at(ctx) }?;
        let geometry = &context.geometry;
        if array.is_null() || buffer.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: readable by the caller's promise.
        let data = unsafe { bytes(buffer, buffersize) }?;
        let needed = geometry.nbytes(geometry.shape.iter().copied())?;
        let data = data.get(..needed).ok_or(Code::INVALID)?;
        let made = fill(context, geometry, NONE, |chunks| {
            let params = geometry.params()?.cparams(chunks.new_cparams()?);
            Ok(Array::from_bytes_in(chunks, data, &params)?)
        })?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(array, made) };
        Ok(0)
    })
}

/// Frees an array with its super-chunk; views keep the super-chunk until the last is freed. 0, or
/// an error code.
///
/// # Safety
/// `array` is null or an array of this library that no one uses afterwards.
#[unsafe(export_name = symbol!("b2nd_free"))]
pub unsafe extern "C" fn b2nd_free(array: *mut b2nd_array_t) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        unsafe { array::free(array) }?;
        Ok(0)
    })
}
