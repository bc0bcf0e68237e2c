//! Intent: no array makes opening or slicing panic, hang, or take more memory than the limits
//! allow.
//! Oracle: slices have the size they were asked for; two differently filled outputs agree.
//! Seeds: the golden arrays; our own arrays, their metalayer damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::b2nd_open(data));
