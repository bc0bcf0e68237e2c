//! Copies, concatenations and axes of length one against plain indexing.

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{AnyFrame, FrameReader, FrameWriter};
use oxiblosc::schunk::{ChunkSource, SChunk, StoredChunk};
use oxiblosc::{DParams, Special};

use super::cases::{cases, random_cparams, random_lens, random_params};
use super::model::{Model, Random};

/// A chunk that is one value, be it kept in the index or in a header.
fn is_special(chunks: &impl ChunkSource, nchunk: u64) -> bool {
    match chunks.chunk(nchunk).unwrap() {
        StoredChunk::Bytes(bytes) => {
            let limits = oxiblosc::Limits::FORMAT;
            let view = oxiblosc::ChunkView::parse(&bytes, &limits).unwrap();
            view.special().is_some()
        }
        _ => true,
    }
}

#[test]
fn copies_have_the_same_elements_in_other_chunks() {
    for case in 0..cases() / 4 {
        let mut random =
            Random(0x4B33_A62E_D433_D4A3 ^ (case + 1).wrapping_mul(0x4D5A_2DA5_1DE1_AA47));
        let (params, typesize) = random_params(&mut random);
        if params.grid().unwrap().chunksize() > 1 << 20 {
            continue;
        }
        let model = Model::random(&mut random, &params.shape, typesize);
        let array = Array::from_bytes(&model.bytes, &params).unwrap();
        let chunks = random_lens(&mut random, &params.shape);
        let mut other = array
            .params()
            .unwrap()
            .cparams(random_cparams(&mut random, typesize));
        if random.one_in(2) {
            let blocks: Vec<u64> = random_lens(&mut random, &chunks)
                .iter()
                .zip(&chunks)
                .map(|(&block, &chunk)| block.min(chunk))
                .collect();
            other = other.chunkshape(&chunks).blockshape(&blocks);
        }
        let copy = array.copy(&other).unwrap();
        let grid = other.grid().unwrap();
        assert_eq!(copy.chunkshape(), grid.chunkshape(), "case {case}");
        assert_eq!(copy.to_bytes().unwrap(), model.bytes, "case {case}");
        let written = copy.into_inner().unwrap().to_cframe().unwrap();
        // A copy is what the elements would have made, but for zeros that are known to be zeros.
        let nchunks = array.grid().nchunks();
        if (0..nchunks).any(|nchunk| is_special(array.schunk(), nchunk)) {
            continue;
        }
        let direct = Array::from_bytes(&model.bytes, &other).unwrap();
        assert_eq!(
            written,
            direct.into_inner().unwrap().to_cframe().unwrap(),
            "case {case}"
        );
    }
}

#[test]
fn copies_go_to_files_and_folders() {
    let folder = crate::common::folder();
    let (file, sparse) = (folder.path().join("a.b2nd"), folder.path().join("a.b2nd.d"));
    let numbers: Vec<u32> = (0..60_000).collect();
    let array = Array::from_elements(&numbers, &ArrayParams::new::<u32>(&[200, 300])).unwrap();
    let params = array
        .params()
        .unwrap()
        .chunkshape(&[60, 70])
        .blockshape(&[20, 70]);
    let frame = params.frame_params().unwrap();
    let writer = FrameWriter::create(&file, frame.clone()).unwrap();
    drop(
        array
            .copy_in(writer, &params)
            .unwrap()
            .into_inner()
            .unwrap()
            .finish()
            .unwrap(),
    );
    let writer = FrameWriter::create_sparse(&sparse, frame).unwrap();
    drop(
        array
            .copy_in(writer, &params)
            .unwrap()
            .into_inner()
            .unwrap()
            .finish()
            .unwrap(),
    );
    for path in [file, sparse] {
        let array = Array::open_in(AnyFrame::open(path, DParams::new()).unwrap()).unwrap();
        assert_eq!(array.chunkshape(), [60, 70]);
        assert_eq!(array.to_elements::<u32>().unwrap(), numbers);
    }
}

