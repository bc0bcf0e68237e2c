//! The I/O callbacks: those of files, those of mapped files, and those of users.

use std::ffi::c_int;
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::{mmap, stdio};
use crate::abi::{
    BLOSC2_ERROR_PLUGIN_IO, BLOSC2_IO_FILESYSTEM, BLOSC2_IO_FILESYSTEM_MMAP, BLOSC2_IO_USER_START,
    blosc2_io_cb,
};
use crate::boundary::{Code, answer, guard, object};

/// Callbacks with an address that stays.
struct Kept(*mut blosc2_io_cb);

// SAFETY: what it points to is never freed, and written under the lock of the list alone.
unsafe impl Send for Kept {}

/// All callbacks, those of the library first.
fn list() -> &'static Mutex<Vec<Kept>> {
    static LIST: OnceLock<Mutex<Vec<Kept>>> = OnceLock::new();
    LIST.get_or_init(|| Mutex::new([files(), mapped()].map(keep).into()))
}

fn keep(callbacks: blosc2_io_cb) -> Kept {
    Kept(Box::into_raw(Box::new(callbacks)))
}

fn files() -> blosc2_io_cb {
    blosc2_io_cb {
        id: BLOSC2_IO_FILESYSTEM,
        name: c"filesystem".as_ptr().cast_mut(),
        is_allocation_necessary: true,
        open: Some(stdio::blosc2_stdio_open),
        close: Some(stdio::blosc2_stdio_close),
        size: Some(stdio::blosc2_stdio_size),
        write: Some(stdio::blosc2_stdio_write),
        read: Some(stdio::blosc2_stdio_read),
        truncate: Some(stdio::blosc2_stdio_truncate),
        destroy: Some(stdio::blosc2_stdio_destroy),
    }
}

fn mapped() -> blosc2_io_cb {
    blosc2_io_cb {
        id: BLOSC2_IO_FILESYSTEM_MMAP,
        name: c"filesystem_mmap".as_ptr().cast_mut(),
        is_allocation_necessary: false,
        open: Some(mmap::blosc2_stdio_mmap_open),
        close: Some(mmap::blosc2_stdio_mmap_close),
        size: Some(mmap::blosc2_stdio_mmap_size),
        write: Some(mmap::blosc2_stdio_mmap_write),
        read: Some(mmap::blosc2_stdio_mmap_read),
        truncate: Some(mmap::blosc2_stdio_mmap_truncate),
        destroy: Some(mmap::blosc2_stdio_mmap_destroy),
    }
}

/// The callbacks of an id, with the address under which callers know them.
fn find(id: u8) -> Option<(*mut blosc2_io_cb, blosc2_io_cb)> {
    let list = list().lock().unwrap_or_else(PoisonError::into_inner);
    list.iter().find_map(|kept| {
        // SAFETY: never freed, and no one writes while the list is locked.
        let callbacks = unsafe { *kept.0 };
        (callbacks.id == id).then_some((kept.0, callbacks))
    })
}

/// The callbacks of an id.
pub(crate) fn callbacks(id: u8) -> Option<blosc2_io_cb> {
    find(id).map(|(_, callbacks)| callbacks)
}

/// Registers I/O callbacks under an id from 160 on, in place of those that have it: 0, or
/// `BLOSC2_ERROR_PLUGIN_IO` for another id.
///
/// # Safety
/// `io` is null or points to callbacks, which are copied; their functions can be called from then
/// on with the `params` of a `blosc2_io` of this id.
#[unsafe(export_name = symbol!("blosc2_register_io_cb"))]
pub unsafe extern "C" fn blosc2_register_io_cb(io: *const blosc2_io_cb) -> c_int {
    answer(|| {
        // SAFETY: null or callbacks by the caller's promise.
        let callbacks = *unsafe { object(io) }?;
        if callbacks.id < BLOSC2_IO_USER_START {
            return Err(Code(BLOSC2_ERROR_PLUGIN_IO));
        }
        let known = find(callbacks.id);
        let mut list = list().lock().unwrap_or_else(PoisonError::into_inner);
        match known {
            // SAFETY: never freed, and written under the lock alone.
            Some((place, _)) => unsafe { place.write(callbacks) },
            None => list.push(keep(callbacks)),
        }
        Ok(0)
    })
}

/// The I/O callbacks of an id, null when there are none.
#[unsafe(export_name = symbol!("blosc2_get_io_cb"))]
pub extern "C" fn blosc2_get_io_cb(id: u8) -> *mut blosc2_io_cb {
    guard(ptr::null_mut(), || {
        find(id).map_or(ptr::null_mut(), |(place, _)| place)
    })
}
