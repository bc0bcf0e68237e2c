//! One test per fixed bug.

use oxiblosc::{CParams, ChunkEncoder, CodecId, FilterSlot, decompress};

/// Bytes without pattern.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 1_u32;
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            state.to_be_bytes()[0]
        })
        .collect()
}

/// C refuses a zeros chunk that claims a dictionary.
#[test]
#[cfg(feature = "lz4")]
fn zeros_with_a_dictionary_claim_none() {
    let cparams = CParams::new(4).codec(CodecId::LZ4).use_dict(true);
    let chunk = ChunkEncoder::new(cparams)
        .unwrap()
        .encode(&[0; 20_000])
        .unwrap();
    assert_eq!(chunk.len(), 32);
    assert_eq!(chunk[31], 0x10);
    assert_eq!(decompress(&chunk).unwrap(), [0; 20_000]);
}

/// The dictionary took the room that the blocks needed.
#[test]
#[cfg(feature = "lz4")]
fn incompressible_vlblocks_with_a_dictionary_fit() {
    let data = noise(6000);
    let blocks: Vec<&[u8]> = data.chunks(500).collect();
    for codec in [CodecId::LZ4, CodecId::LZ4HC] {
        let cparams = CParams::new(7)
            .codec(codec)
            .filters([FilterSlot::BITSHUFFLE])
            .use_dict(true);
        let chunk = ChunkEncoder::new(cparams)
            .unwrap()
            .encode_vlblocks(&blocks)
            .unwrap();
        assert!(chunk.len() <= data.len() + 32 + 8 * blocks.len());
        assert_eq!(decompress(&chunk).unwrap(), data);
    }
}
