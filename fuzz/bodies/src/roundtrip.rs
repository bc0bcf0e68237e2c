//! Compressed data decodes to the original.

use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, FilterSlot, max_chunk_len};

use crate::dice::Dice;
use crate::make::{CODECS, cparams, damage_chunk, data, dparams};

/// See `fuzz_targets/chunk_roundtrip.rs`.
pub fn chunk_roundtrip(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let cparams = cparams(dice);
    let src = data(dice, cparams.typesize);
    let mut encoder = ChunkEncoder::new(cparams).expect("parameters in range");
    let chunk = encoder.encode(&src).expect("lossless parameters");
    assert!(chunk.len() <= max_chunk_len(src.len()));
    let mut decoder = ChunkDecoder::new(dparams());
    assert!(decoder.decode(&chunk).expect("our own chunk") == src);
    // A destination of exactly the length of the chunk, and one of any other length.
    let capacity = usize::from(dice.u16()) % (max_chunk_len(src.len()) + 1);
    for capacity in [capacity, chunk.len()] {
        let mut dst = vec![0xEE; capacity];
        if let Ok(len) = encoder.encode_into(&src, &mut dst) {
            assert!(decoder.decode(&dst[..len]).expect("our own chunk") == src);
        }
    }
    let mut appended = vec![9; 3];
    let n = encoder.encode_append(&src, &mut appended);
    assert_eq!(n.expect("a vector grows"), chunk.len());
    assert!(appended[3..] == chunk);
}

/// See `fuzz_targets/blosc1.rs`.
pub fn blosc1(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let typesize = dice.pick(&[1, 2, 3, 4, 7, 8, 15, 16, 17, 32, 255]);
    // LZ4HC is of the same stream format.
    let codec = dice.pick(&CODECS);
    let filter = dice.pick(&[
        FilterSlot::NONE,
        FilterSlot::SHUFFLE,
        FilterSlot::BITSHUFFLE,
    ]);
    let blocksize = usize::from(dice.u16()) % 4096;
    let cparams = CParams::new(typesize)
        .codec(codec)
        .clevel(dice.byte() % 7)
        .filters([filter])
        .blocksize(Some(blocksize).filter(|&blocksize| blocksize > 0));
    let src = data(dice, typesize);
    let mut encoder = ChunkEncoder::new(cparams).expect("parameters in range");
    let Ok(mut chunk) = encoder.encode_blosc1(&src) else {
        return;
    };
    assert_eq!(chunk.first(), Some(&2), "the version of Blosc1");
    let mut decoder = ChunkDecoder::new(dparams());
    let back = decoder.decode(&chunk).expect("our own chunk");
    assert!(back == src);
    let (start, end) = (src.len() / 3, src.len() - src.len() / 5);
    let mut part = vec![0; end - start];
    let n = decoder.decode_bytes_into(&chunk, start..end, &mut part);
    assert_eq!(n.expect("a range of our own chunk"), part.len());
    assert!(part == src[start..end]);
    damage_chunk(dice, &mut chunk);
    let mut dst = [0; 6000];
    if let (Ok(whole), Ok(n)) = (
        decoder.decode(&chunk),
        decoder.decode_into(&chunk, &mut dst),
    ) {
        assert!(whole == dst[..n]);
    }
    let _ = decoder.decode_items(&chunk, 0..usize::from(dice.u16()));
}
