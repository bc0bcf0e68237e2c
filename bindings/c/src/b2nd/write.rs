//! Changing items and shapes.

use std::ffi::{c_int, c_void};
use std::ops::Range;

use oxiblosc::b2nd::METALAYER;
use oxiblosc::schunk::ChunkSink as _;
use oxiblosc::{CParams, ChunkEncoder, Special};

use super::array::{self, Handle};
use super::buffers::{self, Part};
use super::chunks::Chunks;
use super::context::lengths;
use super::geometry::Geometry;
use super::read::{clipped, uninit};
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

/// Changes the length of each axis, at `start` where it is given and otherwise at the end; what is
/// new is zero. 0, or an error code.
///
/// # Safety
/// `array` is null or an array of this library; `new_shape` is null or has as many lengths as it
/// has axes, and so has `start`.
#[unsafe(export_name = symbol!("b2nd_resize"))]
pub unsafe extern "C" fn b2nd_resize(
    array: *mut b2nd_array_t,
    new_shape: *const i64,
    start: *const i64,
) -> c_int {
    answer(|| {
        // SAFETY: null or an array by the caller's promise.
        let handle = unsafe { array::at(array) }?;
        handle.not_a_view()?;
        let ndim = handle.known().shape.len();
        if new_shape.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: as many lengths as axes by the caller's promise.
        let shape = unsafe { lengths(new_shape, ndim) }?;
        let start = if start.is_null() {
            None
        } else {
            // SAFETY: as above.
            Some(unsafe { lengths(start, ndim) }?)
        };
        handle.change(|chunks, geometry| resize(chunks, geometry, &shape, start.as_deref()))?;
        Ok(0)
    })
}

/// The chunks that come or go along an axis, by their numbers along it.
struct Moved {
    old: u64,
    new: u64,
    gone: Range<u64>,
    come: Range<u64>,
}

impl Moved {
    fn new(old: u64, new: u64, chunk: u64, start: Option<u64>) -> Answer<Self> {
        let count = |len: u64| if chunk == 0 { 0 } else { len.div_ceil(chunk) };
        let (before, after) = (count(old), count(new));
        // Beyond what is common to both, there is only the end.
        let start = start.filter(|&start| start < old.min(new) && old != new);
        let first = match start {
            Some(start)
                if !start.is_multiple_of(chunk) || !old.abs_diff(new).is_multiple_of(chunk) =>
            {
                return Err(Code::INVALID);
            }
            Some(start) => start / chunk,
            None => before.min(after),
        };
        let moved = first..first.saturating_add(before.abs_diff(after));
        let (gone, come) = if after < before {
            (moved, 0..0)
        } else {
            (0..0, moved)
        };
        Ok(Self {
            old: before,
            new: after,
            gone,
            come,
        })
    }
}

/// The numbers of the chunks whose coordinate along some axis is in its range.
fn touched(counts: &[u64], ranges: &[&Range<u64>]) -> Vec<u64> {
    let mut found = Vec::new();
    let total = counts.iter().product::<u64>();
    for number in 0..total {
        let mut rest = number;
        let pairs = counts.iter().zip(ranges).rev();
        let mut hits = false;
        for (&count, range) in pairs {
            hits |= range.contains(&(rest % count));
            rest /= count;
        }
        if hits {
            found.push(number);
        }
    }
    found
}

/// Changes the shape; the new one. Chunks come and go whole: new ones are zeros, and the padding of
/// the others shows as it was stored, as in C.
pub(super) fn resize(
    mut chunks: Chunks,
    geometry: &Geometry,
    shape: &[u64],
    start: Option<&[u64]>,
) -> Answer<Option<Vec<u64>>> {
    let resized = geometry.with_shape(shape);
    resized.check()?;
    let mut axes = Vec::with_capacity(shape.len());
    for (axis, (&old, &new)) in geometry.shape.iter().zip(shape).enumerate() {
        let start = start.and_then(|start| start.get(axis).copied());
        axes.push(Moved::new(old, new, geometry.chunkshape[axis], start)?);
    }
    let (before, after) = (
        axes.iter().map(|axis| axis.old),
        axes.iter().map(|axis| axis.new),
    );
    let (before, after): (Vec<u64>, Vec<u64>) = (before.collect(), after.collect());
    let mut left = geometry.grid()?.nchunks();
    let empty = after.contains(&0);
    let gone = if empty {
        (0..left).collect()
    } else {
        touched(
            &before,
            &axes.iter().map(|axis| &axis.gone).collect::<Vec<_>>(),
        )
    };
    for &number in gone.iter().rev() {
        chunks.delete_chunk(number)?;
        left = left.saturating_sub(1);
    }
    let come = if empty {
        Vec::new()
    } else if before.contains(&0) {
        (0..resized.grid()?.nchunks()).collect()
    } else {
        touched(
            &after,
            &axes.iter().map(|axis| &axis.come).collect::<Vec<_>>(),
        )
    };
    if !come.is_empty() {
        let (chunksize, _) = resized.sizes()?;
        let mut encoder = ChunkEncoder::new(plain(chunks.new_cparams()?, &resized)?)?;
        let zeros = encoder.encode_special(Special::Zeros, usize::try_from(chunksize)?)?;
        for number in come {
            if number == left {
                chunks.append_chunk(&zeros)?;
            } else {
                chunks.insert_chunk(number, &zeros)?;
            }
            left = left.saturating_add(1);
        }
    }
    chunks.update_metalayer(METALAYER, &resized.plain_meta()?)?;
    Ok(Some(shape.to_vec()))
}

/// Parameters for chunks of special values.
fn plain(mut cparams: CParams, geometry: &Geometry) -> Answer<CParams> {
    cparams.prefilter = None;
    cparams.blocksize = Some(usize::try_from(geometry.sizes()?.1)?);
    cparams.b2nd = Some(geometry.plain_meta()?.into());
    Ok(cparams)
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
