//! The shuffle filters on blocks of memory.

use std::ffi::c_void;

use oxiblosc::kernels::Kernels;

use crate::abi::BLOSC2_ERROR_INVALID_PARAM;
use crate::boundary::{Answer, Code, bytes, guard, room};
use crate::context::writable;

/// Runs a filter; the size of the block, or an error code.
///
/// # Safety
/// `src` is null or readable, `dest` null or writable for `blocksize` bytes, apart from each other.
unsafe fn run(
    typesize: i32,
    blocksize: i32,
    src: *const c_void,
    dest: *mut c_void,
    filter: impl FnOnce(Kernels, usize, &[u8], &mut [u8]),
) -> i32 {
    let done = || -> Answer<i32> {
        if !(1..=256).contains(&typesize) {
            return Err(Code::INVALID);
        }
        // SAFETY: null or readable by the caller's promise.
        let src = unsafe { bytes(src, blocksize) }?;
        // SAFETY: null or writable by the caller's promise.
        let dest = unsafe { room(dest, blocksize) }?;
        filter(
            Kernels::best(),
            usize::try_from(typesize)?,
            src,
            writable(dest),
        );
        Ok(blocksize)
    };
    guard(BLOSC2_ERROR_INVALID_PARAM, || {
        done().unwrap_or_else(|code| code.0)
    })
}

/// Shuffles the bytes of a block; its size, or an error code.
///
/// # Safety
/// `src` is null or readable, `dest` null or writable for `blocksize` bytes, apart from each other.
#[unsafe(export_name = symbol!("blosc2_shuffle"))]
pub unsafe extern "C" fn blosc2_shuffle(
    typesize: i32,
    blocksize: i32,
    src: *const c_void,
    dest: *mut c_void,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        run(typesize, blocksize, src, dest, |k, t, src, dst| {
            k.shuffle(t, src, dst);
        })
    }
}

/// Undoes [`blosc2_shuffle`].
///
/// # Safety
/// As for [`blosc2_shuffle`].
#[unsafe(export_name = symbol!("blosc2_unshuffle"))]
pub unsafe extern "C" fn blosc2_unshuffle(
    typesize: i32,
    blocksize: i32,
    src: *const c_void,
    dest: *mut c_void,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        run(typesize, blocksize, src, dest, |k, t, src, dst| {
            k.unshuffle(t, src, dst);
        })
    }
}

/// Shuffles the bits of a block, as far as there are eight items for a byte; its size, or an error
/// code.
///
/// # Safety
/// As for [`blosc2_shuffle`].
#[unsafe(export_name = symbol!("blosc2_bitshuffle"))]
pub unsafe extern "C" fn blosc2_bitshuffle(
    typesize: i32,
    blocksize: i32,
    src: *const c_void,
    dest: *mut c_void,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        run(typesize, blocksize, src, dest, |k, t, src, dst| {
            k.bitshuffle(t, src, dst);
        })
    }
}

/// Undoes [`blosc2_bitshuffle`].
///
/// # Safety
/// As for [`blosc2_shuffle`].
#[unsafe(export_name = symbol!("blosc2_bitunshuffle"))]
pub unsafe extern "C" fn blosc2_bitunshuffle(
    typesize: i32,
    blocksize: i32,
    src: *const c_void,
    dest: *mut c_void,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        run(typesize, blocksize, src, dest, |k, t, src, dst| {
            k.bitunshuffle(t, src, dst);
        })
    }
}
