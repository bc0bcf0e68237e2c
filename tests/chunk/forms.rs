//! Each operation on a chunk in its forms: allocating, into a slice, appended to a vector, and
//! decoding into memory that is not initialised, too.

#![expect(clippy::unwrap_used, reason = "a test stops at the first failure")]

use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oxiblosc::filter::BlockContext;
use oxiblosc::threads::ParallelFor;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, DParams, ErrorKind, FilterSlot, Limits, Result, Special,
    Threads,
};

/// Compares the four forms of one decoding operation, on success and on failure.
fn agree(
    name: &str,
    allocating: impl FnOnce(&mut ChunkDecoder) -> Result<Vec<u8>>,
    into: impl Fn(&mut ChunkDecoder, &mut [u8]) -> Result<usize>,
    append: impl FnOnce(&mut ChunkDecoder, &mut Vec<u8>) -> Result<usize>,
    uninit: impl Fn(&mut ChunkDecoder, &mut [MaybeUninit<u8>]) -> Result<Vec<u8>>,
) -> Option<Vec<u8>> {
    let mut decoder = ChunkDecoder::default();
    let mut appended = vec![1, 2, 3];
    let count = append(&mut decoder, &mut appended);
    let bytes = match allocating(&mut decoder) {
        Ok(bytes) => bytes,
        Err(error) => {
            let kind = error.kind();
            assert_eq!(count.unwrap_err().kind(), kind, "{name}");
            assert_eq!(appended, [1, 2, 3], "{name}: unchanged after a failure");
            let mut dst = vec![0; 10_000];
            assert_eq!(
                into(&mut decoder, &mut dst).unwrap_err().kind(),
                kind,
                "{name}"
            );
            let found = uninit(&mut decoder, &mut vec![MaybeUninit::new(9); 10_000]);
            assert_eq!(found.unwrap_err().kind(), kind, "{name}");
            return None;
        }
    };
    assert_eq!(count.unwrap(), bytes.len(), "{name}");
    assert_eq!(appended[..3], [1, 2, 3], "{name}");
    assert_eq!(appended[3..], bytes, "{name}");
    let mut dst = vec![0; bytes.len() + 1];
    assert_eq!(into(&mut decoder, &mut dst).unwrap(), bytes.len(), "{name}");
    assert_eq!(dst[..bytes.len()], bytes, "{name}");
    assert_eq!(dst[bytes.len()], 0, "{name}: nothing after the result");
    if let Some(short) = bytes.len().checked_sub(1) {
        let error = into(&mut decoder, &mut dst[..short]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutputTooSmall, "{name}");
        let error = uninit(&mut decoder, &mut vec![MaybeUninit::new(9); short]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutputTooSmall, "{name}");
    }
    // Whatever the memory held, and with room for more.
    for junk in [0, 0xA5] {
        let mut memory = vec![MaybeUninit::new(junk); bytes.len() + 1];
        assert_eq!(uninit(&mut decoder, &mut memory).unwrap(), bytes, "{name}");
    }
    Some(bytes)
}

fn chunks() -> Vec<(Vec<u8>, Vec<u8>)> {
    let src: Vec<u8> = (0..9000_u32)
        .map(|i| ((i / 7) ^ (i % 4)).to_le_bytes()[0])
        .collect();
    let mut chunks = Vec::new();
    for filters in [
        vec![],
        vec![FilterSlot::SHUFFLE],
        vec![FilterSlot::DELTA, FilterSlot::SHUFFLE],
        vec![FilterSlot::BITSHUFFLE],
        vec![FilterSlot::BITSHUFFLE, FilterSlot::SHUFFLE],
        vec![
            FilterSlot::SHUFFLE,
            FilterSlot::BITSHUFFLE,
            FilterSlot::DELTA,
        ],
    ] {
        for clevel in [0, 5] {
            let cparams = CParams::new(4)
                .clevel(clevel)
                .blocksize(Some(2000))
                .filters(filters.clone());
            let chunk = oxiblosc::compress(&src, &cparams).unwrap();
            chunks.push((chunk, src.clone()));
        }
    }
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    let chunk = encoder
        .encode_special(Special::Repeat(&[1, 2, 3, 4]), 9000)
        .unwrap();
    chunks.push((chunk, [1, 2, 3, 4].repeat(2250)));
    chunks
}

