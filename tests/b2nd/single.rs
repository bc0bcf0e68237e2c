//! Boxes of single chunks, against plain indexing.
#![cfg(feature = "b2nd")]

use std::ops::Range;

use oxiblosc::b2nd::{Array, ArrayParams, Grid};
use oxiblosc::chunk::{ChunkFront, ChunkPart};
use oxiblosc::schunk::StoredChunk;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSource, DParams, Error, FilterSlot, Limits, Special,
};

/// The elements of a box of an array that counts up, in bytes.
fn expected(shape: &[u64], region: &[Range<u64>], typesize: usize) -> Vec<u8> {
    let mut numbers = vec![0];
    for (range, len) in region.iter().zip(shape) {
        let along = |number: &u64| {
            range
                .clone()
                .map(move |at| number * len + at)
                .collect::<Vec<_>>()
        };
        numbers = numbers.iter().flat_map(along).collect();
    }
    numbers
        .iter()
        .flat_map(|number| element(*number, typesize))
        .collect()
}

fn element(number: u64, typesize: usize) -> Vec<u8> {
    (0..typesize)
        .map(|byte| (number * 31 + byte as u64 * 7).to_le_bytes()[byte % 2])
        .collect()
}

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n.max(1)
    }
}

#[test]
fn boxes_are_those_of_plain_indexing() {
    let mut rng = Numbers(1);
    let mut spared = 0;
    for round in 0..400 {
        let ndim = usize::try_from(rng.below(5)).unwrap();
        let shape: Vec<u64> = (0..ndim)
            .map(|_| 1 + rng.below([1, 900, 60, 14, 9][ndim]))
            .collect();
        let blocks: Vec<u64> = shape.iter().map(|len| 1 + rng.below(*len)).collect();
        let typesize = [1, 2, 4, 8, 3, 300][usize::try_from(rng.below(6)).unwrap()];
        let data = expected(
            &shape,
            &shape.iter().map(|&len| 0..len).collect::<Vec<_>>(),
            typesize,
        );
        let mut filters = vec![FilterSlot::SHUFFLE];
        if rng.below(3) == 0 {
            filters.insert(0, FilterSlot::DELTA);
        }
        let cparams = CParams::new(typesize)
            .filters(filters)
            .clevel([0, 5][usize::try_from(rng.below(2)).unwrap()]);
        let dtype = format!("|V{typesize}").parse().unwrap();
        let params = ArrayParams::with_dtype(dtype, &shape[..])
            .chunkshape(&shape[..])
            .blockshape(&blocks[..])
            .cparams(cparams);
        let array = Array::from_bytes(&data, &params).unwrap();
        let StoredChunk::Bytes(chunk) = array.schunk().chunk(0).unwrap() else {
            continue;
        };
        let grid = Grid::new(typesize, &shape, &shape, &blocks).unwrap();
        let mut decoder = ChunkDecoder::default();
        for _ in 0..4 {
            let region: Vec<Range<u64>> = shape
                .iter()
                .map(|&len| {
                    let (one, other) = (rng.below(len + 1), rng.below(len + 1));
                    one.min(other)..one.max(other)
                })
                .collect();
            let right = expected(&shape, &region, typesize);
            let mut dst = vec![0xEE; right.len() + 2];
            let n = grid
                .decode_box_into(&mut decoder, &chunk, &region, &mut dst)
                .unwrap();
            assert_eq!(
                (n, &dst[..n]),
                (right.len(), &right[..]),
                "round {round}: {region:?}"
            );
            assert_eq!(dst[n..], [0xEE; 2]);

            let front = ChunkFront::parse(&chunk, &Limits::UNTRUSTED).unwrap();
            let wanted = grid.bytes_of_box(&region).unwrap();
            let ranges = front.missing(&wanted, &[]).unwrap();
            spared += usize::from(ranges.iter().map(Range::len).sum::<usize>() * 2 < chunk.len());
            let part = |range: Range<usize>| ChunkPart::new(range.start, &chunk[range]);
            let parts: Vec<_> = ranges.into_iter().map(part).collect();
            assert!(front.missing(&wanted, &parts).unwrap().is_empty());
            dst.fill(0xEE);
            let n = grid.decode_box_parts_into(&mut decoder, &front, &parts, &region, &mut dst);
            assert_eq!(
                dst[..n.unwrap()],
                right,
                "round {round}: {region:?} in parts"
            );
        }
    }
    assert!(spared > 200, "{spared}");
}

