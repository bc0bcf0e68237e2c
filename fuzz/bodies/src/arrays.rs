//! Arrays: damaged ones, slices of good ones against plain indexing, and `.npy` files.

use std::ops::Range;

use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection, Dtype, Selection};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{FrameReader, FrameWriter, SChunk};

use crate::dice::Dice;
use crate::frames::damage_frame;
use crate::make::{MOST, cparams_of, damage_be, data_of, dparams, lie};
use oxiblosc_npy::Header;

/// Shapes that fit together, of few elements.
fn params(dice: &mut Dice<'_>) -> ArrayParams {
    let typesize = dice.pick(&[1, 2, 4, 8, 3]);
    let ndim = dice.below(5);
    let mut shape = Vec::new();
    let mut chunkshape = Vec::new();
    let mut blockshape = Vec::new();
    let most = [1, 300, 24, 9, 6][ndim];
    for _ in 0..ndim {
        shape.push(dice.below(most + 1) as u64);
        let chunk = 1 + dice.below(most);
        chunkshape.push(u32::try_from(chunk).unwrap_or(1));
        blockshape.push(u32::try_from(1 + dice.below(chunk)).unwrap_or(1));
    }
    let dtype = match typesize {
        1 => Dtype::of::<u8>(),
        2 => Dtype::of::<i16>(),
        4 => Dtype::of::<f32>(),
        8 => Dtype::of::<f64>(),
        _ => Dtype::void(3),
    };
    ArrayParams::with_dtype(dtype, &shape)
        .chunkshape(&chunkshape)
        .blockshape(&blockshape)
        .cparams(cparams_of(dice, typesize).blocksize(None))
        .dparams(dparams())
}

/// The bytes that an array of these parameters takes.
fn content(dice: &mut Dice<'_>, params: &ArrayParams) -> Vec<u8> {
    let typesize = params.typesize().unwrap_or(1);
    let nitems: u64 = params.shape.iter().product();
    data_of(
        dice,
        typesize,
        usize::try_from(nitems).unwrap_or(0) * typesize,
    )
}

/// A valid array in a frame.
fn frame(dice: &mut Dice<'_>) -> Vec<u8> {
    let params = params(dice);
    let content = content(dice, &params);
    let frame = params.frame_params().and_then(FrameWriter::in_memory);
    let frame = frame.expect("shapes that fit together");
    let array = Array::from_bytes_in(frame, &content, &params).expect("shapes that fit together");
    array
        .into_inner()
        .and_then(FrameWriter::into_bytes)
        .expect("memory takes everything")
}

/// See `fuzz_targets/b2nd_open.rs`.
pub fn b2nd_open(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let frame = if dice.flag() {
        let mut frame = frame(dice);
        let name = frame
            .windows(4)
            .position(|bytes| bytes == b"b2nd")
            .unwrap_or(0);
        for _ in 0..1 + dice.below(3) {
            if dice.below(4) == 0 {
                damage_frame(dice, &mut frame);
            } else {
                // The content follows the name closely: markers, then shapes.
                let at = name + 4 + dice.below(120);
                let width = dice.pick(&[1, 4, 8]);
                damage_be(dice, &mut frame, at, width);
            }
        }
        frame
    } else {
        dice.rest().to_vec()
    };
    let Ok(reader) = FrameReader::from_bytes(frame, dparams()) else {
        return;
    };
    let Ok(array) = Array::open_in_with(reader, dparams()) else {
        return;
    };
    let _ = array.check();
    read(&array, dice);
}

/// Slices, points and picks of an array that may be damaged inside.
fn read<C: ChunkSource>(array: &Array<C>, dice: &mut Dice<'_>) {
    let thirds: Vec<Range<u64>> = array
        .shape()
        .iter()
        .map(|&len| len / 3..len - len / 4)
        .collect();
    let empty = thirds.iter().any(Range::is_empty);
    let size = thirds.iter().try_fold(array.typesize() as u64, |n, range| {
        n.checked_mul(range.end - range.start)
    });
    let size = if empty { Some(0) } else { size };
    // Whatever it claims: the limits refuse it, or it is small.
    let sliced = array.slice_bytes(&thirds);
    if let Ok(bytes) = &sliced {
        assert_eq!(Some(bytes.len() as u64), size);
        for fill in [0, 0xFF] {
            let mut dst = vec![fill; bytes.len()];
            let n = array.slice_bytes_into(&thirds, &mut dst);
            assert_eq!(n.expect("the same slice"), bytes.len());
            assert!(dst == *bytes, "the output's old content shows");
        }
    }
    let _ = array.to_bytes();
    let index: Vec<u64> = array
        .shape()
        .iter()
        .map(|&len| u64::from(dice.u32()) % len.saturating_add(1))
        .collect();
    let mut item = vec![0; array.typesize().min(MOST)];
    let _ = array.slice_bytes_into(&index, &mut item);
    let _ = array.slice_bytes(Selection::points_flat(&index.repeat(2), index.len()));
    let picks: Vec<AxisSelection> = index
        .iter()
        .map(|at| AxisSelection::list(std::slice::from_ref(at)))
        .collect();
    let _ = array.slice_bytes(&picks);
    let _ = array.chunk_region(lie(dice, 0));
    for found in array.chunk_boxes().take(3) {
        let _ = found;
    }
}

/// Row-major strides, in elements.
fn strides(shape: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}