#[test]
fn items_bytes_and_ranges() {
    for (chunk, data) in chunks() {
        for items in [0..0, 0..2250, 3..4, 499..1001, 2249..2250, 2200..2251] {
            let found = agree(
                "items",
                |decoder| decoder.decode_items(&chunk, items.clone()),
                |decoder, dst| decoder.decode_items_into(&chunk, items.clone(), dst),
                |decoder, dst| decoder.decode_items_append(&chunk, items.clone(), dst),
                |decoder, dst| {
                    Ok(decoder
                        .decode_items_uninit(&chunk, items.clone(), dst)?
                        .to_vec())
                },
            );
            let expected = data.get(4 * items.start..4 * items.end);
            assert_eq!(found.as_deref(), expected, "items {items:?}");
        }
        for bytes in [0..0, 0..9000, 1..3, 1999..2001, 8999..9000, 5..9001] {
            let found = agree(
                "bytes",
                |decoder| decoder.decode_bytes(&chunk, bytes.clone()),
                |decoder, dst| decoder.decode_bytes_into(&chunk, bytes.clone(), dst),
                |decoder, dst| decoder.decode_bytes_append(&chunk, bytes.clone(), dst),
                |decoder, dst| {
                    Ok(decoder
                        .decode_bytes_uninit(&chunk, bytes.clone(), dst)?
                        .to_vec())
                },
            );
            assert_eq!(found.as_deref(), data.get(bytes.clone()), "bytes {bytes:?}");
        }
        for ranges in [
            vec![],
            vec![8999..9000, 0..3, 1..2, 1990..4010, 7..7],
            vec![5..9001, 0..1],
        ] {
            let found = agree(
                "ranges",
                |decoder| decoder.decode_ranges(&chunk, &ranges),
                |decoder, dst| decoder.decode_ranges_into(&chunk, &ranges, dst),
                |decoder, dst| decoder.decode_ranges_append(&chunk, &ranges, dst),
                |decoder, dst| Ok(decoder.decode_ranges_uninit(&chunk, &ranges, dst)?.to_vec()),
            );
            let expected: Option<Vec<u8>> = ranges
                .iter()
                .map(|range| Some(data.get(range.clone())?.to_vec()))
                .collect::<Option<Vec<_>>>()
                .map(|parts| parts.concat());
            assert_eq!(found, expected, "ranges {ranges:?}");
        }
    }
}

#[test]
fn blocks() {
    for (chunk, data) in chunks() {
        let view = oxiblosc::ChunkView::parse(&chunk, &Limits::UNTRUSTED).unwrap();
        let (nblocks, blocksize) = (view.nblocks(), view.blocksize().unwrap());
        for block in 0..=nblocks {
            let found = agree(
                "block",
                |decoder| decoder.decode_block(&chunk, block),
                |decoder, dst| decoder.decode_block_into(&chunk, block, dst),
                |decoder, dst| decoder.decode_block_append(&chunk, block, dst),
                |decoder, dst| Ok(decoder.decode_block_uninit(&chunk, block, dst)?.to_vec()),
            );
            let expected = data.chunks(blocksize).nth(block);
            assert_eq!(found.as_deref(), expected, "block {block}");
        }
        for step in 1..4 {
            let wanted: Vec<bool> = (0..nblocks).map(|block| block % step == 0).collect();
            let found = agree(
                "blocks",
                |decoder| decoder.decode_blocks(&chunk, &wanted),
                |decoder, dst| decoder.decode_blocks_into(&chunk, &wanted, dst),
                |decoder, dst| decoder.decode_blocks_append(&chunk, &wanted, dst),
                |decoder, dst| Ok(decoder.decode_blocks_uninit(&chunk, &wanted, dst)?.to_vec()),
            );
            let mut expected = data.clone();
            for (block, wanted) in expected.chunks_mut(blocksize).zip(&wanted) {
                if !wanted {
                    block.fill(0);
                }
            }
            assert_eq!(found, Some(expected), "every {step}th block");
        }
        let short = vec![true; nblocks + 1];
        let found = agree(
            "too many blocks",
            |decoder| decoder.decode_blocks(&chunk, &short),
            |decoder, dst| decoder.decode_blocks_into(&chunk, &short, dst),
            |decoder, dst| decoder.decode_blocks_append(&chunk, &short, dst),
            |decoder, dst| Ok(decoder.decode_blocks_uninit(&chunk, &short, dst)?.to_vec()),
        );
        assert_eq!(found, None);
    }
}

