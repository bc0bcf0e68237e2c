//! Items at coordinates along each axis.

use std::ffi::{c_int, c_void};
use std::ops::Range;

use oxiblosc::b2nd::{Array, AxisSelection};

use super::array;
use super::chunks::Chunks;
use super::context::lengths;
use super::geometry::Geometry;
use crate::abi::{BLOSC2_ERROR_INVALID_INDEX, b2nd_array_t};
use crate::boundary::{Answer, Code, answer, bytes, items, room};

/// The selection of coordinates along each axis, for a buffer of this shape and size in bytes. As
/// in the original, the size is that of the selection; the original takes other shapes, and leaves
/// the buffer with larger ones.
///
/// # Errors
/// `INVALID_INDEX` for a coordinate outside of its axis, `INVALID_PARAM` for another shape or size.
///
/// # Safety
/// `selection` is null or has a pointer for each axis, `sizes` and the shape as many lengths, and
/// each pointer as many coordinates.
unsafe fn orthogonal(
    selection: *mut *mut i64,
    sizes: *mut i64,
    (shape, nbytes): (*mut i64, usize),
    geometry: &Geometry,
) -> Answer<Vec<Vec<u64>>> {
    let ndim = geometry.shape.len();
    // SAFETY: as many lengths as axes by the caller's promise.
    let sizes = unsafe { lengths(sizes.cast_const(), ndim) }?;
    // SAFETY: as many pointers as axes by the caller's promise.
    let lists = unsafe { items(selection.cast_const(), ndim) }?;
    let mut axes = Vec::with_capacity(ndim);
    for ((&list, &size), &len) in lists.iter().zip(&sizes).zip(&geometry.shape) {
        // SAFETY: as many coordinates as its length says.
        let list = unsafe { lengths(list.cast_const(), usize::try_from(size)?) };
        let list = list.map_err(|code| match code {
            Code::INVALID => Code(BLOSC2_ERROR_INVALID_INDEX),
            code => code,
        })?;
        if list.iter().any(|&index| index >= len) {
            return Err(Code(BLOSC2_ERROR_INVALID_INDEX));
        }
        axes.push(list);
    }
    // SAFETY: as many lengths as axes by the caller's promise.
    let shape = unsafe { lengths(shape.cast_const(), ndim) }?;
    if shape != sizes || nbytes != geometry.nbytes(sizes)? {
        return Err(Code::INVALID);
    }
    Ok(axes)
}

/// Reads the items at coordinates along each axis: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library; `selection` has a pointer for each axis,
/// `selection_size` and `buffershape` a length, each pointer as many coordinates; `buffer` is
/// writable for `buffersize` bytes. Any may be null.
#[unsafe(export_name = symbol!("b2nd_get_orthogonal_selection"))]
pub unsafe extern "C" fn b2nd_get_orthogonal_selection(
    array: *const b2nd_array_t,
    selection: *mut *mut i64,
    selection_size: *mut i64,
    buffer: *mut c_void,
    buffershape: *mut i64,
    buffersize: i64,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        if selection.is_null() || selection_size.is_null() || buffer.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: writable by the caller's promise.
        let dst = unsafe { room(buffer, buffersize) }?;
        handle.read(|chunks, geometry| {
            // SAFETY: the caller's promise.
            let axes = unsafe {
                orthogonal(
                    selection,
                    selection_size,
                    (buffershape, dst.len()),
                    geometry,
                )
            }?;
            if !dst.is_empty() {
                let axes: Vec<_> = axes.iter().map(|list| AxisSelection::list(list)).collect();
                chunks.array()?.slice_bytes_uninit(axes, dst)?;
            }
            Ok(0)
        })
    })
}

