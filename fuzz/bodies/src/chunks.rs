//! Chunks: damaged ones, parts of them, streams on their own.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::slice;

use oxiblosc::chunk::{ChunkFront, ChunkPart};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkView, CodecId, FilterSlot, Result, SplitMode,
};

use crate::dice::Dice;
use crate::make::{
    MOST, chunk, cparams_of, damage, damage_chunk, data, dparams, limits, pool, vlblocks,
};

/// A chunk out of nothing but the input, or a valid one that is damaged.
fn any_chunk(dice: &mut Dice<'_>) -> Vec<u8> {
    if dice.flag() {
        let mut chunk = chunk(dice);
        damage_chunk(dice, &mut chunk);
        chunk
    } else {
        dice.rest().to_vec()
    }
}

fn decode_over(decoder: &mut ChunkDecoder, chunk: &[u8], dst: &mut [u8]) -> Result<usize> {
    decoder.decode_into(chunk, dst)
}

/// See `fuzz_targets/chunk_decode.rs`.
pub fn chunk_decode(input: &[u8]) {
    let chunk = any_chunk(&mut Dice::new(input));
    let mut decoder = ChunkDecoder::new(dparams());
    let view = ChunkView::parse(&chunk, &limits());
    let walked = view.as_ref().map(ChunkView::check_streams);
    let decoded = decoder.decode(&chunk);
    if let Ok(data) = &decoded {
        // What decodes has a good header, good tables, and good prefixes.
        let view = view.as_ref().expect("a chunk that decodes parses");
        assert_eq!(data.len(), view.nbytes());
        assert!(matches!(walked, Ok(Ok(()))), "{walked:?}");
        let mut appended = vec![1, 2, 3];
        let n = decoder.decode_append(&chunk, &mut appended);
        assert_eq!(n.expect("the same chunk"), data.len());
        assert_eq!(appended[3..], *data);
    }
    let mut dst = vec![0; MOST];
    if let Ok(n) = decode_over(&mut decoder, &chunk, &mut dst)
        && let Ok(data) = &decoded
    {
        assert_eq!(dst[..n], *data);
    }
    let _ = oxiblosc::ChunkHeader::parse(&chunk).map(|header| header.to_bytes());
}

/// See `fuzz_targets/stream_read.rs`.
pub fn stream_read(input: &[u8]) {
    let dice = &mut Dice::new(input);
    // The chunk around the streams is right; what they say is the fuzzer's.
    let typesize = dice.pick(&[1, 2, 4, 8, 3]);
    let split = dice.flag();
    let compformat = dice.pick(&[0, 0, 1, 3, 4]) << 5;
    let blocksize = typesize * (32 + dice.below(100));
    let nblocks = 1 + dice.below(3);
    let short = dice.below(blocksize);
    let nbytes = blocksize * nblocks - short;
    let mut header = [0; 32];
    header[0] = 5;
    header[1] = 1;
    header[2] = 5 | compformat | if split { 0 } else { 0x10 };
    header[3] = u8::try_from(typesize).unwrap_or(1);
    header[21] = dice.pick(&[0, 1, 2, 3]);
    let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
    header[4..8].copy_from_slice(&size(nbytes));
    header[8..12].copy_from_slice(&size(blocksize));
    let starts: Vec<u16> = (0..nblocks).map(|_| dice.u16()).collect();
    let streams = dice.rest();
    let body = 32 + 4 * nblocks;
    header[12..16].copy_from_slice(&size(body + streams.len()));
    let mut chunk = header.to_vec();
    for start in starts {
        let start = usize::from(start) % streams.len().max(1);
        chunk.extend(size(body + start));
    }
    chunk.extend_from_slice(streams);
    check_filled(&chunk);
    let mut decoder = ChunkDecoder::new(dparams());
    let walked = ChunkView::parse(&chunk, &limits()).and_then(|view| view.check_streams());
    let decoded = decoder.decode(&chunk);
    assert!(walked.is_ok() || decoded.is_err(), "{walked:?}");
}

