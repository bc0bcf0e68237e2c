//! Intent: chunks of Blosc1 come back, and damaged ones are refused or agree with themselves.
//! Oracle: the data themselves; every way of decoding gives the same.
//! Seeds: choices: parameters and data, then damage.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::blosc1(data));