#[test]
fn variable_length_blocks() {
    let blocks: [&[u8]; 3] = [b"one", b"and one more", &[7; 500]];
    let mut encoder = ChunkEncoder::new(CParams::new(1)).unwrap();
    let chunk = encoder.encode_vlblocks(&blocks).unwrap();
    for block in 0..4 {
        let found = agree(
            "vlblock",
            |decoder| decoder.decode_vlblock(&chunk, block),
            |decoder, dst| decoder.decode_vlblock_into(&chunk, block, dst),
            |decoder, dst| decoder.decode_vlblock_append(&chunk, block, dst),
            |decoder, dst| Ok(decoder.decode_vlblock_uninit(&chunk, block, dst)?.to_vec()),
        );
        let expected = blocks.get(block).copied();
        assert_eq!(found.as_deref(), expected, "block {block}");
    }
    let refused = ChunkDecoder::default().decode_block(&chunk, 0);
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Refused);
}

#[test]
fn special_chunks() {
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    for special in [
        Special::Zeros,
        Special::Nans,
        Special::Uninit,
        Special::Repeat(&[1, 2, 3, 4]),
    ] {
        let chunk = encoder.encode_special(special, 400).unwrap();
        let mut appended = vec![9];
        let len = encoder.encode_special_append(special, 400, &mut appended);
        assert_eq!(len.unwrap(), chunk.len());
        assert_eq!(appended[1..], chunk);
        let mut dst = [0; 40];
        let len = encoder.encode_special_into(special, 400, &mut dst).unwrap();
        assert_eq!(dst[..len], chunk);
        let error = encoder
            .encode_special_into(special, 400, &mut dst[..len - 1])
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutputTooSmall);
        let error = encoder
            .encode_special_append(special, 401, &mut appended)
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidParam);
        assert_eq!(appended.len(), 1 + chunk.len(), "unchanged after a failure");
    }
}

#[test]
fn results_beyond_the_limit_are_refused() {
    let (chunk, _) = chunks().remove(1);
    let limits = Limits::UNTRUSTED.max_alloc(100);
    let mut decoder = ChunkDecoder::new(DParams::new().limits(limits));
    let mut dst = Vec::new();
    for done in [
        decoder.decode_bytes_append(&chunk, 0..101, &mut dst),
        decoder.decode_items_append(&chunk, 0..26, &mut dst),
        decoder.decode_ranges_append(&chunk, &[0..100, 0..1], &mut dst),
        decoder.decode_block_append(&chunk, 0, &mut dst),
        decoder.decode_blocks_append(&chunk, &[false; 5], &mut dst),
    ] {
        assert_eq!(done.unwrap_err().kind(), ErrorKind::LimitExceeded);
    }
    assert!(dst.is_empty());
}

/// A destination of the caller is no allocation: the limit does not apply to a block that fits it.
#[test]
fn a_block_into_a_destination_of_the_caller_has_no_limit() {
    let limits = Limits::UNTRUSTED.max_alloc(100);
    let mut decoder = ChunkDecoder::new(DParams::new().limits(limits));
    for (chunk, data) in chunks() {
        let view = oxiblosc::ChunkView::parse(&chunk, &Limits::UNTRUSTED).unwrap();
        let blocksize = view.blocksize().unwrap();
        let mut dst = vec![0; blocksize];
        let len = decoder.decode_block_into(&chunk, 0, &mut dst).unwrap();
        assert_eq!(dst[..len], data[..blocksize]);
    }
}

/// A parallel-for of the caller: scoped threads, without rayon.
#[derive(Debug)]
struct Scoped {
    threads: usize,
    /// How it calls the work.
    conduct: Conduct,
    /// How often it was called.
    calls: AtomicUsize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Conduct {
    /// As the contract says.
    Honest,
    /// Breaks the contract and calls nothing.
    Idle,
    /// Calls the work twice on each thread.
    Twice,
    /// Catches the panics of the work and continues as if there were none.
    Swallows,
}

impl ParallelFor for Scoped {
    fn count(&self) -> usize {
        self.threads
    }

