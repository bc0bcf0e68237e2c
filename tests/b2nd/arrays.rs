//! Arrays by hand: special values, odd shapes, byte orders, wrong calls.
#![cfg(feature = "b2nd")]

use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection};
use oxiblosc::frame::{FrameReader, FrameWriter};
use oxiblosc::schunk::{ChunkSource, SChunk, StoredChunk};
use oxiblosc::{CParams, ChunkEncoder, DParams, ErrorKind, FilterSlot, Limits};

#[test]
fn functions_fill_chunk_by_chunk() {
    let params = ArrayParams::new::<u32>(&[5, 7])
        .chunkshape(&[2, 3])
        .blockshape(&[1, 2]);
    let chunks = Array::uninit(&params).unwrap().into_inner().unwrap();
    assert_eq!(
        Array::open_in(chunks)
            .unwrap()
            .to_elements::<u32>()
            .unwrap(),
        [0; 35]
    );

    let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let mut boxes = Vec::new();
    let array = Array::from_fn_in(frame, &params, |ranges, dst| {
        boxes.push(ranges.to_vec());
        let rows = ranges[0].clone();
        let places = rows.flat_map(|row| ranges[1].clone().map(move |column| (row, column)));
        for ((row, column), element) in places.zip(dst.chunks_mut(4)) {
            element.copy_from_slice(&(row * 10 + column).to_ne_bytes()[..4]);
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(boxes.len(), 9);
    assert_eq!(boxes[8], [4..5, 6..7]);
    if cfg!(target_endian = "little") {
        assert_eq!(array.slice::<u32>(&[3..5, 5..7]).unwrap(), [35, 36, 45, 46]);
    }
}

#[test]
fn special_arrays_take_no_room() {
    let params = ArrayParams::new::<f64>(&[100, 100])
        .chunkshape(&[10, 10])
        .blockshape(&[5, 5]);
    let zeros = Array::zeros(&params).unwrap();
    assert_eq!(zeros.schunk().layout().cbytes, 0);
    assert!(
        zeros
            .to_elements::<f64>()
            .unwrap()
            .iter()
            .all(|&value| value == 0.0)
    );
    let nans = Array::nans(&params).unwrap();
    assert_eq!(nans.schunk().layout().cbytes, 0);
    assert!(
        nans.slice::<f64>(&[3..40, 7..9])
            .unwrap()
            .iter()
            .all(|value| value.is_nan())
    );
    let full = Array::full(2.5_f64, &params).unwrap();
    assert_eq!(full.schunk().layout().cbytes, 100 * 40);
    assert_eq!(full.slice::<f64>(&[99..100, 0..3]).unwrap(), [2.5; 3]);
    let none = Array::full(0.0_f64, &params).unwrap();
    assert_eq!(none.schunk().layout().cbytes, 0);
    let odd = ArrayParams::new::<u16>(&[3]);
    assert_eq!(
        Array::nans(&odd).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );

    // Written zeros become special chunks too, at every level.
    for clevel in [0, 5] {
        let params = params.clone().cparams(CParams::new(8).clevel(clevel));
        let written = Array::from_elements(&[0.0; 10_000], &params).unwrap();
        assert_eq!(written.schunk().layout().cbytes, 0, "clevel {clevel}");
    }
}

#[test]
fn sixteen_axes_and_none() {
    let shape = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2];
    let params = ArrayParams::new::<u16>(&shape);
    let elements: Vec<u16> = (0..256).collect();
    let array = Array::from_elements(&elements, &params).unwrap();
    assert_eq!(array.to_elements::<u16>().unwrap(), elements);
    let last: Vec<u64> = shape.iter().map(|len| len - 1).collect();
    assert_eq!(array.get::<u16>(&last).unwrap(), 255);

    let mut scalar = Array::from_elements(&[7_i64], &ArrayParams::new::<i64>(())).unwrap();
    assert_eq!(scalar.get::<i64>(()).unwrap(), 7);
    scalar.set_slice(.., &[8_i64]).unwrap();
    assert_eq!(scalar.slice::<i64>(()).unwrap(), [8]);
    scalar.resize(()).unwrap();
    assert_eq!(
        scalar.append(&[1_i64]).unwrap_err().kind(),
        ErrorKind::Refused
    );
}

#[test]
fn swapped_numbers_are_turned_around() {
    let dtype = if cfg!(target_endian = "big") {
        "<i4"
    } else {
        ">i4"
    };
    let params = ArrayParams::with_dtype(dtype.parse().unwrap(), &[2, 2]);
    let bytes: Vec<u8> = [1_i32, -2, 3, 4]
        .iter()
        .flat_map(|value| value.swap_bytes().to_ne_bytes())
        .collect();
    let mut array = Array::from_bytes(&bytes, &params).unwrap();
    assert_eq!(array.to_elements::<i32>().unwrap(), [1, -2, 3, 4]);
    assert_eq!(array.get::<i32>(&[0, 1]).unwrap(), -2);
    array.set_slice(&[0..1, 0..2], &[5_i32, 6]).unwrap();
    assert_eq!(array.to_elements::<i32>().unwrap(), [5, 6, 3, 4]);
    array.append(&[7_i32, 8]).unwrap();
    assert_eq!(array.slice::<i32>(&[2..3, 0..2]).unwrap(), [7, 8]);
}

#[test]
fn wrong_calls_are_refused() {
    let params = ArrayParams::new::<i32>(&[4, 5]);
    let mut array = Array::zeros(&params).unwrap();
    let kind = |result: oxiblosc::Result<()>| result.unwrap_err().kind();
    let mut dst = [0; 80];
    assert_eq!(
        array
            .slice_bytes(std::slice::from_ref(&(0..4)))
            .unwrap_err()
            .kind(),
        ErrorKind::Mismatch
    );
    let error = array.slice_bytes(&[0..5, 0..1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    assert_eq!(error.to_string(), "axis 0: 5 is outside the shape (4)");
    let error = array.slice_bytes((.., -6)).unwrap_err();
    assert_eq!(error.to_string(), "axis 1: -6 is outside the shape (5)");
    assert_eq!(
        kind(array.set_slice_bytes((.., AxisSelection::steps(.., 2)), &[0; 48])),
        ErrorKind::Refused
    );
    assert_eq!(
        kind(
            array
                .view(&[AxisSelection::list(&[0, 2]), AxisSelection::ALL])
                .map(drop)
        ),
        ErrorKind::Refused
    );
    #[expect(
        clippy::reversed_empty_ranges,
        reason = "a reversed range is the point"
    )]
    let reversed = [3..2, 0..1];
    assert_eq!(
        array.slice_bytes(&reversed).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );
    let error = array.slice_bytes_into(.., &mut dst[..79]).unwrap_err();
    assert_eq!(error.to_string(), "output: need 80 bytes, found 79");
    assert_eq!(
        array.get::<u32>(&[0, 0]).unwrap_err().kind(),
        ErrorKind::Mismatch
    );
    assert_eq!(
        array.get::<i64>(&[0, 0]).unwrap_err().kind(),
        ErrorKind::Mismatch
    );
    assert_eq!(
        array.get::<i32>(&[0, 5]).unwrap_err().kind(),
        ErrorKind::OutOfBounds
    );
    assert_eq!(
        array.get::<i32>(&[0]).unwrap_err().kind(),
        ErrorKind::Mismatch
    );
    assert_eq!(
        kind(array.set_slice(&[0..1, 0..5], &[1_i32; 4])),
        ErrorKind::Mismatch
    );
    assert_eq!(
        kind(array.set_slice(&[0..1, 0..5], &[1_u8; 20])),
        ErrorKind::Mismatch
    );
    assert_eq!(kind(array.append(&[1_i32; 6])), ErrorKind::Mismatch);
    assert_eq!(kind(array.resize(&[4])), ErrorKind::InvalidParam);
    assert_eq!(
        kind(array.resize(&[1_u64 << 62, 5])),
        ErrorKind::InvalidParam
    );
    assert_eq!(array.to_bytes().unwrap(), dst);

    assert!(Array::from_elements(&[1_i32; 19], &params).is_err());
    assert!(Array::from_elements(&[1_u32; 20], &params).is_err());
    let many = ArrayParams::new::<u8>(&[1; 17]);
    assert_eq!(
        Array::zeros(&many).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );
    let bad = ArrayParams::new::<u8>(&[5]).chunkshape(&[0]);
    assert_eq!(
        Array::zeros(&bad).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );
    let plain = SChunk::new(CParams::new(1), 10).unwrap();
    assert_eq!(
        Array::open_in(plain).unwrap_err().kind(),
        ErrorKind::Refused
    );
    let plain = SChunk::new(CParams::new(1), 10).unwrap();
    let error = Array::zeros_in(plain, &ArrayParams::new::<u8>(&[5])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
}

#[test]
fn a_reader_that_ends_early_is_named() {
    let params = ArrayParams::new::<u8>(&[4, 5]).chunkshape(&[2, 5]);
    let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let error = Array::from_reader_in(frame, &[1_u8; 19][..], &params).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Io, Some(10)));
}

#[test]
fn empty_arrays_grow() {
    for (shape, chunkshape) in [
        (&[0, 3][..], Some(&[2, 2][..])),
        (&[0, 3], None),
        (&[0], None),
    ] {
        let mut params = ArrayParams::new::<u8>(shape);
        if let Some(chunkshape) = chunkshape {
            params = params.chunkshape(chunkshape);
        }
        let mut array = Array::zeros(&params).unwrap();
        assert!(array.to_bytes().unwrap().is_empty());
        array.append(&[1_u8, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(array.to_bytes().unwrap(), [1, 2, 3, 4, 5, 6]);
        array.resize(&vec![0; shape.len()]).unwrap();
        assert_eq!(array.nitems(), 0);
        array.resize(&vec![2; shape.len()]).unwrap();
        assert!(array.to_bytes().unwrap().iter().all(|&byte| byte == 0));
    }
    // Without elements, the header names the chunksize all the same: byte 0x3A, as C has it.
    for (chunkshape, flags, chunksize) in [
        (&[2, 3][..], 0x12, [0, 0, 0, 6]),
        (&[0, 3], 0x53, [0, 0, 0, 0]),
    ] {
        let params = ArrayParams::new::<u8>(&[0, 3])
            .chunkshape(chunkshape)
            .blockshape(chunkshape);
        let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
        let frame = Array::zeros_in(frame, &params)
            .unwrap()
            .into_inner()
            .unwrap()
            .into_bytes()
            .unwrap();
        assert_eq!((frame[0x19], &frame[0x3A..0x3E]), (flags, &chunksize[..]));
        let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
        assert!(
            Array::open_in(reader)
                .unwrap()
                .to_bytes()
                .unwrap()
                .is_empty()
        );
    }
    // A chunk length of zero can never grow.
    let params = ArrayParams::new::<u8>(&[0, 3])
        .chunkshape(&[0, 3])
        .blockshape(&[0, 3]);
    let mut array = Array::zeros(&params).unwrap();
    assert_eq!(
        array.append(&[1_u8, 2, 3]).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );
}

/// Far more rows of chunks than threads: several rows make one piece.
#[cfg(feature = "rayon")]
#[test]
fn many_small_chunks_are_read_in_parallel() {
    use std::sync::Arc;

    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let threads = oxiblosc::Threads::Pool(Arc::new(pool));
    let params = ArrayParams::new::<u16>(&[1, 501, 3])
        .chunkshape(&[1, 2, 2])
        .dparams(DParams::new().threads(threads));
    let elements: Vec<u16> = (0..1503).collect();
    let array = Array::from_elements(&elements, &params).unwrap();
    assert_eq!(array.to_elements::<u16>().unwrap(), elements);
    assert_eq!(
        array.slice::<u16>(&[0..1, 7..490, 0..3]).unwrap(),
        elements[21..1470]
    );
}

/// Chunks are made block by block; they must be those of the elements in block order.
#[test]
fn chunks_are_those_of_the_blocks_in_order() {
    let (shape, chunkshape, blockshape) = ([23_u64, 19], [10_u32, 12], [4_u32, 5]);
    let noise = |n: u32| n.wrapping_mul(0x9E37_79B9).rotate_left(n % 31);
    let smooth: Vec<u32> = (0..23 * 19).map(|n| 70_000 + n / 3).collect();
    let noisy: Vec<u32> = (0..23 * 19).map(noise).collect();
    let base = CParams::new(4).blocksize(Some(80));
    let cases = [
        base.clone(),
        #[cfg(feature = "lz4")]
        base.clone().codec(oxiblosc::CodecId::LZ4).clevel(9),
        base.clone().clevel(0),
        base.clone()
            .filters([FilterSlot::DELTA, FilterSlot::SHUFFLE]),
        base.clone()
            .filters([FilterSlot::trunc_prec(10), FilterSlot::DELTA]),
        #[cfg(feature = "zstd")]
        base.clone().codec(oxiblosc::CodecId::ZSTD).use_dict(true),
        base.clone().prefilter(|_, src, dst| {
            dst.iter_mut().zip(src).for_each(|(to, from)| *to = !from);
            Ok(())
        }),
    ];
    for (number, cparams) in cases.iter().enumerate() {
        for elements in [&smooth, &noisy] {
            let params = ArrayParams::new::<u32>(&shape)
                .chunkshape(&chunkshape)
                .blockshape(&blockshape)
                .cparams(cparams.clone());
            let chunks = Array::from_elements(elements, &params)
                .unwrap()
                .into_inner()
                .unwrap();
            let mut encoder = ChunkEncoder::new(cparams.clone()).unwrap();
            for nchunk in 0..6 {
                let (top, left) = (nchunk / 2 * 10, nchunk % 2 * 12);
                let mut ordered = Vec::new();
                for n in 0..9 * 20 {
                    // Three by three blocks of four by five elements.
                    let (block, inside) = (n / 20, n % 20);
                    let row = block / 3 * 4 + inside / 5;
                    let column = block % 3 * 5 + inside % 5;
                    let (i, j) = (top + row, left + column);
                    let there = row < 10 && column < 12 && i < 23 && j < 19;
                    let value = if there { elements[i * 19 + j] } else { 0 };
                    ordered.extend(value.to_ne_bytes());
                }
                let expected = encoder.encode(&ordered).unwrap();
                let StoredChunk::Bytes(stored) = chunks.chunk(nchunk as u64).unwrap() else {
                    panic!("chunk {nchunk} of case {number} takes no space");
                };
                assert_eq!(*stored, expected, "chunk {nchunk} of case {number}");
            }
        }
    }
}

#[test]
fn compression_parameters_of_another_array_are_refused() {
    let params = ArrayParams::new::<u16>(&[8, 8])
        .chunkshape(&[4, 8])
        .blockshape(&[4, 4]);
    let message = |cparams: CParams| {
        let params = params.clone().cparams(cparams);
        let error = Array::zeros(&params).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert!(params.frame_params().is_err());
        error.to_string()
    };
    assert_eq!(
        message(CParams::new(4)),
        "typesize of the array is 2, requested 4"
    );
    assert_eq!(
        message(CParams::new(2).blocksize(Some(64))),
        "blocksize of the array is 32, requested 64"
    );
    let same = CParams::new(2).blocksize(Some(32));
    let mut array = Array::zeros(&params.clone().cparams(same.clone())).unwrap();
    array.set_cparams(&same).unwrap();
    assert_eq!(
        array.set_cparams(&CParams::new(1)).unwrap_err().to_string(),
        "typesize of the array is 2, requested 1"
    );
}

/// A new array reads with the parameters of its chunks, as it does when it is opened again.
#[test]
fn new_arrays_read_with_the_parameters_of_their_chunks() {
    let params = ArrayParams::new::<u8>(&[100])
        .chunkshape(&[10])
        .blockshape(&[10]);
    let limits = Limits::UNTRUSTED.max_alloc(50);
    let frame_params = params.frame_params().unwrap();
    let frame_params = frame_params.dparams(DParams::new().limits(limits));
    let writer = FrameWriter::in_memory(frame_params).unwrap();
    let array = Array::from_bytes_in(writer, &[7; 100], &params).unwrap();
    assert_eq!(array.slice::<u8>(..50).unwrap(), [7; 50]);
    let error = array.slice::<u8>(..51).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    let array = Array::open_in(array.into_inner().unwrap()).unwrap();
    assert!(array.slice::<u8>(..51).is_err());
}
