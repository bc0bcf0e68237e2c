//! Intent: the ZFP decoder stays inside its buffers on any stream.
//! Oracle: our own encoder's streams decode; a stream that is cut by a word is refused; two
//! differently filled outputs.
//! Seeds: choices; our own streams, damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::zfp_decode(data));
