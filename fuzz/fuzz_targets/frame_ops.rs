//! Intent: any sequence of changes leaves the frame that a plain list of chunks says.
//! Oracle: a vector of chunks; the frame is reopened in between.
//! Seeds: choices: operations one after another, contiguous and sparse.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::frame_ops(data));
