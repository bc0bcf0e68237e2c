//! Intent: the zlib decoder stays inside its buffers on any stream. Oracle: two differently filled
//! outputs agree. Seeds: streams of the golden chunks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oxiblosc::kernels::inflate::Inflate;

fuzz_target!(|input: (u16, &[u8])| {
    let (len, stream) = input;
    let mut inflater = Inflate::new();
    let mut zeros = vec![0; usize::from(len)];
    let mut ones = vec![0xFF; usize::from(len)];
    let first = inflater.decode_prefix(stream, &mut zeros).ok();
    assert_eq!(first, inflater.decode_prefix(stream, &mut ones).ok());
    if let Some(len) = first {
        assert_eq!(zeros[..len], ones[..len]);
    }
});
