//! Intent: no kernel of any level writes outside its output or differs from the scalar one.
//! Oracle: the scalar kernels, canaries around the output, and each kernel's inverse.
//! Seeds: choices: typesize, length, offsets, kernel, data.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::kernels(data));
