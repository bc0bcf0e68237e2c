//! Messages on HDF5's error stack.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};

use super::Filter;
use super::hdf5::Hid;
use super::objects::Symbols;

/// `H5Epush2`.
type Push = unsafe extern "C" fn(
    stack: Hid,
    file: *const c_char,
    func: *const c_char,
    line: c_uint,
    class: Hid,
    major: Hid,
    minor: Hid,
    format: *const c_char,
    ...
) -> c_int;

/// The stack that functions of the library print (`H5E_DEFAULT`).
const DEFAULT_STACK: Hid = 0;

/// Pushes a message; says nothing where the library cannot be found.
pub(super) fn report<F: Filter>(func: &str, message: &str) {
    let name = F::NAME.to_string_lossy();
    let text = CString::new(format!("oxiblosc, filter {} ({name}): {message}", F::ID));
    let (Ok(text), Ok(func)) = (text, CString::new(func)) else {
        return;
    };
    let Some(symbols) = Symbols::of_caller(&[c"H5Epush2"]) else {
        return;
    };
    let Some(push) = symbols.find(c"H5Epush2") else {
        return;
    };
    let id = |name| {
        symbols.find(name).map(|at| {
            // SAFETY: these are variables of HDF5, each an identifier.
            unsafe { at.cast::<Hid>().read() }
        })
    };
    let (Some(class), Some(major), Some(minor)) = (
        id(c"H5E_ERR_CLS_g"),
        id(c"H5E_PLINE_g"),
        id(c"H5E_CALLBACK_g"),
    ) else {
        return;
    };
    // SAFETY: the function of this name has this signature since HDF5 1.8.
    let push = unsafe { std::mem::transmute::<*mut c_void, Push>(push) };
    let file = c"oxiblosc-hdf5";
    // SAFETY: the strings end in NUL and live through the call, which copies them; the format has
    // one string.
    unsafe {
        push(
            DEFAULT_STACK,
            file.as_ptr(),
            func.as_ptr(),
            0,
            class,
            major,
            minor,
            c"%s".as_ptr(),
            text.as_ptr(),
        )
    };
}
