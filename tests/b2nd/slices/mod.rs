//! Arrays of random shapes, partitions, slices and edits against plain indexing.
//!
//! The model is a vector in C order and nothing else: every element is looked up by its index.
//! `OXIBLOSC_LONG=1` runs 20,000 cases in place of 2,000.
#![cfg(feature = "b2nd")]
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

mod cases;
mod copies;
#[cfg(feature = "rayon")]
mod faults;
mod model;
#[cfg(feature = "rayon")]
mod threads;

use std::ops::Range;

use cases::{cases, random_params, random_slice};
use model::{Model, Random};
use oxiblosc::DParams;
use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection, Selection};
use oxiblosc::frame::{FrameReader, FrameWriter};
use oxiblosc::schunk::{ChunkSink, ChunkSource};

pub(crate) fn check_reads<C: ChunkSource>(random: &mut Random, array: &Array<C>, model: &Model) {
    assert_eq!(array.to_bytes().unwrap(), model.bytes);
    for _ in 0..3 {
        let slice = random_slice(random, &model.shape);
        let expected = model.slice(&slice);
        // Bytes after the result stay unchanged.
        let mut dst = vec![0xA5; expected.len() + 3];
        assert_eq!(
            array.slice_bytes_into(&slice, &mut dst).unwrap(),
            expected.len()
        );
        assert_eq!(dst[..expected.len()], expected, "{slice:?}");
        assert_eq!(dst[expected.len()..], [0xA5; 3]);
    }
    check_selections(random, array, model);
    for chunk in array.chunk_boxes() {
        let chunk = chunk.unwrap();
        assert_eq!(chunk.bytes, model.slice(&chunk.region), "{}", chunk.nchunk);
    }
    if !model.shape.contains(&0) {
        let index: Vec<u64> = model.shape.iter().map(|&len| random.of(0..len)).collect();
        let mut element = vec![0; model.typesize];
        let len = array.slice_bytes_into(&index, &mut element).unwrap();
        assert_eq!(len, model.typesize);
        assert_eq!(element, model.element(&index), "{index:?}");
    }
}

/// Steps, lists and points, of the array and of a view of it.
pub(crate) fn check_selections<C: ChunkSource>(
    random: &mut Random,
    array: &Array<C>,
    model: &Model,
) {
    let within = random_slice(random, &model.shape);
    let view = array.view(&within).unwrap();
    assert_eq!(view.to_bytes().unwrap(), model.slice(&within));
    let whole: Vec<Range<u64>> = model.shape.iter().map(|&len| 0..len).collect();
    for bounds in [&whole, &within] {
        let mut lists = Vec::new();
        let mut steps = Vec::new();
        for range in bounds {
            let len = range.end - range.start;
            let start = random.of(0..len + 1);
            let part = start..random.of(start..len + 1);
            let step = random.pick(&[1, 1, 2, 3, 7, 50]);
            if random.one_in(3) && len > 0 {
                let list = (0..random.of(0..6)).map(|_| random.of(0..len)).collect();
                steps.push(None);
                lists.push(list);
            } else {
                lists.push(
                    part.clone()
                        .step_by(usize::try_from(step).unwrap())
                        .collect(),
                );
                steps.push(Some((part, step)));
            }
        }
        let picks: Vec<AxisSelection> = (steps.iter().zip(&lists))
            .map(|(steps, list): (_, &Vec<u64>)| match steps {
                Some((part, step)) => AxisSelection::steps(part.clone(), *step),
                None => AxisSelection::list(list),
            })
            .collect();
        let outer: Vec<Vec<u64>> = (lists.iter().zip(bounds))
            .map(|(list, range)| list.iter().map(|index| range.start + index).collect())
            .collect();
        let expected = model.select(&outer);
        let found = if bounds == &whole {
            let mut dst = vec![0xA5; expected.len() + 3];
            let len = array.slice_bytes_into(&picks, &mut dst).unwrap();
            assert_eq!(dst[len..], [0xA5; 3]);
            dst.truncate(len);
            dst
        } else {
            view.slice_bytes(&picks).unwrap()
        };
        assert_eq!(found, expected, "{picks:?} of {bounds:?}");
    }
    if !model.shape.contains(&0) {
        let ndim = model.shape.len();
        let points: Vec<u64> = (0..random.of(0..9))
            .flat_map(|_| model.shape.clone())
            .map(|len| random.of(0..len))
            .collect();
        let expected: Vec<u8> = points
            .chunks(ndim.max(1))
            .flat_map(|point| model.element(point).to_vec())
            .collect();
        if ndim > 0 {
            let selection = Selection::points_flat(&points, ndim);
            let found = array.slice_bytes(selection).unwrap();
            assert_eq!(found, expected, "{points:?}");
        } else {
            // Points without indices: the only element, as often as there are points.
            let points = vec![[0_u64; 0]; usize::try_from(random.of(0..4)).unwrap()];
            let found = array.slice_bytes(Selection::points(&points)).unwrap();
            assert_eq!(found, model.element(&[]).repeat(points.len()));
            let none = array.slice_bytes(Selection::points_flat(&[], 0));
            assert!(none.unwrap().is_empty());
            assert!(array.slice_bytes(Selection::points_flat(&[0], 0)).is_err());
        }
    }
}

