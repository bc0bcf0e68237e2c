//! Intent: no msgpack in a vlmetalayer makes its decoder panic or exhaust the stack.
//! Oracle: what is read is the same after it is written; the decoder of stores takes it, too.
//! Seeds: values that python-blosc2 writes.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::values(data));
