//! The structures of the public headers, field by field, with their sizes and offsets asserted.
//!
//! Names are those of the headers, so that the two can be compared.
#![expect(non_camel_case_types, reason = "the names of the C headers")]

mod array;
mod callbacks;
mod codes;
mod io;
mod params;
mod schunk;

pub use array::{b2nd_array_t, b2nd_context_t, chunk_cache_s};
pub use callbacks::{
    blosc_threads_callback, blosc2_codec, blosc2_codec_decoder_cb, blosc2_codec_encoder_cb,
    blosc2_filter, blosc2_filter_backward_cb, blosc2_filter_forward_cb, blosc2_instr,
    blosc2_postfilter_fn, blosc2_postfilter_params, blosc2_prefilter_fn, blosc2_prefilter_params,
    blosc2_tuner,
};
pub use codes::*;
pub use io::{
    blosc2_close_cb, blosc2_destroy_cb, blosc2_io, blosc2_io_cb, blosc2_open_cb, blosc2_read_cb,
    blosc2_size_cb, blosc2_stdio_file, blosc2_stdio_mmap, blosc2_stdio_params, blosc2_truncate_cb,
    blosc2_write_cb,
};
pub use params::{blosc2_cparams, blosc2_dparams, blosc2_storage};
pub use schunk::{blosc2_frame, blosc2_metalayer, blosc2_schunk};

/// A context for compression or decompression; opaque to callers.
#[derive(Debug)]
#[repr(C)]
pub struct blosc2_context {
    _opaque: [u8; 0],
}

/// Asserts the size of a structure and the offsets of its fields.
macro_rules! layout {
    ($type:ty, $size:literal $(, $field:ident at $offset:literal)* $(,)?) => {
        #[cfg(target_pointer_width = "64")]
        const _: () = {
            assert!(size_of::<$type>() == $size);
            $(assert!(std::mem::offset_of!($type, $field) == $offset);)*
        };
    };
}
pub(crate) use layout;
