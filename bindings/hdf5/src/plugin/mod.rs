//! The common part of the plugins: the description of a filter, and the functions that HDF5 calls.
//!
//! A plugin is linked to no HDF5 library. Decoding and encoding need none; the function that stores
//! typesize and chunkshape with a dataset looks up seven functions in the library that the process
//! has ([`hdf5`]), so that one binary serves every version from 1.10 on.

mod buffer;
mod entry;
mod hdf5;
mod objects;
mod report;

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::fmt;

use crate::{Blosc, Blosc2, Claim, Dataset, Result};

/// The answer of `H5PLget_plugin_type` for a filter (`H5PL_TYPE_FILTER`).
pub const PLUGIN_IS_A_FILTER: c_int = 0;

/// The version of [`FilterClass`] (`H5Z_CLASS_T_VERS`), the same since HDF5 1.8.
const CLASS_VERSION: c_int = 1;

/// A filter that a plugin holds; [`Blosc`] and [`Blosc2`] are all there are.
pub trait Filter: sealed::Sealed {}

impl Filter for Blosc {}
impl Filter for Blosc2 {}

mod sealed {
    use std::ffi::CStr;
    use std::sync::Mutex;

    use super::{Blosc, Blosc2, Claim, Dataset, Result};

    /// The work of a filter, as the functions of a plugin call it.
    #[expect(unnameable_types, reason = "no other type is to implement it")]
    pub trait Sealed: Default + Send + 'static {
        const ID: u32;
        const NAME: &'static CStr;
        /// Filters whose buffers wait for the next chunk.
        fn idle() -> &'static Mutex<Vec<Self>>;
        fn cd_values(given: &[u32], dataset: &Dataset<'_>) -> Result<Vec<u32>>;
        fn encode(&mut self, data: &[u8], cd_values: &[u32]) -> Result<Vec<u8>>;
        fn decode_with<'d>(
            &mut self,
            chunk: &[u8],
            cd_values: &[u32],
            memory: Claim<'_, 'd>,
        ) -> Result<&'d mut [u8]>;
    }

    macro_rules! filters {
        ($($filter:ident $name:literal),+) => {$(
            impl Sealed for $filter {
                const ID: u32 = $filter::ID;
                const NAME: &'static CStr = $name;

                fn idle() -> &'static Mutex<Vec<Self>> {
                    static IDLE: Mutex<Vec<$filter>> = Mutex::new(Vec::new());
                    &IDLE
                }

                fn cd_values(given: &[u32], dataset: &Dataset<'_>) -> Result<Vec<u32>> {
                    $filter::cd_values(given, dataset)
                }

                fn encode(&mut self, data: &[u8], cd_values: &[u32]) -> Result<Vec<u8>> {
                    $filter::encode(self, data, cd_values)
                }

                fn decode_with<'d>(
                    &mut self,
                    chunk: &[u8],
                    cd_values: &[u32],
                    memory: Claim<'_, 'd>,
                ) -> Result<&'d mut [u8]> {
                    $filter::decode_with(self, chunk, cd_values, memory)
                }
            }
        )+};
    }

    filters!(Blosc c"blosc", Blosc2 c"blosc2");
}

/// `H5Z_class2_t`: how HDF5 calls a filter.
#[repr(C)]
pub struct FilterClass {
    version: c_int,
    id: c_int,
    encoder_present: c_uint,
    decoder_present: c_uint,
    name: *const c_char,
    can_apply: Option<entry::CanApply>,
    set_local: Option<entry::SetLocal>,
    filter: entry::Run,
}

// SAFETY: the only pointer is to a string literal, which nothing changes.
unsafe impl Sync for FilterClass {}

impl fmt::Debug for FilterClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilterClass")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl FilterClass {
    /// The description of a filter.
    pub const fn of<F: Filter>() -> Self {
        Self {
            version: CLASS_VERSION,
            id: F::ID.cast_signed(),
            encoder_present: 1,
            decoder_present: 1,
            name: F::NAME.as_ptr(),
            can_apply: None,
            set_local: Some(entry::set_local::<F>),
            filter: entry::run::<F>,
        }
    }

    /// The answer of `H5PLget_plugin_info`.
    pub fn as_ptr(&'static self) -> *const c_void {
        std::ptr::from_ref(self).cast()
    }
}
