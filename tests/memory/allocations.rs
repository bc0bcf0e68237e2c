//! Encoders and decoders that are kept allocate nothing once they have seen data of a shape: the
//! `_into` forms, for every codec, pipeline and kind of chunk, whole and in parts, and items and
//! small chunks of frames in memory and in files.
//!
//! Memory that the C codecs take by themselves is not counted.
#![expect(
    clippy::unwrap_used,
    clippy::semicolon_if_nothing_returned,
    clippy::print_stdout,
    reason = "what fails in a test fails the test, and it says what it did"
)]

use std::ops::Range;

use crate::COUNTED;
use crate::common::{codecs, data};
use oxiblosc::filter::{FilterId, FilterSlot};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, CodecId, DParams, Special, SplitMode, max_chunk_len,
};
use stats_alloc::Region;

/// How often `work` allocates when it is done a second and a third time.
fn allocations(mut work: impl FnMut()) -> usize {
    work();
    let region = Region::new(COUNTED);
    work();
    work();
    let change = region.change();
    change.allocations + change.reallocations
}

fn pipelines() -> Vec<Vec<FilterSlot>> {
    let mut pipelines = vec![
        vec![],
        vec![FilterSlot::SHUFFLE],
        vec![FilterSlot::BITSHUFFLE],
        vec![FilterSlot::DELTA],
        vec![FilterSlot::DELTA, FilterSlot::SHUFFLE],
        vec![FilterSlot::DELTA, FilterSlot::BITSHUFFLE],
        vec![FilterSlot::SHUFFLE, FilterSlot::DELTA, FilterSlot::SHUFFLE],
        vec![FilterSlot::trunc_prec(10), FilterSlot::SHUFFLE],
        vec![
            FilterSlot::trunc_prec(10),
            FilterSlot::DELTA,
            FilterSlot::SHUFFLE,
        ],
        vec![FilterSlot::new(FilterId::SHUFFLE, 3)],
    ];
    if cfg!(feature = "bytedelta") {
        pipelines.push(vec![FilterSlot::SHUFFLE, FilterSlot::BYTEDELTA]);
    }
    pipelines
}

/// Reads a chunk in every way.
fn read(decoder: &mut ChunkDecoder, chunk: &[u8], nbytes: usize, name: &str) {
    let mut dst = vec![0; nbytes];
    let none = |count: usize, what: &str| assert_eq!(count, 0, "{name}: {what}");
    none(
        allocations(|| _ = decoder.decode_into(chunk, &mut dst).unwrap()),
        "decode_into",
    );
    let nitems = nbytes / 8;
    for items in [0..1, nitems / 2..nitems / 2 + 1, 5..nitems - 5] {
        none(
            allocations(|| {
                _ = decoder
                    .decode_items_into(chunk, items.clone(), &mut dst)
                    .unwrap()
            }),
            "decode_items_into",
        );
    }
    for bytes in [0..nbytes, 3..nbytes - 3, nbytes - 9..nbytes - 2] {
        none(
            allocations(|| {
                _ = decoder
                    .decode_bytes_into(chunk, bytes.clone(), &mut dst)
                    .unwrap()
            }),
            "decode_bytes_into",
        );
    }
    let ranges: Vec<Range<usize>> = (0..50)
        .map(|i| (i * 7919) % (nbytes - 40))
        .map(|start| start..start + 40)
        .collect();
    none(
        allocations(|| {
            _ = decoder
                .decode_ranges_into(chunk, &ranges, &mut dst)
                .unwrap()
        }),
        "decode_ranges_into",
    );
    let view = oxiblosc::ChunkView::parse(chunk, &oxiblosc::Limits::UNTRUSTED).unwrap();
    let wanted: Vec<bool> = (0..view.nblocks()).map(|block| block % 3 != 1).collect();
    none(
        allocations(|| {
            _ = decoder
                .decode_blocks_into(chunk, &wanted, &mut dst)
                .unwrap()
        }),
        "decode_blocks_into",
    );
    let last = view.nblocks() - 1;
    none(
        allocations(|| _ = decoder.decode_block_into(chunk, last, &mut dst).unwrap()),
        "decode_block_into",
    );
}

/// Without a test harness, because its thread sometimes allocates.
pub(crate) fn run() {
    assert_eq!(allocations(|| _ = std::hint::black_box(vec![1_u8; 9])), 2);
    let mut cases = 0;
    for codec in codecs() {
        for filters in pipelines() {
            for clevel in [0, 1, 5, 9] {
                for (blocksize, split) in [
                    (None, SplitMode::ForwardCompat),
                    (Some(4096), SplitMode::Always),
                    (Some(1000), SplitMode::Never),
                ] {
                    let cparams = CParams::new(8)
                        .codec(codec)
                        .clevel(clevel)
                        .filters(filters.iter().copied())
                        .blocksize(blocksize)
                        .split_mode(split);
                    let name = format!("{codec} {clevel} {filters:?} {blocksize:?} {split:?}");
                    // Zeros, one byte, noise, a walk, one item over and over.
                    for kind in [0, 1, 2, 5, 8] {
                        let src = data(kind, 8, 20_004, 1);
                        let mut encoder = ChunkEncoder::new(cparams.clone()).unwrap();
                        let mut dst = vec![0; max_chunk_len(src.len())];
                        let mut cbytes = 0;
                        let count =
                            allocations(|| cbytes = encoder.encode_into(&src, &mut dst).unwrap());
                        assert_eq!(count, 0, "{name}: encode_into");
                        let mut decoder = ChunkDecoder::new(DParams::new());
                        read(&mut decoder, &dst[..cbytes], src.len(), &name);
                        cases += 1;
                    }
                }
            }
        }
    }
    other_chunks();
    closures();
    #[cfg(feature = "frame")]
    frames();
    println!("test what_is_kept_allocates_once: {cases} cases ... ok");
}

