//! The functions without a context.

use std::ffi::{CStr, c_char, c_int, c_void};

use super::engine::{compress, decompress, getitem};
use super::settings::locked;
use super::threads;
use crate::abi::{BLOSC2_ERROR_CODEC_SUPPORT, BLOSC2_ERROR_WRITE_BUFFER};
use crate::boundary::{Answer, Code, answer, bytes, guard, room, text};
use crate::context::{items_range, writable};
use crate::registry;

/// Prepares the library. Nothing needs it; it is here for programs that call it.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_init"))]
pub unsafe extern "C" fn blosc2_init() {}

/// Gives back threads and memory; the library can be used again. Parameters that were set stay.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_destroy"))]
pub unsafe extern "C" fn blosc2_destroy() {
    guard((), release);
}

/// Gives back threads and memory; 0.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_free_resources"))]
pub unsafe extern "C" fn blosc2_free_resources() -> c_int {
    guard((), release);
    0
}

fn release() {
    let mut settings = locked();
    settings.encoder = None;
    settings.decoder = None;
    drop(settings);
    threads::release();
}

/// Compresses with the parameters of the process; the length of the chunk, 0 if it does not fit,
/// or an error code.
///
/// # Safety
/// `src` is null or readable for `srcsize` bytes, `dest` null or writable for `destsize` bytes,
/// apart from `src`.
#[unsafe(export_name = symbol!("blosc2_compress"))]
pub unsafe extern "C" fn blosc2_compress(
    clevel: c_int,
    doshuffle: c_int,
    typesize: i32,
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    answer(|| {
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, srcsize) }?;
        // SAFETY: null or writable by the caller's promise.
        let dest = unsafe { room(dest, destsize) }?;
        let len = compress((clevel, doshuffle, typesize), src, writable(dest))?;
        Ok(c_int::try_from(len)?)
    })
}

/// As [`blosc2_compress`], with other types.
///
/// # Safety
/// As for [`blosc2_compress`], with `nbytes` for `srcsize`.
#[unsafe(export_name = symbol!("blosc1_compress"))]
pub unsafe extern "C" fn blosc1_compress(
    clevel: c_int,
    doshuffle: c_int,
    typesize: usize,
    nbytes: usize,
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
) -> c_int {
    answer(|| {
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, nbytes) }?;
        // SAFETY: null or writable by the caller's promise.
        let dest = unsafe { room(dest, destsize) }?;
        let typesize = i32::try_from(typesize).unwrap_or(1);
        let len = compress((clevel, doshuffle, typesize), src, writable(dest))?;
        Ok(c_int::try_from(len)?)
    })
}

/// Decompresses; the bytes of the data, or an error code.
///
/// # Safety
/// As for [`blosc2_compress`].
#[unsafe(export_name = symbol!("blosc2_decompress"))]
pub unsafe extern "C" fn blosc2_decompress(
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    answer(|| {
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, srcsize) }?;
        // SAFETY: null or writable by the caller's promise.
        let dest = unsafe { room(dest, destsize) }?;
        Ok(c_int::try_from(decompress(src, dest)?)?)
    })
}

/// The chunk at a pointer, as long as its header says.
///
/// # Safety
/// `src` is null or a chunk, readable for the length in its header.
unsafe fn chunk_at<'a>(src: *const c_void) -> Answer<&'a [u8]> {
    // SAFETY: at least a header by the caller's promise.
    let front = unsafe { bytes(src, 16) }?;
    let &[.., c0, c1, c2, c3] = front else {
        return Err(Code::FAILURE);
    };
    let len = i32::from_le_bytes([c0, c1, c2, c3]);
    // SAFETY: readable for the length in the header by the caller's promise.
    unsafe { bytes(src, len.max(16)) }
}

/// As [`blosc2_decompress`], for a chunk that is as long as its header says.
///
/// # Safety
/// `src` is null or a chunk, readable for the length in its header (`blosc1_cbuffer_validate`
/// tells); `dest` is null or writable for `destsize` bytes, apart from `src`.
#[unsafe(export_name = symbol!("blosc1_decompress"))]
pub unsafe extern "C" fn blosc1_decompress(
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { chunk_at(src) }?;
        // SAFETY: null or writable by the caller's promise.
        let dest = unsafe { room(dest, destsize) }?;
        Ok(c_int::try_from(decompress(src, dest)?)?)
    })
}

