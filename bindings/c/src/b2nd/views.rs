//! Views: the same chunks with axes of length 1 more or less.

use std::ffi::c_int;

use super::array::{self, Handle};
use super::geometry::{Geometry, MAX_NDIM};
use crate::abi::{BLOSC2_ERROR_INVALID_INDEX, b2nd_array_t};
use crate::boundary::{Answer, Code, answer, items, put};

/// Makes a view without the axes for which `gone` says so.
fn without(handle: &Handle<'_>, gone: impl Fn(usize) -> bool) -> Answer<*mut b2nd_array_t> {
    handle.sync()?;
    let known = handle.known();
    for axis in (0..known.shape.len()).filter(|&axis| gone(axis)) {
        if known.shape[axis] != 1 {
            return Err(Code(BLOSC2_ERROR_INVALID_INDEX));
        }
        if known.chunkshape[axis] != 1 || known.blockshape[axis] != 1 {
            return Err(Code::INVALID);
        }
    }
    let keep = |lens: &[u64]| {
        let kept = lens.iter().enumerate().filter(|&(axis, _)| !gone(axis));
        kept.map(|(_, &len)| len).collect()
    };
    let geometry = Geometry {
        shape: keep(&known.shape),
        chunkshape: keep(&known.chunkshape),
        blockshape: keep(&known.blockshape),
        ..known
    };
    array::view(handle.held(), geometry)
}

/// Makes a view without some axes of length 1: 0, or an error code. Views are freed with
/// [`b2nd_free`](super::b2nd_free), before or after the array.
///
/// # Safety
/// `array` is null or an array of this library, `view` null or writable, `index` null or readable
/// for a value for each axis.
#[unsafe(export_name = symbol!("b2nd_squeeze_index"))]
pub unsafe extern "C" fn b2nd_squeeze_index(
    array: *mut b2nd_array_t,
    view: *mut *mut b2nd_array_t,
    index: *const bool,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        if view.is_null() || index.is_null() {
            return Err(Code::NULL);
        }
        let ndim = handle.known().shape.len();
        // C's `bool` may hold any number here.
        // SAFETY: a value for each axis by the caller's promise.
        let gone = unsafe { items(index.cast::<u8>(), ndim) }?;
        let made = without(&handle, |axis| {
            gone.get(axis).is_some_and(|&gone| gone != 0)
        })?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(view, made) };
        Ok(0)
    })
}

/// Makes a view without the axes of length 1: 0, or an error code.
///
/// # Safety
/// As for [`b2nd_squeeze_index`].
#[unsafe(export_name = symbol!("b2nd_squeeze"))]
pub unsafe extern "C" fn b2nd_squeeze(
    array: *mut b2nd_array_t,
    view: *mut *mut b2nd_array_t,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        if view.is_null() {
            return Err(Code::NULL);
        }
        handle.sync()?;
        let shape = handle.known().shape;
        let made = without(&handle, |axis| shape.get(axis) == Some(&1))?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(view, made) };
        Ok(0)
    })
}

/// Makes a view with more axes of length 1, where `axis` says so: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library, `view` null or writable, `axis` null or readable
/// for `final_dims` values.
#[unsafe(export_name = symbol!("b2nd_expand_dims"))]
pub unsafe extern "C" fn b2nd_expand_dims(
    array: *const b2nd_array_t,
    view: *mut *mut b2nd_array_t,
    axis: *const bool,
    final_dims: u8,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        if view.is_null() || axis.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: so many values by the caller's promise.
        let new = unsafe { items(axis.cast::<u8>(), final_dims) }?;
        handle.sync()?;
        let known = handle.known();
        let old = new.iter().filter(|&&new| new == 0).count();
        if new.len() > MAX_NDIM || old != known.shape.len() {
            return Err(Code::INVALID);
        }
        let spread = |lens: &[u64]| {
            let mut lens = lens.iter().copied();
            let one = |new: &u8| {
                if *new == 0 {
                    lens.next().unwrap_or(1)
                } else {
                    1
                }
            };
            new.iter().map(one).collect()
        };
        let geometry = Geometry {
            shape: spread(&known.shape),
            chunkshape: spread(&known.chunkshape),
            blockshape: spread(&known.blockshape),
            ..known
        };
        let made = array::view(handle.held(), geometry)?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(view, made) };
        Ok(0)
    })
}
