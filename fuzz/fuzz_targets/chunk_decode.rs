//! Intent: no chunk makes the decoder panic, hang, or take more memory than the limits allow.
//! Oracle: every way of decoding the whole gives the same; what decodes also parses and walks.
//! Seeds: the golden chunks; our own chunks of every form, a field of them damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::chunk_decode(data));
