//! Intent: nothing that a buffer or a decoder held before shows in what is decoded.
//! Oracle: two differently filled outputs, initialised or not; a fresh decoder and a used one;
//! errors included.
//! Seeds: the golden chunks; our own chunks, damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::no_leak(data));
