//! The plugin of the HDF5 filter 32001 (Blosc): the two functions that HDF5 looks for.
#![cfg(unix)]

use std::ffi::{c_int, c_void};

use oxiblosc_hdf5::Blosc;
use oxiblosc_hdf5::plugin::{FilterClass, PLUGIN_IS_A_FILTER};

static CLASS: FilterClass = FilterClass::of::<Blosc>();

/// Tells HDF5 that the library holds a filter (`H5PL_TYPE_FILTER`).
#[unsafe(no_mangle)]
pub extern "C" fn H5PLget_plugin_type() -> c_int {
    PLUGIN_IS_A_FILTER
}

/// The description of the filter, an `H5Z_class2_t` that lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn H5PLget_plugin_info() -> *const c_void {
    CLASS.as_ptr()
}
