//! Intent: the walk over the streams of a block is bounded, whatever their prefixes say.
//! Oracle: whole decoding fails where the walk does; two differently filled outputs.
//! Seeds: choices: a right header, then streams out of the input.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::stream_read(data));
