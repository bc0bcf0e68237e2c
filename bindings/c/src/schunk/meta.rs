//! Fixed metalayers. `blosc2_meta_exists` and `blosc2_meta_get` are in the header.

use std::ffi::{CStr, c_char, c_int};

use super::shared::Shared;
use super::store::Change;
use super::with;
use crate::abi::{BLOSC2_ERROR_NOT_FOUND, blosc2_schunk};
use crate::boundary::{Answer, Code, answer, bytes, text};

/// A name of a metalayer.
pub(super) fn name(name: &CStr) -> Answer<&str> {
    name.to_str().map_err(|_| Code::INVALID)
}

/// The place of a fixed metalayer.
fn index(shared: &Shared, name: &str) -> Answer<c_int> {
    let mut names = shared.store.metalayers().iter();
    let index = names.position(|(other, _)| other == name);
    Ok(c_int::try_from(index.ok_or(Code(BLOSC2_ERROR_NOT_FOUND))?)?)
}

/// Adds a fixed metalayer: its index, or an error code. Of a frame in one piece, before its first
/// chunk only.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, `name` null or a C string, `content` null or
/// readable for `content_len` bytes.
#[unsafe(export_name = symbol!("blosc2_meta_add"))]
pub unsafe extern "C" fn blosc2_meta_add(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
) -> c_int {
    answer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let name = self::name(unsafe { text(name) }?)?;
        // SAFETY: null or readable by the caller's promise.
        let content = unsafe { bytes(content.cast_const().cast(), content_len) }?;
        // SAFETY: the caller's promise.
        unsafe {
            with(schunk, |shared, _| {
                shared.change(Change::AddMeta(name, content))?;
                index(shared, name)
            })
        }
    })
}

/// Replaces the front of a fixed metalayer, which keeps its length: its index, or an error code.
///
/// # Safety
/// As for [`blosc2_meta_add`].
#[unsafe(export_name = symbol!("blosc2_meta_update"))]
pub unsafe extern "C" fn blosc2_meta_update(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
) -> c_int {
    answer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let name = self::name(unsafe { text(name) }?)?;
        // SAFETY: null or readable by the caller's promise.
        let content = unsafe { bytes(content.cast_const().cast(), content_len) }?;
        // SAFETY: the caller's promise.
        unsafe {
            with(schunk, |shared, _| {
                let index = index(shared, name)?;
                shared.change(Change::UpdateMeta(name, content))?;
                Ok(index)
            })
        }
    })
}
