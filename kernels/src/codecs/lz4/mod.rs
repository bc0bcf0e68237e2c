//! The LZ4 block format: a fast compressor, a high-ratio compressor, and one decoder for both.
//!
//! A stream is a list of *sequences*, each a run of literal bytes and a match, i.e. a copy of
//! bytes already produced (see the picture in [`decode`]). Blosc stores streams of 4 KiB to 4 MiB,
//! mostly byte or bit planes of numbers, and keeps the content's length itself: a stream has no
//! header and no checksum.
//!
//! Every stream written here keeps the format's rules for the end of a block, on which old
//! decoders rely: the last 5 bytes are literals, and the last match starts at least 12 bytes
//! before the end. Output bytes are a function of the input and the parameters: not of the
//! instruction set, and not of the streams that an encoder compressed before.
//!
//! # Why not `lz4_flex`, and how it compares
//!
//! `lz4_flex` has no acceleration, no high-ratio mode and no output limit, and copies overlapping
//! matches byte by byte, which byte planes consist of. Against LZ4 1.10 in C (time ratio, more
//! than 1 is faster here; geometric means over 24 kinds of data: planes of smooth, rounded, noisy
//! and real numbers, text, logs, images, runs, records; Zen 5, one thread, shared machine, minima
//! per stream):
//!
//! | | streams of 32 KiB | of 512 KiB | size |
//! |---|---|---|---|
//! | compress, acceleration 1 | 1.15–1.18 | 1.30 | 1.000 |
//! | compress, acceleration 5 | 1.20 | 1.37 | 0.999 |
//! | decompress | 1.19–1.22 | 1.18 | |
//!
//! Below 1: short unpredictable matches (logs, small records: 0.86–0.96 compressing).
//! `examples/lz4_vs_c.rs` measures it. High-ratio levels, with sizes within 0.5 % of C's on
//! average, stand in `benches/RESULTS.md`.

mod chains;
mod decode;
mod encode;
mod fast_tables;
mod hc;
mod history;
mod limits;
mod mid;
mod mid_tables;
mod search;
mod sequence;

pub use decode::{
    decode, decode_front, decode_prefix, decode_prefix_with_dict, decode_with_dict, decode_within,
};
pub use encode::Encoder;
pub use hc::HcEncoder;

/// The most bytes that a stream of `nbytes` bytes of content takes.
///
/// An encoder with an output of this length always succeeds.
///
/// # Example
/// ```
/// use oxiblosc_kernels::{Kernels, lz4};
/// let mut dst = vec![0; lz4::max_stream_len(3)];
/// assert!(lz4::Encoder::new(Kernels::best()).encode(1, b"abc", &mut dst).is_some());
/// ```
#[doc(alias = "LZ4_compressBound")]
#[must_use]
pub const fn max_stream_len(nbytes: usize) -> usize {
    nbytes.saturating_add(nbytes / 255).saturating_add(16)
}
