//! Names and versions: of codecs, of their libraries, of this one.

use std::ffi::{CStr, c_char, c_int};

use crate::boundary::{Answer, Code, answer, guard, put, text};
use crate::{memory, registry};

/// The codecs by their codes.
const NAMES: [(u8, &CStr); 14] = [
    (0, c"blosclz"),
    (1, c"lz4"),
    (2, c"lz4hc"),
    (4, c"zlib"),
    (5, c"zstd"),
    (32, c"ndlz"),
    (33, c"zfp_acc"),
    (34, c"zfp_prec"),
    (35, c"zfp_rate"),
    (36, c"openhtj2k"),
    (37, c"grok"),
    (38, c"openzl"),
    (39, c"j2k"),
    (40, c"htj2k"),
];

/// The libraries by the codes of their formats. The decoders of the first three are of this
/// project; the versions are those of the formats that they write and read.
const LIBRARIES: [(u8, &CStr, &CStr); 4] = [
    (0, c"BloscLZ", c"2.5.3"),
    (1, c"LZ4", c"1.10.0"),
    (3, c"Zlib", c"2.3.3"),
    (4, c"Zstd", c"1.5.7"),
];

/// The name of a codec of the library.
pub(crate) fn name_of(code: u8) -> Option<&'static CStr> {
    let found = NAMES.iter().find(|(other, _)| *other == code)?;
    Some(found.1)
}

/// The code of a codec of the library.
pub(crate) fn code_of(name: &CStr) -> Option<u8> {
    let found = NAMES.iter().find(|(_, other)| *other == name)?;
    Some(found.0)
}

/// The code of the library that a codec belongs to.
fn library_of(code: u8) -> Option<u8> {
    match code {
        0 => Some(0),
        1 | 2 => Some(1),
        4 => Some(3),
        5 => Some(4),
        _ => None,
    }
}

/// The name of a library by the code that chunks store.
pub(crate) fn library_name(format: u8) -> Option<&'static CStr> {
    let found = LIBRARIES.iter().find(|(other, ..)| *other == format)?;
    Some(found.1)
}

/// Stores the name of a codec; the code, or -1 (and null) for one that no one has.
///
/// # Safety
/// `compname` is null or writable. The name is static and not to be freed.
#[unsafe(export_name = symbol!("blosc2_compcode_to_compname"))]
pub unsafe extern "C" fn blosc2_compcode_to_compname(
    compcode: c_int,
    compname: *mut *const c_char,
) -> c_int {
    guard(-1, || {
        let name = u8::try_from(compcode).ok().and_then(registry::name_of);
        let (code, pointer) = match name {
            Some(name) => (compcode, name.as_ptr()),
            None => (-1, std::ptr::null()),
        };
        // SAFETY: null or writable by the caller's promise.
        unsafe { put(compname, pointer) };
        code
    })
}

/// The code of a codec; -1 for a name that no one has.
///
/// # Safety
/// `compname` is null or a C string.
#[unsafe(export_name = symbol!("blosc2_compname_to_compcode"))]
pub unsafe extern "C" fn blosc2_compname_to_compcode(compname: *const c_char) -> c_int {
    guard(-1, || {
        // SAFETY: null or a C string by the caller's promise.
        let name = unsafe { text(compname) };
        name.ok()
            .and_then(registry::code_of)
            .map_or(-1, c_int::from)
    })
}

/// The codecs, separated by commas.
///
/// # Safety
/// None is needed. The result is static and not to be freed.
#[unsafe(export_name = symbol!("blosc2_list_compressors"))]
pub unsafe extern "C" fn blosc2_list_compressors() -> *const c_char {
    c"blosclz,lz4,lz4hc,zlib,zstd".as_ptr()
}

/// The version of C-Blosc2 whose ABI this is.
///
/// # Safety
/// None is needed. The result is static and not to be freed.
#[unsafe(export_name = symbol!("blosc2_get_version_string"))]
pub unsafe extern "C" fn blosc2_get_version_string() -> *const c_char {
    c"3.3.5".as_ptr()
}

/// Stores the name and version of the library of a codec; its code, or -1.
///
/// # Safety
/// `compname` is null or a C string; `complib` and `version` are null or writable. The caller
/// frees both strings with `free`.
#[unsafe(export_name = symbol!("blosc2_get_complib_info"))]
pub unsafe extern "C" fn blosc2_get_complib_info(
    compname: *const c_char,
    complib: *mut *mut c_char,
    version: *mut *mut c_char,
) -> c_int {
    let found = || -> Answer<(c_int, *mut c_char, *mut c_char)> {
        // SAFETY: null or a C string by the caller's promise.
        let name = unsafe { text(compname) }?;
        let codec = registry::code_of(name).ok_or(Code(-1))?;
        let known = library_of(codec);
        let mut libraries = LIBRARIES.iter();
        let found = libraries.find(|(other, ..)| Some(*other) == known);
        // Of others only the name is known, as in C.
        let (code, library, version) = match found {
            Some(&(code, library, version)) => (code, library, version),
            None => (codec, name, c"unknown"),
        };
        Ok((
            code.into(),
            memory::string(library)?,
            memory::string(version)?,
        ))
    };
    answer(|| {
        let (code, library, number) =
            found().unwrap_or((-1, std::ptr::null_mut(), std::ptr::null_mut()));
        let stored = [(complib, library), (version, number)];
        for (place, string) in stored {
            if place.is_null() {
                // SAFETY: just allocated, and no one else has it.
                unsafe { memory::free(string) };
            } else {
                // SAFETY: not null; writable by the caller's promise.
                unsafe { put(place, string) };
            }
        }
        Ok(code)
    })
}
