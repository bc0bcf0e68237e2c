//! Intent: items, ranges and blocks of a chunk are those of the whole, and parts of damaged
//! chunks are refused or right.
//! Oracle: the whole chunk; bytes around what was asked for stay as they were.
//! Seeds: the golden chunks; our own chunks, damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::chunk_items(data));
