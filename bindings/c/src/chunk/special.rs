//! Chunks of special values.

use std::ffi::{c_int, c_void};

use oxiblosc::{ChunkEncoder, Special};

use crate::abi::{BLOSC2_ERROR_DATA, blosc2_context, blosc2_cparams};
use crate::boundary::{Answer, Code, answer, bytes, room};
use crate::context::{core_cparams, writable};
use crate::global;

/// Writes a chunk of special values; its length.
///
/// # Safety
/// `dest` is null or writable for `destsize` bytes; the pointers in `cparams` are null or valid.
unsafe fn write(
    cparams: &blosc2_cparams,
    special: Special<'_>,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> Answer<c_int> {
    let nbytes = usize::try_from(nbytes)?;
    // SAFETY: null or writable by the caller's promise.
    let dest = unsafe { room(dest, destsize) }?;
    if dest.is_empty() {
        return Err(Code(BLOSC2_ERROR_DATA));
    }
    let plain = blosc2_cparams {
        prefilter: None,
        nthreads: 1,
        // Nothing is compressed, so that no codec has to have dictionaries.
        use_dict: 0,
        ..*cparams
    };
    // SAFETY: the pointers are null or valid by the caller's promise.
    let (core, _) = unsafe { core_cparams(&plain, std::ptr::null_mut::<blosc2_context>()) }?;
    let done = ChunkEncoder::new(core)?.encode_special_into(special, nbytes, writable(dest));
    let len = done.map_err(|error| {
        global::trace(&error);
        Code(BLOSC2_ERROR_DATA)
    })?;
    Ok(c_int::try_from(len)?)
}

/// Writes a chunk of zeros; its length (32), or an error code.
///
/// # Safety
/// `dest` is null or writable for `destsize` bytes; the pointers in `cparams` are null or valid.
#[unsafe(export_name = symbol!("blosc2_chunk_zeros"))]
pub unsafe extern "C" fn blosc2_chunk_zeros(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(&cparams, Special::Zeros, nbytes, dest, destsize) })
}

/// Writes a chunk of NaNs, of `float` or `double` by the typesize; its length (32), or an error
/// code.
///
/// # Safety
/// As for [`blosc2_chunk_zeros`].
#[unsafe(export_name = symbol!("blosc2_chunk_nans"))]
pub unsafe extern "C" fn blosc2_chunk_nans(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(&cparams, Special::Nans, nbytes, dest, destsize) })
}

/// Writes a chunk of values that are not initialised (here: zeros when decompressed); its length
/// (32), or an error code.
///
/// # Safety
/// As for [`blosc2_chunk_zeros`].
#[unsafe(export_name = symbol!("blosc2_chunk_uninit"))]
pub unsafe extern "C" fn blosc2_chunk_uninit(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { write(&cparams, Special::Uninit, nbytes, dest, destsize) })
}

/// Writes a chunk of one repeated item; its length (32 and the typesize), or an error code.
///
/// # Safety
/// As for [`blosc2_chunk_zeros`]; `repeatval` is null or readable for `cparams.typesize` bytes.
#[unsafe(export_name = symbol!("blosc2_chunk_repeatval"))]
pub unsafe extern "C" fn blosc2_chunk_repeatval(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
    repeatval: *const c_void,
) -> c_int {
    answer(|| {
        // SAFETY: null or readable by the caller's promise.
        let value = unsafe { bytes(repeatval, cparams.typesize) }?;
        // SAFETY: the caller's promise.
        unsafe { write(&cparams, Special::Repeat(value), nbytes, dest, destsize) }
    })
}
