//! The chunks of a slice.

use super::array::stored;
use super::context::lengths;
use crate::abi::{BLOSC2_ERROR_METALAYER_NOT_FOUND, blosc2_schunk};
use crate::boundary::{Answer, Code, answer_long, put};
use crate::memory;

/// Stores the numbers of the chunks that hold a slice, of an array or of items: how many, or an
/// error code. The caller frees `*chunks_idx`.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library; `start` and `stop` are null or have a number
/// for each axis of its array, one without an array; `chunks_idx` is null or writable.
#[unsafe(export_name = symbol!("blosc2_get_slice_nchunks"))]
pub unsafe extern "C" fn blosc2_get_slice_nchunks(
    schunk: *mut blosc2_schunk,
    start: *mut i64,
    stop: *mut i64,
    chunks_idx: *mut *mut i64,
) -> i64 {
    answer_long(|| {
        if schunk.is_null() || start.is_null() || stop.is_null() || chunks_idx.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: a super-chunk by the caller's promise.
        let numbers = match unsafe { stored(schunk) } {
            Ok(geometry) => {
                let ndim = geometry.shape.len();
                // SAFETY: as many numbers as axes by the caller's promise.
                let start = unsafe { lengths(start.cast_const(), ndim) }?;
                // SAFETY: as above.
                let stop = unsafe { lengths(stop.cast_const(), ndim) }?;
                of_array(&start, &stop, &geometry.shape, &geometry.chunkshape)?
            }
            Err(Code(BLOSC2_ERROR_METALAYER_NOT_FOUND)) => {
                // SAFETY: one number by the caller's promise.
                let start = unsafe { lengths(start.cast_const(), 1) }?;
                // SAFETY: as above.
                let stop = unsafe { lengths(stop.cast_const(), 1) }?;
                // SAFETY: a super-chunk, whose fields no one writes meanwhile.
                let public = unsafe { &*schunk };
                let sizes = (public.typesize, public.chunksize, public.nchunks);
                of_items(start.first().zip(stop.first()), sizes)?
            }
            Err(code) => return Err(code),
        };
        let count = i64::try_from(numbers.len())?;
        let list = memory::array(&numbers)?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(chunks_idx, list) };
        Ok(count)
    })
}

fn of_items(ends: Option<(&u64, &u64)>, sizes: (i32, i32, i64)) -> Answer<Vec<i64>> {
    let (Some((&start, &stop)), (typesize, chunksize, nchunks)) = (ends, sizes) else {
        return Err(Code::INVALID);
    };
    let Ok(chunksize @ 1..) = u64::try_from(chunksize) else {
        return Ok(Vec::new());
    };
    let byte = |item: u64| item.checked_mul(u64::try_from(typesize).ok()?);
    let first = byte(start).ok_or(Code::INVALID)? / chunksize;
    let end = byte(stop).ok_or(Code::INVALID)?.div_ceil(chunksize);
    let end = i64::try_from(end)?.min(nchunks);
    Ok((i64::try_from(first)?..end).collect())
}

fn of_array(start: &[u64], stop: &[u64], shape: &[u64], chunks: &[u64]) -> Answer<Vec<i64>> {
    let mut numbers = vec![0_i64];
    for axis in 0..shape.len() {
        let chunk = chunks[axis];
        if stop[axis] > shape[axis] {
            return Err(Code::INVALID);
        }
        if chunk == 0 || stop[axis] <= start[axis] {
            return Ok(Vec::new());
        }
        let count = i64::try_from(shape[axis].div_ceil(chunk))?;
        let along = i64::try_from(start[axis] / chunk)?..i64::try_from(stop[axis].div_ceil(chunk))?;
        let mut next = Vec::new();
        for number in numbers {
            let base = number.checked_mul(count).ok_or(Code::INVALID)?;
            next.extend(along.clone().map(|at| base.saturating_add(at)));
        }
        numbers = next;
    }
    Ok(numbers)
}