    fn run(&self, helpers: usize, work: &(dyn Fn() + Sync)) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let call = || match self.conduct {
            Conduct::Idle => {}
            Conduct::Honest => work(),
            Conduct::Twice => {
                work();
                work();
            }
            Conduct::Swallows => {
                let _: std::thread::Result<()> = catch_unwind(AssertUnwindSafe(work));
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(call);
            }
            call();
        });
    }
}

/// Blocks that one thread would take long enough for, so that others are woken.
fn long_data() -> Vec<u8> {
    (0..2_000_000_u32)
        .flat_map(|i| (i / 3).to_le_bytes())
        .collect()
}

fn scoped(threads: usize, conduct: Conduct) -> Arc<Scoped> {
    Arc::new(Scoped {
        threads,
        conduct,
        calls: AtomicUsize::new(0),
    })
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "WASI has no threads")]
fn threads_of_the_caller() {
    let src = long_data();
    let cparams = CParams::new(4).blocksize(Some(30_000));
    let chunk = oxiblosc::compress(&src, &cparams).unwrap();
    let view = oxiblosc::ChunkView::parse(&chunk, &Limits::UNTRUSTED).unwrap();
    let (head, nblocks) = (view.header().len(), view.nblocks());
    for (threads, conduct) in [
        (1, Conduct::Honest),
        (3, Conduct::Honest),
        (8, Conduct::Honest),
        (4, Conduct::Idle),
        (4, Conduct::Twice),
        (usize::MAX, Conduct::Idle),
    ] {
        let external = scoped(threads, conduct);
        let policy = Threads::External(external.clone());
        let calls = || external.calls.swap(0, Ordering::Relaxed) > 0;
        let cparams = cparams.clone().threads(policy.clone());
        assert!(oxiblosc::compress(&src, &cparams).unwrap() == chunk);
        assert_eq!(calls(), threads > 1, "encoding with {external:?}");
        let mut decoder = ChunkDecoder::new(DParams::new().threads(policy));
        assert!(decoder.decode(&chunk).unwrap() == src);
        assert_eq!(calls(), threads > 1, "decoding with {external:?}");
        // Several damaged blocks, an early one among them: the offset of the first is reported.
        for first in [0, 1, nblocks / 2] {
            let mut broken = chunk.clone();
            for block in first..nblocks {
                let at = head + 4 * block;
                broken[at..at + 4].copy_from_slice(&i32::MIN.to_le_bytes());
            }
            let serial = oxiblosc::decompress(&broken).unwrap_err();
            assert_eq!(
                serial.offset(),
                Some(u64::try_from(head + 4 * first).unwrap())
            );
            for _ in 0..10 {
                let shared = decoder.decode(&broken).unwrap_err();
                assert_eq!(serial.to_string(), shared.to_string(), "{external:?}");
            }
            assert_eq!(calls(), threads > 1, "damaged, with {external:?}");
        }
    }
}

/// The result would lack the blocks of that thread.
#[test]
#[cfg_attr(target_os = "wasi", ignore = "WASI has no threads")]
fn a_swallowed_panic_of_a_helper_is_no_success() {
    let src = long_data();
    let cparams = CParams::new(4).blocksize(Some(30_000));
    let chunk = oxiblosc::compress(&src, &cparams).unwrap();
    let hook = |cx: &BlockContext, src: &[u8], dst: &mut [u8]| {
        assert_ne!(cx.block, 3, "the hook of block 3");
        dst.copy_from_slice(src);
        Ok(())
    };
    let threads = Threads::External(scoped(4, Conduct::Swallows));
    let dparams = DParams::new().threads(threads.clone()).postfilter(hook);
    let decoded = catch_unwind(AssertUnwindSafe(|| {
        ChunkDecoder::new(dparams).decode(&chunk)
    }));
    assert!(decoded.is_err(), "decoded without block 3");
    let cparams = cparams.threads(threads).prefilter(hook);
    let encoded = catch_unwind(AssertUnwindSafe(|| oxiblosc::compress(&src, &cparams)));
    assert!(encoded.is_err(), "encoded without block 3");
}
