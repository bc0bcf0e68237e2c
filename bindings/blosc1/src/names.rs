//! Names and versions of codecs and their libraries.

use std::ffi::{CStr, c_char, c_int};

use crate::boundary::{answer, put, text};

/// The codecs with their codes, and the code, name and version of the library (the formats that
/// this project's own codecs write and read).
const CODECS: [(u8, &CStr, u8, &CStr, &CStr); 6] = [
    (0, c"blosclz", 0, c"BloscLZ", c"2.5.3"),
    (1, c"lz4", 1, c"LZ4", c"1.10.0"),
    (2, c"lz4hc", 1, c"LZ4", c"1.10.0"),
    (3, c"snappy", 2, c"Snappy", c"1.1.1"),
    (4, c"zlib", 3, c"Zlib", c"2.3.3"),
    (5, c"zstd", 4, c"Zstd", c"1.5.7"),
];

/// The name of a codec.
pub(crate) fn name_of(code: c_int) -> Option<&'static CStr> {
    let mut codecs = CODECS.iter();
    Some(codecs.find(|codec| c_int::from(codec.0) == code)?.1)
}

/// The code of a codec.
pub(crate) fn code_of(name: &CStr) -> Option<u8> {
    Some(CODECS.iter().find(|codec| codec.1 == name)?.0)
}

/// The name of the library with a code, as chunks have it.
pub(crate) fn library_of(code: u8) -> Option<&'static CStr> {
    Some(CODECS.iter().find(|codec| codec.2 == code)?.3)
}

/// Stores the name of a codec; its code, or -1 and null.
///
/// # Safety
/// `compname` is null or writable. The name is static and not to be freed.
#[unsafe(export_name = symbol!("blosc_compcode_to_compname"))]
pub unsafe extern "C" fn blosc_compcode_to_compname(
    compcode: c_int,
    compname: *mut *const c_char,
) -> c_int {
    answer(|| {
        let name = name_of(compcode);
        // SAFETY: null or writable by the caller's promise.
        unsafe { put(compname, name.map_or(std::ptr::null(), CStr::as_ptr)) };
        name.map(|_| compcode)
    })
}

/// The code of a codec, or -1.
///
/// # Safety
/// `compname` is null or a C string.
#[unsafe(export_name = symbol!("blosc_compname_to_compcode"))]
pub unsafe extern "C" fn blosc_compname_to_compcode(compname: *const c_char) -> c_int {
    // SAFETY: null or a C string by the caller's promise.
    answer(|| Some(code_of(unsafe { text(compname) }?)?.into()))
}

/// The codecs, separated by commas.
///
/// # Safety
/// None is needed. The result is static and not to be freed.
#[unsafe(export_name = symbol!("blosc_list_compressors"))]
pub unsafe extern "C" fn blosc_list_compressors() -> *const c_char {
    c"blosclz,lz4,lz4hc,snappy,zlib,zstd".as_ptr()
}

/// The version of C-Blosc whose ABI this is.
///
/// # Safety
/// None is needed. The result is static and not to be freed.
#[unsafe(export_name = symbol!("blosc_get_version_string"))]
pub unsafe extern "C" fn blosc_get_version_string() -> *const c_char {
    c"1.21.6".as_ptr()
}

fn duplicate(text: &CStr) -> *mut c_char {
    // SAFETY: `text` is a C string, which is copied.
    unsafe { libc::strdup(text.as_ptr()) }
}

/// Stores the name and version of the library of a codec; its code, or -1 and nulls.
///
/// # Safety
/// `compname` is null or a C string; `complib` and `version` are null or writable. The caller
/// frees both strings with `free`.
#[unsafe(export_name = symbol!("blosc_get_complib_info"))]
pub unsafe extern "C" fn blosc_get_complib_info(
    compname: *const c_char,
    complib: *mut *mut c_char,
    version: *mut *mut c_char,
) -> c_int {
    answer(|| {
        // SAFETY: null or a C string by the caller's promise.
        let name = unsafe { text(compname) };
        let found = name.and_then(|name| CODECS.iter().find(|codec| codec.1 == name));
        for (place, text) in [
            (complib, found.map(|codec| codec.3)),
            (version, found.map(|codec| codec.4)),
        ] {
            if !place.is_null() {
                // SAFETY: not null; writable by the caller's promise.
                unsafe { put(place, text.map_or(std::ptr::null_mut(), duplicate)) };
            }
        }
        found.map(|codec| c_int::from(codec.2))
    })
}
