//! Parts of a chunk that is fetched piece by piece: the whole chunk decides what is right.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]
#![expect(clippy::single_range_in_vec_init, reason = "lists of ranges")]

use std::ops::Range;

use crate::common::{KINDS, Rng, codecs, data, pipeline};
use oxiblosc::chunk::{ChunkFront, ChunkPart};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, CodecId, DParams, Error, FilterSlot, Limits, Part, Result,
    Special,
};

/// A chunk far away: notes what was fetched.
struct Far<'a> {
    chunk: &'a [u8],
    fetched: Vec<Range<usize>>,
}

impl<'a> Far<'a> {
    fn fetch(&mut self, range: Range<usize>) -> &'a [u8] {
        let range = range.start.min(self.chunk.len())..range.end.min(self.chunk.len());
        self.fetched.push(range.clone());
        &self.chunk[range]
    }

    fn nbytes(&self) -> usize {
        self.fetched.iter().map(Range::len).sum()
    }
}

/// The front, in as many requests as it takes.
fn front_of(far: &mut Far<'_>, first: usize) -> Result<ChunkFront> {
    let mut have = far.fetch(0..first);
    for round in 0.. {
        let needed = ChunkFront::needed_len(have)?;
        if needed <= have.len() || have.len() == far.chunk.len() {
            break;
        }
        assert!(round < 3, "{needed} bytes are not final");
        have = far.fetch(0..needed);
    }
    ChunkFront::parse(have, &Limits::UNTRUSTED)
}

/// Ranges of decoded bytes, from what they need alone.
fn read(
    far: &mut Far<'_>,
    decoder: &mut ChunkDecoder,
    front: &ChunkFront,
    wanted: &[Range<usize>],
) -> Result<Vec<u8>> {
    let mut parts: Vec<ChunkPart<'_>> = Vec::new();
    for round in 0.. {
        let missing = front.missing(wanted, &parts)?;
        if missing.is_empty() {
            break;
        }
        assert!(round < 2, "{missing:?} of {parts:?}");
        assert!(
            missing.windows(2).all(|pair| pair[0].end < pair[1].start),
            "{missing:?}"
        );
        // The second round is the whole chunk.
        parts.clear();
        parts.extend(
            missing
                .into_iter()
                .map(|range| ChunkPart::new(range.start, far.fetch(range))),
        );
    }
    let mut dst = vec![0xEE; wanted.iter().map(Range::len).sum::<usize>() + 3];
    let n = decoder.decode_parts_into(front, &parts, wanted, &mut dst)?;
    assert_eq!(dst.split_off(n), [0xEE; 3]);
    Ok(dst)
}

/// A chunk of any kind, and what it decodes to.
fn case(rng: &mut Rng, index: u64) -> (String, Vec<u8>, Vec<u8>) {
    let typesize = rng.pick(&[1, 2, 3, 4, 8, 12, 16, 255, 300]);
    let len = rng.pick(&[0, 1, 7, 100, 5000, 60_000]) * rng.pick(&[1, 2]) / typesize * typesize;
    let src = data(rng.below(KINDS), typesize, len, index);
    let filters = pipeline(rng, if typesize > 255 { 1 } else { typesize });
    let codec = rng.pick(&codecs());
    let dict = rng.below(4) == 0 && [CodecId::LZ4, CodecId::ZSTD].contains(&codec);
    let cparams = CParams::new(typesize)
        .codec(codec)
        .clevel(rng.pick(&[0, 1, 5, 9]))
        .filters(filters.iter().copied())
        .blocksize(rng.pick(&[None, Some(256 * typesize), Some(4096), Some(1000)]))
        .use_dict(dict);
    let name = format!("case {index}: {cparams:?}, {len} bytes");
    let mut encoder = ChunkEncoder::new(cparams.clone()).unwrap();
    let chunk = match rng.below(6) {
        0 => {
            let value = data(1, typesize, typesize, index);
            let special = rng.pick(&[Special::Zeros, Special::Uninit, Special::Repeat(&value)]);
            encoder.encode_special(special, len.max(typesize)).unwrap()
        }
        1 => {
            let blosc1 = cparams.use_dict(false).filters([FilterSlot::SHUFFLE]);
            let mut encoder = ChunkEncoder::new(blosc1).unwrap();
            encoder
                .encode_blosc1(&src)
                .unwrap_or_else(|_| encoder.encode(&src).unwrap())
        }
        _ => encoder.encode(&src).unwrap(),
    };
    let whole = ChunkDecoder::default().decode(&chunk).unwrap();
    (name, chunk, whole)
}

