//! Mapped files: the callbacks of `BLOSC2_IO_FILESYSTEM_MMAP`.
//!
//! The parameters are the stream. They keep the mapping while super-chunks open and close it, until
//! [`blosc2_stdio_mmap_destroy`].
//!
//! ```text
//! r           the file, for reading               shared
//! r+, w+      the file, which grows with writes   shared
//! c           the file, then zeros                private: nothing reaches the file
//! ```

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use super::mapping::{Mode, begin, close, grow};
use super::stdio::span;
use crate::abi::{BLOSC2_ERROR_FILE_WRITE, blosc2_stdio_mmap};
use crate::boundary::{Answer, Code, answer, answer_long, answer_pointer, guard, object_mut, text};
use crate::{global, memory};

/// Opens and maps a file as the parameters say; `mode` is not used. The result is `params`; null
/// when the file cannot be mapped, or the parameters map another one.
///
/// # Safety
/// `urlpath` is null or a C string; `params` is null or a valid `blosc2_stdio_mmap`, which no one
/// else uses meanwhile, whose fields but the first three are those of this library.
#[unsafe(export_name = symbol!("blosc2_stdio_mmap_open"))]
pub unsafe extern "C" fn blosc2_stdio_mmap_open(
    urlpath: *const c_char,
    mode: *const c_char,
    params: *mut c_void,
) -> *mut c_void {
    let _ = mode;
    answer_pointer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let path = unsafe { text(urlpath) }?;
        // SAFETY: null or valid, and not used by others, by the caller's promise.
        let map = unsafe { object_mut(params.cast::<blosc2_stdio_mmap>()) }?;
        if !map.addr.is_null() {
            // SAFETY: an open mapping has the path that `open` copied.
            let open = unsafe { text(map.urlpath) }?;
            return if open == path {
                Ok(params)
            } else {
                Err(Code::INVALID)
            };
        }
        // SAFETY: the mode is a C string by the caller's promise.
        let mode = Mode::of(unsafe { text(map.mode) }?)?;
        // SAFETY: two C strings.
        let file = unsafe { libc::fopen(path.as_ptr(), mode.open.as_ptr()) };
        if file.is_null() {
            return Err(Code::FAILURE);
        }
        // SAFETY: an open file.
        map.fd = unsafe { libc::fileno(file) };
        map.file = file.cast();
        map.is_memory_only = mode.private;
        map.access_flags = mode.protection.into();
        map.map_flags = mode.flags.into();
        if let Err(code) = begin(map, &mode) {
            close(map);
            return Err(code);
        }
        map.urlpath = memory::string(path)?;
        // SAFETY: the mode is a C string by the caller's promise.
        let mode = unsafe { text(map.mode) }?;
        global::inform(&format_args!(
            "Opened memory-mapped file {} in mode {} with an mapping size of {}.",
            path.to_string_lossy(),
            mode.to_string_lossy(),
            map.mapping_size,
        ));
        Ok(params)
    })
}

/// The parameters of a stream that is open.
///
/// # Safety
/// `stream` is null or a stream of [`blosc2_stdio_mmap_open`] that no one else uses meanwhile.
unsafe fn mapping<'a>(stream: *mut c_void) -> Answer<&'a mut blosc2_stdio_mmap> {
    // SAFETY: the caller's promise.
    let map = unsafe { object_mut(stream.cast::<blosc2_stdio_mmap>()) }?;
    if map.addr.is_null() {
        return Err(Code::NULL);
    }
    Ok(map)
}

/// Does nothing: the mapping stays until [`blosc2_stdio_mmap_destroy`].
///
/// # Safety
/// `stream` is not used.
#[unsafe(export_name = symbol!("blosc2_stdio_mmap_close"))]
pub unsafe extern "C" fn blosc2_stdio_mmap_close(stream: *mut c_void) -> c_int {
    let _ = stream;
    0
}

/// The bytes of the file, or of what it would be, or an error code.
///
/// # Safety
/// `stream` is null or a stream of [`blosc2_stdio_mmap_open`] that no one else uses meanwhile.
#[unsafe(export_name = symbol!("blosc2_stdio_mmap_size"))]
pub unsafe extern "C" fn blosc2_stdio_mmap_size(stream: *mut c_void) -> i64 {
    answer_long(|| {
        // SAFETY: the caller's promise.
        let map = unsafe { mapping(stream) }?;
        Ok(i64::try_from(map.file_size)?)
    })
}

