//! Intent: the NDLZ decoder stays inside its buffers on any stream.
//! Oracle: our own encoder's streams decode to their data; what decodes, encodes and decodes to
//! itself; two differently filled outputs.
//! Seeds: streams of C-Blosc2; our own streams, damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::ndlz_decode(data));
