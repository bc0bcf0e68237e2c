//! Damaged chunks: each kind of damage is refused with its kind, part and place, and no damage
//! whatever makes a panic or data of another length.
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use crate::common::{Rng, data};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkView, DParams, Error, ErrorKind, FilterSlot, Limits,
    Part, Special, compress,
};

/// A chunk of two split blocks: blosclz, shuffle, typesize 4, the last one a leftover.
fn regular() -> Vec<u8> {
    let src = data(3, 4, 1200, 1);
    compress(&src, &CParams::new(4).blocksize(Some(800))).unwrap()
}

/// The chunk with these bytes written over those at `at`.
fn with(mut chunk: Vec<u8>, at: usize, bytes: &[u8]) -> Vec<u8> {
    chunk[at..at + bytes.len()].copy_from_slice(bytes);
    chunk
}

/// Decoding fails like this.
#[track_caller]
fn fails(chunk: &[u8], kind: ErrorKind, part: Part, offset: u64) {
    let error = ChunkDecoder::default().decode(chunk).unwrap_err();
    let got = (error.kind(), error.part(), error.offset());
    assert_eq!(got, (kind, Some(part), Some(offset)), "{error}");
}

/// Offsets of the first block and of the data of its first stream.
fn first_block(chunk: &[u8]) -> usize {
    usize::try_from(u32::from_le_bytes(chunk[32..36].try_into().unwrap())).unwrap()
}

#[test]
fn header_damage_is_named() {
    use ErrorKind::{Corrupt, Truncated, Unsupported};
    let part = Part::ChunkHeader;
    fails(&[], Truncated, part, 0);
    fails(&regular()[..15], Truncated, part, 0);
    fails(&regular()[..31], Truncated, part, 0);
    fails(&with(regular(), 0, &[0]), Unsupported, part, 0);
    fails(&with(regular(), 0, &[7]), Unsupported, part, 0);
    fails(&with(regular(), 3, &[0]), Corrupt, part, 3);
    fails(&with(regular(), 4, &[0xFF; 4]), Corrupt, part, 4);
    fails(&with(regular(), 8, &[0; 4]), Corrupt, part, 8);
    fails(&with(regular(), 8, &[0xFF; 4]), Corrupt, part, 8);
    fails(
        &with(regular(), 8, &[1, 0xF0, 0xFF, 0x1F]),
        Corrupt,
        part,
        8,
    );
    fails(&with(regular(), 12, &[31, 0, 0, 0]), Corrupt, part, 12);
    fails(&with(regular(), 12, &[0xFF; 4]), Corrupt, part, 12);
    // Undefined: stream formats 5 and 7, filter 7, codec 200, a lazy chunk on disk.
    fails(&with(regular(), 2, &[0xA5]), Unsupported, part, 2);
    fails(&with(regular(), 2, &[0xE5]), Unsupported, part, 2);
    fails(&with(regular(), 16, &[7]), Unsupported, part, 16);
    fails(&with(regular(), 20, &[99]), Unsupported, part, 20);
    let codec200 = with(with(regular(), 2, &[0xC5]), 22, &[200]);
    fails(&codec200, Unsupported, part, 22);
    fails(&with(regular(), 31, &[0x08]), Corrupt, part, 31);
    fails(&with(regular(), 31, &[0x80]), Unsupported, part, 31);
    // Flags from the future, in a version that has them.
    fails(
        &with(with(regular(), 0, &[6]), 30, &[2]),
        Unsupported,
        part,
        30,
    );
    // Special kinds 5 to 7; a special chunk with a body.
    fails(&with(regular(), 31, &[0x50]), Corrupt, part, 31);
    fails(&with(regular(), 31, &[0x10]), Corrupt, part, 12);
    // A memcpyed chunk of another length than header and data.
    fails(&with(regular(), 2, &[0x07]), Corrupt, part, 12);
    // Split blocks that are no whole items.
    let odd = with(with(regular(), 3, &[255]), 8, &[200, 0]);
    fails(&odd, Corrupt, part, 8);
}

#[test]
fn damage_of_the_tables_is_named() {
    use ErrorKind::{Corrupt, Truncated};
    let cbytes = u64::try_from(regular().len()).unwrap();
    fails(&regular()[..100], Truncated, Part::Payload, 0);
    // More blocks than the chunk has space for their offsets.
    fails(
        &with(regular(), 8, &[4, 0, 0, 0]),
        Truncated,
        Part::Bstarts,
        32,
    );
    for bad in [0, -5, 32, 39, i32::try_from(cbytes).unwrap() - 3, i32::MAX] {
        let chunk = with(regular(), 36, &bad.to_le_bytes());
        fails(&chunk, Corrupt, Part::Bstarts, 36);
        assert!(ChunkView::parse(&chunk, &Limits::FORMAT).is_err());
    }
    let dict = with(regular(), 31, &[0x01]);
    let size = with(dict.clone(), 40, &[0; 4]);
    fails(&size, Corrupt, Part::Dictionary, 40);
    let size = with(dict.clone(), 40, &[1, 0x80, 0, 0]);
    fails(&size, Corrupt, Part::Dictionary, 40);
    let size = with(dict, 40, &[0xFF, 0x7F, 0, 0]);
    fails(&size, Truncated, Part::Dictionary, 44);
}