/// Writes the items at coordinates along each axis: 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library; `selection` has a pointer for each axis,
/// `selection_size` and `buffershape` a length, each pointer as many coordinates; `buffer` is
/// readable for `buffersize` bytes. Any may be null.
#[unsafe(export_name = symbol!("b2nd_set_orthogonal_selection"))]
pub unsafe extern "C" fn b2nd_set_orthogonal_selection(
    array: *mut b2nd_array_t,
    selection: *mut *mut i64,
    selection_size: *mut i64,
    buffer: *const c_void,
    buffershape: *mut i64,
    buffersize: i64,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        if selection.is_null() || selection_size.is_null() || buffer.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: readable by the caller's promise.
        let src = unsafe { bytes(buffer, buffersize) }?;
        handle.change(|chunks, geometry| {
            // SAFETY: the caller's promise.
            let axes = unsafe {
                orthogonal(
                    selection,
                    selection_size,
                    (buffershape, src.len()),
                    geometry,
                )
            }?;
            if !src.is_empty() {
                scatter(chunks.array()?, geometry, &axes, src)?;
            }
            Ok(None)
        })?;
        Ok(0)
    })
}

/// The coordinates of an axis within one chunk: that of the chunk, and for each the place in the
/// list and the coordinate.
type Within = (u64, Vec<(usize, u64)>);

/// The coordinates of an axis by chunks.
fn by_chunks(list: &[u64], chunk: u64) -> Vec<Within> {
    let mut order: Vec<(usize, u64)> = list.iter().copied().enumerate().collect();
    // Stable, so that of equal coordinates the last one wins.
    order.sort_by_key(|&(_, at)| at / chunk);
    let mut found: Vec<Within> = Vec::new();
    for (place, at) in order {
        match found.last_mut() {
            Some((number, within)) if *number == at / chunk => within.push((place, at)),
            _ => found.push((at / chunk, vec![(place, at)])),
        }
    }
    found
}

/// Advances coordinates, the last the fastest; false after the last.
fn advance(at: &mut [usize], lens: impl Fn(usize) -> usize) -> bool {
    for axis in (0..at.len()).rev() {
        at[axis] += 1;
        if at[axis] < lens(axis) {
            return true;
        }
        at[axis] = 0;
    }
    false
}

/// Writes items at coordinates along each axis: each chunk is read, changed and written once.
fn scatter(
    mut array: Array<Chunks>,
    geometry: &Geometry,
    axes: &[Vec<u64>],
    src: &[u8],
) -> Answer<()> {
    let typesize = geometry.typesize;
    let ndim = axes.len();
    let lists: Vec<Vec<Within>> = axes
        .iter()
        .zip(&geometry.chunkshape)
        .map(|(list, &chunk)| by_chunks(list, chunk.max(1)))
        .collect();
    let mut chunk = vec![0; ndim];
    loop {
        let here: Vec<&Within> = chunk
            .iter()
            .zip(&lists)
            .map(|(&at, list)| &list[at])
            .collect();
        let mut region: Vec<Range<u64>> = Vec::with_capacity(ndim);
        for (axis, (number, _)) in here.iter().enumerate() {
            let len = geometry.chunkshape[axis].max(1);
            let start = number.saturating_mul(len);
            region.push(start..start.saturating_add(len).min(geometry.shape[axis]));
        }
        let mut data = array.slice_bytes(region.clone())?;
        let mut item = vec![0; ndim];
        loop {
            let (mut from, mut to) = (0_usize, 0_usize);
            for (axis, (_, within)) in here.iter().enumerate() {
                let (place, at) = within[item[axis]];
                let range = &region[axis];
                from = from.saturating_mul(axes[axis].len()).saturating_add(place);
                let len = usize::try_from(range.end.saturating_sub(range.start))?;
                let at = usize::try_from(at.saturating_sub(range.start))?;
                to = to.saturating_mul(len).saturating_add(at);
            }
            let value = src
                .get(from * typesize..)
                .and_then(|rest| rest.get(..typesize));
            let place = data
                .get_mut(to * typesize..)
                .and_then(|rest| rest.get_mut(..typesize));
            let (Some(value), Some(place)) = (value, place) else {
                return Err(Code::FAILURE);
            };
            place.copy_from_slice(value);
            if !advance(&mut item, |axis| here[axis].1.len()) {
                break;
            }
        }
        array.set_slice_bytes(region, &data)?;
        if !advance(&mut chunk, |axis| lists[axis].len()) {
            break;
        }
    }
    array.into_inner()?;
    Ok(())
}