/// Special values, variable-length blocks, dictionaries, Blosc1.
fn other_chunks() {
    let encoder = &mut ChunkEncoder::new(CParams::new(8)).unwrap();
    for special in [
        Special::Zeros,
        Special::Nans,
        Special::Uninit,
        Special::Repeat(&[1, 2, 3, 4, 5, 6, 7, 8]),
    ] {
        let chunk = encoder.encode_special(special, 80_000).unwrap();
        let name = format!("{special:?}");
        read(&mut ChunkDecoder::default(), &chunk, 80_000, &name);
    }
    let src = data(5, 8, 40_000, 2);
    let mut dst = vec![0; 2 * src.len()];
    let mut len = 0;
    let count = allocations(|| len = encoder.encode_blosc1_into(&src, &mut dst).unwrap());
    assert_eq!(count, 0, "Blosc1");
    read(
        &mut ChunkDecoder::default(),
        &dst[..len],
        src.len(),
        "Blosc1",
    );
    for codec in codecs() {
        let cparams = CParams::new(8).codec(codec).clevel(3);
        let mut encoder = ChunkEncoder::new(cparams.clone()).unwrap();
        let blocks: Vec<&[u8]> = src.chunks(3000).collect();
        let count = allocations(|| len = encoder.encode_vlblocks_into(&blocks, &mut dst).unwrap());
        assert_eq!(count, 0, "{codec}: encode_vlblocks_into");
        let chunk = dst[..len].to_vec();
        let mut decoder = ChunkDecoder::default();
        let mut back = vec![0; src.len()];
        let count = allocations(|| _ = decoder.decode_into(&chunk, &mut back).unwrap());
        assert_eq!(count, 0, "{codec}: decode_into of variable-length blocks");
        let count = allocations(|| _ = decoder.decode_vlblock_into(&chunk, 7, &mut back).unwrap());
        assert_eq!(count, 0, "{codec}: decode_vlblock_into");
        if matches!(codec, CodecId::LZ4 | CodecId::LZ4HC | CodecId::ZSTD) {
            let cparams = cparams.use_dict(true).blocksize(Some(8000));
            let chunk = oxiblosc::compress(&src, &cparams).unwrap();
            let view = oxiblosc::ChunkView::parse(&chunk, &oxiblosc::Limits::UNTRUSTED).unwrap();
            assert!(view.dict().is_some());
            let name = format!("{codec} with a dictionary");
            read(&mut ChunkDecoder::default(), &chunk, src.len(), &name);
        }
    }
}

/// Closures before and after the filters.
fn closures() {
    let src = data(5, 8, 40_000, 2);
    let cparams = CParams::new(8)
        .blocksize(Some(4096))
        .prefilter(|_, src, dst| {
            dst.copy_from_slice(src);
            Ok(())
        });
    let mut encoder = ChunkEncoder::new(cparams).unwrap();
    let mut dst = vec![0; max_chunk_len(src.len())];
    let mut len = 0;
    let count = allocations(|| len = encoder.encode_into(&src, &mut dst).unwrap());
    assert_eq!(count, 0, "prefilter");
    let dparams = DParams::new().postfilter(|_, src, dst| {
        dst.copy_from_slice(src);
        Ok(())
    });
    read(
        &mut ChunkDecoder::new(dparams),
        &dst[..len],
        src.len(),
        "postfilter",
    );
}

/// Items and small chunks of frames, in memory and in files.
#[cfg(feature = "frame")]
fn frames() {
    use oxiblosc::schunk::ChunkSource;
    use oxiblosc::{FrameParams, FrameReader, FrameWriter};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frame");
    for codec in codecs() {
        for (clevel, blocksize) in [(0, None), (5, Some(4096)), (5, None)] {
            // One byte, noise, a walk.
            for kind in [1, 2, 5] {
                let src = data(kind, 8, 100_000, 3);
                let cparams = CParams::new(8)
                    .codec(codec)
                    .clevel(clevel)
                    .blocksize(blocksize);
                let name = format!("{codec} {clevel} {blocksize:?} {kind}");
                let params = FrameParams::new(cparams, 32_768);
                let mut writer = FrameWriter::in_memory(params).unwrap();
                writer.append(&src).unwrap();
                let frame = writer.into_bytes().unwrap();
                std::fs::write(&path, &frame).unwrap();
                let memory = FrameReader::from_bytes(frame, DParams::new()).unwrap();
                let file = FrameReader::open(&path, DParams::new()).unwrap();
                let schunk = oxiblosc::SChunk::from_source(&memory, CParams::new(8)).unwrap();
                let sources: [(&str, &dyn ChunkSource); 3] = [
                    ("memory", &memory),
                    ("file", &file),
                    ("super-chunk", &schunk),
                ];
                for (place, source) in sources {
                    let mut decoder = ChunkDecoder::default();
                    let (mut item, mut chunk) = ([0; 8], vec![0; 32_768]);
                    let count = allocations(|| {
                        for at in (0..12_500).step_by(501) {
                            source
                                .read_items_into(&mut decoder, at..at + 1, &mut item)
                                .unwrap();
                            let at = usize::try_from(at).unwrap() * 8;
                            assert_eq!(item, src[at..at + 8], "{name}: {place}");
                        }
                    });
                    assert_eq!(count, 0, "{name}: items from {place}");
                    let count = allocations(|| {
                        for nchunk in 0..3 {
                            source
                                .decode_chunk_into(&mut decoder, nchunk, &mut chunk)
                                .unwrap();
                        }
                    });
                    assert_eq!(count, 0, "{name}: chunks from {place}");
                }
            }
        }
    }
}
