//! The text of an error code.

use std::ffi::{CStr, c_char, c_int};

/// The texts of the codes -1, -2 and so on, as the documentation of the codes gives them.
const TEXTS: [&CStr; 37] = [
    c"Generic failure",
    c"Bad stream",
    c"Invalid data",
    c"Memory alloc/realloc failure",
    c"Not enough space to read",
    c"Not enough space to write",
    c"Codec not supported",
    c"Invalid parameter supplied to codec",
    c"Codec dictionary error",
    c"Version not supported",
    c"Invalid value in header",
    c"Invalid parameter supplied to function",
    c"File read failure",
    c"File write failure",
    c"File open failure",
    c"Not found",
    c"Bad run length encoding",
    c"Filter pipeline error",
    c"Chunk insert failure",
    c"Chunk append failure",
    c"Chunk update failure",
    c"Sizes larger than 2gb not supported",
    c"Super-chunk copy failure",
    c"Wrong type for frame",
    c"File truncate failure",
    c"Thread or thread context creation failure",
    c"Postfilter failure",
    c"Special frame failure",
    c"Special super-chunk failure",
    c"IO plugin error",
    c"Remove file failure",
    c"Pointer is null",
    c"Invalid index",
    c"Metalayer has not been found",
    c"Maximum buffersize exceeded",
    c"Tuner failure",
    c"Frame lock failure",
];

/// The text of an error code; "Unknown error" for every other number.
///
/// # Safety
/// None is needed. The result is static and not to be freed.
#[unsafe(export_name = symbol!("blosc2_error_string"))]
pub unsafe extern "C" fn blosc2_error_string(error_code: c_int) -> *const c_char {
    let index = error_code.checked_add(1).and_then(i32::checked_neg);
    let index = index.and_then(|index| usize::try_from(index).ok());
    let text = index.and_then(|index| TEXTS.get(index));
    text.unwrap_or(&c"Unknown error").as_ptr()
}