#[test]
fn other_cuts_special_values_and_postfilters_give_the_same_elements() {
    let grid = Grid::new(2, &[10, 10], &[10, 10], &[4, 4]).unwrap();
    // Padded to 12 by 12.
    let data: Vec<u8> = (0..144_u16).flat_map(u16::to_le_bytes).collect();
    let region = [3..5, 2..9];
    let at = |i: u64, j: u64| (i / 4 * 3 + j / 4) * 16 + i % 4 * 4 + j % 4;
    let right: Vec<u16> = (3..5)
        .flat_map(|i| (2..9).map(move |j| u16::try_from(at(i, j)).unwrap()))
        .collect();
    let right: Vec<u8> = right.into_iter().flat_map(u16::to_le_bytes).collect();
    let mut dst = vec![0; right.len()];
    for blocksize in [32, 64, 288] {
        let cparams = CParams::new(2).blocksize(Some(blocksize));
        let chunk = oxiblosc::compress(&data, &cparams).unwrap();
        for dparams in [
            DParams::new(),
            DParams::new().postfilter(|_, src, dst| {
                dst.copy_from_slice(src);
                Ok(())
            }),
        ] {
            let mut decoder = ChunkDecoder::new(dparams);
            dst.fill(0);
            grid.decode_box_into(&mut decoder, &chunk, &region, &mut dst)
                .unwrap();
            assert_eq!(dst, right, "blocks of {blocksize} bytes");
        }
    }
    let mut decoder = ChunkDecoder::default();
    let mut encoder = ChunkEncoder::new(CParams::new(2)).unwrap();
    let chunk = encoder
        .encode_special(Special::Repeat(&[1, 2]), 288)
        .unwrap();
    grid.decode_box_into(&mut decoder, &chunk, &region, &mut dst)
        .unwrap();
    assert_eq!(dst, [1, 2].repeat(14));
}

#[test]
fn what_does_not_fit_is_refused() {
    let grid = Grid::new(1, &[4, 4], &[4, 4], &[2, 2]).unwrap();
    let mut decoder = ChunkDecoder::default();
    let chunk = oxiblosc::compress(&[7; 16], &CParams::new(1)).unwrap();
    let mut dst = [0; 16];
    let mut read = |chunk: &[u8], region: &[Range<u64>], len: usize| {
        grid.decode_box_into(&mut decoder, chunk, region, &mut dst[..len])
            .unwrap_err()
    };
    let few = read(&chunk, &[0..1, 0..2, 0..1], 16);
    assert!(matches!(few, Error::Mismatch { .. }), "{few}");
    let outside = read(&chunk, &[0..1, 0..5], 16);
    assert!(
        matches!(
            outside,
            Error::OutsideAxis {
                axis: 1,
                index: 5,
                len: 4,
                ..
            }
        ),
        "{outside}"
    );
    let small = read(&chunk, &[0..4, 0..4], 15);
    assert!(
        matches!(
            small,
            Error::OutputTooSmall {
                needed: 16,
                available: 15,
                ..
            }
        ),
        "{small}"
    );
    let other = oxiblosc::compress(&[7; 17], &CParams::new(1)).unwrap();
    let other = read(&other, &[0..1, 0..1], 16);
    assert_eq!(other.offset(), Some(4), "{other}");
    let mut encoder = ChunkEncoder::new(CParams::new(1)).unwrap();
    let vlblocks = encoder.encode_vlblocks(&[[1; 8], [2; 8]]).unwrap();
    let vlblocks = read(&vlblocks, &[0..1, 0..1], 16);
    assert!(matches!(vlblocks, Error::Refused { .. }), "{vlblocks}");
}
