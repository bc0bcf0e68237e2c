//! Intent: threads change neither the bytes of a chunk nor what is decoded nor which error is
//! reported.
//! Oracle: one thread.
//! Seeds: choices: parameters, data, damage.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::serial_parallel(data));
