//! Intent: both decoders agree on what a chunk says.
//! Oracle: C-Blosc2 in a separate process (`OXIBLOSC_LIBBLOSC2` names the library; without it
//! only our side runs): what we decode it decodes to the same bytes, its known defects aside.
//! Seeds: choices: parameters and data, then damage.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::vs_c_decode(data));