/// Two outputs, one of zeros and one of ones, hold the same after decoding, and errors are the same
/// to the letter. A decoder that is used again says the same of another output.
fn check_filled(chunk: &[u8]) -> Option<Vec<u8>> {
    let mut zeros = vec![0; MOST];
    let mut ones = vec![0xFF; MOST];
    let mut decoder = ChunkDecoder::new(dparams());
    let first = decode_over(&mut decoder, chunk, &mut zeros);
    let second = decode_over(&mut ChunkDecoder::new(dparams()), chunk, &mut ones);
    // What Zstandard says of damaged data may change when its context knows the dictionary from
    // before; where and what kind it is does not.
    let mut others = vec![0x5A; MOST];
    let again = decode_over(&mut decoder, chunk, &mut others);
    let place = |error: &oxiblosc::Error| (error.kind(), error.part(), error.offset());
    match (&first, &again) {
        (Ok(first), Ok(again)) => assert!(zeros[..*first] == others[..*again]),
        (Err(first), Err(again)) => assert_eq!(place(first), place(again), "{first} and {again}"),
        (first, again) => panic!("{first:?} and then {again:?}"),
    }
    match (first, second) {
        (Ok(first), Ok(second)) => {
            assert_eq!(first, second);
            zeros.truncate(first);
            assert!(zeros == ones[..second], "the output's old content shows");
            assert!(
                ones[second..].iter().all(|&byte| byte == 0xFF),
                "beyond the data"
            );
            Some(zeros)
        }
        (Err(first), Err(second)) => {
            assert_eq!(first.to_string(), second.to_string());
            None
        }
        (first, second) => panic!("{first:?} and {second:?}"),
    }
}

/// See `fuzz_targets/no_leak.rs`.
pub fn no_leak(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let mut dirty = dice.flag().then(|| chunk(dice));
    let chunk = any_chunk(dice);
    let fresh = check_filled(&chunk);
    // A decoder that decoded something else before says the same.
    let mut used = ChunkDecoder::new(dparams());
    let mut dst = vec![0xA5; MOST];
    if let Some(dirty) = &mut dirty {
        let _ = used.decode_into(dirty, &mut dst);
    }
    let again = used.decode_into(&chunk, &mut dst);
    assert_eq!(again.is_ok(), fresh.is_some());
    if let (Ok(n), Some(fresh)) = (again, &fresh) {
        assert!(dst[..n] == **fresh, "the decoder's past shows");
    }
    // Memory that is not zeroed gives the same, whatever it held; a failure adds nothing.
    for junk in [0x00, 0xA5] {
        let mut memory = vec![MaybeUninit::new(junk); MOST];
        let found = used.decode_uninit(&chunk, &mut memory);
        assert_eq!(
            found.ok().as_deref(),
            fresh.as_deref(),
            "memory that was not written shows"
        );
        let mut grown = vec![junk; MOST + 8];
        grown.truncate(3);
        let done = used.decode_append(&chunk, &mut grown);
        let added = fresh
            .as_deref()
            .filter(|_| done.is_ok())
            .unwrap_or_default();
        assert_eq!(done.is_ok(), fresh.is_some());
        assert!(
            grown[..3] == [junk; 3] && grown[3..] == *added,
            "spare capacity shows"
        );
    }
    // Nor do ranges show what the output held.
    let (start, end) = (usize::from(dice.u16()), usize::from(dice.u16()));
    let bytes = start.min(end)..start.max(end);
    let mut run = |fill: u8| {
        let mut dst = vec![fill; bytes.len()];
        let n = used.decode_bytes_into(&chunk, bytes.clone(), &mut dst);
        n.ok().map(|n| dst[..n].to_vec())
    };
    let part = run(0);
    assert_eq!(part, run(0xFF));
    // Nor memory that was not written, whichever way the part is asked for.
    let block = usize::from(dice.byte());
    let mut of_block = vec![0; MOST];
    let of_block = used
        .decode_block_into(&chunk, block, &mut of_block)
        .ok()
        .map(|n| of_block[..n].to_vec());
    for junk in [0x00, 0xA5] {
        let mut memory = vec![MaybeUninit::new(junk); MOST.max(bytes.len())];
        let found = used.decode_bytes_uninit(&chunk, bytes.clone(), &mut memory);
        assert_eq!(found.ok().as_deref(), part.as_deref());
        let found = used.decode_ranges_uninit(&chunk, slice::from_ref(&bytes), &mut memory);
        assert_eq!(found.ok().as_deref(), part.as_deref());
        let found = used.decode_block_uninit(&chunk, block, &mut memory[..MOST]);
        assert_eq!(found.ok().as_deref(), of_block.as_deref());
    }
    assert_eq!(used.decode_bytes(&chunk, bytes).ok(), part);
}

