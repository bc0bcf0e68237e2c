//! Threads change nothing but the time: whole chunks, variable-length blocks, parts, closures and
//! errors are the same for any number of them, above the floor and below.
#![cfg(feature = "rayon")]
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

use crate::common::{KINDS, Rng, codecs, data, pipeline, pools};
use oxiblosc::filter::FilterSlot;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkView, CodecId, DParams, Limits, SplitMode, Threads,
};

/// Enough for two threads and more, with every codec.
const LEN: usize = 3 << 20;

fn decoder(threads: &Threads) -> ChunkDecoder {
    ChunkDecoder::new(DParams::new().threads(threads.clone()))
}

#[test]
fn chunks_of_blocks() {
    let pools = pools();
    for index in 0..24 {
        let mut rng = Rng(index);
        let typesize = rng.pick(&[1, 2, 4, 8, 12]);
        let kind = rng.below(KINDS);
        let src = data(kind, typesize, LEN + rng.below(5000), index);
        let filters = pipeline(&mut rng, typesize);
        let codec = codecs()[usize::try_from(index).unwrap() % codecs().len()];
        let cparams = CParams::new(typesize)
            .codec(codec)
            .clevel(rng.pick(&[1, 3]))
            .filters(filters)
            .blocksize(rng.pick(&[None, Some(1000), Some(30_000), Some(600_000)]));
        let chunk = oxiblosc::compress(&src, &cparams).unwrap();
        let whole = oxiblosc::decompress(&chunk).unwrap();
        let name = format!("case {index}: {cparams:?}");
        let nblocks = ChunkView::parse(&chunk, &Limits::UNTRUSTED)
            .unwrap()
            .nblocks();
        let wanted: Vec<bool> = (0..nblocks).map(|_| rng.below(4) > 0).collect();
        let ranges: Vec<_> = (0..200)
            .map(|_| {
                let start = rng.below(whole.len() - 30_000);
                start..start + rng.below(30_000)
            })
            .collect();
        let parts: Vec<u8> = ranges
            .iter()
            .flat_map(|range| &whole[range.clone()])
            .copied()
            .collect();
        let mut chosen = vec![0xEE; whole.len()];
        let mut alone = ChunkDecoder::default();
        alone
            .decode_blocks_into(&chunk, &wanted, &mut chosen)
            .unwrap();
        for threads in &pools {
            let cparams = cparams.clone().threads(threads.clone());
            assert!(
                oxiblosc::compress(&src, &cparams).unwrap() == chunk,
                "{name}"
            );
            let mut decoder = decoder(threads);
            assert!(decoder.decode(&chunk).unwrap() == whole, "{name}");
            let mut dst = vec![0xEE; parts.len()];
            decoder
                .decode_ranges_into(&chunk, &ranges, &mut dst)
                .unwrap();
            assert!(dst == parts, "{name}: ranges");
            let mut dst = vec![0xEE; whole.len()];
            decoder
                .decode_blocks_into(&chunk, &wanted, &mut dst)
                .unwrap();
            assert!(dst == chosen, "{name}: blocks");
            let bytes = 777..whole.len() - 555;
            let mut dst = vec![0xEE; bytes.len()];
            decoder
                .decode_bytes_into(&chunk, bytes.clone(), &mut dst)
                .unwrap();
            assert!(dst == whole[bytes], "{name}: bytes");
        }
    }
}

