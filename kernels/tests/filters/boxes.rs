//! Strided copies and boxes filled by threads, against plain indexing.
#![expect(clippy::unwrap_used, reason = "a failure in a test fails the test")]

use std::sync::atomic::{AtomicUsize, Ordering};

use oxiblosc_kernels::{BoxGrid, MAX_AXES, StridedCopy};

/// xorshift.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}

/// All index tuples of some lengths, in C order.
fn indices(lens: &[usize]) -> Vec<Vec<usize>> {
    lens.iter().fold(vec![Vec::new()], |prefixes, &len| {
        prefixes
            .iter()
            .flat_map(|prefix| (0..len).map(move |at| [prefix.as_slice(), &[at]].concat()))
            .collect()
    })
}

/// The sum of indices times strides.
fn offset(index: &[usize], strides: &[usize]) -> usize {
    index
        .iter()
        .zip(strides)
        .map(|(at, stride)| at * stride)
        .sum()
}

/// Strides of a buffer whose axes nest in a random order, with random gaps between them.
fn random_strides(state: &mut u64, item_size: usize, shape: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..shape.len()).rev().collect();
    if next(state).is_multiple_of(3) && shape.len() > 1 {
        let (a, b) = (next(state) % shape.len(), next(state) % shape.len());
        order.swap(a, b);
    }
    let mut strides = vec![0; shape.len()];
    let mut stride = item_size;
    for axis in order {
        stride += [0, 0, 0, 1, item_size][next(state) % 5];
        strides[axis] = stride;
        stride *= shape[axis].max(1);
    }
    strides
}

/// Strides of a buffer whose axes nest in any order, the innermost without a gap; some other axes
/// have gaps, and some strides are powers of two.
fn nested_strides(state: &mut u64, item_size: usize, shape: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..shape.len()).collect();
    for left in (1..order.len()).rev() {
        order.swap(left, next(state) % (left + 1));
    }
    let mut strides = vec![0; shape.len()];
    let mut stride = item_size;
    for axis in order {
        strides[axis] = stride;
        stride *= shape[axis];
        match next(state) % 4 {
            0 => stride += item_size,
            1 => stride = stride.next_power_of_two(),
            _ => {}
        }
    }
    strides
}

#[test]
fn strided_copies_follow_the_definition() {
    let mut state = 0x1234_5678_9ABC_DEF1;
    for _ in 0..2000 {
        let item_size = [1, 2, 3, 4, 8, 12, 16, 32, 64, 65][next(&mut state) % 10];
        let shape: Vec<usize> = (0..next(&mut state) % 6)
            .map(|_| [0, 1, 1, 2, 2, 3, 4, 5, 5, 5][next(&mut state) % 10])
            .collect();
        let mut src_strides = random_strides(&mut state, item_size, &shape);
        let dst_strides = random_strides(&mut state, item_size, &shape);
        if next(&mut state).is_multiple_of(5)
            && let Some(stride) = src_strides.first_mut()
        {
            *stride = 0;
        }
        let copy = StridedCopy::new(item_size, &shape, &src_strides, &dst_strides);
        let src: Vec<u8> = (0..copy.src_span().unwrap())
            .map(|_| next(&mut state).to_le_bytes()[0])
            .collect();
        // The destination has canaries in its gaps and after its end.
        let mut dst = vec![0xA5; copy.dst_span().unwrap() + 70];
        let mut want = dst.clone();
        for index in indices(&shape) {
            let (from, to) = (offset(&index, &src_strides), offset(&index, &dst_strides));
            want[to..to + item_size].copy_from_slice(&src[from..from + item_size]);
        }
        copy.copy(&src, &mut dst);
        assert!(
            dst == want,
            "{item_size} bytes, {shape:?}: {src_strides:?} to {dst_strides:?}"
        );
        for (span, strides) in [
            (copy.src_span(), &src_strides),
            (copy.dst_span(), &dst_strides),
        ] {
            let ends = indices(&shape)
                .into_iter()
                .map(|index| offset(&index, strides) + item_size);
            assert_eq!(
                span,
                Some(ends.max().unwrap_or(0)),
                "{shape:?}: {strides:?}"
            );
        }
    }
}

