//! Boxes of a buffer filled by threads, against plain indexing.
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use oxiblosc_kernels::BoxGrid;

/// xorshift.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}

/// All index tuples of some lengths, in C order.
fn places(lens: &[usize]) -> Vec<Vec<usize>> {
    lens.iter().fold(vec![Vec::new()], |prefixes, &len| {
        prefixes
            .iter()
            .flat_map(|prefix| (0..len).map(move |at| [prefix.as_slice(), &[at]].concat()))
            .collect()
    })
}

#[test]
fn threads_fill_their_boxes_and_no_other_byte() {
    let mut state = 0x9E37_79B9_7F4A_7C15;
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
        let boxes = places(&cuts.iter().map(|cuts| cuts.len() - 1).collect::<Vec<_>>());
        std::thread::scope(|scope| {
            for half in boxes.chunks(boxes.len().div_ceil(2)) {
                let (grid, cuts) = (&grid, &cuts);
                scope.spawn(move || {
                    for place in half {
                        let at = |axis: usize, next: usize| cuts[axis][place[axis] + next];
                        let corner: Vec<usize> = (0..naxes).map(|axis| at(axis, 0)).collect();
                        let sizes: Vec<usize> =
                            (0..naxes).map(|axis| at(axis, 1) - at(axis, 0)).collect();
                        // The source is larger than the box, and begins with a gap.
                        let mut steps = vec![0; naxes];
                        let mut step = typesize;
                        for axis in (0..naxes).rev() {
                            steps[axis] = step;
                            step *= sizes[axis] + place[axis] % 2;
                        }
                        let mut src = vec![0; step + 5];
                        for inside in places(&sizes) {
                            let from: usize =
                                inside.iter().zip(&steps).map(|(at, step)| at * step).sum();
                            let index: Vec<usize> =
                                inside.iter().zip(&corner).map(|(a, b)| a + b).collect();
                            for byte in 0..typesize {
                                src[5 + from + byte] = value(&index, byte);
                            }
                        }
                        let mut part = grid.claim(&corner).unwrap();
                        part.copy_from(&src, 5, &steps);
                        assert_eq!(part.nbytes(), sizes.iter().product::<usize>() * typesize);
                        if let Some(bytes) = part.as_mut_slice() {
                            assert_eq!(bytes.len(), part.nbytes());
                        }
                        assert!(grid.claim(&corner).is_none());
                    }
                });
            }
        });
        drop(grid);
        for (element, index) in buffer.chunks(typesize).zip(places(&lens)) {
            for (byte, &found) in element.iter().enumerate() {
                assert_eq!(found, value(&index, byte));
            }
        }
    }
}

#[test]
fn places_between_cuts_belong_to_nobody() {
    let mut buffer = [0; 12];
    let grid = BoxGrid::new(&mut buffer, 2, vec![vec![0, 1, 2], vec![0, 3]]);
    assert!(grid.claim(&[0, 1]).is_none());
    assert!(grid.claim(&[0, 3]).is_none());
    assert!(grid.claim(&[2, 0]).is_none());
    assert!(grid.claim(&[0]).is_none());
    assert!(grid.claim(&[1, 0]).is_some());
}

#[test]
#[should_panic(expected = "the buffer has 11")]
fn a_buffer_of_another_size_is_refused() {
    let _ = BoxGrid::new(&mut [0; 11], 2, vec![vec![0, 6]]);
}

#[test]
#[should_panic(expected = "do not ascend")]
fn cuts_that_turn_back_are_refused() {
    let _ = BoxGrid::new(&mut [0; 6], 1, vec![vec![0, 4, 3, 6]]);
}

#[test]
#[should_panic]
fn a_source_that_is_too_short_is_refused() {
    let mut buffer = [0; 6];
    let grid = BoxGrid::new(&mut buffer, 1, vec![vec![0, 3], vec![0, 2]]);
    grid.claim(&[0, 0]).unwrap().copy_from(&[0; 5], 0, &[2, 1]);
}
