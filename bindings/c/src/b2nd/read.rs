//! Reading items.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;

use oxiblosc::b2nd::Selection;

use super::array;
use super::buffers::{self, Part};
use super::context::lengths;
use super::geometry::Geometry;
use crate::abi::{BLOSC2_ERROR_INVALID_INDEX, b2nd_array_t};
use crate::boundary::{Answer, Code, answer, items, room};

/// Ranges of an array, and their lengths.
type Clipped = (Vec<Range<u64>>, Vec<u64>);

/// The part of a slice that is within the array; none when it is empty.
///
/// # Errors
/// `INVALID_PARAM` for a slice that is longer than its buffer.
pub(super) fn clipped(
    start: &[u64],
    stop: &[u64],
    buffer: &[u64],
    geometry: &Geometry,
) -> Answer<Option<Clipped>> {
    let mut ranges = Vec::with_capacity(start.len());
    for (axis, (&start, &stop)) in start.iter().zip(stop).enumerate() {
        if stop.saturating_sub(start) > buffer[axis] {
            return Err(Code::INVALID);
        }
        let len = geometry.shape[axis];
        ranges.push(start.min(len)..stop.min(len));
    }
    let empty = ranges.iter().any(Range::is_empty);
    let inner = lens(&ranges);
    Ok((!empty).then_some((ranges, inner)))
}

/// The lengths of ranges.
pub(super) fn lens(ranges: &[Range<u64>]) -> Vec<u64> {
    ranges
        .iter()
        .map(|range| range.end.saturating_sub(range.start))
        .collect()
}

/// Reads all items in C order: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library, `buffer` null or writable for `buffersize` bytes.
#[unsafe(export_name = symbol!("b2nd_to_cbuffer"))]
pub unsafe extern "C" fn b2nd_to_cbuffer(
    array: *const b2nd_array_t,
    buffer: *mut c_void,
    buffersize: i64,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        if buffer.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: writable by the caller's promise.
        let dst = unsafe { room(buffer, buffersize) }?;
        handle.read(|chunks, geometry| {
            let needed = geometry.nbytes(geometry.shape.iter().copied())?;
            let dst = dst.get_mut(..needed).ok_or(Code::INVALID)?;
            if needed > 0 {
                chunks.array()?.slice_bytes_uninit(.., dst)?;
            }
            Ok(0)
        })
    })
}

/// Reads a slice into the front of a buffer of the shape `buffershape`: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library; the shapes are null or have as many lengths as it
/// has axes; `buffer` is null or writable for `buffersize` bytes.
#[unsafe(export_name = symbol!("b2nd_get_slice_cbuffer"))]
pub unsafe extern "C" fn b2nd_get_slice_cbuffer(
    array: *const b2nd_array_t,
    start: *const i64,
    stop: *const i64,
    buffer: *mut c_void,
    buffershape: *const i64,
    buffersize: i64,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        let ndim = handle.known().shape.len();
        if buffer.is_null() || start.is_null() || stop.is_null() || buffershape.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: as many lengths as axes by the caller's promise.
        let start = unsafe { lengths(start, ndim) }?;
        // SAFETY: as above.
        let stop = unsafe { lengths(stop, ndim) }?;
        // SAFETY: as above.
        let outer = unsafe { lengths(buffershape, ndim) }?;
        // SAFETY: writable by the caller's promise.
        let dst = unsafe { room(buffer, buffersize) }?;
        handle.read(|chunks, geometry| {
            let whole = geometry.nbytes(outer.iter().copied())?;
            let dst = dst.get_mut(..whole).ok_or(Code::INVALID)?;
            let Some((inside, inner)) = clipped(&start, &stop, &outer, geometry)? else {
                return Ok(0);
            };
            let array = chunks.array()?;
            if inner == outer {
                array.slice_bytes_uninit(inside, dst)?;
                return Ok(0);
            }
            let part = array.slice_bytes(inside)?;
            let origin = vec![0; ndim];
            let from = Part::new(&inner, &origin, &inner)?;
            let to = Part::new(&outer, &origin, &inner)?;
            buffers::copy(geometry.typesize, uninit(&part), &from, dst, &to)?;
            Ok(0)
        })
    })
}

/// Bytes as memory that need not be initialised.
pub(super) fn uninit(bytes: &[u8]) -> &[MaybeUninit<u8>] {
    let pointer = std::ptr::from_ref(bytes) as *const [MaybeUninit<u8>];
    // SAFETY: the same bytes, of which less is promised.
    unsafe { &*pointer }
}

/// Reads items by their numbers in C order: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library; `coords` is null or readable for `ncoords` numbers,
/// `buffer` null or writable for `buffersize` bytes.
#[unsafe(export_name = symbol!("b2nd_get_sparse_cbuffer"))]
pub unsafe extern "C" fn b2nd_get_sparse_cbuffer(
    array: *const b2nd_array_t,
    ncoords: i64,
    coords: *const i64,
    buffer: *mut c_void,
    buffersize: i64,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        // SAFETY: null or readable by the caller's promise.
        let coords = unsafe { items(coords, ncoords) }?;
        // SAFETY: null or writable by the caller's promise.
        let dst = unsafe { room(buffer, buffersize) }?;
        handle.read(|chunks, geometry| {
            let needed = geometry.nbytes([u64::try_from(coords.len())?])?;
            let dst = dst.get_mut(..needed).ok_or(Code::INVALID)?;
            if coords.is_empty() {
                return Ok(0);
            }
            let points = points(coords, &geometry.shape)?;
            let ndim = geometry.shape.len();
            if ndim == 0 {
                // One item, as often as it was asked for.
                let one = chunks.array()?.to_bytes()?;
                for item in dst.chunks_exact_mut(geometry.typesize) {
                    for (to, &from) in item.iter_mut().zip(&one) {
                        to.write(from);
                    }
                }
                return Ok(0);
            }
            let selection = Selection::points_flat(&points, ndim);
            chunks.array()?.slice_bytes_uninit(selection, dst)?;
            Ok(0)
        })
    })
}

/// The coordinates of items, one after the other.
fn points(coords: &[i64], shape: &[u64]) -> Answer<Vec<u64>> {
    let nitems = shape.iter().product::<u64>();
    let ndim = shape.len();
    let mut points = vec![0; coords.len().saturating_mul(ndim)];
    for (index, &item) in coords.iter().enumerate() {
        let mut rest = u64::try_from(item).map_err(|_| Code(BLOSC2_ERROR_INVALID_INDEX))?;
        if rest >= nitems {
            return Err(Code(BLOSC2_ERROR_INVALID_INDEX));
        }
        for axis in (0..ndim).rev() {
            points[index * ndim + axis] = rest % shape[axis];
            rest /= shape[axis];
        }
    }
    Ok(points)
}
