//! Intent: the BloscLZ decoder stays inside its buffers and says the same for any old content of
//! the output. Oracle: two differently filled outputs agree. Seeds: streams of the golden chunks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oxiblosc::kernels::blosclz::decode;

fuzz_target!(|input: (u16, &[u8])| {
    let (len, stream) = input;
    let mut zeros = vec![0; usize::from(len)];
    let mut ones = vec![0xFF; usize::from(len)];
    let first = decode(stream, &mut zeros);
    assert_eq!(first, decode(stream, &mut ones));
    if let Ok(len) = first {
        assert_eq!(zeros[..len], ones[..len]);
    }
});
