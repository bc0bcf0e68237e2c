//! Intent: the `BloscLZ` decoder stays inside its buffers on any stream and says the same for any
//! old content of the output.
//! Oracle: a decoder of format §6.1 written byte by byte; all levels; two differently filled
//! outputs; a part agrees with the whole.
//! Seeds: streams of the golden chunks; our own streams, damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::blosclz_decode(data));
