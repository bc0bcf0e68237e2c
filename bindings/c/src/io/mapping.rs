//! The mapping of a file: made, made longer, ended.

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use crate::abi::{BLOSC2_ERROR_FILE_WRITE, blosc2_stdio_mmap};
use crate::boundary::{Answer, Code};
use crate::memory;

/// How a file is opened and mapped.
pub(super) struct Mode {
    pub(super) open: &'static CStr,
    pub(super) protection: c_int,
    pub(super) flags: c_int,
    pub(super) private: bool,
}

impl Mode {
    pub(super) fn of(text: &CStr) -> Answer<Self> {
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

/// Maps the file that was just opened.
pub(super) fn begin(map: &mut blosc2_stdio_mmap, mode: &Mode) -> Answer<()> {
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
pub(super) fn grow(map: &mut blosc2_stdio_mmap, end: usize) -> Answer<()> {
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

/// Unmaps and closes what is open.
pub(super) fn close(map: &mut blosc2_stdio_mmap) {
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
