//! The super-chunk.

use std::ffi::{c_char, c_int, c_void};

use super::{blosc2_context, blosc2_storage, layout};

/// The frame of a super-chunk; opaque to callers.
#[derive(Debug)]
#[repr(C)]
pub struct blosc2_frame {
    _opaque: [u8; 0],
}

/// Metadata with a name.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct blosc2_metalayer {
    /// The name.
    pub name: *mut c_char,
    /// The bytes.
    pub content: *mut u8,
    /// Their number.
    pub content_len: i32,
}
layout!(blosc2_metalayer, 24, content at 8, content_len at 16);

/// A super-chunk, as callers see it.
#[derive(Debug)]
#[repr(C)]
pub struct blosc2_schunk {
    /// The version.
    pub version: u8,
    /// The codec.
    pub compcode: u8,
    /// Its parameter.
    pub compcode_meta: u8,
    /// The level.
    pub clevel: u8,
    /// The rule by which blocks are split.
    pub splitmode: u8,
    /// Bytes of an item.
    pub typesize: i32,
    /// Bytes of a block; 0 for automatic.
    pub blocksize: i32,
    /// Bytes of a chunk; 0 where they vary.
    pub chunksize: i32,
    /// Flags of all chunks.
    pub flags2: u8,
    /// Whether dictionaries are used.
    pub use_dict: u8,
    /// The filters.
    pub filters: [u8; 6],
    /// Their parameters.
    pub filters_meta: [u8; 6],
    /// Chunks.
    pub nchunks: i64,
    /// The chunk that is being worked on.
    pub current_nchunk: i64,
    /// Bytes of the data.
    pub nbytes: i64,
    /// Bytes of the chunks.
    pub cbytes: i64,
    /// The chunks of a super-chunk in memory.
    pub data: *mut *mut u8,
    /// Bytes of the array `data`.
    pub data_len: usize,
    /// The storage.
    pub storage: *mut blosc2_storage,
    /// The frame; null for chunks in memory.
    pub frame: *mut blosc2_frame,
    /// The context for compression.
    pub cctx: *mut blosc2_context,
    /// The context for decompression.
    pub dctx: *mut blosc2_context,
    /// The metalayers.
    pub metalayers: [*mut blosc2_metalayer; 16],
    /// Their number.
    pub nmetalayers: u16,
    /// The variable-length metalayers.
    pub vlmetalayers: [*mut blosc2_metalayer; 8192],
    /// Their number.
    pub nvlmetalayers: i16,
    /// Parameters of the tuner.
    pub tuner_params: *mut c_void,
    /// The tuner.
    pub tuner_id: c_int,
    /// Dimensions.
    pub ndim: i8,
    /// The shape of blocks.
    pub blockshape: *mut i64,
    /// Whether the chunks belong to another super-chunk.
    pub view: bool,
    /// Grows with every change of metalayers.
    pub change_tick: i64,
}
layout!(blosc2_schunk, 65_840, typesize at 8, nchunks at 40, nbytes at 56, data at 72,
    storage at 88, frame at 96, cctx at 104, dctx at 112, metalayers at 120, nmetalayers at 248,
    vlmetalayers at 256, nvlmetalayers at 65_792, blockshape at 65_816, view at 65_824,
    change_tick at 65_832);