/// Calls `visit` with the element number of every index of the product of these lists, in order.
fn product(shape: &[u64], lists: &[Vec<u64>], mut visit: impl FnMut(usize)) {
    let strides = strides(shape);
    let total: u64 = lists.iter().map(|list| list.len() as u64).product();
    for n in 0..total {
        let (mut rest, mut at) = (n, 0);
        for (axis, list) in lists.iter().enumerate().rev() {
            let len = list.len() as u64;
            at += list[usize::try_from(rest % len).unwrap_or(0)] * strides[axis];
            rest /= len;
        }
        visit(usize::try_from(at).unwrap_or(usize::MAX));
    }
}

fn gathered(content: &[u8], typesize: usize, shape: &[u64], lists: &[Vec<u64>]) -> Vec<u8> {
    let mut out = Vec::new();
    product(shape, lists, |at| {
        out.extend_from_slice(&content[at * typesize..(at + 1) * typesize]);
    });
    out
}

fn span(dice: &mut Dice<'_>, len: u64) -> Range<u64> {
    let len = usize::try_from(len).unwrap_or(0);
    let (one, other) = (dice.below(len + 1) as u64, dice.below(len + 1) as u64);
    one.min(other)..one.max(other)
}

/// See `fuzz_targets/b2nd_slice.rs`.
pub fn b2nd_slice(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let params = params(dice);
    let mut content = content(dice, &params);
    let mut array = Array::from_bytes(&content, &params).expect("shapes that fit together");
    let typesize = array.typesize();
    for _ in 0..1 + dice.below(6) {
        let shape = array.shape().to_vec();
        let slice: Vec<_> = shape.iter().map(|&len| span(dice, len)).collect();
        let lists: Vec<Vec<u64>> = slice.iter().map(|range| range.clone().collect()).collect();
        match dice.below(5) {
            0 => {
                let part = array.slice_bytes(&slice).expect("a slice inside");
                assert_eq!(part, gathered(&content, typesize, &shape, &lists));
                let view = array.view(&slice).expect("a slice inside");
                assert_eq!(view.to_bytes().expect("a slice inside"), part);
            }
            1 => {
                let nitems: usize = lists.iter().map(Vec::len).product();
                let new = data_of(dice, typesize, nitems * typesize);
                array.set_slice_bytes(&slice, &new).expect("a slice inside");
                let mut items = new.chunks_exact(typesize);
                product(&shape, &lists, |at| {
                    let item = items.next().expect("as many items");
                    content[at * typesize..(at + 1) * typesize].copy_from_slice(item);
                });
            }
            2 => {
                let lists: Vec<Vec<u64>> = shape
                    .iter()
                    .map(|&len| {
                        let n = if len == 0 { 0 } else { dice.below(5) };
                        (0..n).map(|_| u64::from(dice.u16()) % len).collect()
                    })
                    .collect();
                let picks: Vec<_> = lists.iter().map(|list| AxisSelection::list(list)).collect();
                let part = array.slice_bytes(&picks).expect("picks inside");
                assert_eq!(part, gathered(&content, typesize, &shape, &lists));
            }
            3 if !shape.is_empty() => resize(dice, &mut array, &mut content),
            _ => {
                assert_eq!(array.to_bytes().expect("our own array"), content);
                array.check().expect("our own array");
                let outside: Vec<_> = shape.iter().map(|&len| 0..len + 1).collect();
                assert!(shape.is_empty() || array.slice_bytes(&outside).is_err());
            }
        }
    }
    assert_eq!(array.to_bytes().expect("our own array"), content);
}

/// Inserts along an axis, or deletes, in the array and in the content.
fn resize(dice: &mut Dice<'_>, array: &mut Array<SChunk>, content: &mut Vec<u8>) {
    let typesize = array.typesize();
    let shape = array.shape().to_vec();
    let axis = dice.below(shape.len());
    let inner: u64 = shape[axis + 1..].iter().product();
    let row = usize::try_from(inner).unwrap_or(0) * typesize;
    let old = usize::try_from(shape[axis]).unwrap_or(0);
    let outer: u64 = shape[..axis].iter().product();
    let outer = usize::try_from(outer).unwrap_or(0);
    let mut new = Vec::new();
    if dice.flag() {
        let range = span(dice, shape[axis]);
        array.delete(axis, range.clone()).expect("a range inside");
        let keep = |at: usize| !range.contains(&(at as u64));
        for o in 0..outer {
            for at in (0..old).filter(|&at| keep(at)) {
                let start = (o * old + at) * row;
                new.extend_from_slice(&content[start..start + row]);
            }
        }
    } else {
        let (at, rows) = (dice.below(old + 1), dice.below(5));
        let src = data_of(dice, typesize, outer * rows * row);
        array
            .insert_bytes(axis, at as u64, &src)
            .expect("a place inside");
        for o in 0..outer {
            let start = o * old * row;
            new.extend_from_slice(&content[start..start + at * row]);
            new.extend_from_slice(&src[o * rows * row..(o + 1) * rows * row]);
            new.extend_from_slice(&content[start + at * row..start + old * row]);
        }
    }
    *content = new;
}

/// See `fuzz_targets/npy.rs`.
pub fn npy(input: &[u8]) {
    let Ok(header) = Header::read(input) else {
        return;
    };
    assert!(header.data_at <= input.len() as u64);
    let _ = (header.is_fortran(), header.dtype.itemsize());
    // What is written of it is read again.
    let descr = header.dtype.to_npy_descr();
    let written = Header::to_bytes(&descr, &header.shape);
    assert_eq!(written.len() % 64, 0);
    let again = Header::read(written.as_slice()).expect("our own header");
    assert_eq!(
        (&again.shape, again.data_at),
        (&header.shape, written.len() as u64)
    );
    assert_eq!(again.dtype.itemsize(), header.dtype.itemsize());
    assert_eq!(again.dtype.to_npy_descr(), descr);
}