/// Axes in another order on each side: copied in tiles, whole ones and parts.
#[test]
fn transpositions_follow_the_definition() {
    let mut state = 0xFEDC_BA98_7654_3211;
    for _ in 0..600 {
        let item_size = [1, 2, 3, 4, 8, 16, 32, 63, 64, 65][next(&mut state) % 10];
        let naxes = 2 + next(&mut state) % 3;
        let shape: Vec<usize> = (0..naxes)
            .map(|axis| match axis {
                0 | 1 => [1, 2, 7, 8, 9, 15, 16, 17, 24, 27][next(&mut state) % 10],
                _ => 1 + next(&mut state) % 4,
            })
            .collect();
        let src_strides = nested_strides(&mut state, item_size, &shape);
        let dst_strides = nested_strides(&mut state, item_size, &shape);
        let copy = StridedCopy::new(item_size, &shape, &src_strides, &dst_strides);
        let src: Vec<u8> = (0..copy.src_span().unwrap())
            .map(|_| next(&mut state).to_le_bytes()[0])
            .collect();
        let mut dst = vec![0xA5; copy.dst_span().unwrap() + 70];
        let mut want = dst.clone();
        for index in indices(&shape) {
            let (from, to) = (offset(&index, &src_strides), offset(&index, &dst_strides));
            want[to..to + item_size].copy_from_slice(&src[from..from + item_size]);
        }
        copy.copy(&src, &mut dst);
        assert!(
            dst == want,
            "{item_size} bytes, {shape:?}: {src_strides:?} to {dst_strides:?}"
        );
    }
}

#[test]
fn an_empty_box_copies_nothing() {
    StridedCopy::new(2, &[2, 0], &[9, 9], &[9, 9]).copy(&[], &mut []);
    StridedCopy::new(0, &[2, 3], &[9, 9], &[9, 9]).copy(&[], &mut []);
}

#[test]
fn a_box_without_axes_is_one_element() {
    let mut dst = [0; 3];
    StridedCopy::new(3, &[], &[], &[]).copy(&[1, 2, 3, 4], &mut dst);
    assert_eq!(dst, [1, 2, 3]);
}

#[test]
#[should_panic(expected = "strided copy: the source needs 6 bytes, found 5")]
fn a_short_source_is_refused() {
    StridedCopy::new(1, &[2, 3], &[3, 1], &[3, 1]).copy(&[0; 5], &mut [0; 6]);
}

#[test]
#[should_panic(expected = "strided copy: the destination needs 7 bytes, found 6")]
fn a_short_destination_is_refused() {
    StridedCopy::new(1, &[2, 3], &[3, 1], &[4, 1]).copy(&[0; 6], &mut [0; 6]);
}

#[test]
#[should_panic(expected = "more than usize::MAX bytes")]
fn spans_that_overflow_are_refused() {
    let copy = StridedCopy::new(1, &[3, 3], &[usize::MAX / 2, 2], &[3, 1]);
    assert_eq!(copy.src_span(), None);
    copy.copy(&[0; 6], &mut [0; 9]);
}

#[test]
#[should_panic(expected = "expected at most 16 axes, found 17")]
fn too_many_axes_are_refused() {
    let ones = [1; MAX_AXES + 1];
    let _ = StridedCopy::new(1, &ones, &ones, &ones);
}

