//! Rows, chunks and blocks against plain indexing, and shapes of every integer type.
#![cfg(feature = "b2nd")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::ops::Range;

use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection, Selection, auto_chunkshape};
use oxiblosc::{ErrorKind, SChunk, s};

/// Elements 100 i + 10 j + k, which need padding along each axis.
fn numbers(shape: [u64; 3], dtype: &str) -> Array<SChunk> {
    let params = ArrayParams::with_dtype(dtype.parse().unwrap(), shape)
        .chunkshape([3, 3, 4])
        .blockshape([2, 2, 3]);
    let axes = shape.map(|len| 0..len);
    Array::from_elements(&elements(&axes), &params).unwrap()
}

fn elements(region: &[Range<u64>]) -> Vec<u16> {
    let mut elements = Vec::new();
    for i in region[0].clone() {
        for j in region[1].clone() {
            for k in region[2].clone() {
                elements.push(u16::try_from(100 * i + 10 * j + k).unwrap());
            }
        }
    }
    elements
}

/// How often each element is covered by some boxes.
fn coverage(shape: [u64; 3], regions: &[Vec<Range<u64>>]) -> Vec<u32> {
    let at = |element: u16| {
        let (i, j, k) = (element / 100, element / 10 % 10, element % 10);
        let index = (u64::from(i) * shape[1] + u64::from(j)) * shape[2] + u64::from(k);
        usize::try_from(index).unwrap()
    };
    let mut count = vec![0; usize::try_from(shape.iter().product::<u64>()).unwrap()];
    for region in regions {
        for element in elements(region) {
            count[at(element)] += 1;
        }
    }
    count
}

#[test]
fn parts_cover_the_array_once_with_their_elements() {
    for shape in [[7, 5, 6], [1, 1, 1], [3, 3, 4], [4, 9, 9]] {
        for dtype in ["<u2", ">u2"] {
            let array = numbers(shape, dtype);
            let rows = array.rows::<u16>().collect::<Vec<_>>();
            let chunks = array.chunks::<u16>().collect::<Vec<_>>();
            let blocks = array.blocks::<u16>().collect::<Vec<_>>();
            assert_eq!(rows.len() as u64, shape[0]);
            assert_eq!(chunks.len() as u64, array.grid().nchunks());
            assert!(blocks.len() >= chunks.len());
            for parts in [rows, chunks, blocks] {
                let parts: Vec<_> = parts.into_iter().map(Result::unwrap).collect();
                for part in &parts {
                    assert_eq!(part.elements, elements(&part.region), "{:?}", part.region);
                    assert_eq!(array.slice::<u16>(&part.region).unwrap(), part.elements);
                    let nitems: u64 = part.shape().iter().product();
                    assert_eq!(nitems, part.elements.len() as u64);
                }
                let regions: Vec<_> = parts.into_iter().map(|part| part.region).collect();
                assert!(coverage(shape, &regions).iter().all(|&count| count == 1));
            }
        }
    }
}

#[test]
fn blocks_are_those_of_the_grid() {
    let array = numbers([7, 5, 6], "<u2");
    let regions: Vec<_> = array
        .blocks::<u16>()
        .map(|block| block.unwrap().region)
        .collect();
    assert_eq!(regions[0], [0..2, 0..2, 0..3]);
    assert_eq!(regions[1], [0..2, 0..2, 3..4]);
    assert_eq!(regions[2], [0..2, 2..3, 0..3]);
    assert_eq!(regions[8], [0..2, 0..2, 4..6], "the second chunk");
    assert_eq!(regions.last().unwrap()[..], [6..7, 3..5, 4..6]);
}

#[test]
fn parts_of_unusual_arrays() {
    let scalar = Array::from_elements(&[7_u8], &ArrayParams::new::<u8>(())).unwrap();
    assert!(scalar.rows::<u8>().next().unwrap().is_err());
    assert_eq!(scalar.chunks::<u8>().next().unwrap().unwrap().elements, [7]);
    assert_eq!(scalar.blocks::<u8>().next().unwrap().unwrap().elements, [7]);
    let empty = Array::zeros(&ArrayParams::new::<u8>([3, 0])).unwrap();
    let rows: Vec<_> = empty.rows::<u8>().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(
        (&rows[2].region[..], rows[2].elements.len()),
        (&[2..3, 0..0][..], 0)
    );
    assert_eq!(empty.chunks::<u8>().count(), 0);
    assert_eq!(empty.blocks::<u8>().count(), 0);
    // The wrong type ends each iteration at once.
    let array = numbers([7, 5, 6], "<u2");
    assert_eq!(array.rows::<u32>().count(), 1);
    assert_eq!(array.chunks::<u32>().filter(Result::is_err).count(), 1);
    assert_eq!(array.blocks::<u32>().count(), 1);
}

