//! Variable-length metalayers.

use std::ffi::{c_char, c_int};

use oxiblosc::CParams;

use super::meta::name;
use super::publish::Named;
use super::shared::{Shared, dparams};
use super::store::Change;
use super::{create, with};
use crate::abi::{BLOSC2_ERROR_NOT_FOUND, blosc2_cparams, blosc2_schunk};
use crate::boundary::{Answer, Code, answer, bytes, object, put, text};
use crate::memory::Heap;

/// The place of a variable-length metalayer.
fn index(shared: &Shared, name: &str) -> Answer<c_int> {
    let index = shared
        .store
        .vlmetalayers()
        .names()
        .position(|other| other == name);
    Ok(c_int::try_from(index.ok_or(Code(BLOSC2_ERROR_NOT_FOUND))?)?)
}

/// The index of a variable-length metalayer, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, `name` null or a C string.
#[unsafe(export_name = symbol!("blosc2_vlmeta_exists"))]
pub unsafe extern "C" fn blosc2_vlmeta_exists(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
) -> c_int {
    answer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let name = self::name(unsafe { text(name) }?)?;
        // SAFETY: the caller's promise.
        unsafe {
            with(schunk, |shared, _| {
                shared.sync()?;
                index(shared, name)
            })
        }
    })
}

/// Stores the content of a metalayer that is there, or is not, as `there` says.
///
/// # Safety
/// As for [`blosc2_vlmeta_add`].
unsafe fn set(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: (*mut u8, i32),
    cparams: *mut blosc2_cparams,
    there: bool,
) -> Answer<c_int> {
    // SAFETY: null or a C string by the caller's promise.
    let name = self::name(unsafe { text(name) }?)?;
    // SAFETY: null or readable by the caller's promise.
    let content = unsafe { bytes(content.0.cast_const().cast(), content.1) }?;
    // SAFETY: null or valid by the caller's promise.
    let core = match unsafe { object(cparams) } {
        // SAFETY: the pointers are valid by the caller's promise.
        Ok(cparams) => unsafe { create::core_of(cparams) }?,
        Err(_) => CParams::new(8),
    };
    // SAFETY: the caller's promise.
    unsafe {
        with(schunk, |shared, _| {
            shared.sync()?;
            match (index(shared, name), there) {
                (Ok(_), false) => return Err(Code::INVALID),
                (Err(code), true) => return Err(code),
                _ => {}
            }
            shared.change(Change::SetVlMeta(name, content, &core))?;
            index(shared, name)
        })
    }
}

/// Adds a variable-length metalayer: its index, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, `name` null or a C string, `content` null or
/// readable for `content_len` bytes, `cparams` null, for the defaults, or valid.
#[unsafe(export_name = symbol!("blosc2_vlmeta_add"))]
pub unsafe extern "C" fn blosc2_vlmeta_add(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
    cparams: *mut blosc2_cparams,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { set(schunk, name, (content, content_len), cparams, false) })
}

/// Replaces a variable-length metalayer: its index, or an error code.
///
/// # Safety
/// As for [`blosc2_vlmeta_add`].
#[unsafe(export_name = symbol!("blosc2_vlmeta_update"))]
pub unsafe extern "C" fn blosc2_vlmeta_update(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
    cparams: *mut blosc2_cparams,
) -> c_int {
    // SAFETY: the caller's promise.
    answer(|| unsafe { set(schunk, name, (content, content_len), cparams, true) })
}

/// Stores a copy of the content of a variable-length metalayer: its index, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library, `name` null or a C string, `content` and
/// `content_len` null or writable. The caller frees the copy with `free`.
#[unsafe(export_name = symbol!("blosc2_vlmeta_get"))]
pub unsafe extern "C" fn blosc2_vlmeta_get(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut *mut u8,
    content_len: *mut i32,
) -> c_int {
    answer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let name = self::name(unsafe { text(name) }?)?;
        if content.is_null() || content_len.is_null() {
            return Err(Code::NULL);
        }
        // SAFETY: the caller's promise.
        let (index, found) = unsafe {
            with(schunk, |shared, _| {
                shared.sync()?;
                let index = index(shared, name)?;
                let found = shared.store.vlmetalayers().get(name, &dparams())?;
                Ok((index, found.unwrap_or_default()))
            })
        }?;
        // SAFETY: writable by the caller's promise.
        unsafe { put(content_len, i32::try_from(found.len())?) };
        // SAFETY: writable by the caller's promise.
        unsafe { put(content, Heap::copy(&found)?.give()) };
        Ok(index)
    })
}

/// Removes a variable-length metalayer: how many are left, or an error code.
///
/// # Safety
/// As for [`blosc2_vlmeta_exists`].
#[unsafe(export_name = symbol!("blosc2_vlmeta_delete"))]
pub unsafe extern "C" fn blosc2_vlmeta_delete(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
) -> c_int {
    answer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let name = self::name(unsafe { text(name) }?)?;
        // SAFETY: the caller's promise.
        unsafe {
            with(schunk, |shared, _| {
                shared.sync()?;
                index(shared, name)?;
                shared.change(Change::RemoveVlMeta(name))?;
                Ok(c_int::try_from(shared.store.vlmetalayers().len())?)
            })
        }
    })
}

/// Stores the names of all variable-length metalayers, which belong to the super-chunk: their
/// number, or an error code.
///
/// # Safety
/// `schunk` is null or a super-chunk of this library; `names` is null or writable for
/// `schunk->nvlmetalayers` pointers.
#[unsafe(export_name = symbol!("blosc2_vlmeta_get_names"))]
pub unsafe extern "C" fn blosc2_vlmeta_get_names(
    schunk: *mut blosc2_schunk,
    names: *mut *mut c_char,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's promise.
        let known = unsafe {
            with(schunk, |shared, _| {
                Ok(shared.vlmetalayers.iter().map(Named::name).collect())
            })
        };
        let known: Vec<*mut c_char> = known?;
        if names.is_null() && !known.is_empty() {
            return Err(Code::NULL);
        }
        if !known.is_empty() {
            // SAFETY: writable for as many pointers by the promise, and apart from `known`.
            unsafe { std::ptr::copy_nonoverlapping(known.as_ptr(), names, known.len()) };
        }
        Ok(c_int::try_from(known.len())?)
    })
}
