//! Intent: the zlib decoder stays inside its buffers on any stream.
//! Oracle: our own encoder's streams come back; two differently filled outputs; a part agrees
//! with the whole.
//! Seeds: streams of the golden chunks; our own streams, damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::inflate(data));
