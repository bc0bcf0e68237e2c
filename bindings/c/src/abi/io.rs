//! I/O: the callbacks, the parameters of files and of mapped files.

use std::ffi::{c_char, c_int, c_void};

use super::layout;

/// Opens: the stream, or null.
pub type blosc2_open_cb =
    unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void) -> *mut c_void;
/// Closes: 0, or not.
pub type blosc2_close_cb = unsafe extern "C" fn(*mut c_void) -> c_int;
/// The bytes of the stream.
pub type blosc2_size_cb = unsafe extern "C" fn(*mut c_void) -> i64;
/// Writes items (pointer, bytes of an item, items, position, stream): items written.
pub type blosc2_write_cb = unsafe extern "C" fn(*const c_void, i64, i64, i64, *mut c_void) -> i64;
/// Reads items (address of the pointer, bytes of an item, items, position, stream): items read.
pub type blosc2_read_cb = unsafe extern "C" fn(*mut *mut c_void, i64, i64, i64, *mut c_void) -> i64;
/// Cuts the stream: 0, or not.
pub type blosc2_truncate_cb = unsafe extern "C" fn(*mut c_void, i64) -> c_int;
/// Frees the parameters: 0, or not.
pub type blosc2_destroy_cb = unsafe extern "C" fn(*mut c_void) -> c_int;

/// I/O functions of the caller.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_io_cb {
    /// The id.
    pub id: u8,
    /// The name.
    pub name: *mut c_char,
    /// Whether `read` fills memory that it is given, or gives out its own.
    pub is_allocation_necessary: bool,
    /// Opens.
    pub open: Option<blosc2_open_cb>,
    /// Closes.
    pub close: Option<blosc2_close_cb>,
    /// The size.
    pub size: Option<blosc2_size_cb>,
    /// Writes.
    pub write: Option<blosc2_write_cb>,
    /// Reads.
    pub read: Option<blosc2_read_cb>,
    /// Cuts.
    pub truncate: Option<blosc2_truncate_cb>,
    /// Frees the parameters.
    pub destroy: Option<blosc2_destroy_cb>,
}
layout!(blosc2_io_cb, 80, name at 8, is_allocation_necessary at 16, open at 24, destroy at 72);

/// Which I/O functions, and their parameters.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_io {
    /// The id.
    pub id: u8,
    /// The name.
    pub name: *const c_char,
    /// The parameters.
    pub params: *mut c_void,
}
layout!(blosc2_io, 24, name at 8, params at 16);

impl Default for blosc2_io {
    fn default() -> Self {
        Self {
            id: super::codes::BLOSC2_IO_FILESYSTEM,
            name: c"filesystem".as_ptr(),
            params: std::ptr::null_mut(),
        }
    }
}

/// An open file.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_stdio_file {
    /// The `FILE` of stdio.
    pub file: *mut c_void,
}
layout!(blosc2_stdio_file, 8);

/// Parameters of files.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct blosc2_stdio_params {
    /// Whether handles and processes wait for each other.
    pub locking: bool,
}
layout!(blosc2_stdio_params, 1);

/// Parameters of a mapped file, and its state.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_stdio_mmap {
    /// `r`, `r+`, `w+` or `c`.
    pub mode: *const c_char,
    /// Bytes of the first mapping.
    pub initial_mapping_size: usize,
    /// Whether `destroy` frees this structure.
    pub needs_free: bool,
    /// The mapping.
    pub addr: *mut c_char,
    /// The path.
    pub urlpath: *mut c_char,
    /// Bytes of the file.
    pub file_size: usize,
    /// Bytes of the mapping.
    pub mapping_size: usize,
    /// Whether changes stay in memory.
    pub is_memory_only: bool,
    /// The `FILE` of stdio.
    pub file: *mut c_void,
    /// Its descriptor.
    pub fd: c_int,
    /// Access of the pages.
    pub access_flags: i64,
    /// Flags of the mapping.
    pub map_flags: i64,
}
layout!(blosc2_stdio_mmap, 96, initial_mapping_size at 8, addr at 24, file_size at 40,
    is_memory_only at 56, file at 64, fd at 72, access_flags at 80, map_flags at 88);

impl Default for blosc2_stdio_mmap {
    fn default() -> Self {
        Self {
            mode: c"r".as_ptr(),
            initial_mapping_size: 1 << 30,
            needs_free: false,
            addr: std::ptr::null_mut(),
            urlpath: std::ptr::null_mut(),
            file_size: 0,
            mapping_size: 0,
            is_memory_only: false,
            file: std::ptr::null_mut(),
            fd: -1,
            access_flags: -1,
            map_flags: -1,
        }
    }
}
