//! Chunks of variable-length blocks, chunks with a dictionary and chunks for Blosc1: what goes in
//! comes out, whole and in parts.

use crate::common::{KINDS, Rng, codecs, data, pipeline};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkView, CodecId, ErrorKind, FilterSlot, Limits,
    SplitMode,
};

#[test]
fn variable_length_blocks_come_back() {
    let mut decoder = ChunkDecoder::default();
    for index in 0..1500 {
        let mut rng = Rng(index);
        let typesize = rng.pick(&[1, 2, 4, 7, 8, 16]);
        let blocks: Vec<Vec<u8>> = (0..1 + rng.below(20))
            .map(|block| {
                let most = rng.pick(&[3, 40, 700, 5000]);
                let len = 1 + rng.below(most);
                data(rng.below(KINDS), typesize, len, index * 100 + block as u64)
            })
            .collect();
        let lossless = pipeline(&mut rng, 3);
        let codec = rng.pick(&codecs());
        let dict = codec != CodecId::BLOSCLZ && codec != CodecId::ZLIB && rng.below(3) == 0;
        let cparams = CParams::new(typesize)
            .codec(codec)
            .clevel(rng.pick(&[0, 1, 5, 9]))
            .filters(lossless)
            .use_dict(dict);
        let name = format!("case {index}: {cparams:?}");
        let mut encoder = ChunkEncoder::new(cparams).unwrap();
        let chunk = encoder.encode_vlblocks(&blocks).expect(&name);
        let view = ChunkView::parse(&chunk, &Limits::UNTRUSTED).expect(&name);
        view.check_streams().expect(&name);
        assert!(view.header().is_vlblocks());
        assert_eq!(view.nblocks(), blocks.len());
        assert!(
            decoder.decode(&chunk).expect(&name) == blocks.concat(),
            "{name}"
        );
        for (at, block) in (0..).zip(&blocks) {
            assert_eq!(view.vlblock_len(at).unwrap(), block.len());
            assert!(
                decoder.decode_vlblock(&chunk, at).expect(&name) == *block,
                "{name}"
            );
        }
        let refused = decoder.decode_items(&chunk, 0..0).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Refused);
        let mut short = vec![0; chunk.len() - 1];
        assert!(encoder.encode_vlblocks_into(&blocks, &mut short).is_err());
    }
}

#[test]
fn bad_lists_of_blocks_are_refused() {
    let mut encoder = ChunkEncoder::new(CParams::new(1)).unwrap();
    let none: [&[u8]; 0] = [];
    let error = encoder.encode_vlblocks(&none).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidParam);
    let error = encoder.encode_vlblocks(&["a", ""]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidParam);
}

#[test]
fn damaged_variable_length_blocks_are_refused() {
    let mut encoder = ChunkEncoder::new(CParams::new(1)).unwrap();
    let blocks = [&[7; 100][..], b"some more of it", &[9; 60]];
    let chunk = encoder.encode_vlblocks(&blocks).unwrap();
    let mut decoder = ChunkDecoder::default();
    let mut dst = vec![0; 300];
    for at in 0..chunk.len() {
        assert!(decoder.decode(&chunk[..at]).is_err());
        for value in [0, 1, 0x7F, 0x80, 0xFF, chunk[at] ^ 1, chunk[at] ^ 0x10] {
            let mut bad = chunk.clone();
            bad[at] = value;
            if let Ok(data) = decoder.decode(&bad) {
                assert_eq!(
                    data.len(),
                    u32::from_le_bytes(bad[4..8].try_into().unwrap()) as usize
                );
            }
            let _ = decoder.decode_into(&bad, &mut dst);
            let _ = decoder.decode_vlblock(&bad, 1);
        }
    }
}