fn check_edits<C: ChunkSink>(random: &mut Random, array: &mut Array<C>, model: &mut Model) {
    for _ in 0..2 {
        let slice = random_slice(random, &model.shape);
        let lens: Vec<u64> = slice.iter().map(|range| range.end - range.start).collect();
        let src = if random.one_in(4) {
            Model::zeros(&lens, model.typesize)
        } else {
            Model::random(random, &lens, model.typesize)
        };
        array.set_slice_bytes(&slice, &src.bytes).unwrap();
        model.set_slice(&slice, &src.bytes);
        assert_eq!(
            array.to_bytes().unwrap(),
            model.bytes,
            "after set_slice {slice:?}"
        );
    }
    for _ in 0..2 {
        let mut shape = model.shape.clone();
        for len in &mut shape {
            match random.of(0..4) {
                0 => *len = random.of(0..*len + 1),
                1 => *len += random.of(0..4),
                _ => {}
            }
        }
        if shape.iter().product::<u64>() > 6000 {
            continue;
        }
        array.resize(&shape).unwrap();
        model.resize(&shape);
        assert_eq!(array.shape(), model.shape);
        assert_eq!(
            array.to_bytes().unwrap(),
            model.bytes,
            "after resize to {shape:?}"
        );
    }
    if let [rows, rest @ ..] = model.shape.as_slice() {
        let mut lens = vec![random.of(0..6)];
        lens.extend(rest);
        let src = Model::random(random, &lens, model.typesize);
        let rows = if rest.contains(&0) {
            *rows
        } else {
            rows + lens[0]
        };
        array.append_bytes(&src.bytes).unwrap();
        model.bytes.extend(&src.bytes);
        model.shape[0] = rows;
        assert_eq!(array.shape(), model.shape);
        assert_eq!(
            array.to_bytes().unwrap(),
            model.bytes,
            "after append of {lens:?}"
        );
    }
}

/// Inserts and deletes along any axis, by chunk lengths as well as by others.
fn check_inserts<C: ChunkSink>(random: &mut Random, array: &mut Array<C>, model: &mut Model) {
    let ndim = model.shape.len();
    for _ in 0..ndim.min(2) {
        let axis = usize::try_from(random.of(0..ndim as u64)).unwrap();
        let chunk = array.chunkshape()[axis];
        let len = model.shape[axis];
        if random.one_in(2) {
            let n = random.pick(&[1, 2, 3, chunk, 2 * chunk]);
            let anywhere = random.of(0..len + 1);
            let at = random.pick(&[0, len, anywhere, anywhere]);
            let mut lens = model.shape.clone();
            lens[axis] = n;
            let grown = (lens.iter().product::<u64>() + model.shape.iter().product::<u64>())
                * model.typesize as u64;
            if lens.contains(&0) || grown > 200_000 {
                continue;
            }
            let src = Model::random(random, &lens, model.typesize);
            array.insert_bytes(axis, at, &src.bytes).unwrap();
            model.insert(axis, at, &src);
            let what = format!("after insert of {n} at {at} of axis {axis}");
            assert_eq!(array.shape(), model.shape, "{what}");
            assert_eq!(array.to_bytes().unwrap(), model.bytes, "{what}");
        } else {
            let start = random.of(0..len + 1);
            let wanted = random.pick(&[1, 2, chunk, 2 * chunk, len]);
            let range = start..(start + wanted).min(len);
            array.delete(axis, range.clone()).unwrap();
            model.delete(axis, &range);
            let what = format!("after delete of {range:?} of axis {axis}");
            assert_eq!(array.shape(), model.shape, "{what}");
            assert_eq!(array.to_bytes().unwrap(), model.bytes, "{what}");
        }
    }
}

