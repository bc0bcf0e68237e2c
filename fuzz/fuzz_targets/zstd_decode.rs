//! Intent: the Zstandard decoder stays inside its buffers on any stream, with and without a
//! dictionary.
//! Oracle: libzstd accepts the same streams, but for literals without a proper end, and gives the
//! same content; two differently filled outputs; a part agrees with the whole.
//! Seeds: streams of the golden chunks; streams of libzstd, damaged.
#![no_main]

use oxiblosc_fuzz_bodies as bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::zstd_decode(data));