#[test]
fn arrays_behind_each_other_are_one() {
    for case in 0..cases() / 4 {
        let mut random =
            Random(0xD1B5_4A32_D192_ED03 ^ (case + 1).wrapping_mul(0x2127_599B_F432_5C37));
        let (params, typesize) = random_params(&mut random);
        if params.shape.is_empty() || params.grid().unwrap().chunksize() > 1 << 18 {
            continue;
        }
        let axis = usize::try_from(random.of(0..params.shape.len() as u64)).unwrap();
        let mut model = Model::random(&mut random, &params.shape, typesize);
        let mut arrays = vec![Array::from_bytes(&model.bytes, &params).unwrap()];
        for _ in 0..random.of(0..4) {
            let mut shape = params.shape.clone();
            shape[axis] = random.of(0..6);
            let mut part = ArrayParams::with_dtype(params.dtype.clone(), &shape);
            if random.one_in(2) {
                // The same partition as the first.
                let grid = params.grid().unwrap();
                part = part
                    .chunkshape(grid.chunkshape())
                    .blockshape(grid.blockshape());
            }
            let src = Model::random(&mut random, &shape, typesize);
            if part.grid().is_err() {
                continue;
            }
            arrays.push(Array::from_bytes(&src.bytes, &part).unwrap());
            model.insert(axis, model.shape[axis], &src);
        }
        let target = ArrayParams::with_dtype(params.dtype.clone(), &model.shape);
        let frame = FrameWriter::in_memory(target.frame_params().unwrap()).unwrap();
        let sources: Vec<&Array<SChunk>> = arrays.iter().collect();
        let array = Array::concatenate_in(frame, &sources, axis, &target).unwrap();
        assert_eq!(
            array.to_bytes().unwrap(),
            model.bytes,
            "case {case}, axis {axis}"
        );
        let frame = array.into_inner().unwrap().into_bytes().unwrap();
        let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
        assert_eq!(
            Array::open_in(reader).unwrap().to_bytes().unwrap(),
            model.bytes
        );
    }
}

#[test]
fn special_chunks_stay_special() {
    let params = |rows: u64| {
        ArrayParams::new::<f32>(&[rows, 30])
            .chunkshape(&[10, 30])
            .blockshape(&[5, 30])
    };
    let zeros = Array::zeros(&params(40)).unwrap();
    let nans = Array::nans(&params(20)).unwrap();
    let target = params(60);
    let frame = FrameWriter::in_memory(target.frame_params().unwrap()).unwrap();
    let nans = Array::open_in(
        FrameReader::from_bytes(
            nans.into_inner().unwrap().to_cframe().unwrap(),
            DParams::new(),
        )
        .unwrap(),
    )
    .unwrap();
    let zeros = Array::open_in(
        FrameReader::from_bytes(
            zeros.into_inner().unwrap().to_cframe().unwrap(),
            DParams::new(),
        )
        .unwrap(),
    )
    .unwrap();
    let both = Array::concatenate_in(frame, &[&zeros, &nans], 0, &target).unwrap();
    for nchunk in 0..6 {
        assert!(is_special(both.schunk(), nchunk), "{nchunk}");
        let special = both.schunk().special_value(nchunk);
        assert_eq!(
            special,
            Some(if nchunk < 4 {
                Special::Zeros
            } else {
                Special::Nans
            })
        );
    }
    assert!(both.get::<f32>(&[59, 29]).unwrap().is_nan());
    assert_eq!(both.get::<f32>(&[39, 29]).unwrap().to_bits(), 0);
    // Chunks that do not line up are zeros all the same where they cover nothing else.
    let other = zeros
        .params()
        .unwrap()
        .chunkshape(&[7, 11])
        .blockshape(&[7, 11]);
    let copy = zeros.copy(&other).unwrap();
    assert!((0..copy.grid().nchunks()).all(|nchunk| is_special(copy.schunk(), nchunk)));
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let two = Array::zeros(&ArrayParams::new::<u8>(&[2, 3])).unwrap();
    let wide = Array::zeros(&ArrayParams::new::<u8>(&[2, 4])).unwrap();
    let words = Array::zeros(&ArrayParams::new::<u16>(&[2, 3])).unwrap();
    let sink =
        |params: &ArrayParams| FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    for (params, arrays, axis) in [
        (ArrayParams::new::<u8>(&[4, 3]), vec![&two, &wide], 0),
        (ArrayParams::new::<u8>(&[4, 3]), vec![&two, &words], 0),
        (ArrayParams::new::<u8>(&[5, 3]), vec![&two, &two], 0),
        (ArrayParams::new::<i8>(&[4, 3]), vec![&two, &two], 0),
        (ArrayParams::new::<u8>(&[4, 3]), vec![], 0),
        (ArrayParams::new::<u8>(&[4, 3]), vec![&two, &two], 2),
    ] {
        let result = Array::concatenate_in(sink(&params), &arrays, axis, &params);
        assert!(result.is_err(), "{params:?}");
    }
    assert!(two.copy(&ArrayParams::new::<u8>(&[3, 2])).is_err());
    assert!(two.copy(&ArrayParams::new::<u16>(&[2, 3])).is_err());
}