#[cfg(feature = "lz4")]
#[test]
fn dictionaries_come_back_and_help() {
    let mut decoder = ChunkDecoder::default();
    for codec in codecs() {
        if codec == CodecId::BLOSCLZ || codec == CodecId::ZLIB {
            assert!(ChunkEncoder::new(CParams::new(1).codec(codec).use_dict(true)).is_err());
            continue;
        }
        // Records, in blocks so small that each has little to refer to.
        let mut rng = Rng(5);
        let mut src = String::new();
        while src.len() < 200_000 {
            let (id, x) = (rng.below(100_000), rng.below(1000));
            src += &format!("{{\"id\": {id}, \"position\": [{x}, 0.25], \"kind\": \"chunk\"}}\n");
        }
        let src = src.into_bytes();
        for filters in [vec![], vec![FilterSlot::SHUFFLE], vec![FilterSlot::DELTA]] {
            for split in [SplitMode::Always, SplitMode::Never] {
                let cparams = CParams::new(2)
                    .codec(codec)
                    .filters(filters.clone())
                    .blocksize(Some(1000))
                    .split_mode(split);
                // With a dictionary Zstandard's level is always 1.
                let level = if codec == CodecId::ZSTD { 1 } else { 5 };
                let plain = oxiblosc::compress(&src, &cparams.clone().clevel(level)).unwrap();
                let chunk = oxiblosc::compress(&src, &cparams.clone().use_dict(true)).unwrap();
                let view = ChunkView::parse(&chunk, &Limits::UNTRUSTED).unwrap();
                // Zstandard learns from whole records only.
                let learns = split == SplitMode::Never && filters.is_empty();
                if codec != CodecId::ZSTD || learns {
                    assert!(view.dict().is_some(), "{codec} {filters:?} {split:?}");
                    assert!(chunk.len() < plain.len(), "{codec} {filters:?} {split:?}");
                }
                assert!(decoder.decode(&chunk).unwrap() == src);
                let items = decoder.decode_items(&chunk, 50_000..50_003).unwrap();
                assert_eq!(items, src[100_000..100_006]);
            }
        }
        // Noise is copied, and the copy does not speak of a dictionary.
        let noise = data(2, 1, 100_000, 1);
        let chunk = oxiblosc::compress(&noise, &CParams::new(1).codec(codec).use_dict(true));
        let chunk = chunk.unwrap();
        assert_eq!(chunk.len(), noise.len() + 32);
        assert_eq!(chunk[31], 0);
        assert!(decoder.decode(&chunk).unwrap() == noise);
    }
}

#[test]
fn chunks_for_blosc1_come_back() {
    let mut decoder = ChunkDecoder::default();
    for index in 0..600 {
        let mut rng = Rng(index);
        let typesize = rng.pick(&[1, 2, 3, 4, 8, 16, 17, 300]);
        let most = rng.pick(&[40, 500, 5000, 100_000]);
        let len = rng.below(most);
        let src = data(rng.below(KINDS), typesize, len, index);
        let filter = rng.pick(&[
            FilterSlot::NONE,
            FilterSlot::SHUFFLE,
            FilterSlot::BITSHUFFLE,
        ]);
        let cparams = CParams::new(typesize)
            .codec(rng.pick(&codecs()))
            .clevel(rng.pick(&[0, 1, 5]))
            .filters([filter])
            .blocksize(rng.pick(&[None, Some(256), Some(1000)]))
            .split_mode(rng.pick(&[SplitMode::Auto, SplitMode::Always, SplitMode::Never]));
        let name = format!("case {index}: {len} bytes, {cparams:?}");
        let mut encoder = ChunkEncoder::new(cparams).unwrap();
        let chunk = encoder.encode_blosc1(&src).expect(&name);
        assert!(chunk.len() <= src.len() + 16 && chunk[0] == 2, "{name}");
        assert!(decoder.decode(&chunk).expect(&name) == src, "{name}");
        let mut dst = vec![0; src.len() + 16];
        let cbytes = encoder.encode_blosc1_into(&src, &mut dst).expect(&name);
        assert!(dst[..cbytes] == chunk[..], "{name}");
    }
    let mut encoder = ChunkEncoder::new(CParams::new(4).filters([FilterSlot::DELTA])).unwrap();
    assert_eq!(
        encoder.encode_blosc1(&[1; 99]).unwrap_err().kind(),
        ErrorKind::Refused
    );
}
