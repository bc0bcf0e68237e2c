//! The n-dimensional array.

use std::ffi::c_char;

use super::{blosc2_schunk, layout};

/// The chunk that was decoded last.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct chunk_cache_s {
    /// Its data.
    pub data: *mut u8,
    /// Its number; -1 for none.
    pub nchunk: i64,
}
layout!(chunk_cache_s, 16, nchunk at 8);

/// Parameters of a new array; opaque to callers.
#[derive(Debug)]
#[repr(C)]
pub struct b2nd_context_t {
    _opaque: [u8; 0],
}

/// An array, as callers see it.
#[derive(Debug)]
#[repr(C)]
pub struct b2nd_array_t {
    /// The super-chunk.
    pub sc: *mut blosc2_schunk,
    /// The shape.
    pub shape: [i64; 16],
    /// The shape of a chunk.
    pub chunkshape: [i32; 16],
    /// The shape, up to whole chunks.
    pub extshape: [i64; 16],
    /// The shape of a block.
    pub blockshape: [i32; 16],
    /// The shape of a chunk, up to whole blocks.
    pub extchunkshape: [i64; 16],
    /// Items.
    pub nitems: i64,
    /// Items of a chunk.
    pub chunknitems: i32,
    /// Items up to whole chunks.
    pub extnitems: i64,
    /// Items of a block.
    pub blocknitems: i32,
    /// Items of a chunk up to whole blocks.
    pub extchunknitems: i64,
    /// Dimensions.
    pub ndim: i8,
    /// The chunk that was decoded last.
    pub chunk_cache: chunk_cache_s,
    /// Steps in items within the array.
    pub item_array_strides: [i64; 16],
    /// Steps in items within a chunk.
    pub item_chunk_strides: [i64; 16],
    /// Steps in items within a chunk of whole blocks.
    pub item_extchunk_strides: [i64; 16],
    /// Steps in items within a block.
    pub item_block_strides: [i64; 16],
    /// Steps in blocks within a chunk.
    pub block_chunk_strides: [i64; 16],
    /// Steps in chunks within the array.
    pub chunk_array_strides: [i64; 16],
    /// The type of an item.
    pub dtype: *mut c_char,
    /// The format of `dtype`.
    pub dtype_format: i8,
    /// The `change_tick` of the super-chunk at the last synchronisation.
    pub last_tick: i64,
}
layout!(b2nd_array_t, 1376, nitems at 520, ndim at 560, chunk_cache at 568, dtype at 1352,
    last_tick at 1368);
