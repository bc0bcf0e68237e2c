//! Chunks of one block, which are decoded without a list of tasks, beside the same block as a
//! chosen one, which is a task: the same bytes, and the same error for damaged chunks.

use crate::common::{KINDS, Rng, after_loss, codecs, data, pipeline};
use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, ChunkHeader, FilterSlot, SplitMode};

/// The decoded bytes, or the text of the error.
type Outcome = Result<Vec<u8>, String>;

/// The chunk as a whole, in three forms.
fn whole(decoder: &mut ChunkDecoder, chunk: &[u8], nbytes: usize) -> [Outcome; 3] {
    let mut dst = vec![0x5A; nbytes];
    let into = decoder.decode_into(chunk, &mut dst).map(|len| {
        dst.truncate(len);
        dst
    });
    let mut memory = Vec::with_capacity(nbytes);
    let uninit = decoder.decode_uninit(chunk, memory.spare_capacity_mut());
    let uninit = uninit.map(|bytes| bytes.to_vec());
    let mut appended = vec![7];
    let appended = decoder.decode_append(chunk, &mut appended).map(|_| {
        appended.remove(0);
        appended
    });
    [into, uninit, appended].map(|done| done.map_err(|error| error.to_string()))
}

/// The chunk as a list of one chosen block.
fn chosen(decoder: &mut ChunkDecoder, chunk: &[u8], nbytes: usize) -> Outcome {
    let mut dst = vec![0xA5; nbytes];
    let done = decoder.decode_blocks_into(chunk, &[true], &mut dst);
    done.map(|len| {
        dst.truncate(len);
        dst
    })
    .map_err(|error| error.to_string())
}

/// Whether a chunk is a regular one of one block, as far as its header says.
fn is_one_block(chunk: &[u8]) -> bool {
    ChunkHeader::parse(chunk).is_ok_and(|header| {
        !header.is_vlblocks() && header.nbytes > 0 && header.nbytes <= header.blocksize
    })
}

fn case(index: u64) -> (CParams, Vec<u8>, Vec<u8>, String) {
    let mut rng = Rng(index);
    let typesize = rng.pick(&[1, 2, 3, 4, 5, 7, 8, 8, 9, 12, 16, 17, 32, 255]);
    let len = 1 + match rng.below(3) {
        0 => rng.below(128),
        1 => typesize * 32 * (1 + rng.below(4)) - 1,
        _ => rng.below(8192),
    };
    let len = len.min(8192);
    let kind = rng.below(KINDS);
    let src = data(kind, typesize, len, index);
    let filters = match rng.below(4) {
        0 => vec![],
        1 => vec![FilterSlot::SHUFFLE],
        2 => vec![FilterSlot::BITSHUFFLE],
        _ => pipeline(&mut rng, typesize),
    };
    let split = rng.pick(&[SplitMode::Auto, SplitMode::Always, SplitMode::Never]);
    let cparams = CParams::new(typesize)
        .codec(rng.pick(&codecs()))
        .clevel(rng.pick(&[1, 5, 9]))
        .filters(filters.iter().copied())
        .blocksize(Some(len.next_multiple_of(typesize)))
        .split_mode(split);
    let expected = after_loss(&src, typesize, &filters);
    let name = format!(
        "case {index}: {} typesize {typesize} {filters:?} {split:?} kind {kind}, {len} bytes",
        cparams.codec
    );
    (cparams, src, expected, name)
}

#[test]
fn the_only_block_is_decoded_as_a_chosen_one() {
    let mut decoder = ChunkDecoder::default();
    let mut regular = 0;
    for index in 0..5000 {
        let (cparams, src, expected, name) = case(index);
        let chunk = ChunkEncoder::new(cparams).unwrap().encode(&src).unwrap();
        // A rest that is no whole item becomes a block of its own.
        if !is_one_block(&chunk) {
            continue;
        }
        regular += u32::from(!ChunkHeader::parse(&chunk).unwrap().is_memcpyed());
        // Lossy filters change nothing in chunks that are copied or stand for a value.
        let block = chosen(&mut decoder, &chunk, src.len());
        assert!(
            block.as_ref() == Ok(&expected) || block.as_ref() == Ok(&src),
            "{name}"
        );
        for done in whole(&mut decoder, &chunk, src.len()) {
            assert!(done == block, "{name}");
        }
    }
    assert!(regular > 1000, "{regular}");
}

#[test]
fn a_damaged_block_fails_as_a_chosen_one() {
    let mut decoder = ChunkDecoder::default();
    let (mut failed, mut decoded) = (0, 0);
    for index in 0..600 {
        let (cparams, src, _, name) = case(index);
        let sound = ChunkEncoder::new(cparams).unwrap().encode(&src).unwrap();
        let mut rng = Rng(index ^ 0xDA_4A6E);
        for _ in 0..24 {
            let mut chunk = sound.clone();
            for _ in 0..=rng.below(2) {
                // Half of the changes are in the header, the offset and the first prefix.
                let within = [chunk.len(), chunk.len().min(44)][rng.below(2)];
                let at = rng.below(within);
                chunk[at] = rng.pick(&[0, 1, 2, 3, 0x7F, 0x80, 0xFF, chunk[at] ^ 1]);
            }
            if rng.below(8) == 0 {
                chunk.truncate(rng.below(chunk.len()));
            }
            if !is_one_block(&chunk) {
                continue;
            }
            let expected = chosen(&mut decoder, &chunk, src.len());
            if matches!(&expected, Err(text) if text.contains("list of wanted blocks")) {
                // The table of blocks says that there are more than the header does.
                continue;
            }
            for done in whole(&mut decoder, &chunk, src.len()) {
                // Only these two forms take the memory from the caller.
                let refused = |done: &Outcome| {
                    let limits = ["exceeds limit", "output"];
                    matches!(done, Err(text) if limits.iter().any(|part| text.contains(part)))
                };
                if refused(&done) || refused(&expected) {
                    continue;
                }
                assert_eq!(done, expected, "{name}");
            }
            failed += u32::from(expected.is_err());
            decoded += u32::from(expected.is_ok());
        }
    }
    assert!(failed > 1000 && decoded > 1000, "{failed} {decoded}");
}
