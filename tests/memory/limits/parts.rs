//! Parts of chunks that claim much, and super-chunks of them.

use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, CodecId, DParams, ErrorKind,
    Limits, SChunk, Special,
};

use super::{REFUSAL, bomb, modest, refused, taken};

/// Parts of two gigabytes into buffers of the caller's: what they take is what they hold.
pub(crate) fn ranges_and_blocks() {
    let chunk = bomb(Special::Repeat(b"ABCD"), 2_000_000_000);
    let mut decoder = ChunkDecoder::default();
    let mut some = [0; 100];
    let most = 1 << 16;
    modest("a range of 2 GB", most, || {
        decoder.decode_bytes_into(&chunk, 1_999_999_900..2_000_000_000, &mut some)
    });
    assert_eq!(some, *b"ABCD".repeat(25).as_slice());
    modest("ranges of 2 GB", most, || {
        decoder.decode_ranges_into(&chunk, &[4..54, 1_999_999_950..2_000_000_000], &mut some)
    });
    modest("items of 2 GB", most, || {
        decoder.decode_items_into(&chunk, 400_000_000..400_000_025, &mut some)
    });
    refused("all of 2 GB", ErrorKind::OutputTooSmall, REFUSAL, || {
        decoder.decode_bytes_into(&chunk, 0..2_000_000_000, &mut some)
    });
    refused("the blocks", ErrorKind::OutputTooSmall, REFUSAL, || {
        decoder.decode_blocks_into(&chunk, &[true], &mut some)
    });
    refused("a block", ErrorKind::OutputTooSmall, REFUSAL, || {
        decoder.decode_block_into(&chunk, 0, &mut some)
    });
    let (result, taken) = taken("no such block", || decoder.decode_vlblock(&chunk, 0));
    assert!(result.is_err() && taken <= REFUSAL);
}

/// Blocks that say themselves how long they are.
pub(crate) fn vlblocks() {
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    let mut chunk = encoder.encode_vlblocks(&[[1; 400], [2; 400]]).unwrap();
    let at = |chunk: &[u8], at: usize| {
        usize::try_from(u32::from_le_bytes(chunk[at..at + 4].try_into().unwrap())).unwrap()
    };
    let first = at(&chunk, 32);
    assert_eq!(at(&chunk, first), 400);
    for claim in [900_000_000_u32, 1_900_000_000] {
        chunk[first..first + 4].copy_from_slice(&claim.to_le_bytes());
        chunk[4..8].copy_from_slice(&(claim + 400).to_le_bytes());
        let limits = Limits::UNTRUSTED.max_alloc(1 << 20);
        let mut decoder = ChunkDecoder::new(DParams::new().limits(limits));
        let what = format!("a block of {claim} bytes");
        refused(&what, ErrorKind::LimitExceeded, REFUSAL, || {
            decoder.decode_vlblock(&chunk, 0)
        });
        refused(&what, ErrorKind::OutputTooSmall, REFUSAL, || {
            decoder.decode_vlblock_into(&chunk, 0, &mut [0; 400])
        });
        refused(&what, ErrorKind::LimitExceeded, REFUSAL, || {
            decoder.decode(&chunk)
        });
        let what = format!("the block after {claim} bytes");
        refused(&what, ErrorKind::LimitExceeded, REFUSAL, || {
            decoder.decode_vlblock(&chunk, 1)
        });
    }
}

/// A dictionary is there once, however many blocks use it, and no longer than the chunk. A decoder
/// of Zstandard has its tables, and no more space for literals than a block needs.
pub(crate) fn dictionaries() {
    let data: Vec<u8> = (0..5000_u32).flat_map(|i| (7 * i).to_le_bytes()).collect();
    for (codec, most) in [(CodecId::LZ4, 1 << 16), (CodecId::ZSTD, 1 << 17)] {
        let cparams = CParams::new(4)
            .codec(codec)
            .use_dict(true)
            .blocksize(Some(4000));
        let chunk = oxiblosc::compress(&data, &cparams).unwrap();
        assert_eq!(chunk[31] & 1, 1, "{codec}: a dictionary");
        let mut dst = vec![0; data.len()];
        modest("a dictionary", most, || {
            ChunkDecoder::default().decode_into(&chunk, &mut dst)
        });
        assert_eq!(dst, data);
        for size in [32_768_i32, 32_769, i32::MAX, -1] {
            let mut bad = chunk.clone();
            bad[32 + 4 * 5..36 + 4 * 5].copy_from_slice(&size.to_le_bytes());
            let (result, taken) = taken("a dictionary of a size that lies", || {
                ChunkDecoder::default().decode_into(&bad, &mut dst)
            });
            assert!(result.is_err() && taken <= REFUSAL, "{size}: {taken}");
        }
    }
}

/// A super-chunk in memory whose chunks claim two gigabytes each.
pub(crate) fn super_chunks() {
    let chunk = bomb(Special::Repeat(b"ABCD"), 2_000_000_000);
    let mut schunk = SChunk::new(CParams::new(4), 2_000_000_000).unwrap();
    modest("chunks of 2 GB in memory", 1 << 16, || {
        schunk.append_chunk(&chunk)?;
        schunk.append_chunk(&chunk)
    });
    assert_eq!(schunk.layout().nbytes, 4_000_000_000);
    let mut decoder = ChunkDecoder::default();
    let mut some = [1; 400];
    modest("a part of 4 GB", 1 << 16, || {
        schunk.read_bytes_into(&mut decoder, 1_999_999_800..2_000_000_200, &mut some)
    });
    assert_eq!(some, *b"ABCD".repeat(100));
    modest("items of 4 GB", 1 << 16, || {
        schunk.read_items_at(&mut decoder, &[0, 999_999_999, 500_000_000])
    });
    refused("all of 4 GB", ErrorKind::LimitExceeded, REFUSAL, || {
        schunk.read_items(0..1_000_000_000)
    });
    refused(
        "a chunk of 2 GB",
        ErrorKind::OutputTooSmall,
        REFUSAL,
        || schunk.decode_chunk_into(&mut decoder, 1, &mut some),
    );
    let what = "a change within 2 GB";
    refused(what, ErrorKind::LimitExceeded, 1 << 16, || {
        schunk.set_items(5, &[1, 2, 3, 4])
    });
    let what = "2 GB with other parameters";
    refused(what, ErrorKind::LimitExceeded, 1 << 16, || {
        schunk.recode(CParams::new(4).clevel(1))
    });
    modest("a copy as it is", 1 << 16, || {
        SChunk::from_source(&schunk, CParams::new(4).clevel(1))
    });
}
