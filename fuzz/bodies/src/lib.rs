//! The bodies of the fuzz targets: plain functions of bytes, without a fuzzer.
//!
//! ```text
//! fuzz_targets/NAME.rs   intent, oracle, seeds; hands its bytes to the function of that name here
//! corpus/NAME/*          inputs that each reach code of their own; tests/replay.rs runs them all
//! ```
//!
//! A function returns when its promises hold for the input and panics when one does not. Inputs are
//! choices ([`dice`]): mostly a valid object is made of them and then a field of it is damaged.
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a panic is how a target says that a promise is broken"
)]

mod array_codecs;
mod arrays;
mod chunks;
mod codecs;
mod damaged;
pub mod dice;
mod differential;
mod encoders;
mod frame_ops;
mod frames;
mod kernels;
pub mod make;
mod roundtrip;
mod values;

pub use array_codecs::{ndlz_decode, zfp_decode};
pub use arrays::{b2nd_open, b2nd_slice, npy};
pub use chunks::{
    chunk_decode, chunk_items, dictionaries, no_leak, serial_parallel, stream_read, vl_blocks,
};
pub use codecs::{blosclz_decode, inflate, lz4_decode, zstd_decode};
pub use damaged::{salvage, stores};
pub use differential::{LIBRARY, vs_c_decode};
pub use encoders::{blosclz_encode, lz4_encode, zstd_encode};
pub use frame_ops::frame_ops;
pub use frames::{fill, frame_open, metalayers, read_all, sparse_frame};
pub use kernels::kernels;
pub use roundtrip::{blosc1, chunk_roundtrip};
pub use values::values;

/// A target: its name, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All targets, from the innermost layer to the outermost.
pub const TARGETS: [Target; 30] = [
    ("kernels", kernels),
    ("blosclz_decode", blosclz_decode),
    ("blosclz_encode", blosclz_encode),
    ("lz4_decode", lz4_decode),
    ("lz4_encode", lz4_encode),
    ("inflate", inflate),
    ("zstd_decode", zstd_decode),
    ("zstd_encode", zstd_encode),
    ("ndlz_decode", ndlz_decode),
    ("zfp_decode", zfp_decode),
    ("stream_read", stream_read),
    ("chunk_decode", chunk_decode),
    ("chunk_items", chunk_items),
    ("chunk_roundtrip", chunk_roundtrip),
    ("vl_blocks", vl_blocks),
    ("dictionaries", dictionaries),
    ("blosc1", blosc1),
    ("no_leak", no_leak),
    ("serial_parallel", serial_parallel),
    ("frame_open", frame_open),
    ("sparse_frame", sparse_frame),
    ("salvage", salvage),
    ("frame_ops", frame_ops),
    ("metalayers", metalayers),
    ("values", values),
    ("b2nd_open", b2nd_open),
    ("b2nd_slice", b2nd_slice),
    ("stores", stores),
    ("npy", npy),
    ("vs_c_decode", vs_c_decode),
];
