//! Files through stdio, as the callbacks of `BLOSC2_IO_FILESYSTEM` give them to users.

use std::ffi::{c_char, c_int, c_void};

use crate::abi::blosc2_stdio_file;
use crate::boundary::{Answer, Code, answer, answer_long, answer_pointer, guard, object, text};
use crate::memory;

/// Opens a file; `mode` is that of `fopen`. Null when it cannot be opened.
///
/// # Safety
/// `urlpath` and `mode` are null or C strings; `params` is not used. The result is closed with
/// [`blosc2_stdio_close`].
#[unsafe(export_name = symbol!("blosc2_stdio_open"))]
pub unsafe extern "C" fn blosc2_stdio_open(
    urlpath: *const c_char,
    mode: *const c_char,
    params: *mut c_void,
) -> *mut c_void {
    let _ = params;
    answer_pointer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let path = unsafe { text(urlpath) }?;
        // SAFETY: null or a C string by the caller's promise.
        let mode = unsafe { text(mode) }?;
        // SAFETY: two C strings.
        let file = unsafe { libc::fopen(path.as_ptr(), mode.as_ptr()) };
        if file.is_null() {
            return Err(Code::FAILURE);
        }
        let stream = blosc2_stdio_file { file: file.cast() };
        Ok(memory::boxed(stream)?.cast::<c_void>())
    })
}

/// The `FILE` of a stream.
///
/// # Safety
/// `stream` is null or a stream of [`blosc2_stdio_open`] that is not closed.
unsafe fn file(stream: *mut c_void) -> Answer<*mut libc::FILE> {
    // SAFETY: null or a stream by the caller's promise; its field does not change.
    let stream = unsafe { object(stream.cast::<blosc2_stdio_file>()) }?;
    let file = stream.file.cast::<libc::FILE>();
    if file.is_null() {
        Err(Code::NULL)
    } else {
        Ok(file)
    }
}

/// Closes a file: 0, or an error code.
///
/// # Safety
/// `stream` is null or a stream of [`blosc2_stdio_open`], which is freed.
#[unsafe(export_name = symbol!("blosc2_stdio_close"))]
pub unsafe extern "C" fn blosc2_stdio_close(stream: *mut c_void) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let file = unsafe { file(stream) }?;
        // SAFETY: an open file, which no one uses afterwards.
        let closed = unsafe { libc::fclose(file) };
        // SAFETY: `blosc2_stdio_open` allocated it.
        unsafe { memory::free(stream) };
        Ok(closed)
    })
}

/// The bytes of a file, or an error code.
///
/// # Safety
/// `stream` is null or an open stream of [`blosc2_stdio_open`].
#[unsafe(export_name = symbol!("blosc2_stdio_size"))]
pub unsafe extern "C" fn blosc2_stdio_size(stream: *mut c_void) -> i64 {
    answer_long(|| {
        // SAFETY: the caller's promise.
        let file = unsafe { file(stream) }?;
        // SAFETY: an open file.
        if unsafe { libc::fseeko(file, 0, libc::SEEK_END) } < 0 {
            return Err(Code::FAILURE);
        }
        // SAFETY: an open file.
        Ok(unsafe { libc::ftello(file) })
    })
}

/// `nitems` items of `size` bytes as a number of bytes; `None` when that is impossible.
pub(super) fn span(size: i64, nitems: i64, position: i64) -> Option<(usize, usize, i64)> {
    let bytes = size.checked_mul(nitems)?;
    position.checked_add(bytes)?;
    if size <= 0 || nitems <= 0 || position < 0 {
        return None;
    }
    Some((
        usize::try_from(size).ok()?,
        usize::try_from(nitems).ok()?,
        position,
    ))
}

/// Goes to a position; false when that fails.
///
/// # Safety
/// `file` is open.
unsafe fn seek(file: *mut libc::FILE, position: i64) -> bool {
    // SAFETY: an open file by the caller's promise.
    unsafe { libc::fseeko(file, position, libc::SEEK_SET) == 0 }
}

/// Writes `nitems` items of `size` bytes at a position: the items written, 0 on failure.
///
/// # Safety
/// `ptr` is null or `size` x `nitems` bytes there are readable; `stream` is null or an open stream
/// of [`blosc2_stdio_open`].
#[unsafe(export_name = symbol!("blosc2_stdio_write"))]
pub unsafe extern "C" fn blosc2_stdio_write(
    ptr: *const c_void,
    size: i64,
    nitems: i64,
    position: i64,
    stream: *mut c_void,
) -> i64 {
    guard(0, || {
        // SAFETY: the caller's promise.
        let file = unsafe { file(stream) };
        let (Ok(file), Some((size, nitems, at))) = (file, span(size, nitems, position)) else {
            return 0;
        };
        // SAFETY: an open file.
        if ptr.is_null() || !unsafe { seek(file, at) } {
            return 0;
        }
        // SAFETY: the bytes are readable by the caller's promise, the file is open.
        let written = unsafe { libc::fwrite(ptr, size, nitems, file) };
        i64::try_from(written).unwrap_or(0)
    })
}

/// Reads `nitems` items of `size` bytes at a position into the memory that `*ptr` points to: the
/// items read, 0 on failure.
///
/// # Safety
/// `ptr` is null, or `*ptr` is null or `size` x `nitems` bytes there are writable; `stream` is null
/// or an open stream of [`blosc2_stdio_open`].
#[unsafe(export_name = symbol!("blosc2_stdio_read"))]
pub unsafe extern "C" fn blosc2_stdio_read(
    ptr: *mut *mut c_void,
    size: i64,
    nitems: i64,
    position: i64,
    stream: *mut c_void,
) -> i64 {
    guard(0, || {
        // SAFETY: the caller's promise.
        let file = unsafe { file(stream) };
        let (Ok(file), Some((size, nitems, at))) = (file, span(size, nitems, position)) else {
            return 0;
        };
        // SAFETY: null or readable by the caller's promise.
        let Ok(&to) = (unsafe { object(ptr) }) else {
            return 0;
        };
        // SAFETY: an open file.
        if to.is_null() || !unsafe { seek(file, at) } {
            return 0;
        }
        // SAFETY: the bytes are writable by the caller's promise, the file is open.
        let read = unsafe { libc::fread(to, size, nitems, file) };
        i64::try_from(read).unwrap_or(0)
    })
}

/// Cuts or extends a file: 0, or an error code.
///
/// # Safety
/// `stream` is null or an open stream of [`blosc2_stdio_open`].
#[unsafe(export_name = symbol!("blosc2_stdio_truncate"))]
pub unsafe extern "C" fn blosc2_stdio_truncate(stream: *mut c_void, size: i64) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let file = unsafe { file(stream) }?;
        // SAFETY: an open file.
        if unsafe { libc::fflush(file) } != 0 {
            return Err(Code::FAILURE);
        }
        // SAFETY: an open file.
        let descriptor = unsafe { libc::fileno(file) };
        // SAFETY: its descriptor; a bad size is an error of the call.
        Ok(unsafe { libc::ftruncate(descriptor, size) })
    })
}

/// Does nothing: files have no state of their own.
///
/// # Safety
/// `params` is not used.
#[unsafe(export_name = symbol!("blosc2_stdio_destroy"))]
pub unsafe extern "C" fn blosc2_stdio_destroy(params: *mut c_void) -> c_int {
    let _ = params;
    0
}
