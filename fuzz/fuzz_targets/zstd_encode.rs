//! Intent: the Zstandard encoder writes streams of its content at any level, the same at every
//! instruction set, within its space and without anything of an earlier stream.
//! Oracle: libzstd and our own decoder give the content back.
//! Seeds: choices of pieces, and bytes as they are.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::zstd_encode(data));