/// See `fuzz_targets/chunk_items.rs`.
pub fn chunk_items(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let picks: Vec<u16> = (0..8).map(|_| dice.u16()).collect();
    let chunk = any_chunk(dice);
    let mut decoder = ChunkDecoder::new(dparams());
    let Ok(whole) = decoder.decode(&chunk) else {
        return parts_survive(&mut decoder, &chunk, &picks);
    };
    let view = ChunkView::parse(&chunk, &limits()).expect("a chunk that decodes parses");
    let vlblocks = view.header().is_vlblocks();
    let place = |pick: u16, len: usize| usize::from(pick) % (len + 1);
    let span = |one: u16, other: u16, len: usize| {
        let (one, other) = (place(one, len), place(other, len));
        one.min(other)..one.max(other)
    };
    let typesize = usize::from(view.header().typesize).max(1);
    for pair in picks.chunks_exact(2) {
        let bytes = span(pair[0], pair[1], whole.len());
        let mut dst = vec![0xEE; bytes.len()];
        let n = decoder.decode_bytes_into(&chunk, bytes.clone(), &mut dst);
        if !vlblocks {
            assert_eq!(n.expect("a range of a good chunk"), bytes.len());
            assert_eq!(dst, whole[bytes]);
            let items = span(pair[0], pair[1], view.nitems());
            let part = decoder.decode_items(&chunk, items.clone());
            let expected = &whole[items.start * typesize..items.end * typesize];
            assert_eq!(part.expect("items of a good chunk"), expected);
        }
        let trailing = whole.len() + 1 + usize::from(pair[0]);
        assert!(
            decoder
                .decode_bytes_into(&chunk, 0..trailing, &mut dst)
                .is_err()
        );
    }
    if vlblocks {
        return blocks_agree(&mut decoder, &chunk, &view, &whole);
    }
    let ranges: Vec<Range<usize>> = picks
        .windows(2)
        .map(|pair| span(pair[0], pair[1], whole.len()))
        .collect();
    let expected: Vec<u8> = ranges
        .iter()
        .flat_map(|range| &whole[range.clone()])
        .copied()
        .collect();
    let mut dst = vec![0xEE; expected.len()];
    let n = decoder.decode_ranges_into(&chunk, &ranges, &mut dst);
    assert_eq!(n.expect("ranges of a good chunk"), expected.len());
    assert_eq!(dst, expected);
    let from_parts = fetched(&mut decoder, &chunk, &ranges);
    assert_eq!(from_parts.expect("parts of a good chunk"), expected);
    some_blocks(&mut decoder, &chunk, &view, &whole, &picks);
}

/// Ranges of a chunk, from what its front says they need.
fn fetched(decoder: &mut ChunkDecoder, chunk: &[u8], ranges: &[Range<usize>]) -> Result<Vec<u8>> {
    let mut have = ChunkFront::first_len(u64::MAX, None, None).min(chunk.len());
    loop {
        let needed = ChunkFront::needed_len(&chunk[..have])?.min(chunk.len());
        if needed <= have {
            break;
        }
        have = needed;
    }
    let front = ChunkFront::parse(&chunk[..have], &limits())?;
    let mut parts = Vec::new();
    for round in 0.. {
        let missing = front.missing(ranges, &parts)?;
        if missing.is_empty() || round == 3 {
            // What a cut chunk lacks is not there.
            assert!(round < 3 || front.cbytes() > chunk.len(), "{missing:?}");
            break;
        }
        parts.clear();
        parts.extend(missing.into_iter().map(|range| {
            let held = range.start.min(chunk.len())..range.end.min(chunk.len());
            ChunkPart::new(held.start, &chunk[held])
        }));
    }
    let len = ranges.iter().map(Range::len).fold(0, usize::saturating_add);
    let mut dst = vec![0xEE; len.min(1 << 20)];
    let n = decoder.decode_parts_into(&front, &parts, ranges, &mut dst)?;
    dst.truncate(n);
    Ok(dst)
}

