//! Prefilters and postfilters: the chunk of prefiltered data is the chunk of that data, and the
//! postfilter sees every block exactly as it decodes.
#![expect(clippy::unwrap_used, reason = "a failing test panics")]

use oxiblosc::filter::BlockContext;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, DParams, ErrorKind, FilterSlot, Special, SplitMode,
    compress, decompress,
};

/// Any function of position and data that no filter could be.
fn mix(cx: &BlockContext, src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len());
    assert!(cx.offset + src.len() <= cx.nbytes);
    for (i, (to, from)) in dst.iter_mut().zip(src).enumerate() {
        *to = from ^ u8::try_from((cx.offset + i) / 1000 % 256).unwrap();
    }
}

/// The result of [`mix`] for a whole chunk, as one block.
fn mixed(data: &[u8]) -> Vec<u8> {
    let mut out = data.to_vec();
    for (i, to) in out.iter_mut().enumerate() {
        *to ^= u8::try_from(i / 1000 % 256).unwrap();
    }
    out
}

/// Numbers that compress, and some that do not.
fn data(len: usize) -> Vec<u8> {
    let word = |i: u32| (i.wrapping_mul(i) / 7).to_le_bytes();
    (0..).flat_map(word).take(len).collect()
}

/// Parameters of every kind that a hook must not disturb.
fn cases() -> Vec<CParams> {
    let base = CParams::new(4).blocksize(Some(4096));
    let delta = [FilterSlot::DELTA, FilterSlot::SHUFFLE];
    let lossy = [FilterSlot::trunc_prec(10), FilterSlot::DELTA];
    vec![
        base.clone(),
        base.clone().clevel(0),
        base.clone().split_mode(SplitMode::Never),
        base.clone().filters([]),
        base.clone().filters(delta),
        base.clone().filters(lossy),
        base.clone().filters([FilterSlot::BITSHUFFLE]),
        CParams::new(8),
    ]
}

const LENS: [usize; 6] = [0, 1, 31, 4099, 50_000, 1 << 20];

#[test]
fn a_prefilter_acts_as_if_the_data_had_been_that_way() {
    for cparams in cases() {
        let hooked = cparams.clone().prefilter(|cx, src, dst| {
            mix(cx, src, dst);
            Ok(())
        });
        let mut encoder = ChunkEncoder::new(hooked).unwrap();
        for len in LENS {
            let data = data(len);
            let before = data.clone();
            let expected = compress(&mixed(&data), &cparams).unwrap();
            assert_eq!(
                encoder.encode(&data).unwrap(),
                expected,
                "{len} {cparams:?}"
            );
            let mut dst = vec![0; len + 32];
            let cbytes = encoder.encode_into(&data, &mut dst).unwrap();
            assert_eq!(dst[..cbytes], expected, "{len} {cparams:?}");
            assert_eq!(data, before);
        }
    }
}

#[test]
fn a_prefilter_works_for_blosc1_and_variable_length_blocks() {
    let hook = |cx: &BlockContext, src: &[u8], dst: &mut [u8]| {
        mix(cx, src, dst);
        Ok(())
    };
    let mut encoder = ChunkEncoder::new(CParams::new(4).prefilter(hook)).unwrap();
    let data = data(50_000);
    let chunk = encoder.encode_blosc1(&data).unwrap();
    assert_eq!(decompress(&chunk).unwrap(), mixed(&data));
    let blocks: Vec<&[u8]> = data.chunks(7777).collect();
    let chunk = encoder.encode_vlblocks(&blocks).unwrap();
    assert_eq!(decompress(&chunk).unwrap(), mixed(&data));
    // And back again after the decoder.
    let mut decoder = ChunkDecoder::new(DParams::new().postfilter(hook));
    assert_eq!(decoder.decode(&chunk).unwrap(), data);
    assert_eq!(decoder.decode_vlblock(&chunk, 3).unwrap(), blocks[3]);
}

/// Chunks of every kind: coded, copied, one value.
fn chunks() -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    for cparams in cases() {
        for len in LENS {
            chunks.push(compress(&data(len), &cparams).unwrap());
        }
        let mut encoder = ChunkEncoder::new(cparams).unwrap();
        chunks.push(encoder.encode(&[7; 50_000]).unwrap());
        chunks.push(encoder.encode_special(Special::Zeros, 40_000).unwrap());
        chunks.push(encoder.encode_special(Special::Uninit, 40_000).unwrap());
    }
    chunks
}

