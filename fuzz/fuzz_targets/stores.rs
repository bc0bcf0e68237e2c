//! Intent: no archive, embedded store, Zarr metadata, bloscpack file, ASDF, N5 or OpenVDB block
//! makes its reader panic, hang, or take more memory than the limits allow.
//! Oracle: two readings of an array agree.
//! Seeds: files of other writers, damaged by choices.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::stores(data));
