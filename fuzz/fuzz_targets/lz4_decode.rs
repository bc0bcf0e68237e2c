//! Intent: the LZ4 decoder stays inside its buffers on any stream, with and without a dictionary.
//! Oracle: `lz4_flex` where it accepts the stream; two differently filled outputs; a part agrees
//! with the whole.
//! Seeds: streams of the golden chunks; our own streams, damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::lz4_decode(data));