#[test]
fn parts_are_those_of_the_whole() {
    let mut decoder = ChunkDecoder::default();
    let mut spared = 0;
    for index in 0..1500 {
        let mut rng = Rng(index);
        let (name, chunk, whole) = case(&mut rng, index);
        let mut far = Far {
            chunk: &chunk,
            fetched: Vec::new(),
        };
        let guess = match rng.below(3) {
            0 => ChunkFront::first_len(chunk.len() as u64, Some(whole.len()), None),
            1 => ChunkFront::first_len(u64::MAX, None, None),
            _ => 1 + rng.below(80),
        };
        let front = front_of(&mut far, guess).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            (front.nbytes(), front.cbytes()),
            (whole.len(), chunk.len()),
            "{name}"
        );
        let mut spans = Vec::new();
        for _ in 0..1 + rng.below(4) {
            let (one, other) = (rng.below(whole.len() + 1), rng.below(whole.len() + 1));
            let short = one..(one + rng.below(300)).min(whole.len());
            let long = one.min(other)..one.max(other);
            spans.push(if rng.below(2) == 0 { short } else { long });
        }
        let expected: Vec<u8> = spans
            .iter()
            .flat_map(|span| &whole[span.clone()])
            .copied()
            .collect();
        let got = read(&mut far, &mut decoder, &front, &spans);
        assert_eq!(
            got.unwrap_or_else(|error| panic!("{name}: {error}")),
            expected,
            "{name}"
        );
        spared += usize::from(far.nbytes() * 2 < chunk.len());
        if front.nblocks() > 0 {
            let block = rng.below(front.nblocks());
            let bytes = front.bytes_of_block(block).unwrap();
            let got = read(&mut far, &mut decoder, &front, std::slice::from_ref(&bytes)).unwrap();
            assert_eq!(got, whole[bytes], "{name}");
        }
    }
    // Chunks of which less than half was fetched: the rest is small, special or wanted.
    assert!(spared > 120, "{spared}");
}

/// 100 blocks of 4096 bytes.
fn hundred_blocks(filters: &[FilterSlot]) -> (Vec<u8>, Vec<u8>) {
    let src: Vec<u8> = (0..102_400_u32)
        .flat_map(|i| (i / 3 * 7).to_le_bytes())
        .collect();
    let cparams = CParams::new(4)
        .blocksize(Some(4096))
        .filters(filters.iter().copied());
    (oxiblosc::compress(&src, &cparams).unwrap(), src)
}

#[test]
fn neighbouring_blocks_are_one_range_and_delta_needs_the_first() {
    let (chunk, _) = hundred_blocks(&[FilterSlot::SHUFFLE]);
    let front = ChunkFront::parse(&chunk, &Limits::UNTRUSTED).unwrap();
    assert_eq!(front.as_bytes().len(), 32 + 400);
    let three = [4096 * 50..4096 * 50 + 1, 4096 * 51 + 9..4096 * 53];
    assert_eq!(front.missing(&three, &[]).unwrap().len(), 1);
    let front_end = front.as_bytes().len();
    let (chunk, _) = hundred_blocks(&[FilterSlot::DELTA, FilterSlot::SHUFFLE]);
    let front = ChunkFront::parse(&chunk, &Limits::UNTRUSTED).unwrap();
    let ranges = front.missing(&three, &[]).unwrap();
    assert_eq!((ranges.len(), ranges[0].start), (2, front_end));
}

