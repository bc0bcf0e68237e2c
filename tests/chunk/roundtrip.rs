//! Data round-trips: a grid of codecs, levels, pipelines, typesizes, lengths, block sizes,
//! split modes and threads, sampled evenly by a fixed seed.
//!
//! 6,000 cases by default; 110,000 with `OXIBLOSC_LONG=1` in the environment.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "what fails in a test fails the test"
)]

use crate::common::{KINDS, Rng, after_loss, codecs, data, pipeline};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkView, CodecId, DParams, Limits, SplitMode,
    max_chunk_len,
};

/// One point of the grid.
struct Case {
    cparams: CParams,
    src: Vec<u8>,
    /// The expected data: `src`, except for lossy filters.
    expected: Vec<u8>,
    name: String,
}

fn case(index: u64, lengths: &[usize], clevels: &[u8]) -> Case {
    let mut rng = Rng(index);
    let typesize = rng.pick(&[
        1, 1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12, 16, 17, 31, 255, 256, 1000,
    ]);
    let stored = if typesize > 255 { 1 } else { typesize };
    let len = rng.pick(lengths);
    let len = if len > 40 { len + rng.below(len) } else { len };
    let kind = rng.below(KINDS);
    let src = data(kind, typesize, len, index);
    let filters = pipeline(&mut rng, stored);
    let blocksize = match rng.below(3) {
        0 => None,
        1 => Some(1 + rng.below(len + 10)),
        _ => Some(rng.pick(&[32, 100, 512, 1000, 4096])),
    };
    let split = rng.pick(&[
        SplitMode::ForwardCompat,
        SplitMode::Auto,
        SplitMode::Always,
        SplitMode::Never,
    ]);
    let cparams = CParams::new(typesize)
        .codec(rng.pick(&codecs()))
        .clevel(rng.pick(clevels))
        .filters(filters.iter().copied())
        .blocksize(blocksize)
        .split_mode(split);
    let expected = after_loss(&src, stored, &filters);
    let name = format!(
        "case {index}: {} level {} typesize {typesize} {filters:?} {split:?} blocks {blocksize:?} \
         kind {kind}, {len} bytes",
        cparams.codec, cparams.clevel,
    );
    Case {
        cparams,
        src,
        expected,
        name,
    }
}

/// How many cases to run.
fn count(default: u64, long: u64) -> u64 {
    match std::env::var("OXIBLOSC_LONG") {
        Ok(value) if value == "1" => long,
        _ => default,
    }
}

/// Encodes and decodes in all three forms, and checks them against each other and the data.
fn round_trip(case: &Case, decoder: &mut ChunkDecoder) -> Vec<u8> {
    let Case {
        cparams,
        src,
        expected,
        name,
    } = case;
    let before = src.clone();
    let mut encoder = ChunkEncoder::new(cparams.clone()).expect(name);
    let chunk = encoder.encode(src).expect(name);
    assert_eq!(*src, before, "{name}: the input changed");
    assert!(chunk.len() <= max_chunk_len(src.len()), "{name}");
    let view = ChunkView::parse(&chunk, &Limits::UNTRUSTED).expect(name);
    view.check_streams().expect(name);
    assert_eq!(view.as_bytes().len(), chunk.len(), "{name}");
    let expected = if view.header().is_memcpyed() {
        src
    } else {
        expected
    };
    let decoded = decoder.decode(&chunk).expect(name);
    assert!(decoded == *expected, "{name}: decoded differently");

    let mut dst = vec![0xEE; max_chunk_len(src.len()) + 7];
    let len = encoder.encode_into(src, &mut dst).expect(name);
    assert!(dst[..len] == chunk[..], "{name}: encode_into");
    let mut dst = vec![0xEE; 3];
    encoder.encode_append(src, &mut dst).expect(name);
    assert!(dst[3..] == chunk[..], "{name}: encode_append");

    let mut dst = vec![0xEE; src.len() + 2];
    let len = decoder.decode_into(&chunk, &mut dst).expect(name);
    assert!(
        len == src.len() && dst[..len] == expected[..],
        "{name}: decode_into"
    );
    assert_eq!(dst[len..], [0xEE; 2], "{name}: wrote after the data");
    let mut dst = vec![0xEE; 3];
    decoder.decode_append(&chunk, &mut dst).expect(name);
    assert!(dst[3..] == expected[..], "{name}: decode_append");
    chunk
}