/// Writes `nitems` items of `size` bytes at a position: the items written, 0 on failure.
///
/// # Safety
/// `ptr` is null or `size` x `nitems` bytes there, outside of the mapping, are readable; `stream`
/// is null or a stream of [`blosc2_stdio_mmap_open`] that no one else uses meanwhile.
#[unsafe(export_name = symbol!("blosc2_stdio_mmap_write"))]
pub unsafe extern "C" fn blosc2_stdio_mmap_write(
    ptr: *const c_void,
    size: i64,
    nitems: i64,
    position: i64,
    stream: *mut c_void,
) -> i64 {
    guard(0, || {
        // SAFETY: the caller's promise.
        let map = unsafe { mapping(stream) };
        let (Ok(map), Some((item, items, at))) = (map, span(size, nitems, position)) else {
            return 0;
        };
        let writes = map.access_flags & i64::from(libc::PROT_WRITE) != 0;
        let (Ok(at), len) = (usize::try_from(at), item.saturating_mul(items)) else {
            return 0;
        };
        if ptr.is_null() || !writes || grow(map, at.saturating_add(len)).is_err() {
            return 0;
        }
        // SAFETY: `grow` has made the mapping and the file reach beyond this place.
        let to = unsafe { map.addr.cast::<u8>().add(at) };
        // SAFETY: readable by the caller's promise, writable since `grow`; they do not overlap.
        unsafe { ptr::copy_nonoverlapping(ptr.cast::<u8>(), to, len) };
        nitems
    })
}

/// Stores the address of `nitems` items of `size` bytes at a position in `*ptr`: the items there,
/// 0 beyond the end. It holds until the next write.
///
/// # Safety
/// `ptr` is null or writable; `stream` is null or a stream of [`blosc2_stdio_mmap_open`] that
/// no one else uses meanwhile.
#[unsafe(export_name = symbol!("blosc2_stdio_mmap_read"))]
pub unsafe extern "C" fn blosc2_stdio_mmap_read(
    ptr: *mut *mut c_void,
    size: i64,
    nitems: i64,
    position: i64,
    stream: *mut c_void,
) -> i64 {
    guard(0, || {
        // SAFETY: the caller's promise.
        let map = unsafe { mapping(stream) };
        let (Ok(map), Some((item, items, at))) = (map, span(size, nitems, position)) else {
            return 0;
        };
        let (Ok(at), len) = (usize::try_from(at), item.saturating_mul(items)) else {
            return 0;
        };
        // SAFETY: null or writable by the caller's promise.
        let Ok(place) = (unsafe { object_mut(ptr) }) else {
            return 0;
        };
        if at.saturating_add(len) > map.file_size {
            return 0;
        }
        // SAFETY: within the mapping, whose first `file_size` bytes are those of the file.
        *place = unsafe { map.addr.cast::<u8>().add(at) }.cast();
        nitems
    })
}

/// Cuts or extends the file, or what it would be: 0, or an error code.
///
/// # Safety
/// `stream` is null or a stream of [`blosc2_stdio_mmap_open`] that no one else uses meanwhile.
#[unsafe(export_name = symbol!("blosc2_stdio_mmap_truncate"))]
pub unsafe extern "C" fn blosc2_stdio_mmap_truncate(stream: *mut c_void, size: i64) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let map = unsafe { mapping(stream) }?;
        let len = usize::try_from(size)?;
        if map.access_flags & i64::from(libc::PROT_WRITE) == 0 {
            return Err(Code(BLOSC2_ERROR_FILE_WRITE));
        }
        if len > map.file_size {
            grow(map, len)?;
        } else if !map.is_memory_only {
            // SAFETY: an open descriptor.
            if unsafe { libc::ftruncate(map.fd, size) } != 0 {
                return Err(Code(BLOSC2_ERROR_FILE_WRITE));
            }
        }
        map.file_size = len;
        Ok(0)
    })
}

/// Ends the mapping and closes the file: 0, or an error code. Frees the parameters if they say so.
///
/// # Safety
/// `params` is null or a valid `blosc2_stdio_mmap`, which no one uses meanwhile; if its
/// `needs_free` is set, it came from `malloc` and no one uses it afterwards.
#[unsafe(export_name = symbol!("blosc2_stdio_mmap_destroy"))]
pub unsafe extern "C" fn blosc2_stdio_mmap_destroy(params: *mut c_void) -> c_int {
    answer(|| {
        // SAFETY: null or valid, and not used by others, by the caller's promise.
        let map = unsafe { object_mut(params.cast::<blosc2_stdio_mmap>()) }?;
        close(map);
        if map.needs_free {
            // SAFETY: from `malloc` by the caller's promise.
            unsafe { memory::free(params) };
        }
        Ok(0)
    })
}