/// Blocks by a mask, and one by one.
fn some_blocks(
    decoder: &mut ChunkDecoder,
    chunk: &[u8],
    view: &ChunkView<'_>,
    whole: &[u8],
    picks: &[u16],
) {
    let blocksize = view.blocksize().unwrap_or(1).max(1);
    let nblocks = view.nblocks();
    let bit = |block: usize| picks[block / 16 % picks.len()] >> (block % 16) & 1 == 1;
    let wanted: Vec<bool> = (0..nblocks).map(bit).collect();
    let mut dst = vec![0xEE; whole.len()];
    let n = decoder.decode_blocks_into(chunk, &wanted, &mut dst);
    n.expect("blocks of a good chunk");
    for (block, (got, expected)) in dst
        .chunks(blocksize)
        .zip(whole.chunks(blocksize))
        .enumerate()
    {
        if bit(block) {
            assert_eq!(got, expected, "block {block}");
        } else {
            assert!(
                got.iter().all(|&byte| byte == 0xEE),
                "block {block} was not asked for"
            );
        }
    }
    let block = usize::from(picks[0]) % nblocks.max(1);
    if let Some(expected) = whole.chunks(blocksize).nth(block) {
        let n = decoder.decode_block_into(chunk, block, &mut dst);
        assert_eq!(n.expect("a block of a good chunk"), expected.len());
        assert_eq!(dst[..expected.len()], *expected);
    }
}

/// A chunk that does not decode as a whole: parts may, and nothing panics.
fn parts_survive(decoder: &mut ChunkDecoder, chunk: &[u8], picks: &[u16]) {
    let mut dst = vec![0; 1 << 16];
    for pair in picks.chunks_exact(2) {
        let (one, other) = (usize::from(pair[0]), usize::from(pair[1]));
        let _ = decoder.decode_items(chunk, one..other);
        let _ = decoder.decode_bytes_into(chunk, one..other, &mut dst);
        let _ = decoder.decode_ranges_into(chunk, &[one..other, 0..one], &mut dst);
        let _ = fetched(decoder, chunk, &[one..other, 0..one]);
        let _ = decoder.decode_block_into(chunk, pair[0].into(), &mut dst);
        let _ = decoder.decode_blocks_into(chunk, &[true, one > other], &mut dst);
        let _ = decoder.decode_vlblock(chunk, pair[0].into());
        let _ = decoder.decode_items(chunk, usize::MAX - one..usize::MAX);
    }
}

/// Variable-length blocks one by one give the whole.
fn blocks_agree(decoder: &mut ChunkDecoder, chunk: &[u8], view: &ChunkView<'_>, whole: &[u8]) {
    let mut at = 0;
    for block in 0..view.nblocks() {
        let bytes = decoder
            .decode_vlblock(chunk, block)
            .expect("a block of a good chunk");
        assert_eq!(view.vlblock_len(block).expect("its length"), bytes.len());
        let mut dst = vec![0xEE; bytes.len()];
        let n = decoder.decode_vlblock_into(chunk, block, &mut dst);
        assert_eq!(n.expect("the same block"), bytes.len());
        assert_eq!(dst, bytes);
        assert_eq!(bytes, whole[at..at + bytes.len()], "block {block}");
        at += bytes.len();
    }
    assert_eq!(at, whole.len());
    assert!(decoder.decode_vlblock(chunk, view.nblocks()).is_err());
}

/// See `fuzz_targets/vl_blocks.rs`.
pub fn vl_blocks(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let typesize = dice.pick(&[1, 2, 4, 8, 3, 16]);
    let cparams = cparams_of(dice, typesize);
    let blocks = vlblocks(dice, typesize);
    let mut encoder = ChunkEncoder::new(cparams.clone()).expect("parameters in range");
    let mut chunk = encoder
        .encode_vlblocks(&blocks)
        .expect("lossless parameters");
    let threaded = ChunkEncoder::new(cparams.threads(pool()))
        .and_then(|mut encoder| encoder.encode_vlblocks(&blocks));
    assert_eq!(threaded.expect("the same parameters"), chunk);
    let mut decoder = ChunkDecoder::new(dparams());
    assert_eq!(
        decoder.decode(&chunk).expect("our own chunk"),
        blocks.concat()
    );
    for (number, block) in (0..).zip(&blocks) {
        assert_eq!(
            decoder
                .decode_vlblock(&chunk, number)
                .expect("our own block"),
            *block
        );
    }
    // Then damage, to the table of the blocks more often than elsewhere.
    for _ in 0..1 + dice.below(3) {
        if dice.flag() {
            let at = 32 + 4 * dice.below(blocks.len() + 1);
            damage(dice, &mut chunk, at, 4);
        } else {
            damage_chunk(dice, &mut chunk);
        }
    }
    if let Some(whole) = check_filled(&chunk)
        && let Ok(view) = ChunkView::parse(&chunk, &limits())
        && view.header().is_vlblocks()
    {
        blocks_agree(&mut decoder, &chunk, &view, &whole);
    }
    parts_survive(&mut decoder, &chunk, &[0, 1, 700, 3]);
}

