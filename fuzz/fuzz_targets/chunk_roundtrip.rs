//! Intent: compressed data decodes to the original, for any lossless parameters and any capacity.
//! Oracle: the data themselves.
//! Seeds: choices: parameters, then data.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::chunk_roundtrip(data));
