//! Every codec at every level, through chunks.

use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, CodecId, ErrorKind, FilterSlot, SplitMode, decompress,
};

/// The codecs that write, as far as this build has them.
fn codecs() -> Vec<CodecId> {
    let all = [
        CodecId::BLOSCLZ,
        CodecId::LZ4,
        CodecId::LZ4HC,
        CodecId::ZLIB,
        CodecId::ZSTD,
    ];
    let on = [
        true,
        cfg!(feature = "lz4"),
        cfg!(feature = "lz4"),
        cfg!(feature = "zlib"),
        cfg!(feature = "zstd"),
    ];
    all.into_iter()
        .zip(on)
        .filter_map(|(id, on)| on.then_some(id))
        .collect()
}

/// Numbers that grow by little steps, with some noise in the low byte.
fn walk(nitems: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let mut value = 1_000_000_u32;
    (0..nitems)
        .flat_map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            value = value.wrapping_add(state >> 26);
            value.to_le_bytes()
        })
        .collect()
}

#[test]
fn every_level_round_trips_and_compresses() {
    let data = walk(50_000);
    for codec in codecs() {
        for clevel in 1..=9 {
            let cparams = CParams::new(4).codec(codec).clevel(clevel);
            let chunk = ChunkEncoder::new(cparams).unwrap().encode(&data).unwrap();
            assert!(
                chunk.len() < data.len() * 3 / 4,
                "{codec} {clevel}: {}",
                chunk.len()
            );
            assert_eq!(decompress(&chunk).unwrap(), data, "{codec} {clevel}");
        }
    }
}

#[test]
fn a_used_encoder_writes_the_bytes_of_a_fresh_one() {
    let (first, second) = (walk(30_000), walk(41_003));
    for codec in codecs() {
        for clevel in [1, 5, 9] {
            let cparams = CParams::new(4).codec(codec).clevel(clevel);
            let mut used = ChunkEncoder::new(cparams.clone()).unwrap();
            used.encode(&first).unwrap();
            used.encode(&[0; 5000]).unwrap();
            let again = used.encode(&second).unwrap();
            let fresh = ChunkEncoder::new(cparams).unwrap().encode(&second).unwrap();
            assert!(again == fresh, "{codec} {clevel}");
        }
    }
}

#[test]
fn dictionaries_help_many_small_blocks() {
    let data = walk(20_000);
    for codec in codecs() {
        if !matches!(codec, CodecId::LZ4 | CodecId::LZ4HC | CodecId::ZSTD) {
            continue;
        }
        let cparams = CParams::new(4)
            .codec(codec)
            .filters([FilterSlot::SHUFFLE])
            .split_mode(SplitMode::Never)
            .blocksize(Some(1024));
        let plain = ChunkEncoder::new(cparams.clone())
            .unwrap()
            .encode(&data)
            .unwrap();
        let chunk = ChunkEncoder::new(cparams.use_dict(true))
            .unwrap()
            .encode(&data)
            .unwrap();
        assert_eq!(chunk[0x1F] & 1, 1, "{codec}: no dictionary flag");
        assert_eq!(decompress(&chunk).unwrap(), data, "{codec}");
        // The dictionary itself takes 4000 bytes.
        assert!(
            chunk.len() < plain.len() + 4004,
            "{codec}: {} and {}",
            chunk.len(),
            plain.len()
        );
    }
}

#[test]
fn snappy_is_not_written() {
    let encoder = ChunkEncoder::new(CParams::new(4).codec(CodecId::SNAPPY));
    let error = encoder
        .and_then(|mut encoder| encoder.encode(&walk(10_000)))
        .unwrap_err();
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Unsupported | ErrorKind::InvalidParam
        ),
        "{error}"
    );
}

#[test]
fn a_damaged_stream_names_its_codec_block_and_place() {
    let data = walk(50_000);
    for codec in codecs() {
        let cparams = CParams::new(4)
            .codec(codec)
            .split_mode(SplitMode::Never)
            .blocksize(Some(65536));
        let chunk = ChunkEncoder::new(cparams).unwrap().encode(&data).unwrap();
        let bstart = u32::from_le_bytes(*chunk[36..].first_chunk().unwrap());
        // A second block full of ones is no stream of any codec.
        let mut damaged = chunk.clone();
        let at = usize::try_from(bstart).unwrap() + 4;
        damaged[at..at + 600].fill(0xFF);
        match ChunkDecoder::default().decode(&damaged) {
            Ok(decoded) => panic!("{codec}: decoded to {} bytes", decoded.len()),
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("block 1"), "{codec}: {text}");
                assert_eq!(error.kind(), ErrorKind::Corrupt, "{codec}: {text}");
                assert!(
                    error.offset().is_some_and(|o| o >= u64::from(bstart)),
                    "{codec}: {text}"
                );
            }
        }
    }
}
