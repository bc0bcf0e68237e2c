//! The contents of the header of a chunk.

use std::ffi::{CStr, c_char, c_int, c_void};

use oxiblosc::{ChunkHeader, ChunkView, Limits};

use crate::boundary::{answer, bytes, guard, put};
use crate::names::library_of;

/// The header at a pointer.
///
/// # Safety
/// `chunk` is null or readable for 16 bytes.
unsafe fn header(chunk: *const c_void) -> Option<ChunkHeader> {
    // SAFETY: null or readable by the caller's promise.
    ChunkHeader::parse(unsafe { bytes(chunk, 16) }?).ok()
}

/// Stores the sizes of a chunk: of its data, its own, and of its blocks; zeros for one that is not
/// valid.
///
/// # Safety
/// `cbuffer` is null or readable for 16 bytes; the others are null or writable.
#[unsafe(export_name = symbol!("blosc_cbuffer_sizes"))]
pub unsafe extern "C" fn blosc_cbuffer_sizes(
    cbuffer: *const c_void,
    nbytes: *mut usize,
    cbytes: *mut usize,
    blocksize: *mut usize,
) {
    guard((), || {
        // SAFETY: the caller's promise.
        let sizes = unsafe { header(cbuffer) }.map_or([0; 3], |header| {
            [header.nbytes, header.cbytes, header.blocksize]
        });
        for (place, size) in [nbytes, cbytes, blocksize].into_iter().zip(sizes) {
            // SAFETY: null or writable by the caller's promise.
            unsafe { put(place, usize::try_from(size).unwrap_or(0)) };
        }
    });
}

/// Whether `cbytes` bytes may be a chunk that is safe to decompress: 0 and the size of its data,
/// or -1 and 0.
///
/// # Safety
/// `cbuffer` is null or readable for `cbytes` bytes, `nbytes` null or writable.
#[unsafe(export_name = symbol!("blosc_cbuffer_validate"))]
pub unsafe extern "C" fn blosc_cbuffer_validate(
    cbuffer: *const c_void,
    cbytes: usize,
    nbytes: *mut usize,
) -> c_int {
    answer(|| {
        // SAFETY: null or writable by the caller's promise.
        unsafe { put(nbytes, 0) };
        // SAFETY: null or readable by the caller's promise.
        let chunk = unsafe { bytes(cbuffer, cbytes) }?;
        let view = ChunkView::parse(chunk, &Limits::FORMAT).ok()?;
        if usize::try_from(view.header().cbytes).ok()? != cbytes {
            return None;
        }
        // SAFETY: null or writable by the caller's promise.
        unsafe { put(nbytes, view.nbytes()) };
        Some(0)
    })
}

/// Stores the typesize and the flags of a chunk; zeros for one that is not valid.
///
/// # Safety
/// As for [`blosc_cbuffer_sizes`].
#[unsafe(export_name = symbol!("blosc_cbuffer_metainfo"))]
pub unsafe extern "C" fn blosc_cbuffer_metainfo(
    cbuffer: *const c_void,
    typesize: *mut usize,
    flags: *mut c_int,
) {
    guard((), || {
        // SAFETY: the caller's promise.
        let found = unsafe { header(cbuffer) };
        let size = found.map_or(0, |header| usize::from(header.typesize));
        // The bits that Blosc1 documents.
        let bits = found.map_or(0, |header| c_int::from(header.flags & 7));
        // SAFETY: null or writable by the caller's promise.
        unsafe { put(typesize, size) };
        // SAFETY: null or writable by the caller's promise.
        unsafe { put(flags, bits) };
    });
}

/// Stores the versions of the chunk and of its codec's format.
///
/// # Safety
/// `cbuffer` is null or readable for 2 bytes; the others are null or writable.
#[unsafe(export_name = symbol!("blosc_cbuffer_versions"))]
pub unsafe extern "C" fn blosc_cbuffer_versions(
    cbuffer: *const c_void,
    version: *mut c_int,
    compversion: *mut c_int,
) {
    guard((), || {
        // SAFETY: null or readable by the caller's promise.
        let front = unsafe { bytes(cbuffer, 2) }.unwrap_or(&[0, 0]);
        for (place, byte) in [version, compversion].into_iter().zip(front) {
            // SAFETY: null or writable by the caller's promise.
            unsafe { put(place, c_int::from(*byte)) };
        }
    });
}

/// The name of the library of a chunk's codec; null for a chunk that is not valid.
///
/// # Safety
/// As for [`blosc_cbuffer_sizes`]. The result is static and not to be freed.
#[unsafe(export_name = symbol!("blosc_cbuffer_complib"))]
pub unsafe extern "C" fn blosc_cbuffer_complib(cbuffer: *const c_void) -> *const c_char {
    guard(std::ptr::null(), || {
        // SAFETY: the caller's promise.
        let found = unsafe { header(cbuffer) };
        let name = found.and_then(|header| library_of(header.flags >> 5));
        name.map_or(std::ptr::null(), CStr::as_ptr)
    })
}
