//! Selections of every kind against plain indexing of one small array.

#![cfg(feature = "b2nd")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::mem::MaybeUninit;

use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection, MAX_NDIM, Selection};
use oxiblosc::{ErrorKind, SChunk};

/// Elements 100 i + 10 j + k of shape 4, 5, 6, in small chunks and blocks.
fn numbers() -> Array<SChunk> {
    let params = ArrayParams::new::<u16>(&[4, 5, 6])
        .chunkshape(&[3, 3, 4])
        .blockshape(&[2, 2, 3]);
    Array::from_elements(&all(0..4, 0..5, 0..6), &params).unwrap()
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "ranges and arrays of indices"
)]
fn all(
    i: impl IntoIterator<Item = u16>,
    j: impl IntoIterator<Item = u16> + Clone,
    k: impl IntoIterator<Item = u16> + Clone,
) -> Vec<u16> {
    let mut elements = Vec::new();
    for i in i {
        for j in j.clone() {
            elements.extend(k.clone().into_iter().map(|k| 100 * i + 10 * j + k));
        }
    }
    elements
}

fn read<'s>(selection: impl Into<Selection<'s>>) -> Vec<u16> {
    numbers().slice::<u16>(selection).unwrap()
}

#[test]
#[expect(
    clippy::reversed_empty_ranges,
    reason = "negative ends count from the end of the axis"
)]
fn ranges_of_every_kind_select() {
    assert_eq!(read(..), all(0..4, 0..5, 0..6));
    assert_eq!(read((.., .., ..)), all(0..4, 0..5, 0..6));
    assert_eq!(read(&[1..3, 0..5, 2..4]), all(1..3, 0..5, 2..4));
    assert_eq!(read([1_u64..3, 0..5, 2..4]), all(1..3, 0..5, 2..4));
    assert_eq!(read(&vec![1_usize..3, 0..5, 2..4]), all(1..3, 0..5, 2..4));
    assert_eq!(read([2.., 3.., 0..]), all(2..4, 3..5, 0..6));
    assert_eq!(read((..2, ..=2, 5..=5)), all(0..2, 0..3, 5..6));
    assert_eq!(read((-2.., ..-1, 1..-2)), all(2..4, 0..4, 1..4));
    assert_eq!(read((..=-1, -5..=-4, ..=-6)), all(0..4, 0..2, 0..1));
    assert!(read((4..4, .., ..)).is_empty());
}

#[test]
fn indices_steps_lists_and_points_select() {
    assert_eq!(read((3, .., -1)), all([3], 0..5, [5]));
    assert_eq!(read([3, 4, 5]), [345]);
    let index = [3_u64, 4, 5];
    assert_eq!(read(&index[..]), [345]);
    let steps = (
        AxisSelection::steps(.., 3),
        AxisSelection::steps(1.., 2),
        AxisSelection::steps(-2.., 1),
    );
    assert_eq!(read(steps), all([0, 3], [1, 3], [4, 5]));
    assert_eq!(
        read((&[3, 0, 3], 2, AxisSelection::steps(..5, 4))),
        all([3, 0, 3], [2], [0, 4])
    );
    let points = Selection::points(&[[3, 4, 5], [0, 0, 0], [3, 4, 5]]);
    assert_eq!(read(points), [345, 0, 345]);
    assert_eq!(
        read(Selection::points_flat(&[1, 2, 3, 2, 1, 0], 3)),
        [123, 210]
    );
    let array = numbers();
    let reused = Selection::from((1, ..2, 3..5));
    assert_eq!(array.slice::<u16>(&reused).unwrap(), [103, 104, 113, 114]);
    assert_eq!(array.slice::<u16>(reused).unwrap(), [103, 104, 113, 114]);
}

#[test]
fn views_lack_the_axes_of_single_indices() {
    let array = numbers();
    let view = array.view((1.., -1, 2..)).unwrap();
    assert_eq!((view.shape(), view.ndim()), (&[3, 4][..], 2));
    assert_eq!(view.offset(), [1, 4, 2]);
    assert_eq!(view.to_elements::<u16>().unwrap(), all(1..4, [4], 2..6));
    assert_eq!(view.get::<u16>(&[2, 3]).unwrap(), 345);
    assert_eq!(view.slice::<u16>((0, ..)).unwrap(), all([1], [4], 2..6));
    let ends = (AxisSelection::steps(.., 2), &[3, 0]);
    assert_eq!(view.slice::<u16>(ends).unwrap(), all([1, 3], [4], [5, 2]));
    let inner = view.view((-1, 1..3)).unwrap();
    assert_eq!((inner.shape(), inner.offset()), (&[2][..], &[3, 4, 3][..]));
    assert_eq!(inner.slice::<u16>(1..).unwrap(), [344]);
    let message = |result: oxiblosc::Result<Vec<u16>>| result.unwrap_err().to_string();
    assert_eq!(
        message(view.slice((.., 4))),
        "axis 1: 4 is outside the shape (4)"
    );
    let points = Selection::points(&[[0, 0]]);
    assert!(view.slice::<u16>(points).is_err());
    // The number of axes is that of the view.
    assert_eq!(
        message(view.slice((0, 0, 0))),
        "number of dimensions is 2, requested 3"
    );
    assert_eq!(
        message(inner.slice((0, 0))),
        "number of dimensions is 1, requested 2"
    );
    // A list of consecutive indices is a box.
    let (list, range) = (array.view((&[1, 2], 0, 0)), array.view((1..3, 0, 0)));
    let elements = list.unwrap().to_elements::<u16>().unwrap();
    assert_eq!(elements, range.unwrap().to_elements::<u16>().unwrap());
}

