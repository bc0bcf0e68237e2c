//! Intent: what is compressed comes back, for any parameters. Oracle: the data themselves; two
//! threads give the same bytes as one. Seeds: none needed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oxiblosc::{CParams, ChunkEncoder, CodecId, FilterSlot, SplitMode, decompress};

const FILTERS: [FilterSlot; 5] = [
    FilterSlot::NONE,
    FilterSlot::SHUFFLE,
    FilterSlot::BITSHUFFLE,
    FilterSlot::DELTA,
    FilterSlot::BYTEDELTA,
];
const CODECS: [CodecId; 5] = [
    CodecId::BLOSCLZ,
    CodecId::LZ4,
    CodecId::LZ4HC,
    CodecId::ZLIB,
    CodecId::ZSTD,
];

fuzz_target!(|input: (u8, u8, [u8; 3], u8, u16, &[u8])| {
    let (typesize, codec, filters, level, blocksize, src) = input;
    let cparams = CParams::new(usize::from(typesize.max(1)))
        .codec(CODECS[usize::from(codec) % CODECS.len()])
        .clevel(level % 6)
        .filters(filters.map(|filter| FILTERS[usize::from(filter) % FILTERS.len()]))
        .split_mode(SplitMode::from_code(1 + level % 4).unwrap_or_default())
        .blocksize(Some(usize::from(blocksize)).filter(|blocksize| *blocksize > 0));
    let Ok(mut encoder) = ChunkEncoder::new(cparams) else {
        return;
    };
    let chunk = encoder.encode(src).expect("lossless parameters");
    assert_eq!(decompress(&chunk).expect("our own chunk"), src);
});