/// Decompresses `nitems` items from `start` on; their bytes, or an error code.
///
/// # Safety
/// As for [`blosc2_compress`].
#[unsafe(export_name = symbol!("blosc2_getitem"))]
pub unsafe extern "C" fn blosc2_getitem(
    src: *const c_void,
    srcsize: i32,
    start: c_int,
    nitems: c_int,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    answer(|| {
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, srcsize) }?;
        let destsize = usize::try_from(destsize)?;
        let range = |sizes| items_range(sizes, start, nitems);
        let len = getitem(src, range, |len| {
            if len > destsize {
                return Err(Code(BLOSC2_ERROR_WRITE_BUFFER));
            }
            // SAFETY: null or writable by the caller's promise, which covers `len`.
            unsafe { room(dest, len) }
        })?;
        Ok(c_int::try_from(len)?)
    })
}

/// As [`blosc2_getitem`], for a chunk that is as long as its header says and a `dest` with room
/// for the items.
///
/// # Safety
/// `src` is null or a chunk, readable for the length in its header; `dest` is null or writable for
/// `nitems` items, apart from `src`.
#[unsafe(export_name = symbol!("blosc1_getitem"))]
pub unsafe extern "C" fn blosc1_getitem(
    src: *const c_void,
    start: c_int,
    nitems: c_int,
    dest: *mut c_void,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { chunk_at(src) }?;
        let range = |sizes| items_range(sizes, start, nitems);
        // SAFETY: null or writable for the items by the caller's promise.
        let len = getitem(src, range, |len| unsafe { room(dest, len) })?;
        Ok(c_int::try_from(len)?)
    })
}

/// The number of threads of the functions without a context.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_get_nthreads"))]
pub unsafe extern "C" fn blosc2_get_nthreads() -> i16 {
    guard(1, || locked().nthreads)
}

/// Sets the number of threads; the number before, or an error code for one below 1.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_set_nthreads"))]
pub unsafe extern "C" fn blosc2_set_nthreads(nthreads: i16) -> i16 {
    let failed = i16::try_from(Code::INVALID.0).unwrap_or(-1);
    guard(failed, || {
        if nthreads < 1 {
            return failed;
        }
        std::mem::replace(&mut locked().nthreads, nthreads)
    })
}

/// The name of the codec of the functions without a context.
///
/// # Safety
/// None is needed. The result is static and not to be freed.
#[unsafe(export_name = symbol!("blosc1_get_compressor"))]
pub unsafe extern "C" fn blosc1_get_compressor() -> *const c_char {
    guard(std::ptr::null(), || {
        let code = locked().compcode;
        registry::name_of(code).map_or(std::ptr::null(), CStr::as_ptr)
    })
}

/// Sets the codec of the functions without a context; its code, or -1 for a name that no one has.
///
/// # Safety
/// `compname` is null or a C string.
#[unsafe(export_name = symbol!("blosc1_set_compressor"))]
pub unsafe extern "C" fn blosc1_set_compressor(compname: *const c_char) -> c_int {
    guard(-1, || {
        // SAFETY: null or a C string by the caller's promise.
        let name = unsafe { text(compname) };
        let Some(code) = name.ok().and_then(registry::code_of) else {
            return -1;
        };
        // As in C: those with a fixed id need a context.
        if (32..160).contains(&code) {
            return BLOSC2_ERROR_CODEC_SUPPORT;
        }
        locked().compcode = code;
        c_int::from(code)
    })
}

/// Sets whether the functions without a context use the filter delta.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_set_delta"))]
pub unsafe extern "C" fn blosc2_set_delta(dodelta: c_int) {
    guard((), || locked().delta = dodelta > 0);
}

/// The size of blocks of the functions without a context; 0 for automatic.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc1_get_blocksize"))]
pub unsafe extern "C" fn blosc1_get_blocksize() -> c_int {
    guard(0, || locked().blocksize)
}

/// Sets the size of blocks; 0 for automatic. Sizes beyond an `int` are taken for the largest.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc1_set_blocksize"))]
pub unsafe extern "C" fn blosc1_set_blocksize(blocksize: usize) {
    guard((), || {
        locked().blocksize = i32::try_from(blocksize).unwrap_or(i32::MAX);
    });
}

/// Sets the rule by which blocks are split.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc1_set_splitmode"))]
pub unsafe extern "C" fn blosc1_set_splitmode(splitmode: c_int) {
    guard((), || locked().splitmode = splitmode);
}