#[test]
fn shapes_and_indices_of_every_integer_type() {
    let (two, three) = (2_usize, 3_u64);
    for params in [
        ArrayParams::new::<u8>([two, 3]),
        ArrayParams::new::<u8>(&[2, three]),
        ArrayParams::new::<u8>(&vec![2_i64, 3][..]),
        ArrayParams::new::<u8>(vec![2_u8, 3]),
        ArrayParams::new::<u8>(&vec![two, 3]),
        ArrayParams::new::<u8>([2, 3])
            .chunkshape([two, 2])
            .blockshape([1_u32, 2]),
    ] {
        let array = Array::from_elements(&[1_u8, 2, 3, 4, 5, 6], &params).unwrap();
        assert_eq!(array.shape(), [2, 3]);
        assert_eq!(array.get::<u8>([1_usize, 2]).unwrap(), 6);
        assert_eq!(array.get::<u8>(&[-2_i8, -1]).unwrap(), 3);
        let view = array.view((.., 1..)).unwrap();
        assert_eq!(view.get::<u8>([-1, -1]).unwrap(), 6);
    }
    let array = Array::zeros(&ArrayParams::new::<u8>([2, 3])).unwrap();
    let message = |index: [i64; 2]| array.get::<u8>(index).unwrap_err().to_string();
    assert_eq!(message([0, 3]), "axis 1: 3 is outside the shape (3)");
    assert_eq!(message([-3, 0]), "axis 0: -3 is outside the shape (2)");
    assert!(array.get::<u8>([0]).is_err());
    assert!(array.get::<u8>([0_u64; 17]).is_err());
    assert_eq!(auto_chunkshape(1, [3_usize, 5]), [3, 5]);
}

#[test]
fn shapes_out_of_range_are_refused() {
    for shape in [[-1, 0], [-1, 5], [i64::MAX, 0], [i64::MIN, 1]] {
        let error = ArrayParams::new::<u8>(shape).grid().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidParam, "{shape:?}");
    }
    assert!(ArrayParams::new::<u8>([u64::MAX, 0]).grid().is_err());
    assert!(ArrayParams::new::<u8>([1_u8; 17]).grid().is_err());
    let params = ArrayParams::new::<u8>([4]);
    assert!(params.clone().chunkshape([-1]).grid().is_err());
    assert!(params.clone().chunkshape([1_u64 << 40]).grid().is_err());
    assert!(params.clone().blockshape([u64::MAX]).grid().is_err());
    let mut array = Array::zeros(&params).unwrap();
    assert!(array.resize([-1]).is_err());
    assert_eq!(array.shape(), [4]);
}

#[test]
#[expect(
    clippy::reversed_empty_ranges,
    reason = "negative ends count from the end of the axis"
)]
fn slices_in_the_notation_of_ndarray() {
    let array = numbers([7, 5, 6], "<u2");
    let read = |selection: Selection<'_>| array.slice::<u16>(selection).unwrap();
    assert_eq!(
        read(s![..3, 2, ..;2]),
        [20, 22, 24, 120, 122, 124, 220, 222, 224]
    );
    assert_eq!(read(s![-1, 1..-3; 1, -2..;1]), [614, 615]);
    assert_eq!(read(s![&[6, -7], 0, 0,]), [600, 0]);
    let rest = AxisSelection::REST;
    assert_eq!(read(s![rest.clone(), 5]).len(), 35);
    assert_eq!(
        read((6, rest.clone()).into()),
        elements(&[6..7, 0..5, 0..6])
    );
    assert_eq!(read((6, rest.clone(), 5).into()), [605, 615, 625, 635, 645]);
    assert_eq!(read((6, 1, 5, rest.clone()).into()), [615]);
    assert_eq!(read(rest.clone().into()).len(), 210);
    for refused in [
        s![rest.clone(), 0, rest.clone()],
        s![0, 0, 0, 0, rest],
        s![.., ..],
        s![..;0, .., ..],
    ] {
        assert!(array.slice::<u16>(refused).is_err());
    }
    let line = Array::from_elements(&[1_u8, 2, 3], &ArrayParams::new::<u8>([3])).unwrap();
    assert_eq!(line.slice::<u8>(-1).unwrap(), [3]);
    assert_eq!(line.slice::<u8>(s![..;2]).unwrap(), [1, 3]);
    assert_eq!(line.slice::<u8>(vec![..1]).unwrap(), [1]);
    let scalar = Array::from_elements(&[7_u8], &ArrayParams::new::<u8>(())).unwrap();
    assert_eq!(scalar.slice::<u8>(s![]).unwrap(), [7]);
    assert_eq!(scalar.slice::<u8>(AxisSelection::REST).unwrap(), [7]);
}
