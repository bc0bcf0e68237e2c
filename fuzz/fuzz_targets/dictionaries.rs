//! Intent: chunks with dictionaries come back, and damage to a dictionary or its size is refused
//! or harmless.
//! Oracle: the data themselves; two differently filled outputs.
//! Seeds: choices: parameters and data, then damage to the dictionary.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::dictionaries(data));
