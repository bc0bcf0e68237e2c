//! Intent: no frame makes the reader panic, hang, or take more memory than the limits allow.
//! Oracle: no crash, bounded memory. Seeds: the golden frames.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oxiblosc::{ChunkDecoder, ChunkSource, DParams, FrameReader, Limits};

fuzz_target!(|frame: &[u8]| {
    let limits = Limits::UNTRUSTED.max_alloc(1 << 20).max_nchunks(1 << 12);
    let dparams = DParams::new().limits(limits);
    let Ok(reader) = FrameReader::from_bytes(frame, dparams.clone()) else {
        return;
    };
    let _ = reader.check();
    let mut decoder = ChunkDecoder::new(dparams);
    let mut dst = vec![0; 1 << 16];
    for nchunk in 0..reader.layout().nchunks.min(64) {
        let _ = reader.decode_chunk_into(&mut decoder, nchunk, &mut dst);
    }
    for (name, _) in reader.metalayers().iter() {
        let _ = reader.vlmetalayer(name);
    }
});