#[test]
fn damage_of_streams_is_named() {
    use ErrorKind::{Corrupt, Truncated};
    let at = first_block(&regular());
    let place = at as u64;
    for bad in [201, i32::MAX, -256, i32::MIN] {
        let chunk = with(regular(), at, &bad.to_le_bytes());
        fails(&chunk, Corrupt, Part::Stream, place);
        let view = ChunkView::parse(&chunk, &Limits::FORMAT).unwrap();
        assert_eq!(view.check_streams().unwrap_err().offset(), Some(place));
    }
    // A run whose token says nothing.
    let chunk = with(regular(), at, &[0xFF, 0xFF, 0xFF, 0xFF, 0]);
    fails(&chunk, Corrupt, Part::Stream, place + 4);
    // The last block begins so late that its stream does not fit.
    let len = i32::try_from(regular().len()).unwrap();
    let chunk = with(regular(), 36, &(len - 4).to_le_bytes());
    let csize = with(chunk, regular().len() - 4, &[10, 0, 0, 0]);
    fails(&csize, Truncated, Part::Stream, regular().len() as u64);
    // Codec data of rubbish: a match in front of the first byte.
    let chunk = compress(&b"abcdefgh".repeat(12), &CParams::new(1).filters([])).unwrap();
    let at = first_block(&chunk) + 4;
    let chunk = with(chunk, at, &[0xFF; 8]);
    fails(&chunk, Corrupt, Part::Stream, at as u64);
}

#[test]
fn damage_of_special_chunks_is_named() {
    use ErrorKind::Corrupt;
    let part = Part::ChunkHeader;
    let special = |typesize, special| {
        let mut encoder = ChunkEncoder::new(CParams::new(typesize)).unwrap();
        encoder.encode_special(special, 40 * typesize).unwrap()
    };
    // A typesize that NaN does not have; data that is no whole number of values.
    fails(&with(special(4, Special::Nans), 3, &[5]), Corrupt, part, 3);
    fails(&with(special(4, Special::Nans), 4, &[3]), Corrupt, part, 4);
    fails(
        &with(special(4, Special::Uninit), 4, &[3]),
        Corrupt,
        part,
        4,
    );
    let repeat = special(4, Special::Repeat(b"abcd"));
    fails(&with(repeat.clone(), 4, &[3]), Corrupt, part, 12);
    fails(&with(repeat.clone(), 4, &[6]), Corrupt, part, 4);
    fails(&with(repeat.clone(), 12, &[32]), Corrupt, part, 12);
    // The width is that of the value stored, whatever the typesize says.
    let other = with(repeat, 3, &[9]);
    let decoded = ChunkDecoder::default().decode(&other).unwrap();
    assert_eq!(decoded, b"abcd".repeat(40));
}

#[test]
fn limits_hold_before_anything_is_allocated() {
    let mut encoder = ChunkEncoder::new(CParams::new(1)).unwrap();
    let bomb = encoder
        .encode_special(Special::Zeros, 2_000_000_000)
        .unwrap();
    let mut decoder = ChunkDecoder::default();
    let error = decoder.decode(&bomb).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert_eq!(error.offset(), Some(4));
    let error = decoder.decode_append(&bomb, &mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    // A part of it is no bomb.
    assert_eq!(
        decoder
            .decode_items(&bomb, 1_999_999_990..2_000_000_000)
            .unwrap(),
        [0; 10]
    );
    let error = decoder.decode_items(&bomb, 0..2_000_000_000).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);

    // One item of a block that claims to be large: the buffer for it is within the limit, too.
    let chunk = compress(
        &data(2, 1, 4 << 20, 1)[..],
        &CParams::new(1).filters([FilterSlot::BITSHUFFLE]),
    );
    let zeros = compress(&vec![1; 4 << 20], &CParams::new(1).blocksize(Some(4 << 20))).unwrap();
    assert!(chunk.is_ok() && zeros.len() < 100);
    let limits = Limits::UNTRUSTED.max_alloc(1 << 20);
    let mut decoder = ChunkDecoder::new(DParams::new().limits(limits));
    let error = decoder.decode_items(&zeros, 7..8).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::LimitExceeded, Some(8))
    );

    let mut small = [0; 10];
    let error = decoder.decode_into(&bomb, &mut small).unwrap_err();
    assert!(matches!(
        error,
        Error::OutputTooSmall {
            needed: 2_000_000_000,
            available: 10,
            ..
        }
    ));
}