#[test]
fn what_is_missing_is_an_error_with_its_place() {
    let (chunk, src) = hundred_blocks(&[FilterSlot::SHUFFLE]);
    let front = ChunkFront::parse(&chunk, &Limits::UNTRUSTED).unwrap();
    let mut decoder = ChunkDecoder::default();
    let wanted = [200_000..200_010];
    let place = front.missing(&wanted, &[]).unwrap().remove(0);
    let mut dst = [0; 10];
    for held in [0, 1, 3, 20] {
        let part = ChunkPart::new(place.start, &chunk[place.start..place.start + held]);
        let error = decoder
            .decode_parts_into(&front, &[part], &wanted, &mut dst)
            .unwrap_err();
        assert!(matches!(error, Error::Truncated { .. }), "{error}");
        assert_eq!(error.part(), Some(Part::Stream), "{held}");
        assert!(error.offset().unwrap() >= place.start as u64, "{error}");
    }
    let part = ChunkPart::new(place.start, &chunk[place.clone()]);
    decoder
        .decode_parts_into(&front, &[part], &wanted, &mut dst)
        .unwrap();
    assert_eq!(dst, src[200_000..200_010]);

    // Parts out of order, ranges that the chunk lacks, and variable-length blocks.
    let error = front
        .missing(&wanted, &[part, ChunkPart::new(8, &chunk[8..9])])
        .unwrap_err();
    assert!(
        matches!(error, Error::InvalidParam { value: 8, .. }),
        "{error}"
    );
    assert!(front.missing(&[0..src.len() + 1], &[]).is_err());
    assert!(front.bytes_of_items(0..102_401).is_err());
    assert!(front.bytes_of_block(100).is_err());
    let mut encoder = ChunkEncoder::new(CParams::new(1)).unwrap();
    let chunk = encoder.encode_vlblocks(&[&src[..100], &src[..7]]).unwrap();
    let front = ChunkFront::parse(&chunk, &Limits::UNTRUSTED).unwrap();
    assert!(matches!(
        front.missing(&[0..1], &[]),
        Err(Error::Refused { .. })
    ));
    assert!(matches!(
        front.bytes_of_block(0),
        Err(Error::Refused { .. })
    ));
    // A front that ends too early, and one of more data than the limits allow.
    let chunk = hundred_blocks(&[]).0;
    let error = ChunkFront::parse(&chunk[..431], &Limits::UNTRUSTED).unwrap_err();
    assert_eq!(error.part(), Some(Part::Bstarts), "{error}");
    let narrow = Limits::UNTRUSTED.max_chunk_nbytes(1000);
    let error = ChunkFront::parse(&chunk, &narrow).unwrap_err();
    assert!(matches!(error, Error::LimitExceeded { .. }), "{error}");
}

#[test]
fn blocks_that_reach_into_others_are_read_from_the_whole_chunk() {
    let (mut chunk, src) = hundred_blocks(&[]);
    // Block 40 is where block 39 is: it has the bytes of that one, and the places of both end
    // where they did. Block 41 begins in the middle of block 39, so that this one is longer than
    // its place.
    let start = |chunk: &[u8], block: usize| {
        u32::from_le_bytes(chunk[32 + 4 * block..36 + 4 * block].try_into().unwrap())
    };
    let in_39 = start(&chunk, 39) + 4;
    chunk[32 + 4 * 41..36 + 4 * 41].copy_from_slice(&in_39.to_le_bytes());
    let front = ChunkFront::parse(&chunk, &Limits::UNTRUSTED).unwrap();
    let wanted = [39 * 4096 + 5..39 * 4096 + 50];
    let place = front.missing(&wanted, &[]).unwrap().remove(0);
    assert_eq!(place.len(), 4);
    let parts = [ChunkPart::new(place.start, &chunk[place])];
    assert_eq!(front.missing(&wanted, &parts).unwrap(), [0..chunk.len()]);
    let mut far = Far {
        chunk: &chunk,
        fetched: Vec::new(),
    };
    let got = read(&mut far, &mut ChunkDecoder::default(), &front, &wanted).unwrap();
    assert_eq!(got, src[wanted[0].clone()]);
}

#[test]
fn a_postfilter_gets_whole_blocks() {
    let dparams = DParams::new().postfilter(|_, src, dst| {
        let sum = src.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        dst.fill(sum);
        Ok(())
    });
    let mut decoder = ChunkDecoder::new(dparams);
    for (clevel, filters) in [
        (5, FilterSlot::SHUFFLE),
        (5, FilterSlot::DELTA),
        (0, FilterSlot::NONE),
    ] {
        let src: Vec<u8> = (0..50_000_u16)
            .map(|i| (i % 251).to_le_bytes()[0])
            .collect();
        let cparams = CParams::new(1)
            .blocksize(Some(4096))
            .clevel(clevel)
            .filters([filters]);
        let chunk = oxiblosc::compress(&src, &cparams).unwrap();
        let whole = decoder.decode(&chunk).unwrap();
        let mut far = Far {
            chunk: &chunk,
            fetched: Vec::new(),
        };
        let front = front_of(&mut far, 32).unwrap();
        let block = front.bytes_of_block(7).unwrap();
        let got = read(&mut far, &mut decoder, &front, std::slice::from_ref(&block)).unwrap();
        assert_eq!(got, whole[block.clone()]);
        let some = block.start + 1..block.start + 2;
        let got = read(&mut far, &mut decoder, &front, std::slice::from_ref(&some));
        match clevel {
            // Of a copy, one byte is missing the rest of its block.
            0 => assert!(matches!(got, Err(Error::Truncated { .. })), "{got:?}"),
            _ => assert_eq!(got.unwrap(), whole[some]),
        }
    }
}
