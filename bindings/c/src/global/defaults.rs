//! The defaults of structures, for languages without C's constants.

use crate::abi::{blosc2_cparams, blosc2_dparams, blosc2_io, blosc2_stdio_mmap, blosc2_storage};

/// The defaults of parameters for compression.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_get_blosc2_cparams_defaults"))]
pub unsafe extern "C" fn blosc2_get_blosc2_cparams_defaults() -> blosc2_cparams {
    blosc2_cparams::default()
}

/// The defaults of parameters for decompression.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_get_blosc2_dparams_defaults"))]
pub unsafe extern "C" fn blosc2_get_blosc2_dparams_defaults() -> blosc2_dparams {
    blosc2_dparams::default()
}

/// The defaults of a storage.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_get_blosc2_storage_defaults"))]
pub unsafe extern "C" fn blosc2_get_blosc2_storage_defaults() -> blosc2_storage {
    blosc2_storage::default()
}

/// The defaults of I/O.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_get_blosc2_io_defaults"))]
pub unsafe extern "C" fn blosc2_get_blosc2_io_defaults() -> blosc2_io {
    blosc2_io::default()
}

/// The defaults of a mapped file.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc2_get_blosc2_stdio_mmap_defaults"))]
pub unsafe extern "C" fn blosc2_get_blosc2_stdio_mmap_defaults() -> blosc2_stdio_mmap {
    blosc2_stdio_mmap::default()
}
