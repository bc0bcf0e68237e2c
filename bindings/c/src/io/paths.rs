//! Paths of frames: removing and renaming them.

use std::ffi::{CStr, OsStr, c_char, c_int};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::abi::{BLOSC2_ERROR_FILE_REMOVE, BLOSC2_ERROR_NOT_FOUND};
use crate::boundary::{Answer, Code, answer, text};

/// The path that a string names, without the prefix `file:///`.
pub(crate) fn local_path(urlpath: &CStr) -> PathBuf {
    let bytes = urlpath.to_bytes();
    plain_path(bytes.strip_prefix(b"file:///").unwrap_or(bytes)).to_owned()
}

/// Bytes as a path.
pub(crate) fn plain_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

/// The code of a failure to remove something.
fn not_removed(_: io::Error) -> Code {
    Code(BLOSC2_ERROR_FILE_REMOVE)
}

/// Removes the files of a directory, and the directory.
fn remove_dir(path: &Path) -> Answer<c_int> {
    let entries = fs::read_dir(path).map_err(|_| Code(BLOSC2_ERROR_NOT_FOUND))?;
    for entry in entries {
        let entry = entry.map_err(not_removed)?;
        fs::remove_file(entry.path()).map_err(not_removed)?;
    }
    fs::remove_dir(path).map(|()| 0).map_err(not_removed)
}

/// Removes a directory and its files: 0, or an error code. A directory within it is an error.
///
/// # Safety
/// `path` is null or a C string.
#[unsafe(export_name = symbol!("blosc2_remove_dir"))]
pub unsafe extern "C" fn blosc2_remove_dir(path: *const c_char) -> c_int {
    answer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let path = unsafe { text(path) }?;
        remove_dir(&local_path(path))
    })
}

/// Removes a frame, a file or a directory: 0, also when there is none or `path` is null.
///
/// # Safety
/// `path` is null or a C string.
#[unsafe(export_name = symbol!("blosc2_remove_urlpath"))]
pub unsafe extern "C" fn blosc2_remove_urlpath(path: *const c_char) -> c_int {
    answer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let Ok(path) = (unsafe { text(path) }) else {
            return Ok(0);
        };
        let path = local_path(path);
        match fs::symlink_metadata(&path) {
            Err(_) => Ok(0),
            Ok(meta) if meta.is_dir() => remove_dir(&path),
            Ok(_) => {
                fs::remove_file(&path).map_err(not_removed)?;
                // Its lock file, which most frames have not.
                let mut sidecar = path.into_os_string();
                sidecar.push(".b2lock");
                let _ = fs::remove_file(sidecar);
                Ok(0)
            }
        }
    })
}

/// Renames a frame, a file or a directory: 0, or an error code.
///
/// # Safety
/// `old_urlpath` and `new_path` are null or C strings.
#[unsafe(export_name = symbol!("blosc2_rename_urlpath"))]
pub unsafe extern "C" fn blosc2_rename_urlpath(
    old_urlpath: *mut c_char,
    new_path: *mut c_char,
) -> c_int {
    answer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let old = unsafe { text(old_urlpath) }?;
        // SAFETY: null or a C string by the caller's promise.
        let new = unsafe { text(new_path) }?;
        match fs::rename(local_path(old), local_path(new)) {
            Ok(()) => Ok(0),
            Err(_) => Err(Code::FAILURE),
        }
    })
}
