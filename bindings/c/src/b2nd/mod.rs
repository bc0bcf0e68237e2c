//! n-dimensional arrays: `b2nd_*`, and the functions on buffers of several dimensions.
//!
//! ```text
//! b2nd_array_t   what callers read and write
//! Owned          with the lock of its geometry (array.rs), and the super-chunk that views share
//! Chunks         the super-chunk as the source and sink of the library below (chunks.rs)
//! ```
//!
//! A call copies the geometry under the lock, opens the array of the library over the super-chunk,
//! and lets it work. Reading calls run at once; a call that changes an array waits for the others
//! on it. Views have a geometry of their own over the same super-chunk.

mod array;
mod buffers;
mod chunks;
mod context;
mod copy;
mod create;
mod geometry;
mod meta;
mod orthogonal;
mod read;
mod resize;
mod slices;
mod stored;
mod views;
mod write;

pub use buffers::{
    b2nd_copy_buffer, b2nd_copy_buffer2, blosc2_multidim_to_unidim, blosc2_unidim_to_multidim,
};
pub use context::{b2nd_create_ctx, b2nd_free_ctx};
pub use copy::{b2nd_concatenate, b2nd_copy, b2nd_get_slice};
pub use create::{
    b2nd_empty, b2nd_free, b2nd_from_cbuffer, b2nd_full, b2nd_nans, b2nd_uninit, b2nd_zeros,
};
pub use meta::{b2nd_deserialize_meta, b2nd_print_meta, b2nd_refresh, b2nd_serialize_meta};
pub use orthogonal::{b2nd_get_orthogonal_selection, b2nd_set_orthogonal_selection};
pub use read::{b2nd_get_slice_cbuffer, b2nd_get_sparse_cbuffer, b2nd_to_cbuffer};
pub use resize::b2nd_resize;
pub use slices::blosc2_get_slice_nchunks;
pub use stored::{
    b2nd_from_cframe, b2nd_from_schunk, b2nd_open, b2nd_open_offset, b2nd_save, b2nd_save_append,
    b2nd_to_cframe,
};
pub use views::{b2nd_expand_dims, b2nd_squeeze, b2nd_squeeze_index};
pub use write::{b2nd_append, b2nd_delete, b2nd_insert, b2nd_set_slice_cbuffer};
