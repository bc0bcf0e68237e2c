//! Intent: no chunk makes the decoder panic, hang, or take more memory than the limits allow.
//! Oracle: whole and partial reads agree, and two differently filled outputs do. Seeds: the golden
//! chunks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oxiblosc::{ChunkDecoder, ChunkView, DParams, Limits};

const MOST: usize = 1 << 20;

fuzz_target!(|chunk: &[u8]| {
    let limits = Limits::UNTRUSTED.max_alloc(MOST as u64);
    let mut decoder = ChunkDecoder::new(DParams::new().limits(limits));
    let _ = ChunkView::parse(chunk, &limits).map(|view| view.check_streams());
    let mut zeros = vec![0; MOST];
    let mut ones = vec![0xFF; MOST];
    let first = decoder.decode_into(chunk, &mut zeros);
    let second = decoder.decode_into(chunk, &mut ones);
    assert_eq!(first.is_ok(), second.is_ok());
    let Ok(len) = first else { return };
    assert_eq!(zeros[..len], ones[..len]);
    let (start, end) = (len / 3, len - len / 5);
    let part = &mut ones[..end - start];
    if decoder.decode_bytes_into(chunk, start..end, part).is_ok() {
        assert_eq!(part, &zeros[start..end]);
    }
});
