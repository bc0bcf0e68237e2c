//! Buffers of several dimensions.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use super::context::lengths;
use super::geometry::MAX_NDIM;
use crate::boundary::{Answer, Code, answer, guard, items, items_mut, room};

/// A box of items within a buffer.
pub(super) struct Part {
    /// The first item.
    start: usize,
    /// The steps along each axis, in items.
    strides: Vec<usize>,
    /// The lengths of the box.
    lens: Vec<usize>,
}

impl Part {
    /// The box of lengths `lens` from `start` on, in a buffer of the shape `shape`.
    ///
    /// # Errors
    /// `INVALID_PARAM` for a box that is not within the buffer.
    pub(super) fn new(shape: &[u64], start: &[u64], lens: &[u64]) -> Answer<Self> {
        let mut part = Self {
            start: 0,
            strides: vec![1; shape.len()],
            lens: Vec::with_capacity(shape.len()),
        };
        let mut step = 1_usize;
        for axis in (0..shape.len()).rev() {
            let (whole, from, len) = (shape[axis], start[axis], lens[axis]);
            if from.checked_add(len).is_none_or(|end| end > whole) {
                return Err(Code::INVALID);
            }
            part.strides[axis] = step;
            let skipped = step
                .checked_mul(usize::try_from(from)?)
                .ok_or(Code::INVALID)?;
            part.start = part.start.checked_add(skipped).ok_or(Code::INVALID)?;
            step = step
                .checked_mul(usize::try_from(whole)?)
                .ok_or(Code::INVALID)?;
        }
        for &len in lens {
            part.lens.push(usize::try_from(len)?);
        }
        Ok(part)
    }
}

/// Copies a box of items of `typesize` units from one buffer to another.
///
/// # Errors
/// `INVALID_PARAM` when a box is not within its buffer.
pub(super) fn copy<T: Copy>(
    typesize: usize,
    src: &[T],
    from: &Part,
    dst: &mut [T],
    to: &Part,
) -> Answer<()> {
    if from.lens.contains(&0) {
        return Ok(());
    }
    let axes = from.lens.len();
    // Rows along the last axis, and along those before it that both buffers have whole.
    let mut row = 1;
    let mut outer = axes;
    while outer > 0 && from.strides[outer - 1] == row && to.strides[outer - 1] == row {
        row *= from.lens[outer - 1];
        outer -= 1;
    }
    let len = row.checked_mul(typesize).ok_or(Code::INVALID)?;
    let mut at = vec![0; outer];
    loop {
        let place = |part: &Part| {
            let items = at
                .iter()
                .zip(&part.strides)
                .map(|(at, step)| at * step)
                .sum::<usize>();
            part.start.checked_add(items)?.checked_mul(typesize)
        };
        let (a, b) = (
            place(from).ok_or(Code::INVALID)?,
            place(to).ok_or(Code::INVALID)?,
        );
        let source = src.get(a..a.saturating_add(len)).ok_or(Code::INVALID)?;
        let target = dst.get_mut(b..b.saturating_add(len)).ok_or(Code::INVALID)?;
        target.copy_from_slice(source);
        let mut axis = outer;
        loop {
            let Some(next) = axis.checked_sub(1) else {
                return Ok(());
            };
            axis = next;
            at[axis] += 1;
            if at[axis] < from.lens[axis] {
                break;
            }
            at[axis] = 0;
        }
    }
}

