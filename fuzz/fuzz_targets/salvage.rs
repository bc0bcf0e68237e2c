//! Intent: no damage makes salvage panic, hang, or take more memory than the limits allow.
//! Oracle: chunks have different numbers and bytes of their own, and decode; a new frame of them
//! opens.
//! Seeds: choices: frames of our own, damaged; frames of C-Blosc2.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::salvage(data));
