//! Changing, inserting and deleting items.

use std::ffi::{c_int, c_void};
use std::ops::Range;

use super::array::{self, Handle};
use super::buffers::{self, Part};
use super::chunks::Chunks;
use super::context::lengths;
use super::geometry::Geometry;
use super::read::{clipped, uninit};
use super::resize::resize;
use crate::abi::{BLOSC2_ERROR_INVALID_INDEX, b2nd_array_t};
use crate::boundary::{Answer, Code, answer, bytes};
use crate::memory::Heap;

/// Writes the front of a buffer of the shape `buffershape` to a slice: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library; the shapes are null or have as many lengths as it
/// has axes; `buffer` is null or readable for `buffersize` bytes.
#[unsafe(export_name = symbol!("b2nd_set_slice_cbuffer"))]
pub unsafe extern "C" fn b2nd_set_slice_cbuffer(
    buffer: *const c_void,
    buffershape: *const i64,
    buffersize: i64,
    start: *const i64,
    stop: *const i64,
    array: *mut b2nd_array_t,
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
        // SAFETY: readable by the caller's promise.
        let src = unsafe { bytes(buffer, buffersize) }?;
        handle.change(|chunks, geometry| {
            let whole = geometry.nbytes(outer.iter().copied())?;
            let src = src.get(..whole).ok_or(Code::INVALID)?;
            let Some((ranges, inner)) = clipped(&start, &stop, &outer, geometry)? else {
                return Ok(None);
            };
            let mut array = chunks.array()?;
            if inner == outer {
                array.set_slice_bytes(ranges, src)?;
            } else {
                let mut part = Heap::new(geometry.nbytes(inner.iter().copied())?)?;
                part.room().fill(std::mem::MaybeUninit::new(0));
                let origin = vec![0; ndim];
                let from = Part::new(&outer, &origin, &inner)?;
                let to = Part::new(&inner, &origin, &inner)?;
                buffers::copy(geometry.typesize, uninit(src), &from, part.room(), &to)?;
                let part = std::ptr::from_ref(part.room()) as *const [u8];
                // SAFETY: zeroed above, so all bytes are initialised.
                let part = unsafe { &*part };
                array.set_slice_bytes(ranges, part)?;
            }
            array.into_inner()?;
            Ok(None)
        })?;
        Ok(0)
    })
}

/// Inserts items along an axis.
///
/// # Safety
/// `array` is null or an array of this library, `buffer` null or readable for `buffersize` bytes.
unsafe fn insert(
    array: *mut b2nd_array_t,
    buffer: *const c_void,
    buffersize: i64,
    axis: i8,
    start: Option<i64>,
) -> Answer<c_int> {
    // SAFETY: null or an array by the caller's promise.
    let handle = unsafe { array::at(array) }?;
    handle.not_a_view()?;
    if buffer.is_null() {
        return Err(Code::NULL);
    }
    // SAFETY: readable by the caller's promise.
    let src = unsafe { bytes(buffer, buffersize) }?;
    handle.change(|chunks, geometry| {
        let axis = index(axis, geometry)?;
        let (row, len) = (row(geometry, axis)?, geometry.shape[axis]);
        let start = start.map_or(Ok(len), u64::try_from)?;
        if start > len {
            return Err(Code(BLOSC2_ERROR_INVALID_INDEX));
        }
        if row == 0 || !src.len().is_multiple_of(row) {
            return Err(Code::INVALID);
        }
        let added = u64::try_from(src.len() / row)?;
        let mut shape = geometry.shape.clone();
        shape[axis] = len.checked_add(added).ok_or(Code::INVALID)?;
        let mut at = vec![u64::MAX; shape.len()];
        at[axis] = start;
        let mut region: Vec<Range<u64>> = shape.iter().map(|&len| 0..len).collect();
        region[axis] = start..start.saturating_add(added);
        resize(chunks, geometry, &shape, Some(&at))?;
        if !src.is_empty() {
            let schunk = handle.schunk();
            // SAFETY: the super-chunk of the array.
            let chunks = unsafe { Chunks::to_change(schunk, &geometry.with_shape(&shape)) }?;
            let mut array = chunks.array()?;
            array.set_slice_bytes(region, src)?;
            array.into_inner()?;
        }
        Ok(Some(shape))
    })?;
    Ok(0)
}

/// An axis of an array.
fn index(axis: i8, geometry: &Geometry) -> Answer<usize> {
    let axis = usize::try_from(axis)?;
    if axis < geometry.shape.len() {
        Ok(axis)
    } else {
        Err(Code(BLOSC2_ERROR_INVALID_INDEX))
    }
}

/// The bytes of the items at one coordinate of an axis.
fn row(geometry: &Geometry, axis: usize) -> Answer<usize> {
    let others = geometry
        .shape
        .iter()
        .enumerate()
        .filter(|&(other, _)| other != axis);
    geometry.nbytes(others.map(|(_, &len)| len))
}

/// Inserts items along an axis, before `insert_start`: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library, `buffer` null or readable for `buffersize` bytes.
#[unsafe(export_name = symbol!("b2nd_insert"))]
pub unsafe extern "C" fn b2nd_insert(
    array: *mut b2nd_array_t,
    buffer: *const c_void,
    buffersize: i64,
    axis: i8,
    insert_start: i64,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { insert(array, buffer, buffersize, axis, Some(insert_start)) })
}

/// Adds items at the end of an axis: 0, or an error code.
///
/// # Safety
/// As for [`b2nd_insert`].
#[unsafe(export_name = symbol!("b2nd_append"))]
pub unsafe extern "C" fn b2nd_append(
    array: *mut b2nd_array_t,
    buffer: *const c_void,
    buffersize: i64,
    axis: i8,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { insert(array, buffer, buffersize, axis, None) })
}

/// Removes `delete_len` items of an axis from `delete_start` on: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library.
#[unsafe(export_name = symbol!("b2nd_delete"))]
pub unsafe extern "C" fn b2nd_delete(
    array: *mut b2nd_array_t,
    axis: i8,
    delete_start: i64,
    delete_len: i64,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        handle.not_a_view()?;
        handle.change(|chunks, geometry| {
            let axis = index(axis, geometry)?;
            let (start, len) = (u64::try_from(delete_start)?, u64::try_from(delete_len)?);
            let end = start.checked_add(len).ok_or(Code::INVALID)?;
            let old = geometry.shape[axis];
            if end > old {
                return Err(Code::INVALID);
            }
            let mut shape = geometry.shape.clone();
            shape[axis] = old.saturating_sub(len);
            let mut at = vec![u64::MAX; shape.len()];
            at[axis] = start;
            resize(chunks, geometry, &shape, Some(&at))
        })?;
        Ok(0)
    })
}

/// A handle whose array is changed by two functions.
pub(super) fn set_region(handle: &Handle<'_>, region: Vec<Range<u64>>, data: &[u8]) -> Answer<()> {
    handle.change(|chunks, _| {
        let mut array = chunks.array()?;
        array.set_slice_bytes(region, data)?;
        array.into_inner()?;
        Ok(None)
    })
}
