//! Intent: the `BloscLZ` encoder writes streams of its content at any level, the same at every
//! instruction set, within its space and without anything of an earlier stream.
//! Oracle: a decoder of format §6.1 written byte by byte, and our own, give the content back.
//! Seeds: choices of pieces, repeated to more than 64 KiB or not, and bytes as they are.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::blosclz_encode(data));
