//! Intent: slices, picks, changes and resizes of an array are those of plain indexing.
//! Oracle: the content as one vector, indexed by hand.
//! Seeds: choices: shapes, then operations.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::b2nd_slice(data));
