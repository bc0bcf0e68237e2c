//! Filters through chunks: what reaches the codec, and what comes back.
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, CodecId, DParams, Error, FilterId, FilterSlot, SplitMode,
    decompress,
};

/// The chunk with all its filter slots emptied: decompressing gives what the filters made.
fn without_filters(chunk: &[u8]) -> Vec<u8> {
    let mut bare = chunk.to_vec();
    bare[16..22].fill(0);
    bare[24..30].fill(0);
    bare
}

fn encode(cparams: &CParams, data: &[u8]) -> Vec<u8> {
    let chunk = ChunkEncoder::new(cparams.clone())
        .unwrap()
        .encode(data)
        .unwrap();
    assert_eq!(chunk[2] & 2, 0, "the chunk must not be a plain copy");
    chunk
}

fn ramp(nitems: u32) -> Vec<u8> {
    (0..nitems).flat_map(|i| (i * 3).to_le_bytes()).collect()
}

/// One pipeline after the other, each checked against its definition on one block.
#[test]
fn filters_give_the_codec_what_they_say() {
    let data = ramp(2000);
    let n = data.len() / 4;
    let planes: Vec<u8> = (0..4)
        .flat_map(|j| data.iter().skip(j).step_by(4).copied().collect::<Vec<_>>())
        .collect();
    let bytedelta: Vec<u8> = planes
        .iter()
        .enumerate()
        .map(|(i, byte)| {
            if i % n == 0 {
                *byte
            } else {
                byte.wrapping_sub(planes[i - 1])
            }
        })
        .collect();
    let xor: Vec<u8> = (0..data.len())
        .map(|i| {
            if i < 4 {
                data[i]
            } else {
                data[i] ^ data[i - 4]
            }
        })
        .collect();
    for (filters, expected) in [
        (vec![FilterSlot::SHUFFLE], &planes),
        (vec![FilterSlot::DELTA], &xor),
        #[cfg(feature = "bytedelta")]
        (vec![FilterSlot::SHUFFLE, FilterSlot::BYTEDELTA], &bytedelta),
        (
            vec![FilterSlot::SHUFFLE, FilterSlot::new(FilterId::SHUFFLE, 1)],
            &planes,
        ),
    ] {
        let cparams = CParams::new(4)
            .filters(filters.clone())
            .split_mode(SplitMode::Never)
            .blocksize(Some(data.len()));
        let chunk = encode(&cparams, &data);
        assert_eq!(
            &decompress(&without_filters(&chunk)).unwrap(),
            expected,
            "{filters:?}"
        );
        assert_eq!(decompress(&chunk).unwrap(), data, "{filters:?}");
    }
    assert_eq!(bytedelta.len(), data.len());
}

#[test]
fn lossy_filters_keep_what_they_promise() {
    let floats: Vec<f64> = (0..5000).map(|i| f64::from(i) / 7.0 + 1.0).collect();
    let data: Vec<u8> = floats
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let cparams = CParams::new(8).filters([FilterSlot::trunc_prec(20), FilterSlot::SHUFFLE]);
    let decoded = decompress(&encode(&cparams, &data)).unwrap();
    for (value, bytes) in floats.iter().zip(decoded.as_chunks().0) {
        let kept = f64::from_le_bytes(*bytes);
        assert!(
            kept <= *value && value - kept < value / f64::from(1 << 20),
            "{value} {kept}"
        );
    }
    let cparams = CParams::new(4).filters([FilterSlot::int_trunc(-8), FilterSlot::SHUFFLE]);
    let data = ramp(5000);
    let decoded = decompress(&encode(&cparams, &data)).unwrap();
    for (value, kept) in data
        .as_chunks::<4>()
        .0
        .iter()
        .zip(decoded.as_chunks::<4>().0)
    {
        assert_eq!(kept, &[0, value[1], value[2], value[3]]);
    }
}

/// Several blocks and a lossy filter before: the reference of later blocks is what a decoder has.
#[test]
fn delta_behind_a_lossy_filter_uses_the_decoded_block() {
    let data = ramp(30_000);
    let cparams = CParams::new(4)
        .filters([
            FilterSlot::int_trunc(-4),
            FilterSlot::DELTA,
            FilterSlot::SHUFFLE,
        ])
        .blocksize(Some(16384));
    let decoded = decompress(&encode(&cparams, &data)).unwrap();
    for (value, kept) in data
        .as_chunks::<4>()
        .0
        .iter()
        .zip(decoded.as_chunks::<4>().0)
    {
        assert_eq!(kept, &[value[0] & 0xF0, value[1], value[2], value[3]]);
    }
}

#[test]
fn cells_need_the_metalayer_on_both_sides() {
    // Version, ndim 2, then shape, chunkshape and blockshape of 40 x 50 (format §11.1).
    let mut b2nd = vec![0x97, 0, 2, 0x92];
    for n in [40_i64, 50] {
        b2nd.push(0xD3);
        b2nd.extend(n.to_be_bytes());
    }
    for _ in 0..2 {
        b2nd.extend([0x92, 0xD2, 0, 0, 0, 40, 0xD2, 0, 0, 0, 50]);
    }
    let data = ramp(2000);
    let cparams = CParams::new(4)
        .codec(CodecId::BLOSCLZ)
        .filters([FilterSlot::new(FilterId::NDCELL, 8), FilterSlot::SHUFFLE])
        .blocksize(Some(8000));
    let error = ChunkEncoder::new(cparams.clone())
        .unwrap()
        .encode(&data)
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::Filter {
                id: FilterId::NDCELL,
                ..
            }
        ),
        "{error}"
    );

    let chunk = encode(&cparams.b2nd(b2nd.clone()), &data);
    let error = decompress(&chunk).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Filter {
                id: FilterId::NDCELL,
                ..
            }
        ),
        "{error}"
    );
    let mut decoder = ChunkDecoder::new(DParams::new().b2nd(b2nd));
    assert_eq!(decoder.decode(&chunk).unwrap(), data);
}

#[test]
fn unknown_filters_are_never_skipped() {
    let chunk = encode(&CParams::new(4), &ramp(2000));
    for id in [5_u8, 31, 37, 160] {
        let mut other = chunk.clone();
        other[16] = id;
        let error = decompress(&other).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{id}: {error}");
        assert!(error.to_string().contains(&id.to_string()), "{error}");
    }
}
