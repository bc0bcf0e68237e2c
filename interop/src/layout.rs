//! The structs of the C interface, field for field as the public header of C-Blosc2 3.3 declares
//! them.

use std::ffi::{c_char, c_int, c_void};

/// Slots of a filter pipeline.
pub(crate) const MAX_FILTERS: usize = 6;
/// The number of fixed metalayers in a super-chunk.
pub(crate) const MAX_METALAYERS: usize = 16;
/// The number of variable-length metalayers in a super-chunk.
pub(crate) const MAX_VLMETALAYERS: usize = 8 * 1024;

/// `blosc2_cparams`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct CParams {
    pub(crate) compcode: u8,
    pub(crate) compcode_meta: u8,
    pub(crate) clevel: u8,
    pub(crate) use_dict: c_int,
    pub(crate) typesize: i32,
    pub(crate) nthreads: i16,
    pub(crate) blocksize: i32,
    pub(crate) splitmode: i32,
    pub(crate) schunk: *mut c_void,
    pub(crate) filters: [u8; MAX_FILTERS],
    pub(crate) filters_meta: [u8; MAX_FILTERS],
    pub(crate) prefilter: *mut c_void,
    pub(crate) preparams: *mut c_void,
    pub(crate) tuner_params: *mut c_void,
    pub(crate) tuner_id: c_int,
    pub(crate) instr_codec: bool,
    pub(crate) codec_params: *mut c_void,
    pub(crate) filter_params: [*mut c_void; MAX_FILTERS],
}

/// `blosc2_dparams`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct DParams {
    pub(crate) nthreads: i16,
    pub(crate) schunk: *mut c_void,
    pub(crate) postfilter: *mut c_void,
    pub(crate) postparams: *mut c_void,
    pub(crate) typesize: i32,
}

/// `blosc2_storage`.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Storage {
    pub(crate) contiguous: bool,
    pub(crate) urlpath: *mut c_char,
    pub(crate) cparams: *mut CParams,
    pub(crate) dparams: *mut DParams,
    pub(crate) io: *mut c_void,
}

/// `blosc2_metalayer`.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Metalayer {
    pub(crate) name: *const c_char,
    pub(crate) content: *const u8,
    pub(crate) content_len: i32,
}

/// `blosc2_schunk` up to the last field that is read here.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Schunk {
    pub(crate) version: u8,
    pub(crate) compcode: u8,
    pub(crate) compcode_meta: u8,
    pub(crate) clevel: u8,
    pub(crate) splitmode: u8,
    pub(crate) typesize: i32,
    pub(crate) blocksize: i32,
    pub(crate) chunksize: i32,
    pub(crate) flags2: u8,
    pub(crate) use_dict: u8,
    pub(crate) filters: [u8; MAX_FILTERS],
    pub(crate) filters_meta: [u8; MAX_FILTERS],
    pub(crate) nchunks: i64,
    pub(crate) current_nchunk: i64,
    pub(crate) nbytes: i64,
    pub(crate) cbytes: i64,
    pub(crate) data: *mut *mut u8,
    pub(crate) data_len: usize,
    pub(crate) storage: *mut c_void,
    pub(crate) frame: *mut c_void,
    pub(crate) cctx: *mut c_void,
    pub(crate) dctx: *mut c_void,
    pub(crate) metalayers: [*const Metalayer; MAX_METALAYERS],
    pub(crate) nmetalayers: u16,
    pub(crate) vlmetalayers: [*const Metalayer; MAX_VLMETALAYERS],
    pub(crate) nvlmetalayers: i16,
}
