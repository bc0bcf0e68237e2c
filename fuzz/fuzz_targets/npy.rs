//! Intent: no `.npy` header makes its parser panic or take memory that the file does not back.
//! Oracle: what is written of a header reads the same again.
//! Seeds: headers that NumPy wrote.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::npy(data));