#[test]
fn ranges_outside_the_chunk_are_refused() {
    let chunk = regular();
    let mut decoder = ChunkDecoder::default();
    let mut dst = [0; 4];
    let error = decoder.decode_items(&chunk, 299..301).unwrap_err();
    assert!(matches!(
        error,
        Error::OutOfBounds {
            what: "item",
            index: 301,
            len: 300,
            ..
        }
    ));
    let error = decoder
        .decode_bytes_into(&chunk, 0..usize::MAX, &mut dst)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    #[expect(clippy::reversed_empty_ranges, reason = "that is the point")]
    let error = decoder.decode_items(&chunk, 5..4).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidParam);
    let error = decoder
        .decode_items_into(&chunk, 0..2, &mut dst)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputTooSmall);
    let error = decoder
        .decode_blocks_into(&chunk, &[true], &mut [0; 1200])
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidParam);
    let error = decoder
        .decode_block_into(&chunk, 2, &mut [0; 1200])
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    assert_eq!(
        decoder.decode_vlblock(&chunk, 0).unwrap_err().kind(),
        ErrorKind::Refused
    );
}

/// Small chunks of every form.
fn victims() -> Vec<Vec<u8>> {
    let mut chunks = vec![regular()];
    let src = data(5, 4, 600, 3);
    for codec in crate::common::codecs() {
        for filters in [
            vec![],
            vec![FilterSlot::SHUFFLE],
            vec![FilterSlot::BITSHUFFLE],
            vec![FilterSlot::DELTA, FilterSlot::SHUFFLE],
        ] {
            let cparams = CParams::new(4)
                .codec(codec)
                .filters(filters)
                .blocksize(Some(256));
            chunks.push(compress(&src, &cparams).unwrap());
        }
    }
    chunks.push(compress(&src[..100], &CParams::new(4).clevel(0)).unwrap());
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    for special in [
        Special::Zeros,
        Special::Nans,
        Special::Uninit,
        Special::Repeat(b"abcd"),
    ] {
        chunks.push(encoder.encode_special(special, 400).unwrap());
    }
    chunks
}

/// Decodes a damaged chunk in every way: an error, or data of the right length.
fn survive(decoder: &mut ChunkDecoder, chunk: &[u8], dst: &mut [u8]) {
    if let Ok(data) = decoder.decode(chunk) {
        let view = ChunkView::parse(chunk, &Limits::UNTRUSTED);
        let nbytes = u32::from_le_bytes(chunk[4..8].try_into().unwrap());
        assert_eq!(data.len(), usize::try_from(nbytes).unwrap());
        if let Ok(view) = view {
            let _ = view.check_streams();
            let items = view.nitems() / 2..view.nitems();
            if let Ok(items) = decoder.decode_items(chunk, items.clone()) {
                let start = view.nitems() / 2 * usize::from(view.header().typesize);
                assert_eq!(items, data[start..start + items.len()]);
            }
        }
    }
    let _ = decoder.decode_into(chunk, dst);
    let _ = decoder.decode_items(chunk, 3..7);
    let _ = decoder.decode_block_into(chunk, 1, dst);
    let _ = decoder.decode_vlblock(chunk, 0);
}

#[test]
fn no_damage_of_one_byte_panics() {
    let limits = Limits::UNTRUSTED.max_alloc(1 << 20);
    let mut decoder = ChunkDecoder::new(DParams::new().limits(limits));
    let mut dst = vec![0; 4096];
    let mut count = 0;
    for chunk in victims() {
        for at in 0..chunk.len() {
            let mut values = vec![0x00, 0xFF, chunk[at] ^ 0xFF, chunk[at] ^ 0x80];
            values.extend([chunk[at].wrapping_add(1), chunk[at].wrapping_sub(1)]);
            values.extend((0..8).map(|bit| chunk[at] ^ (1 << bit)));
            for value in values {
                survive(&mut decoder, &with(chunk.clone(), at, &[value]), &mut dst);
                count += 1;
            }
            assert!(decoder.decode(&chunk[..at]).is_err(), "cut to {at} bytes");
        }
        assert!(decoder.decode(&chunk).is_ok());
    }
    println!("{count} damaged chunks");
}

#[test]
fn no_damage_of_many_bytes_panics() {
    let limits = Limits::UNTRUSTED.max_alloc(1 << 20);
    let mut decoder = ChunkDecoder::new(DParams::new().limits(limits));
    let mut dst = vec![0; 4096];
    let mut rng = Rng(7);
    let victims = victims();
    for _ in 0..20_000 {
        let mut chunk = victims[rng.below(victims.len())].clone();
        for _ in 0..1 + rng.below(6) {
            // Mostly in the header and the first prefixes, where it does most.
            let most = if rng.below(3) > 0 { 48 } else { chunk.len() };
            let at = rng.below(most.min(chunk.len()));
            chunk[at] = rng.pick(&[0, 1, 2, 4, 32, 127, 128, 255, rng.clone().byte()]);
        }
        survive(&mut decoder, &chunk, &mut dst);
    }
}