#[test]
fn boxes_are_written_and_nothing_else() {
    let mut array = numbers();
    array.set_slice((2, 1.., -1), &[1_u16, 2, 3, 4]).unwrap();
    assert_eq!(array.slice::<u16>((2, .., 5)).unwrap(), [205, 1, 2, 3, 4]);
    array.set_slice([3, 4, 5], &[9_u16]).unwrap();
    assert_eq!(array.get::<u16>(&[3, 4, 5]).unwrap(), 9);
    for selection in [
        Selection::from((AxisSelection::steps(.., 2), 0, 0)),
        Selection::from((&[1, 3], 0, 0)),
        Selection::points(&[[0, 0, 0], [1, 1, 1]]),
    ] {
        let error = array.set_slice(&selection, &[7_u16, 7]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused);
        assert!(array.view(&selection).is_err());
    }
}

#[test]
fn errors_name_the_axis() {
    let array = numbers();
    let message = |selection: Selection<'_>| {
        let error = array.slice_bytes(selection).unwrap_err();
        (error.kind(), error.to_string())
    };
    for (selection, text) in [
        (
            Selection::from((.., 0..200, ..)),
            "axis 1: 200 is outside the shape (5)",
        ),
        (
            Selection::from((.., .., 6)),
            "axis 2: 6 is outside the shape (6)",
        ),
        (
            Selection::from((-5, .., ..)),
            "axis 0: -5 is outside the shape (4)",
        ),
        (
            Selection::from((.., &[0, 5], ..)),
            "axis 1: 5 is outside the shape (5)",
        ),
        (
            Selection::from((u64::MAX.., .., ..)),
            "axis 0: 9223372036854775807 is outside the shape (4)",
        ),
        (
            Selection::points(&[[0, 9, 0]]),
            "axis 1: 9 is outside the shape (5)",
        ),
    ] {
        assert_eq!(
            message(selection),
            (ErrorKind::OutOfBounds, text.to_owned())
        );
    }
    let flat = |indices: &[u64]| message(Selection::points_flat(indices, 3)).1;
    let incomplete = "number of indices of whole points is 3, requested 5";
    assert_eq!(flat(&[1, 2, 3, 2, 1]), incomplete);
    assert_eq!(
        flat(&[1]),
        "number of indices of whole points is 0, requested 1"
    );
    let many = vec![0..1; MAX_NDIM + 1];
    assert_eq!(message(Selection::from(&many)).0, ErrorKind::Mismatch);
    assert_eq!(message(Selection::from(1..2)).0, ErrorKind::Mismatch);
    assert_eq!(message(Selection::from(())).0, ErrorKind::Mismatch);
    assert_eq!(message(Selection::points(&[[0, 0]])).0, ErrorKind::Mismatch);
}

#[test]
fn memory_that_is_not_initialised() {
    let numbers: Vec<u16> = (0..600).collect();
    let params = ArrayParams::new::<u16>([20, 30])
        .chunkshape([7, 30])
        .blockshape([3, 8]);
    let array = Array::from_elements(&numbers, &params).unwrap();
    let view = array.view((2..19, 3..)).unwrap();
    for junk in [0, 0xA5] {
        let mut memory = vec![MaybeUninit::new(junk); 1201];
        for rows in [0..20, 5..5, 3..4, 6..15] {
            let selection = [rows, 1..29];
            let expected = array.slice_bytes(&selection).unwrap();
            let found = array.slice_bytes_uninit(&selection, &mut memory).unwrap();
            assert_eq!(found, expected);
        }
        let points = [[19, 29], [0, 1]];
        let points = || Selection::points(&points);
        let expected = array.slice_bytes(points()).unwrap();
        assert_eq!(
            array.slice_bytes_uninit(points(), &mut memory).unwrap(),
            expected
        );
        let expected = view.slice_bytes((1.., 2)).unwrap();
        assert_eq!(
            view.slice_bytes_uninit((1.., 2), &mut memory).unwrap(),
            expected
        );
        let error = array
            .slice_bytes_uninit(.., &mut memory[..1199])
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutputTooSmall);
        assert!(array.slice_bytes_uninit(21, &mut memory).is_err());
    }
}
