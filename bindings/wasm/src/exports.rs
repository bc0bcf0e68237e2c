//! The functions that the page calls.
//!
//! A page passes what it got from these functions: handles that are not closed, memory of
//! [`oxiblosc_alloc`] with its length. The memory is that of the module alone, so a page that
//! passes something else breaks nothing but the module.

use std::ops::Range;

use crate::handle::{Handle, Outcome};

fn code(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Done => 0,
        Outcome::Missing => 1,
        Outcome::Failed => -1,
    }
}

fn boxed(handle: Handle) -> *mut Handle {
    Box::into_raw(Box::new(handle))
}

/// The bytes of a page.
///
/// # Safety
/// `bytes` is memory of [`oxiblosc_alloc`] with `len` bytes or more, which nothing changes
/// meanwhile.
unsafe fn given<'a>(bytes: *const u8, len: usize) -> &'a [u8] {
    // SAFETY: the caller states that there are so many bytes.
    unsafe { std::slice::from_raw_parts(bytes, len) }
}

/// The handle of a page.
///
/// # Safety
/// `handle` is not closed, and no other call with it is under way.
unsafe fn held<'a>(handle: *mut Handle) -> &'a mut Handle {
    // SAFETY: the caller states that the handle is open, and in use by no other call.
    unsafe { &mut *handle }
}

/// Memory for `len` bytes, which are 0; a null pointer when there is none.
#[unsafe(no_mangle)]
extern "C" fn oxiblosc_alloc(len: usize) -> *mut u8 {
    let mut bytes: Vec<u8> = Vec::new();
    if bytes.try_reserve_exact(len.max(1)).is_err() {
        return std::ptr::null_mut();
    }
    bytes.resize(len.max(1), 0);
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// Gives memory of [`oxiblosc_alloc`] back.
///
/// # Safety
/// `bytes` is what was returned for this `len`, and is used no more.
#[unsafe(no_mangle)]
unsafe extern "C" fn oxiblosc_free(bytes: *mut u8, len: usize) {
    let whole = std::ptr::slice_from_raw_parts_mut(bytes, len.max(1));
    // SAFETY: it is the box that `oxiblosc_alloc` made, of the same length.
    drop(unsafe { Box::from_raw(whole) });
}

/// [`Handle::open`].
#[unsafe(no_mangle)]
extern "C" fn oxiblosc_open(len: u64) -> *mut Handle {
    boxed(Handle::open(len))
}

/// [`Handle::slice`]: `axes` are a start and an end for each of `naxes` axes, as bytes.
///
/// # Safety
/// `handle` is not closed; `axes` has 16 bytes for each axis.
#[unsafe(no_mangle)]
unsafe extern "C" fn oxiblosc_slice(
    handle: *mut Handle,
    axes: *const u8,
    naxes: usize,
) -> *mut Handle {
    // SAFETY: the caller states it.
    let axes = unsafe { given(axes, naxes.saturating_mul(16)) };
    let number = |bytes: &[u8]| {
        let bytes = bytes.try_into().unwrap_or_default();
        u64::from_le_bytes(bytes)
    };
    let range = |both: &[u8]| {
        let (start, end) = both.split_at(8);
        Range {
            start: number(start),
            end: number(end),
        }
    };
    let axes: Vec<_> = axes.chunks_exact(16).map(range).collect();
    // SAFETY: the caller states that the handle is open.
    let handle = unsafe { held(handle) };
    boxed(handle.slice(&axes))
}

/// [`Handle::needs`].
///
/// # Safety
/// `handle` is not closed.
#[unsafe(no_mangle)]
unsafe extern "C" fn oxiblosc_needs(handle: *mut Handle) -> i32 {
    // SAFETY: the caller states it.
    let handle = unsafe { held(handle) };
    code(handle.needs())
}

/// [`Handle::give`].
///
/// # Safety
/// `handle` is not closed; `bytes` is memory of [`oxiblosc_alloc`] with `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn oxiblosc_give(handle: *mut Handle, at: u64, bytes: *const u8, len: usize) {
    // SAFETY: the caller states it of the bytes.
    let bytes = unsafe { given(bytes, len) };
    // SAFETY: the caller states it of the handle.
    let handle = unsafe { held(handle) };
    handle.give(at, bytes);
}

