//! Intent: no directory makes the reader of sparse frames panic, hang, or take more memory than
//! the limits allow.
//! Oracle: two readings agree; parts of chunks agree with whole ones.
//! Seeds: choices: a valid directory, then files of it damaged, replaced or removed.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::sparse_frame(data));