/// One thread writes raw streams at the front of a chunk once another stream follows; several
/// threads write each block as it comes.
#[test]
fn chunks_that_begin_with_raw_streams() {
    let (noise, ramp) = (data(2, 4, LEN, 1), data(3, 4, LEN, 1));
    let decoder = &mut ChunkDecoder::default();
    let mut copies = 0;
    for codec in codecs() {
        // In streams of 16,384 bytes: none, one, a block of four, and so on up to all of them.
        for (turn, raw) in [0, 1, 3, 4, 5, 64, 131, 188, 191, 192]
            .into_iter()
            .enumerate()
        {
            let raw = raw * 16_384;
            let mut src = [&noise[..raw], &ramp[raw..]].concat();
            src.extend_from_slice(&noise[..turn * 1001]);
            let cparams = CParams::new(4)
                .codec(codec)
                .clevel(1)
                .filters([FilterSlot::NONE])
                .blocksize(Some(65_536));
            for split_mode in [SplitMode::Always, SplitMode::Never] {
                let name = format!("{codec} {raw} {split_mode:?}");
                let encoder = |threads| {
                    let cparams = cparams.clone().split_mode(split_mode).threads(threads);
                    ChunkEncoder::new(cparams).unwrap()
                };
                let mut alone = encoder(Threads::Serial);
                let chunk = alone.encode(&src).unwrap();
                let blosc1 = alone.encode_blosc1(&src).unwrap();
                assert!(decoder.decode(&chunk).unwrap() == src, "{name}");
                assert!(decoder.decode(&blosc1).unwrap() == src, "{name}");
                copies += usize::from(blosc1.len() == src.len() + 16);
                for threads in &pools() {
                    let mut encoder = encoder(threads.clone());
                    assert!(encoder.encode(&src).unwrap() == chunk, "{name}");
                    assert!(encoder.encode_blosc1(&src).unwrap() == blosc1, "{name}");
                }
            }
        }
    }
    assert!(copies >= codecs().len(), "{copies}");
}

#[test]
fn chunks_of_variable_length_blocks() {
    let pools = pools();
    for index in 0..16 {
        let mut rng = Rng(index);
        let codec = codecs()[usize::try_from(index).unwrap() % codecs().len()];
        let blocks: Vec<Vec<u8>> = (0..200)
            .map(|block| {
                data(
                    rng.below(KINDS),
                    4,
                    1 + rng.below(20_000),
                    index * 1000 + block,
                )
            })
            .collect();
        let dict = matches!(codec, CodecId::LZ4 | CodecId::ZSTD) && index % 2 == 0;
        let cparams = CParams::new(4)
            .codec(codec)
            .clevel(rng.pick(&[0, 1, 3]))
            .filters([FilterSlot::DELTA, FilterSlot::SHUFFLE])
            .use_dict(dict);
        let chunk = ChunkEncoder::new(cparams.clone())
            .unwrap()
            .encode_vlblocks(&blocks)
            .unwrap();
        let whole = oxiblosc::decompress(&chunk).unwrap();
        assert!(whole == blocks.concat());
        for threads in &pools {
            let mut encoder = ChunkEncoder::new(cparams.clone().threads(threads.clone())).unwrap();
            assert!(
                encoder.encode_vlblocks(&blocks).unwrap() == chunk,
                "case {index}"
            );
            // The end of the destination is where blocks are encoded once more.
            for capacity in [chunk.len(), chunk.len() + 3000, chunk.len() - 1] {
                let mut dst = vec![0; capacity];
                let done = encoder.encode_vlblocks_into(&blocks, &mut dst).ok();
                let mut other = vec![0; capacity];
                let mut alone = ChunkEncoder::new(cparams.clone()).unwrap();
                let expected = alone.encode_vlblocks_into(&blocks, &mut other).ok();
                assert_eq!(done, expected, "case {index}");
                let cbytes = done.unwrap_or(0);
                assert!(dst[..cbytes] == other[..cbytes], "case {index}");
            }
            assert!(
                decoder(threads).decode(&chunk).unwrap() == whole,
                "case {index}"
            );
        }
    }
}

#[test]
fn damage_is_named_as_one_thread_names_it() {
    let src = data(5, 4, LEN, 1);
    for filters in [
        vec![FilterSlot::SHUFFLE],
        vec![FilterSlot::DELTA, FilterSlot::SHUFFLE],
    ] {
        let cparams = CParams::new(4).blocksize(Some(20_000)).filters(filters);
        let chunk = oxiblosc::compress(&src, &cparams).unwrap();
        let mut rng = Rng(7);
        let mut failures = 0;
        for _ in 0..60 {
            let mut chunk = chunk.clone();
            // Where blocks begin, and what is in them.
            for most in [600, 600, chunk.len() - 32] {
                let at = 32 + rng.below(most);
                chunk[at] ^= 1 << rng.below(8);
            }
            let alone = oxiblosc::decompress(&chunk).map_err(|error| error.to_string());
            failures += usize::from(alone.is_err());
            for threads in pools() {
                let other = decoder(&threads)
                    .decode(&chunk)
                    .map_err(|error| error.to_string());
                assert!(other == alone, "{:?} {:?}", other.err(), alone.err());
            }
        }
        assert!(failures > 10, "{failures}");
    }
}

