//! Intent: no frame, in memory or in a file, makes opening, reading or changing it panic, hang,
//! or take more memory than the limits allow.
//! Oracle: memory and file say the same; parts of chunks agree with whole ones; what is committed
//! opens again.
//! Seeds: the golden frames; our own frames, a field of them damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::frame_open(data));