#[test]
fn threads_fill_their_boxes_and_no_other_byte() {
    let mut state = 0x9E37_79B9_7F4A_7C15;
    // Boxes without gaps in the buffer, and with.
    let counts = [const { AtomicUsize::new(0) }; 2];
    for _ in 0..300 {
        let naxes = next(&mut state) % 5;
        let typesize = [1, 2, 3, 4, 8, 12, 16, 64, 65][next(&mut state) % 9];
        let cuts: Vec<Vec<usize>> = (0..naxes)
            .map(|_| {
                let mut cuts = vec![0];
                for _ in 0..=next(&mut state) % 3 {
                    cuts.push(cuts[cuts.len() - 1] + 1 + next(&mut state) % 4);
                }
                cuts
            })
            .collect();
        let lens: Vec<usize> = cuts.iter().map(|cuts| cuts[cuts.len() - 1]).collect();
        let nbytes = lens.iter().product::<usize>() * typesize;
        let mut buffer = vec![0xA5; nbytes];
        let value = |index: &[usize], byte: usize| {
            let sum = index.iter().fold(byte, |sum, &at| sum * 7 + at * 3 + 1);
            sum.to_le_bytes()[0]
        };
        let grid = BoxGrid::new(&mut buffer, typesize, cuts.clone());
        let boxes = indices(&cuts.iter().map(|cuts| cuts.len() - 1).collect::<Vec<_>>());
        std::thread::scope(|scope| {
            for half in boxes.chunks(boxes.len().div_ceil(2)) {
                let (grid, cuts, lens, counts) = (&grid, &cuts, &lens, &counts);
                scope.spawn(move || {
                    for part in half {
                        let at = |axis: usize, next: usize| cuts[axis][part[axis] + next];
                        let corner: Vec<usize> = (0..naxes).map(|axis| at(axis, 0)).collect();
                        let sizes: Vec<usize> =
                            (0..naxes).map(|axis| at(axis, 1) - at(axis, 0)).collect();
                        // The source is larger than the box, and starts after a gap.
                        let mut strides = vec![0; naxes];
                        let mut stride = typesize;
                        for axis in (0..naxes).rev() {
                            strides[axis] = stride;
                            stride *= sizes[axis] + part[axis] % 2;
                        }
                        let mut src = vec![0; stride + 5];
                        for inside in indices(&sizes) {
                            let from = offset(&inside, &strides);
                            let index: Vec<usize> =
                                inside.iter().zip(&corner).map(|(a, b)| a + b).collect();
                            for byte in 0..typesize {
                                src[5 + from + byte] = value(&index, byte);
                            }
                        }
                        let mut claimed = grid.claim(&corner).unwrap();
                        claimed.copy_from(&src[5..], &strides);
                        assert_eq!(claimed.nbytes(), sizes.iter().product::<usize>() * typesize);
                        // In the order of the buffer, with where each element is.
                        let elements = indices(&sizes).into_iter().map(|inside| {
                            let index: Vec<usize> =
                                inside.iter().zip(&corner).map(|(a, b)| a + b).collect();
                            let place = index.iter().zip(lens).fold(0, |at, (i, len)| at * len + i);
                            (place, index)
                        });
                        let (places, elements): (Vec<_>, Vec<_>) = elements.unzip();
                        let gaps = places.windows(2).any(|pair| pair[0] + 1 != pair[1]);
                        let content = elements
                            .iter()
                            .flat_map(|index| (0..typesize).map(|byte| value(index, byte)));
                        let content = (!gaps).then(|| content.collect::<Vec<_>>());
                        assert_eq!(claimed.as_mut_slice().as_deref(), content.as_deref());
                        counts[usize::from(gaps)].fetch_add(1, Ordering::Relaxed);
                        assert!(grid.claim(&corner).is_none());
                    }
                });
            }
        });
        drop(grid);
        for (element, index) in buffer.chunks(typesize).zip(indices(&lens)) {
            for (byte, &found) in element.iter().enumerate() {
                assert_eq!(found, value(&index, byte));
            }
        }
    }
    let counts = counts.map(AtomicUsize::into_inner);
    assert!(counts[0] > 300 && counts[1] > 1000, "{counts:?}");
}

#[test]
fn indices_between_cuts_start_no_box() {
    let mut buffer = [0; 12];
    let grid = BoxGrid::new(&mut buffer, 2, vec![vec![0, 1, 2], vec![0, 3]]);
    assert!(grid.claim(&[0, 1]).is_none());
    assert!(grid.claim(&[0, 3]).is_none());
    assert!(grid.claim(&[2, 0]).is_none());
    assert!(grid.claim(&[0]).is_none());
    assert!(grid.claim(&[1, 0]).is_some());
}

#[test]
#[should_panic(expected = "found 11")]
fn a_buffer_of_another_size_is_refused() {
    let _ = BoxGrid::new(&mut [0; 11], 2, vec![vec![0, 6]]);
}

#[test]
#[should_panic(expected = "cuts that ascend from 0")]
fn cuts_that_descend_are_refused() {
    let _ = BoxGrid::new(&mut [0; 6], 1, vec![vec![0, 4, 3, 6]]);
}

#[test]
#[should_panic(expected = "strided copy: the source needs 6 bytes, found 5")]
fn a_short_source_of_a_box_is_refused() {
    let mut buffer = [0; 6];
    let grid = BoxGrid::new(&mut buffer, 1, vec![vec![0, 3], vec![0, 2]]);
    grid.claim(&[0, 0]).unwrap().copy_from(&[0; 5], &[2, 1]);
}
