//! Intent: the LZ4 encoders, fast and high-ratio, with and without a dictionary, write streams of
//! their content at any level, the same at every instruction set, within their space and without
//! anything of an earlier stream.
//! Oracle: `lz4_flex` and our own decoder give the content back.
//! Seeds: choices of pieces, repeated to more than 64 KiB or not, and bytes as they are.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::lz4_encode(data));
