//! Parameters for compression, decompression and storage.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use super::callbacks::{
    blosc2_postfilter_fn, blosc2_postfilter_params, blosc2_prefilter_fn, blosc2_prefilter_params,
};
use super::codes::{BLOSC_BLOSCLZ, BLOSC_FILTER_SHUFFLE, BLOSC_FORWARD_COMPAT_SPLIT};
use super::io::blosc2_io;
use super::layout;

/// Parameters for compression.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_cparams {
    /// The codec.
    pub compcode: u8,
    /// The parameter of the codec.
    pub compcode_meta: u8,
    /// The level, 0 to 9.
    pub clevel: u8,
    /// Whether a dictionary is made; not 0 for yes.
    pub use_dict: c_int,
    /// Bytes of an item.
    pub typesize: i32,
    /// Threads of a call.
    pub nthreads: i16,
    /// Bytes of a block; 0 for automatic.
    pub blocksize: i32,
    /// The rule by which blocks are split.
    pub splitmode: i32,
    /// The super-chunk that the data belong to.
    pub schunk: *mut c_void,
    /// The filters.
    pub filters: [u8; 6],
    /// Their parameters.
    pub filters_meta: [u8; 6],
    /// Called instead of reading a block.
    pub prefilter: Option<blosc2_prefilter_fn>,
    /// Its parameters.
    pub preparams: *mut blosc2_prefilter_params,
    /// Parameters of the tuner.
    pub tuner_params: *mut c_void,
    /// The tuner.
    pub tuner_id: c_int,
    /// Whether the chunk holds measurements of the codec instead of data.
    pub instr_codec: bool,
    /// Parameters of a registered codec.
    pub codec_params: *mut c_void,
    /// Parameters of registered filters.
    pub filter_params: [*mut c_void; 6],
}
layout!(blosc2_cparams, 136, use_dict at 4, typesize at 8, nthreads at 12, blocksize at 16,
    splitmode at 20, schunk at 24, filters at 32, filters_meta at 38, prefilter at 48,
    preparams at 56, tuner_params at 64, tuner_id at 72, instr_codec at 76, codec_params at 80,
    filter_params at 88);

impl Default for blosc2_cparams {
    fn default() -> Self {
        Self {
            compcode: BLOSC_BLOSCLZ,
            compcode_meta: 0,
            clevel: 5,
            use_dict: 0,
            typesize: 8,
            nthreads: 1,
            blocksize: 0,
            splitmode: BLOSC_FORWARD_COMPAT_SPLIT,
            schunk: ptr::null_mut(),
            filters: [0, 0, 0, 0, 0, BLOSC_FILTER_SHUFFLE],
            filters_meta: [0; 6],
            prefilter: None,
            preparams: ptr::null_mut(),
            tuner_params: ptr::null_mut(),
            tuner_id: 0,
            instr_codec: false,
            codec_params: ptr::null_mut(),
            filter_params: [ptr::null_mut(); 6],
        }
    }
}

/// Parameters for decompression.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_dparams {
    /// Threads of a call.
    pub nthreads: i16,
    /// The super-chunk that the data belong to.
    pub schunk: *mut c_void,
    /// Called with every decoded block.
    pub postfilter: Option<blosc2_postfilter_fn>,
    /// Its parameters.
    pub postparams: *mut blosc2_postfilter_params,
    /// Bytes of an item.
    pub typesize: i32,
}
layout!(blosc2_dparams, 40, schunk at 8, postfilter at 16, postparams at 24, typesize at 32);

impl Default for blosc2_dparams {
    fn default() -> Self {
        Self {
            nthreads: 1,
            schunk: ptr::null_mut(),
            postfilter: None,
            postparams: ptr::null_mut(),
            typesize: 8,
        }
    }
}

/// The place of a super-chunk, and its parameters.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_storage {
    /// One piece (a contiguous frame), or a piece for each chunk.
    pub contiguous: bool,
    /// The path; null for memory.
    pub urlpath: *mut c_char,
    /// Parameters for compression; null for the defaults.
    pub cparams: *mut blosc2_cparams,
    /// Parameters for decompression; null for the defaults.
    pub dparams: *mut blosc2_dparams,
    /// The I/O; null for files.
    pub io: *mut blosc2_io,
}
layout!(blosc2_storage, 40, urlpath at 8, cparams at 16, dparams at 24, io at 32);

impl Default for blosc2_storage {
    fn default() -> Self {
        Self {
            contiguous: false,
            urlpath: ptr::null_mut(),
            cparams: ptr::null_mut(),
            dparams: ptr::null_mut(),
            io: ptr::null_mut(),
        }
    }
}
