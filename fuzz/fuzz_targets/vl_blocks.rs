//! Intent: chunks of variable-length blocks come back whole and block by block, and damaged ones
//! are refused or agree with themselves.
//! Oracle: the data themselves; blocks one by one give the whole; threads give the same bytes.
//! Seeds: choices: blocks, then damage to the table of the blocks.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::vl_blocks(data));
