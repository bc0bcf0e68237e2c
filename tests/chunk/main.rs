//! Chunks: round trips, codecs, filters, threads and bytes that the C library wrote.

mod blosc1;
mod chosen_blocks;
mod codecs;
#[path = "../common/mod.rs"]
mod common;
mod defects_of_others;
mod determinism;
mod filters;
mod forms;
mod front;
mod hook_numbers;
mod hook_threads;
mod hooks;
mod isa;
mod one_block;
mod registry;
mod regressions;
mod roundtrip;
mod threads;
mod values;
mod vectors;
mod vlblocks;