/// [`Handle::finish`].
///
/// # Safety
/// `handle` is not closed.
#[unsafe(no_mangle)]
unsafe extern "C" fn oxiblosc_finish(handle: *mut Handle) -> i32 {
    // SAFETY: the caller states it.
    let handle = unsafe { held(handle) };
    code(handle.finish())
}

/// [`Handle::shapes`].
///
/// # Safety
/// `handle` is not closed.
#[unsafe(no_mangle)]
unsafe extern "C" fn oxiblosc_shapes(handle: *mut Handle) -> i32 {
    // SAFETY: the caller states it.
    let handle = unsafe { held(handle) };
    code(handle.shapes())
}

/// [`Handle::dtype`].
///
/// # Safety
/// `handle` is not closed.
#[unsafe(no_mangle)]
unsafe extern "C" fn oxiblosc_dtype(handle: *mut Handle) -> i32 {
    // SAFETY: the caller states it.
    let handle = unsafe { held(handle) };
    code(handle.dtype())
}

/// The answer of the last call; valid until the next one.
///
/// # Safety
/// `handle` is not closed.
#[unsafe(no_mangle)]
unsafe extern "C" fn oxiblosc_answer(handle: *mut Handle) -> *const u8 {
    // SAFETY: the caller states it.
    let handle = unsafe { held(handle) };
    handle.answer.as_ptr()
}

/// The number of bytes of the answer.
///
/// # Safety
/// `handle` is not closed.
#[unsafe(no_mangle)]
unsafe extern "C" fn oxiblosc_answer_len(handle: *mut Handle) -> usize {
    // SAFETY: the caller states it.
    let handle = unsafe { held(handle) };
    handle.answer.len()
}

/// Closes a handle. Reads of an array may go on without it.
///
/// # Safety
/// `handle` is used no more.
#[unsafe(no_mangle)]
unsafe extern "C" fn oxiblosc_close(handle: *mut Handle) {
    // SAFETY: `boxed` made it, and the caller states that it is closed once.
    drop(unsafe { Box::from_raw(handle) });
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiblosc::b2nd::{Array, ArrayParams};

    #[test]
    fn as_the_page_calls_them() -> oxiblosc::Result<()> {
        let params = ArrayParams::new::<u8>([3]);
        let object = Array::from_elements(&[1_u8, 2, 3], &params)?
            .schunk()
            .to_cframe()?;
        let place = oxiblosc_alloc(object.len());
        // SAFETY: the memory has room for the bytes of the object.
        unsafe { place.copy_from_nonoverlapping(object.as_ptr(), object.len()) };
        let array = oxiblosc_open(object.len() as u64);
        // SAFETY: handle and memory are those from above.
        unsafe { oxiblosc_give(array, 0, place, object.len()) };
        // SAFETY: it is freed once.
        unsafe { oxiblosc_free(place, object.len()) };
        // SAFETY: the handle is open.
        assert_eq!(unsafe { oxiblosc_needs(array) }, 0);
        // SAFETY: as before.
        assert_eq!(unsafe { oxiblosc_finish(array) }, 0);
        let axes: Vec<u8> = [1_u64, 3].into_iter().flat_map(u64::to_le_bytes).collect();
        // SAFETY: the handle is open, and there are 16 bytes.
        let read = unsafe { oxiblosc_slice(array, axes.as_ptr(), 1) };
        // SAFETY: it is closed once; the read goes on.
        unsafe { oxiblosc_close(array) };
        // SAFETY: the handle of the read is open.
        assert_eq!(unsafe { oxiblosc_needs(read) }, 0);
        // SAFETY: as before.
        assert_eq!(unsafe { oxiblosc_finish(read) }, 0);
        // SAFETY: as before.
        let len = unsafe { oxiblosc_answer_len(read) };
        // SAFETY: as before.
        let at = unsafe { oxiblosc_answer(read) };
        // SAFETY: the answer is that long until the next call.
        let answer = unsafe { given(at, len) };
        assert_eq!(answer, [2, 3]);
        // SAFETY: it is closed once.
        unsafe { oxiblosc_close(read) };
        Ok(())
    }
}