/// Counts the blocks that a closure sees and the threads it is called on.
#[derive(Clone, Default)]
struct Seen {
    blocks: Arc<AtomicUsize>,
    threads: Arc<Mutex<HashSet<ThreadId>>>,
}

impl Seen {
    fn hook(
        &self,
    ) -> impl Fn(
        &oxiblosc::filter::BlockContext,
        &[u8],
        &mut [u8],
    ) -> Result<(), oxiblosc::error::BoxError>
    + Send
    + Sync
    + 'static {
        let seen = self.clone();
        move |_, src, dst| {
            seen.blocks.fetch_add(1, Ordering::Relaxed);
            seen.threads
                .lock()
                .unwrap()
                .insert(std::thread::current().id());
            // So long that a woken thread finds something left to do.
            std::thread::sleep(std::time::Duration::from_millis(1));
            dst.copy_from_slice(src);
            Ok(())
        }
    }
}

#[test]
fn large_chunks_are_shared_and_small_ones_are_not() {
    let [two, ..] = &pools()[..] else {
        panic!("no pool")
    };
    for (len, blocksize, shared) in [(8 << 20, 1 << 17, true), (8 << 10, 1 << 10, false)] {
        let src = data(5, 8, len, 3);
        let nblocks = len / blocksize;
        let cparams = CParams::new(8)
            .blocksize(Some(blocksize))
            .threads(two.clone());
        let seen = Seen::default();
        let chunk = oxiblosc::compress(&src, &cparams.prefilter(seen.hook())).unwrap();
        assert_eq!(seen.blocks.load(Ordering::Relaxed), nblocks);
        let here = std::thread::current().id();
        let check = |seen: &Seen| {
            let threads = seen.threads.lock().unwrap();
            assert!(threads.contains(&here), "the calling thread works, too");
            assert_eq!(threads.len() > 1, shared, "{len} bytes: {threads:?}");
        };
        check(&seen);
        let seen = Seen::default();
        let dparams = DParams::new().threads(two.clone()).postfilter(seen.hook());
        let mut decoder = ChunkDecoder::new(dparams);
        assert!(decoder.decode(&chunk).unwrap() == src);
        assert_eq!(seen.blocks.load(Ordering::Relaxed), nblocks);
        check(&seen);
        let mut dst = vec![0; len - 20];
        decoder
            .decode_bytes_into(&chunk, 10..len - 10, &mut dst)
            .unwrap();
        assert!(dst == src[10..len - 10]);
        assert_eq!(seen.blocks.load(Ordering::Relaxed), 2 * nblocks);
    }
}

/// A panic in a closure reaches the caller, and the decoder still works.
#[test]
fn a_panic_goes_to_the_caller() {
    let [two, ..] = &pools()[..] else {
        panic!("no pool")
    };
    let src = data(5, 8, LEN, 3);
    let cparams = CParams::new(8).blocksize(Some(1 << 16));
    let chunk = oxiblosc::compress(&src, &cparams).unwrap();
    let armed = Arc::new(AtomicUsize::new(1));
    let shared = Arc::clone(&armed);
    let dparams = DParams::new()
        .threads(two.clone())
        .postfilter(move |cx, src, dst| {
            dst.copy_from_slice(src);
            assert!(
                cx.block != 20 || shared.load(Ordering::Relaxed) == 0,
                "as arranged"
            );
            Ok(())
        });
    let mut decoder = ChunkDecoder::new(dparams);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| decoder.decode(&chunk)));
    assert!(caught.is_err());
    armed.store(0, Ordering::Relaxed);
    assert!(decoder.decode(&chunk).unwrap() == src);
}