#[test]
fn a_postfilter_sees_each_block_as_it_decodes() {
    let dparams = DParams::new().postfilter(|cx, src, dst| {
        mix(cx, src, dst);
        Ok(())
    });
    let mut decoder = ChunkDecoder::new(dparams);
    let mut plain = ChunkDecoder::default();
    for chunk in chunks() {
        let expected = mixed(&decompress(&chunk).unwrap());
        let nbytes = expected.len();
        assert_eq!(decoder.decode(&chunk).unwrap(), expected);
        let mut trailing = vec![9];
        decoder.decode_append(&chunk, &mut trailing).unwrap();
        assert_eq!(trailing[1..], expected);
        let mut dst = vec![0; nbytes];
        for range in [0..nbytes, nbytes / 3..nbytes / 2, nbytes / 2..nbytes] {
            let len = range.len();
            let done = decoder.decode_bytes_into(&chunk, range.clone(), &mut dst);
            assert_eq!(done.unwrap(), len);
            assert_eq!(dst[..len], expected[range]);
        }
        let ranges = [nbytes / 2..nbytes, 0..nbytes / 4, nbytes / 8..nbytes / 3];
        let mut many = vec![0; ranges.iter().map(ExactSizeIterator::len).sum()];
        decoder
            .decode_ranges_into(&chunk, &ranges, &mut many)
            .unwrap();
        let wanted: Vec<u8> = ranges
            .iter()
            .flat_map(|r| &expected[r.clone()])
            .copied()
            .collect();
        assert_eq!(many, wanted);
        if nbytes > 0 {
            let last = oxiblosc::ChunkView::parse(&chunk, &oxiblosc::Limits::UNTRUSTED).unwrap();
            let (block, size) = (last.nblocks() - 1, last.blocksize().unwrap());
            let len = decoder.decode_block_into(&chunk, block, &mut dst).unwrap();
            let at = block * size;
            assert_eq!(dst[..len], expected[at..at + len]);
        }
        // The same decoder without the closure is not disturbed by it.
        assert_eq!(mixed(&plain.decode(&chunk).unwrap()), expected);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing() {
    use oxiblosc::Threads;
    let hook = |cx: &BlockContext, src: &[u8], dst: &mut [u8]| {
        mix(cx, src, dst);
        Ok(())
    };
    let data = data(3 << 20);
    for cparams in cases() {
        let alone = compress(&data, &cparams.clone().prefilter(hook)).unwrap();
        let together = compress(&data, &cparams.prefilter(hook).threads(Threads::Current)).unwrap();
        assert_eq!(alone, together);
        let dparams = DParams::new().postfilter(hook);
        let back = ChunkDecoder::new(dparams.clone()).decode(&alone).unwrap();
        let mut decoder = ChunkDecoder::new(dparams.threads(Threads::Current));
        assert_eq!(decoder.decode(&alone).unwrap(), back);
        assert_eq!(back, mixed(&decompress(&alone).unwrap()));
    }
}

#[test]
fn what_a_closure_says_is_the_error() {
    let cparams = CParams::new(4)
        .blocksize(Some(4096))
        .prefilter(|cx, src, dst| {
            dst.copy_from_slice(src);
            if cx.block == 2 {
                return Err("no".into());
            }
            Ok(())
        });
    let mut dst = vec![5];
    let mut encoder = ChunkEncoder::new(cparams).unwrap();
    let error = encoder.encode_append(&data(20_000), &mut dst).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidParam);
    assert_eq!(error.to_string(), "block 2: prefilter: no");
    assert_eq!(dst, [5]);
    let chunk = compress(&data(20_000), &CParams::new(4)).unwrap();
    let dparams = DParams::new().postfilter(|_, _, _| Err("never".into()));
    let error = ChunkDecoder::new(dparams).decode(&chunk).unwrap_err();
    assert_eq!(error.to_string(), "block 0: postfilter: never");
}

/// Chunks of zeros that only the index of a frame names, or that a super-chunk in memory keeps as
/// such, have the blocks that they would have if they were stored.
#[cfg(feature = "frame")]
#[test]
fn blocks_that_take_no_room_are_seen_as_well() {
    use oxiblosc::schunk::ChunkSource;
    use oxiblosc::{FrameParams, FrameReader, FrameWriter, SChunk, Special};

    const CHUNK: usize = 20_000;
    let cparams = CParams::new(4).blocksize(Some(4096));
    let mut schunk = SChunk::new(cparams.clone(), CHUNK).unwrap();
    let mut writer = FrameWriter::in_memory(FrameParams::new(cparams, CHUNK)).unwrap();
    let front = data(CHUNK);
    schunk.append(&front).unwrap();
    writer.append(&front).unwrap();
    schunk.append_special(Special::Zeros, CHUNK as u64).unwrap();
    writer.append_special(Special::Zeros, CHUNK as u64).unwrap();
    writer.commit().unwrap();
    let bytes = writer.into_bytes().unwrap();
    let reader = FrameReader::from_bytes(bytes, DParams::new()).unwrap();
    assert!(reader.special_value(1).is_some());

    let hook = |cx: &BlockContext, src: &[u8], dst: &mut [u8]| {
        mix(cx, src, dst);
        Ok(())
    };
    let expected = mixed(&vec![0; CHUNK]);
    assert!(expected.iter().any(|byte| *byte != 0));
    let mut decoder = ChunkDecoder::new(DParams::new().postfilter(hook));
    let sources: [&dyn ChunkSource; 2] = [&schunk, &reader];
    for source in sources {
        let mut dst = vec![0; CHUNK];
        source.decode_chunk_into(&mut decoder, 1, &mut dst).unwrap();
        assert_eq!(dst, expected);
        let range = 5000..9000;
        let mut dst = vec![0; range.len()];
        source
            .decode_chunk_bytes_into(&mut decoder, 1, range.clone(), &mut dst)
            .unwrap();
        assert_eq!(dst, expected[range.clone()]);
        source
            .decode_chunk_ranges_into(&mut decoder, 1, std::slice::from_ref(&range), &mut dst)
            .unwrap();
        assert_eq!(dst, expected[range]);
    }
    let mut dst = vec![0; 100];
    let mut lazy = reader.lazy_chunk(1).unwrap();
    lazy.decode_bytes_into(&mut decoder, 0..100, &mut dst)
        .unwrap();
    assert_eq!(dst, expected[..100]);
}