/// See `fuzz_targets/dictionaries.rs`.
pub fn dictionaries(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let typesize = dice.pick(&[1, 2, 4, 8, 3]);
    let filters = dice.pick(&[
        FilterSlot::NONE,
        FilterSlot::SHUFFLE,
        FilterSlot::BITSHUFFLE,
    ]);
    let codec = dice.pick(&[CodecId::LZ4, CodecId::LZ4HC, CodecId::ZSTD]);
    let split = dice.pick(&[SplitMode::Always, SplitMode::Never]);
    let cparams = CParams::new(typesize)
        .codec(codec)
        .clevel(1 + dice.byte() % 5)
        .filters([filters])
        .split_mode(split)
        .blocksize(Some(typesize * (64 + dice.below(500))))
        .use_dict(true);
    // Long enough for a dictionary: a twentieth of the data, 256 bytes at least.
    let len = 6000 + usize::from(dice.u16() % 14_000);
    let mut src = crate::make::data_of(dice, typesize, len / 2);
    src.extend(crate::make::data_of(dice, typesize, len - len / 2));
    let mut encoder = ChunkEncoder::new(cparams).expect("parameters in range");
    let mut chunk = encoder.encode(&src).expect("lossless parameters");
    let mut decoder = ChunkDecoder::new(dparams());
    assert!(decoder.decode(&chunk).expect("our own chunk") == src);
    let (start, end) = (src.len() / 3, src.len() - src.len() / 4);
    let mut part = vec![0; end - start];
    let n = decoder.decode_bytes_into(&chunk, start..end, &mut part);
    assert_eq!(n.expect("a range of our own chunk"), part.len());
    assert!(part == src[start..end]);
    // The size of the dictionary, its bytes, the flag.
    let view = ChunkView::parse(&chunk, &limits()).expect("our own chunk");
    let table = 32 + 4 * view.nblocks();
    for _ in 0..1 + dice.below(3) {
        match dice.below(4) {
            0 => damage(dice, &mut chunk, table, 4),
            1 => {
                let at = table + 4 + dice.below(300);
                damage(dice, &mut chunk, at, 1);
            }
            2 => damage(dice, &mut chunk, 31, 1),
            _ => damage_chunk(dice, &mut chunk),
        }
    }
    check_filled(&chunk);
    parts_survive(&mut decoder, &chunk, &[0, 1, 700, 3]);
}

/// See `fuzz_targets/serial_parallel.rs`.
pub fn serial_parallel(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let cparams = crate::make::cparams(dice);
    let src = data(dice, cparams.typesize);
    let encode = |cparams: CParams| {
        let mut encoder = ChunkEncoder::new(cparams).expect("parameters in range");
        let first = encoder.encode(&src).expect("lossless parameters");
        let second = encoder.encode(&src).expect("lossless parameters");
        assert!(first == second, "the encoder's past shows");
        first
    };
    let mut chunk = encode(cparams.clone());
    assert!(
        chunk == encode(cparams.threads(pool())),
        "threads change the bytes"
    );
    damage_chunk(dice, &mut chunk);
    let mut serial = ChunkDecoder::new(dparams());
    let mut parallel = ChunkDecoder::new(dparams().threads(pool()));
    match (serial.decode(&chunk), parallel.decode(&chunk)) {
        (Ok(one), Ok(other)) => assert!(one == other, "threads change the data"),
        (Err(one), Err(other)) => assert_eq!(
            (one.kind(), one.part(), one.offset()),
            (other.kind(), other.part(), other.offset())
        ),
        (one, other) => panic!("serial {one:?}, parallel {other:?}"),
    }
    let (start, end) = (usize::from(dice.u16()), usize::from(dice.u16()));
    let range = start.min(end)..start.max(end);
    let part = |decoder: &mut ChunkDecoder| {
        let mut dst = vec![0; range.len()];
        let n = decoder.decode_bytes_into(&chunk, range.clone(), &mut dst);
        n.map(|_| dst)
            .map_err(|error| (error.kind(), error.part(), error.offset()))
    };
    assert_eq!(part(&mut serial), part(&mut parallel));
}