/// Copies a box from one buffer to another: 0, or an error code.
///
/// # Safety
/// The shapes and coordinates are null or have `ndim` numbers; `src` and `dst` are null or valid
/// for buffers of their shapes, with items of `itemsize` bytes, and do not overlap.
#[unsafe(export_name = symbol!("b2nd_copy_buffer2"))]
pub unsafe extern "C" fn b2nd_copy_buffer2(
    ndim: i8,
    itemsize: i32,
    src: *const c_void,
    src_pad_shape: *const i64,
    src_start: *const i64,
    src_stop: *const i64,
    dst: *mut c_void,
    dst_pad_shape: *const i64,
    dst_start: *const i64,
) -> c_int {
    answer(|| {
        let (axes, typesize) = (usize::try_from(ndim)?, usize::try_from(itemsize)?);
        if axes > MAX_NDIM || typesize == 0 {
            return Err(Code::INVALID);
        }
        // SAFETY: `ndim` numbers by the caller's promise.
        let src_shape = unsafe { lengths(src_pad_shape, axes) }?;
        // SAFETY: as above.
        let start = unsafe { lengths(src_start, axes) }?;
        // SAFETY: as above.
        let stop = unsafe { lengths(src_stop, axes) }?;
        // SAFETY: as above.
        let dst_shape = unsafe { lengths(dst_pad_shape, axes) }?;
        // SAFETY: as above.
        let to = unsafe { lengths(dst_start, axes) }?;
        let lens: Vec<u64> = start
            .iter()
            .zip(&stop)
            .map(|(start, stop)| stop.saturating_sub(*start))
            .collect();
        let (from, to) = (
            Part::new(&src_shape, &start, &lens)?,
            Part::new(&dst_shape, &to, &lens)?,
        );
        let size = |shape: &[u64]| {
            let mut lens = shape.iter().map(|&len| usize::try_from(len).ok());
            let nbytes = lens.try_fold(typesize, |nbytes, len| nbytes.checked_mul(len?));
            nbytes.ok_or(Code::INVALID)
        };
        // SAFETY: null or a buffer of its shape by the caller's promise.
        let source = unsafe { items(src.cast::<MaybeUninit<u8>>(), size(&src_shape)?) }?;
        // SAFETY: as above.
        let target = unsafe { room(dst, size(&dst_shape)?) }?;
        copy(typesize, source, &from, target, &to)?;
        Ok(0)
    })
}

/// As [`b2nd_copy_buffer2`], for items of at most 255 bytes.
///
/// # Safety
/// As for [`b2nd_copy_buffer2`].
#[unsafe(export_name = symbol!("b2nd_copy_buffer"))]
pub unsafe extern "C" fn b2nd_copy_buffer(
    ndim: i8,
    itemsize: u8,
    src: *const c_void,
    src_pad_shape: *const i64,
    src_start: *const i64,
    src_stop: *const i64,
    dst: *mut c_void,
    dst_pad_shape: *const i64,
    dst_start: *const i64,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        b2nd_copy_buffer2(
            ndim,
            i32::from(itemsize),
            src,
            src_pad_shape,
            src_start,
            src_stop,
            dst,
            dst_pad_shape,
            dst_start,
        )
    }
}

/// Stores the coordinates of item `i` of a buffer, in C order.
///
/// # Safety
/// `shape` is null or has `ndim` lengths, `index` null or room for as many.
#[unsafe(export_name = symbol!("blosc2_unidim_to_multidim"))]
pub unsafe extern "C" fn blosc2_unidim_to_multidim(
    ndim: u8,
    shape: *const i64,
    i: i64,
    index: *mut i64,
) {
    guard((), || {
        // SAFETY: `ndim` lengths by the caller's promise.
        let Ok(shape) = (unsafe { items(shape, ndim) }) else {
            return;
        };
        // SAFETY: room for as many by the caller's promise.
        let Ok(index) = (unsafe { items_mut(index, ndim) }) else {
            return;
        };
        let mut rest = i;
        for (at, &len) in index.iter_mut().zip(shape).rev() {
            *at = rest.checked_rem(len).unwrap_or(0);
            rest = rest.checked_div(len).unwrap_or(0);
        }
    });
}

/// Stores the number of the item at coordinates, with these steps along each axis.
///
/// # Safety
/// `index` and `strides` are null or have `ndim` numbers, `i` is null or writable.
#[unsafe(export_name = symbol!("blosc2_multidim_to_unidim"))]
pub unsafe extern "C" fn blosc2_multidim_to_unidim(
    index: *const i64,
    ndim: i8,
    strides: *const i64,
    i: *mut i64,
) {
    guard((), || {
        // SAFETY: `ndim` numbers by the caller's promise.
        let Ok(index) = (unsafe { items(index, ndim) }) else {
            return;
        };
        // SAFETY: as above.
        let Ok(strides) = (unsafe { items(strides, ndim) }) else {
            return;
        };
        let terms = index
            .iter()
            .zip(strides)
            .map(|(at, step)| at.wrapping_mul(*step));
        let sum = terms.fold(0, i64::wrapping_add);
        // SAFETY: null or writable by the caller's promise.
        unsafe { crate::boundary::put(i, sum) };
    });
}
