//! The contents of the header of a chunk.

use std::ffi::{c_char, c_int, c_void};

use oxiblosc::{ChunkView, Limits};

use super::header_of;
use crate::abi::{BLOSC2_ERROR_INVALID_HEADER, BLOSC2_ERROR_WRITE_BUFFER};
use crate::boundary::{Answer, Code, answer, bytes, guard, put};
use crate::global;

/// The largest size of a block.
const MAX_BLOCKSIZE: i32 = 536_866_816;

/// The fields that these functions tell, all in the first 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Fields {
    flags: u8,
    typesize: u8,
    nbytes: i32,
    blocksize: i32,
    cbytes: i32,
}

/// The fields at a pointer, checked on their own: the rest of the header may not be there.
///
/// # Errors
/// `INVALID_HEADER` for numbers that no chunk has.
///
/// # Safety
/// `chunk` is null or readable for 16 bytes.
unsafe fn fields(chunk: *const c_void) -> Answer<Fields> {
    // SAFETY: null or readable for 16 bytes by the caller's promise.
    let front = unsafe { bytes(chunk, 16) }?;
    let Some(&[_, _, flags, typesize, ref sizes @ ..]) = front.first_chunk::<16>() else {
        return Err(Code(BLOSC2_ERROR_INVALID_HEADER));
    };
    let &[n0, n1, n2, n3, b0, b1, b2, b3, c0, c1, c2, c3] = sizes;
    let found = Fields {
        flags,
        typesize,
        nbytes: i32::from_le_bytes([n0, n1, n2, n3]),
        blocksize: i32::from_le_bytes([b0, b1, b2, b3]),
        cbytes: i32::from_le_bytes([c0, c1, c2, c3]),
    };
    let sizes = found.nbytes >= 0 && found.cbytes >= 16 && found.blocksize > 0;
    if typesize == 0 || !sizes || found.blocksize > MAX_BLOCKSIZE {
        return Err(Code(BLOSC2_ERROR_INVALID_HEADER));
    }
    Ok(found)
}

/// Stores the sizes of a chunk: of its data, its own, and of its blocks. 0, or an error code.
///
/// # Safety
/// `cbuffer` is null or readable for 16 bytes; the others are null or writable.
#[unsafe(export_name = symbol!("blosc2_cbuffer_sizes"))]
pub unsafe extern "C" fn blosc2_cbuffer_sizes(
    cbuffer: *const c_void,
    nbytes: *mut i32,
    cbytes: *mut i32,
    blocksize: *mut i32,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let found = unsafe { fields(cbuffer) };
        let sizes = match &found {
            Ok(fields) => [fields.nbytes, fields.cbytes, fields.blocksize],
            Err(_) => [0; 3],
        };
        for (place, size) in [nbytes, cbytes, blocksize].into_iter().zip(sizes) {
            // SAFETY: null or writable by the caller's promise.
            unsafe { put(place, size) };
        }
        found.map(|_| 0)
    })
}

/// Stores the sizes of a chunk; zeros for one that is not valid.
///
/// # Safety
/// As for [`blosc2_cbuffer_sizes`].
#[unsafe(export_name = symbol!("blosc1_cbuffer_sizes"))]
pub unsafe extern "C" fn blosc1_cbuffer_sizes(
    cbuffer: *const c_void,
    nbytes: *mut usize,
    cbytes: *mut usize,
    blocksize: *mut usize,
) {
    guard((), || {
        // SAFETY: the caller's promise.
        let sizes = match unsafe { fields(cbuffer) } {
            Ok(fields) => [fields.nbytes, fields.cbytes, fields.blocksize],
            Err(_) => [0; 3],
        };
        for (place, size) in [nbytes, cbytes, blocksize].into_iter().zip(sizes) {
            // SAFETY: null or writable by the caller's promise.
            unsafe { put(place, usize::try_from(size).unwrap_or(0)) };
        }
    });
}

/// Whether `cbytes` bytes may be a chunk that is safe to decompress; 0 and the size of its data,
/// or an error code.
///
/// # Safety
/// `cbuffer` is null or readable for `cbytes` bytes, `nbytes` null or writable.
#[unsafe(export_name = symbol!("blosc1_cbuffer_validate"))]
pub unsafe extern "C" fn blosc1_cbuffer_validate(
    cbuffer: *const c_void,
    cbytes: usize,
    nbytes: *mut usize,
) -> c_int {
    answer(|| {
        let found = || -> Answer<usize> {
            if cbytes < 16 {
                return Err(Code(BLOSC2_ERROR_WRITE_BUFFER));
            }
            // SAFETY: null or readable by the caller's promise.
            let chunk = unsafe { bytes(cbuffer, cbytes) }?;
            let (header, _) = header_of(chunk)?;
            if usize::try_from(header.cbytes)? != cbytes {
                return Err(Code(BLOSC2_ERROR_INVALID_HEADER));
            }
            Ok(ChunkView::parse(chunk, &Limits::FORMAT)?.nbytes())
        };
        let found = found();
        // SAFETY: null or writable by the caller's promise.
        unsafe { put(nbytes, found.unwrap_or(0)) };
        found.map(|_| 0)
    })
}

/// Stores the typesize and the flags of a chunk; zeros for one that is not valid.
///
/// # Safety
/// As for [`blosc2_cbuffer_sizes`].
#[unsafe(export_name = symbol!("blosc1_cbuffer_metainfo"))]
pub unsafe extern "C" fn blosc1_cbuffer_metainfo(
    cbuffer: *const c_void,
    typesize: *mut usize,
    flags: *mut c_int,
) {
    guard((), || {
        // SAFETY: the caller's promise.
        let (size, bits) = match unsafe { fields(cbuffer) } {
            Ok(fields) => (usize::from(fields.typesize), c_int::from(fields.flags)),
            Err(_) => (0, 0),
        };
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
#[unsafe(export_name = symbol!("blosc2_cbuffer_versions"))]
pub unsafe extern "C" fn blosc2_cbuffer_versions(
    cbuffer: *const c_void,
    version: *mut c_int,
    versionlz: *mut c_int,
) {
    guard((), || {
        // SAFETY: null or readable by the caller's promise.
        let front = unsafe { bytes(cbuffer, 2) }.unwrap_or(&[0, 0]);
        for (place, byte) in [version, versionlz].into_iter().zip(front) {
            // SAFETY: null or writable by the caller's promise.
            unsafe { put(place, c_int::from(*byte)) };
        }
    });
}

/// The name of the library of a chunk's codec; null for a chunk that is not valid or a codec that
/// is no one's.
///
/// # Safety
/// As for [`blosc2_cbuffer_sizes`]. The result is static and not to be freed.
#[unsafe(export_name = symbol!("blosc2_cbuffer_complib"))]
pub unsafe extern "C" fn blosc2_cbuffer_complib(cbuffer: *const c_void) -> *const c_char {
    guard(std::ptr::null(), || {
        // SAFETY: the caller's promise.
        let Ok(fields) = (unsafe { fields(cbuffer) }) else {
            return std::ptr::null();
        };
        let name = global::library_name(fields.flags >> 5);
        name.map_or(std::ptr::null(), std::ffi::CStr::as_ptr)
    })
}
