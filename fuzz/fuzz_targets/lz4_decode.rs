//! Intent: the LZ4 decoder stays inside its buffers, with and without a dictionary. Oracle: two
//! differently filled outputs agree. Seeds: streams of the golden chunks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oxiblosc::kernels::lz4::{decode, decode_with_dict};

fuzz_target!(|input: (u16, &[u8], &[u8])| {
    let (len, dict, stream) = input;
    let mut zeros = vec![0; usize::from(len)];
    let mut ones = vec![0xFF; usize::from(len)];
    let first = decode(stream, &mut zeros);
    assert_eq!(first, decode(stream, &mut ones));
    if let Ok(len) = first {
        assert_eq!(zeros[..len], ones[..len]);
    }
    let first = decode_with_dict(stream, dict, &mut zeros);
    assert_eq!(first, decode_with_dict(stream, dict, &mut ones));
    if let Ok(len) = first {
        assert_eq!(zeros[..len], ones[..len]);
    }
});