/// Reads parts in every way and compares them with the whole.
fn parts(case: &Case, chunk: &[u8], decoder: &mut ChunkDecoder, rng: &mut Rng) {
    let name = &case.name;
    let whole = decoder.decode(chunk).expect(name);
    let range = |rng: &mut Rng, len: usize| {
        let start = rng.below(len + 1);
        let most = (len - start).min(1 << rng.below(17));
        start..start + rng.below(most + 1)
    };
    let mut ranges = Vec::new();
    for _ in 0..4 {
        let bytes = range(rng, whole.len());
        let mut dst = vec![0xEE; bytes.len()];
        decoder
            .decode_bytes_into(chunk, bytes.clone(), &mut dst)
            .expect(name);
        assert!(dst == whole[bytes.clone()], "{name}: bytes {bytes:?}");
        ranges.push(bytes);
    }
    let mut dst = vec![0xEE; ranges.iter().map(ExactSizeIterator::len).sum()];
    decoder
        .decode_ranges_into(chunk, &ranges, &mut dst)
        .expect(name);
    let expected: Vec<u8> = ranges
        .iter()
        .flat_map(|bytes| &whole[bytes.clone()])
        .copied()
        .collect();
    assert!(dst == expected, "{name}: ranges {ranges:?}");

    let view = ChunkView::parse(chunk, &Limits::UNTRUSTED).expect(name);
    let typesize = usize::from(view.header().typesize);
    let items = range(rng, view.nitems());
    let decoded = decoder.decode_items(chunk, items.clone()).expect(name);
    let expected = &whole[items.start * typesize..items.end * typesize];
    assert!(decoded == expected, "{name}: items {items:?}");

    let blocksize = view.blocksize().unwrap();
    let wanted: Vec<bool> = (0..view.nblocks()).map(|_| rng.below(2) == 0).collect();
    let mut dst = vec![0xEE; whole.len()];
    decoder
        .decode_blocks_into(chunk, &wanted, &mut dst)
        .expect(name);
    for ((dst, whole), wanted) in dst
        .chunks(blocksize)
        .zip(whole.chunks(blocksize))
        .zip(&wanted)
    {
        let same = if *wanted {
            dst == whole
        } else {
            dst.iter().all(|byte| *byte == 0xEE)
        };
        assert!(same, "{name}: blocks {wanted:?}");
    }
    if let Some(last) = view.nblocks().checked_sub(1) {
        let mut dst = vec![0xEE; blocksize];
        let len = decoder
            .decode_block_into(chunk, last, &mut dst)
            .expect(name);
        assert!(
            dst[..len] == whole[whole.len() - len..],
            "{name}: the last block"
        );
    }
}

#[test]
fn small_chunks_come_back() {
    const LENGTHS: [usize; 16] = [
        0, 1, 2, 7, 31, 32, 33, 40, 64, 100, 257, 500, 1000, 2000, 4096, 9000,
    ];
    let cases = count(5800, 108_500);
    let pools = crate::common::pools();
    let mut decoder = ChunkDecoder::default();
    for index in 0..cases {
        let case = case(index, &LENGTHS, &[0, 1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9]);
        let chunk = round_trip(&case, &mut decoder);
        parts(&case, &chunk, &mut decoder, &mut Rng(!index));
        for threads in &pools {
            let cparams = case.cparams.clone().threads(threads.clone());
            let other = oxiblosc::compress(&case.src, &cparams).unwrap();
            assert!(other == chunk, "{}: {} threads", case.name, threads.count());
        }
    }
    println!("{cases} cases with {} pools, 0 failures", pools.len());
}

#[test]
fn long_chunks_come_back_whoever_does_the_work() {
    const LENGTHS: [usize; 3] = [150_000, 300_000, 600_000];
    let pools = crate::common::pools();
    let cases = count(200, 1500);
    let mut decoder = ChunkDecoder::default();
    for index in 0..cases {
        let mut case = case(index, &LENGTHS, &[1, 3, 5]);
        if matches!(case.cparams.codec, CodecId::LZ4HC | CodecId::ZLIB) && index % 4 != 0 {
            case.cparams.codec = CodecId::BLOSCLZ;
        }
        let chunk = round_trip(&case, &mut decoder);
        parts(&case, &chunk, &mut decoder, &mut Rng(!index));
        let decoded = decoder.decode(&chunk).unwrap();
        for threads in &pools {
            let cparams = case.cparams.clone().threads(threads.clone());
            let other = oxiblosc::compress(&case.src, &cparams).unwrap();
            let name = &case.name;
            assert!(other == chunk, "{name}: {} threads", threads.count());
            let mut decoder = ChunkDecoder::new(DParams::new().threads(threads.clone()));
            assert!(decoder.decode(&chunk).unwrap() == decoded, "{name}");
        }
    }
    println!("{cases} cases with {} pools, 0 failures", pools.len());
}