#[test]
fn axes_of_length_one_come_and_go() {
    for case in 0..cases() / 10 {
        let mut random =
            Random(0xA24B_AED4_963E_E407 ^ (case + 1).wrapping_mul(0x9FB2_1C65_1E98_DF25));
        let (params, typesize) = random_params(&mut random);
        if params.grid().unwrap().chunksize() > 1 << 18 {
            continue;
        }
        let model = Model::random(&mut random, &params.shape, typesize);
        let mut array = Array::from_bytes(&model.bytes, &params).unwrap();
        let stored: Vec<u8> = array.schunk().to_cframe().unwrap();
        let mut shape = params.shape.clone();
        for _ in 0..random.of(1..4) {
            let axis = usize::try_from(random.of(0..shape.len() as u64 + 1)).unwrap();
            shape.insert(axis, 1);
            array = array.expand_dims(axis).unwrap();
        }
        assert_eq!(array.shape(), shape);
        assert_eq!(array.to_bytes().unwrap(), model.bytes);
        // Every chunk is the one that was there.
        let old = Array::open_in(FrameReader::from_bytes(stored, DParams::new()).unwrap()).unwrap();
        let new = array.params().unwrap();
        let frame = FrameWriter::in_memory(new.frame_params().unwrap()).unwrap();
        let copy = array
            .copy_chunks_in(frame)
            .unwrap()
            .into_inner()
            .unwrap()
            .into_bytes()
            .unwrap();
        let copy = Array::open_in(FrameReader::from_bytes(copy, DParams::new()).unwrap()).unwrap();
        assert_eq!((copy.shape(), copy.ndim()), (&shape[..], shape.len()));
        assert_eq!(copy.to_bytes().unwrap(), model.bytes);
        assert_eq!(copy.dtype(), old.dtype());
        let opened = Array::open_in(array.into_schunk().unwrap()).unwrap();
        assert_eq!(opened.shape(), shape);
        let ones: Vec<usize> = (0..shape.len())
            .filter(|&axis| shape[axis] == 1 && opened.chunkshape()[axis] == 1)
            .filter(|&axis| opened.blockshape()[axis] == 1)
            .collect();
        let left: Vec<u64> = (0..shape.len())
            .filter(|axis| !ones.contains(axis))
            .map(|axis| shape[axis])
            .collect();
        let mut squeezed = opened.squeeze_axes(&ones).unwrap();
        squeezed.store_shapes().unwrap();
        let squeezed = Array::open_in(squeezed.into_inner().unwrap()).unwrap();
        assert_eq!(squeezed.shape(), left);
        assert_eq!(squeezed.to_bytes().unwrap(), model.bytes);
    }
}

#[test]
fn axes_that_cannot_go_stay() {
    let array = |chunks: &[u32]| {
        let params = ArrayParams::new::<u8>(&[1, 5])
            .chunkshape(chunks)
            .blockshape(&[1, 5]);
        Array::zeros(&params).unwrap()
    };
    assert!(array(&[1, 5]).squeeze_axes(&[1]).is_err());
    assert!(array(&[1, 5]).squeeze_axes(&[2]).is_err());
    assert!(array(&[2, 5]).squeeze_axes(&[0]).is_err());
    assert!(array(&[1, 5]).expand_dims(3).is_err());
    assert_eq!(array(&[1, 5]).squeeze().unwrap().shape(), [5]);
    // The metalayer of a frame has space for its own number of axes only.
    let params = ArrayParams::new::<u8>(&[4]);
    let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let mut wide = Array::zeros_in(frame, &params)
        .unwrap()
        .expand_dims(0)
        .unwrap();
    assert!(wide.store_shapes().is_err());
    assert_eq!(wide.to_bytes().unwrap(), [0; 4]);
}
