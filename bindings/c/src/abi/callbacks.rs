//! Functions of the caller: prefilters and postfilters, codecs, filters, tuners, threads.

use std::ffi::{c_char, c_int, c_void};

use super::{blosc2_context, blosc2_cparams, blosc2_dparams, layout};

/// Executes `dojob(jobdata + i * elsize)` for every `i` below `numjobs`.
pub type blosc_threads_callback = unsafe extern "C" fn(
    callback_data: *mut c_void,
    dojob: Option<unsafe extern "C" fn(*mut c_void)>,
    numjobs: c_int,
    jobdata_elsize: usize,
    jobdata: *mut c_void,
);

/// The arguments of a prefilter.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_prefilter_params {
    /// The caller's.
    pub user_data: *mut c_void,
    /// The block of the source.
    pub input: *const u8,
    /// The memory for the result.
    pub output: *mut u8,
    /// Bytes of the block.
    pub output_size: i32,
    /// Bytes of an item.
    pub output_typesize: i32,
    /// The offset of the block in the chunk.
    pub output_offset: i32,
    /// The chunk; -1 without a super-chunk.
    pub nchunk: i64,
    /// The block.
    pub nblock: i32,
    /// The thread.
    pub tid: i32,
    /// Scratch memory of the thread.
    pub ttmp: *mut u8,
    /// Its bytes.
    pub ttmp_nbytes: usize,
    /// The context.
    pub ctx: *mut blosc2_context,
    /// Whether the output is thrown away.
    pub output_is_disposable: bool,
}
layout!(blosc2_prefilter_params, 88, output at 16, output_size at 24, nchunk at 40, tid at 52,
    ttmp at 56, ctx at 72, output_is_disposable at 80);

/// The arguments of a postfilter.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_postfilter_params {
    /// The caller's.
    pub user_data: *mut c_void,
    /// The decoded block.
    pub input: *const u8,
    /// The memory for the result.
    pub output: *mut u8,
    /// Bytes of the block.
    pub size: i32,
    /// Bytes of an item.
    pub typesize: i32,
    /// The offset of the block in the chunk.
    pub offset: i32,
    /// The chunk; -1 without a super-chunk.
    pub nchunk: i64,
    /// The block.
    pub nblock: i32,
    /// The thread.
    pub tid: i32,
    /// Scratch memory of the thread.
    pub ttmp: *mut u8,
    /// Its bytes.
    pub ttmp_nbytes: usize,
    /// The context.
    pub ctx: *mut blosc2_context,
}
layout!(blosc2_postfilter_params, 80, output at 16, size at 24, nchunk at 40, tid at 52,
    ttmp at 56, ctx at 72);

/// A prefilter: 0, or a negative number for failure.
pub type blosc2_prefilter_fn = unsafe extern "C" fn(*mut blosc2_prefilter_params) -> c_int;
/// A postfilter: 0, or a negative number for failure.
pub type blosc2_postfilter_fn = unsafe extern "C" fn(*mut blosc2_postfilter_params) -> c_int;

/// The encoder of a codec: bytes written, 0 for "does not fit", negative for failure.
pub type blosc2_codec_encoder_cb = unsafe extern "C" fn(
    input: *const u8,
    input_len: i32,
    output: *mut u8,
    output_len: i32,
    meta: u8,
    cparams: *mut blosc2_cparams,
    chunk: *const c_void,
) -> c_int;
/// The decoder of a codec: bytes written, negative for failure.
pub type blosc2_codec_decoder_cb = unsafe extern "C" fn(
    input: *const u8,
    input_len: i32,
    output: *mut u8,
    output_len: i32,
    meta: u8,
    dparams: *mut blosc2_dparams,
    chunk: *const c_void,
) -> c_int;

/// A codec of the caller.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_codec {
    /// The id.
    pub compcode: u8,
    /// The name.
    pub compname: *mut c_char,
    /// The id of the stream format.
    pub complib: u8,
    /// The version.
    pub version: u8,
    /// Compresses.
    pub encoder: Option<blosc2_codec_encoder_cb>,
    /// Decompresses.
    pub decoder: Option<blosc2_codec_decoder_cb>,
}
layout!(blosc2_codec, 40, compname at 8, complib at 16, version at 17, encoder at 24);

/// A filter on the way in.
pub type blosc2_filter_forward_cb =
    unsafe extern "C" fn(*const u8, *mut u8, i32, u8, *mut blosc2_cparams, u8) -> c_int;
/// A filter on the way out.
pub type blosc2_filter_backward_cb =
    unsafe extern "C" fn(*const u8, *mut u8, i32, u8, *mut blosc2_dparams, u8) -> c_int;

/// A filter of the caller.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_filter {
    /// The id.
    pub id: u8,
    /// The name.
    pub name: *mut c_char,
    /// The version.
    pub version: u8,
    /// Filters.
    pub forward: Option<blosc2_filter_forward_cb>,
    /// Undoes it.
    pub backward: Option<blosc2_filter_backward_cb>,
}
layout!(blosc2_filter, 40, name at 8, version at 16, forward at 24);

/// A tuner of the caller.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_tuner {
    /// Called with the parameters, the compression context and the other one, if any.
    pub init: Option<
        unsafe extern "C" fn(*mut c_void, *mut blosc2_context, *mut blosc2_context) -> c_int,
    >,
    /// Chooses the size of blocks.
    pub next_blocksize: Option<unsafe extern "C" fn(*mut blosc2_context) -> c_int>,
    /// Chooses all parameters.
    pub next_cparams: Option<unsafe extern "C" fn(*mut blosc2_context) -> c_int>,
    /// Told how long a chunk took.
    pub update: Option<unsafe extern "C" fn(*mut blosc2_context, f64) -> c_int>,
    /// Called at the end.
    pub free: Option<unsafe extern "C" fn(*mut blosc2_context) -> c_int>,
    /// The id.
    pub id: c_int,
    /// The name.
    pub name: *mut c_char,
}
layout!(blosc2_tuner, 56, next_blocksize at 8, id at 40, name at 48);

/// Measurements of a codec, one for each block of an instrumented chunk.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct blosc2_instr {
    /// Ratio.
    pub cratio: f32,
    /// Speed of the codec, in bytes per second.
    pub cspeed: f32,
    /// Speed of the filters, in bytes per second.
    pub filter_speed: f32,
    /// Flags.
    pub flags: [u8; 4],
}
layout!(blosc2_instr, 16, flags at 12);
