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

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use super::stdio::span;
use crate::abi::{BLOSC2_ERROR_FILE_WRITE, blosc2_stdio_mmap};
use crate::boundary::{Answer, Code, answer, answer_long, answer_pointer, guard, object_mut, text};
use crate::{global, memory};

/// How a file is opened and mapped.
struct Mode {
    open: &'static CStr,
    protection: c_int,
    flags: c_int,
    private: bool,
}

impl Mode {
    fn of(text: &CStr) -> Answer<Self> {
        let (open, writes, private) = match text.to_bytes() {
            b"r" => (c"rb", false, false),
            b"r+" => (c"rb+", true, false),
            b"w+" => (c"wb+", true, false),
            b"c" => (c"rb", true, true),
            _ => return Err(Code::INVALID),
        };
        Ok(Self {
            open,
            protection: libc::PROT_READ | if writes { libc::PROT_WRITE } else { 0 },
            flags: if private {
                libc::MAP_PRIVATE
            } else {
                libc::MAP_SHARED
            },
            private,
        })
    }

    fn writes(&self) -> bool {
        self.protection & libc::PROT_WRITE != 0
    }
}

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

/// Maps the file that was just opened.
fn begin(map: &mut blosc2_stdio_mmap, mode: &Mode) -> Answer<()> {
    let mut stat = std::mem::MaybeUninit::<libc::stat>::zeroed();
    // SAFETY: an open descriptor, and room for the result.
    if unsafe { libc::fstat(map.fd, stat.as_mut_ptr()) } != 0 {
        return Err(Code::FAILURE);
    }
    // SAFETY: zeroed, which is a valid `stat`, then filled by the call.
    let stat = unsafe { stat.assume_init() };
    map.file_size = usize::try_from(stat.st_size)?;
    map.mapping_size = if mode.writes() {
        map.file_size.max(map.initial_mapping_size).max(1)
    } else {
        map.file_size
    };
    if map.mapping_size == 0 {
        return Err(Code::INVALID);
    }
    if mode.private {
        let addr = reserve(map.mapping_size)?;
        if map.file_size > 0 {
            // SAFETY: within the pages just reserved, which nothing else refers to.
            let over = unsafe {
                libc::mmap(
                    addr,
                    map.file_size,
                    mode.protection,
                    mode.flags | libc::MAP_FIXED,
                    map.fd,
                    0,
                )
            };
            if over == libc::MAP_FAILED {
                // SAFETY: the pages just reserved.
                unsafe { libc::munmap(addr, map.mapping_size) };
                return Err(Code::FAILURE);
            }
        }
        map.addr = addr.cast();
        return Ok(());
    }
    // SAFETY: a new mapping of an open file; pages beyond its end are not touched before it grows.
    let addr = unsafe {
        libc::mmap(
            ptr::null_mut(),
            map.mapping_size,
            mode.protection,
            mode.flags,
            map.fd,
            0,
        )
    };
    if addr == libc::MAP_FAILED {
        return Err(Code::FAILURE);
    }
    map.addr = addr.cast();
    Ok(())
}

/// Private pages of zeros.
fn reserve(len: usize) -> Answer<*mut c_void> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: new pages, of no file.
    let addr = unsafe { libc::mmap(ptr::null_mut(), len, access, flags, -1, 0) };
    if addr == libc::MAP_FAILED {
        return Err(Code::MEMORY);
    }
    Ok(addr)
}

/// Makes the mapping, and the file of a shared one, reach to `end`.
fn grow(map: &mut blosc2_stdio_mmap, end: usize) -> Answer<()> {
    if end > map.mapping_size {
        let len = end.max(map.mapping_size.saturating_mul(2));
        let addr: *mut c_void = map.addr.cast();
        if map.is_memory_only {
            let new = reserve(len)?;
            // SAFETY: both ranges are mapped, and they do not overlap.
            unsafe { ptr::copy_nonoverlapping(addr.cast::<u8>(), new.cast::<u8>(), map.file_size) };
            // SAFETY: the old mapping, which no one refers to any more.
            unsafe { libc::munmap(addr, map.mapping_size) };
            map.addr = new.cast();
        } else {
            let new = remap(map, len)?;
            map.addr = new.cast();
        }
        map.mapping_size = len;
    }
    if end > map.file_size {
        if !map.is_memory_only {
            // SAFETY: an open descriptor.
            if unsafe { libc::ftruncate(map.fd, i64::try_from(end)?) } != 0 {
                return Err(Code(BLOSC2_ERROR_FILE_WRITE));
            }
        }
        map.file_size = end;
    }
    Ok(())
}

/// A longer mapping of the file in place of the old one.
fn remap(map: &blosc2_stdio_mmap, len: usize) -> Answer<*mut c_void> {
    let protection = c_int::try_from(map.access_flags)?;
    let flags = c_int::try_from(map.map_flags)?;
    // SAFETY: a new mapping of an open file; both show the same pages.
    let new = unsafe { libc::mmap(ptr::null_mut(), len, protection, flags, map.fd, 0) };
    if new == libc::MAP_FAILED {
        return Err(Code::MEMORY);
    }
    // SAFETY: the old mapping, which no one refers to any more.
    unsafe { libc::munmap(map.addr.cast(), map.mapping_size) };
    Ok(new)
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

/// Unmaps and closes what is open.
fn close(map: &mut blosc2_stdio_mmap) {
    if !map.addr.is_null() {
        // SAFETY: the mapping, which no one refers to any more.
        unsafe { libc::munmap(map.addr.cast(), map.mapping_size) };
    }
    if !map.file.is_null() {
        // SAFETY: the open file, which no one uses afterwards.
        unsafe { libc::fclose(map.file.cast()) };
    }
    // SAFETY: null, or the copy of the path that `open` made.
    unsafe { memory::free(map.urlpath) };
    *map = blosc2_stdio_mmap {
        mode: map.mode,
        initial_mapping_size: map.initial_mapping_size,
        needs_free: map.needs_free,
        ..blosc2_stdio_mmap::default()
    };
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