#[test]
fn random_arrays_behave_like_vectors() {
    let cases = cases();
    for case in 0..cases {
        let mut random =
            Random(0x9E37_79B9_7F4A_7C15 ^ (case + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let (params, typesize) = random_params(&mut random);
        let Ok(grid) = params.grid() else {
            panic!("case {case}: {:?}", params.grid());
        };
        if grid.chunksize() > 1 << 20 {
            continue;
        }
        let mut model = Model::random(&mut random, &params.shape, typesize);
        let mut array = Array::from_bytes(&model.bytes, &params).unwrap();
        let run = std::panic::AssertUnwindSafe(|| {
            check_reads(&mut random, &array, &model);
            check_edits(&mut random, &mut array, &mut model);
            check_inserts(&mut random, &mut array, &mut model);
            check_reads(&mut random, &array, &model);
        });
        if let Err(panic) = std::panic::catch_unwind(run) {
            eprintln!("case {case}: {params:?}");
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn frames_hold_the_same_arrays() {
    for case in 0..cases() / 10 {
        let mut random =
            Random(0xA076_1D64_78BD_642F ^ (case + 1).wrapping_mul(0xE703_7ED1_A0B4_28DB));
        let (params, typesize) = random_params(&mut random);
        if params.grid().unwrap().chunksize() > 1 << 20 {
            continue;
        }
        let mut model = Model::random(&mut random, &params.shape, typesize);
        let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
        let slab = usize::try_from(random.of(1..999)).unwrap();
        let mut array = Array::from_slabs_in(frame, model.bytes.chunks(slab), &params).unwrap();
        check_edits(&mut random, &mut array, &mut model);
        check_inserts(&mut random, &mut array, &mut model);
        let frame = array.into_inner().unwrap().into_bytes().unwrap();
        let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
        check_reads(&mut random, &Array::open_in(reader).unwrap(), &model);
    }
}

/// Slices out of range, reversed or with step 0 are refused; too long ones are cut.
#[test]
fn selections_that_make_no_sense_are_refused() {
    let array = Array::from_elements(&[1_u8, 2, 3, 4, 5, 6], &ArrayParams::new::<u8>(&[2, 3]));
    let array = array.unwrap();
    let all = AxisSelection::from(0..3);
    let (backwards, outside) = (Range { start: 2, end: 1 }, [0, 3]);
    for pick in [
        AxisSelection::from(0..4),
        AxisSelection::from(backwards),
        AxisSelection::steps(0..3, 0),
        AxisSelection::list(&outside),
        AxisSelection::from(4..4),
        AxisSelection::steps(4..4, 1),
        AxisSelection::steps(4.., 2),
    ] {
        let picks = [AxisSelection::from(0..2), pick];
        assert!(array.slice_bytes(&picks).is_err(), "{picks:?}");
        let view = array.view(&[0..2, 0..3]).unwrap();
        assert!(view.slice_bytes(&picks).is_err(), "{picks:?}");
    }
    assert!(array.slice_bytes(std::slice::from_ref(&all)).is_err());
    assert!(array.slice_bytes(Selection::points(&[[0, 3]])).is_err());
    assert!(array.slice_bytes(Selection::points(&[[0]])).is_err());
    assert!(array.view(&[0..2, 1..4]).is_err());
    assert!(
        array
            .view(&[0..2, 1..3])
            .unwrap()
            .slice_bytes(&[0..2, 0..3])
            .is_err()
    );
    assert!(
        array
            .view(&[0..1, 1..3])
            .unwrap()
            .get::<u8>(&[1, 0])
            .is_err()
    );
    let long = [
        AxisSelection::steps(0..2, u64::MAX),
        AxisSelection::steps(1..3, 1 << 62),
    ];
    assert_eq!(array.slice_bytes(&long).unwrap(), [2]);
    let one = [AxisSelection::steps(1..2, 7), all];
    assert!(array.slice_bytes_into(&one, &mut [0; 2]).is_err());
    assert_eq!(array.slice_bytes(&one).unwrap(), [4, 5, 6]);
}

/// A metalayer of random damage opens or fails, and what opens reads or fails.
#[test]
fn damaged_metalayers_never_panic() {
    let mut opened = 0;
    for case in 0..cases() * 2 {
        let mut random =
            Random(0x2545_F491_4F6C_DD1D ^ (case + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let params = ArrayParams::new::<u8>(&[6, 7])
            .chunkshape(&[4, 4])
            .blockshape(&[2, 3]);
        let mut chunks = Array::from_elements(&[7_u8; 42], &params)
            .unwrap()
            .into_inner()
            .unwrap();
        let mut content = chunks.metalayers().get("b2nd").unwrap().to_vec();
        for _ in 0..random.of(1..4) {
            let at = usize::try_from(random.of(0..content.len() as u64)).unwrap();
            // Small values keep the damage plausible.
            content[at] = u8::try_from(random.pick(&[0, 1, 2, 3, 5, 8, 0x7F, 0x80, 0xFF])).unwrap();
        }
        chunks.metalayers_mut().update("b2nd", &content).unwrap();
        let limits = oxiblosc::Limits::UNTRUSTED.max_alloc(1 << 20);
        let Ok(mut array) = Array::open_in_with(chunks, DParams::new().limits(limits)) else {
            continue;
        };
        opened += 1;
        let _ = array.to_bytes();
        let whole: Vec<Range<u64>> = array.shape().iter().map(|&len| 0..len).collect();
        let _ = array.slice_bytes(&whole);
        let _ = array.slice_bytes_into(&vec![0_u64; array.ndim()], &mut [0; 8]);
        let _ = array.append_bytes(&[0; 7]);
        let _ = array.resize(&[2, 9]);
        let _ = array.to_bytes();
    }
    assert!(
        opened > 20,
        "the damage is too crude: {opened} arrays opened"
    );
}
