//! Arrays of random shapes, partitions, slices and edits against plain indexing.
//!
//! The model is a vector in C order and nothing else: every element is looked up by its index.
//! `OXIBLOSC_LONG=1` runs 20,000 cases in place of 2,000.
#![cfg(feature = "b2nd")]
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

mod b2nd_model;

use std::ops::Range;

use b2nd_model::{Model, Random};
use oxiblosc::b2nd::{Array, ArrayParams, Dtype};
use oxiblosc::frame::{FrameReader, FrameWriter};
use oxiblosc::schunk::{ChunkSink, ChunkSource};
use oxiblosc::{CParams, CodecId, DParams, FilterSlot, SplitMode};

fn cases() -> u64 {
    match std::env::var("OXIBLOSC_LONG") {
        Ok(long) if long == "1" => 20_000,
        _ => 2_000,
    }
}

/// 0 to 8 axes of 0 to 40 elements; at most some thousand elements altogether.
fn random_shape(random: &mut Random) -> Vec<u64> {
    let ndim = random.of(0..9);
    let mut left = random.pick(&[8, 100, 600, 3000]);
    (0..ndim)
        .map(|_| {
            let len = if random.one_in(60) {
                0
            } else {
                random.of(1..42).min(left).min(40)
            };
            left = (left / len.max(1)).max(1);
            len
        })
        .collect()
}

fn random_lens(random: &mut Random, up_to: &[u64]) -> Vec<u32> {
    up_to
        .iter()
        .map(|&len| {
            let wanted = if random.one_in(4) {
                len.max(1)
            } else {
                random.of(1..len.max(1) + 3)
            };
            u32::try_from(wanted).unwrap()
        })
        .collect()
}

fn random_slice(random: &mut Random, shape: &[u64]) -> Vec<Range<u64>> {
    shape
        .iter()
        .map(|&len| {
            if random.one_in(4) {
                return 0..len;
            }
            let start = random.of(0..len + 1);
            start..random.of(start..len + 1)
        })
        .collect()
}

fn random_cparams(random: &mut Random, typesize: usize) -> CParams {
    let codec = random.pick(&[
        CodecId::BLOSCLZ,
        #[cfg(feature = "lz4")]
        CodecId::LZ4,
        #[cfg(feature = "lz4")]
        CodecId::LZ4HC,
        #[cfg(feature = "zlib")]
        CodecId::ZLIB,
        #[cfg(feature = "zstd")]
        CodecId::ZSTD,
    ]);
    let filters: &[FilterSlot] = random.pick(&[
        &[FilterSlot::SHUFFLE][..],
        &[FilterSlot::BITSHUFFLE],
        &[FilterSlot::DELTA, FilterSlot::SHUFFLE],
        &[],
    ]);
    CParams::new(typesize)
        .codec(codec)
        .clevel(random.pick(&[0, 1, 5]))
        .filters(filters.iter().copied())
        .split_mode(random.pick(&[SplitMode::Auto, SplitMode::Never, SplitMode::Always]))
}

/// A random array, beside its model. Blocks and chunks sometimes overhang.
fn random_params(random: &mut Random) -> (ArrayParams, usize) {
    let typesize = random.pick(&[1_usize, 2, 3, 4, 8, 16, 300]);
    let shape = random_shape(random);
    let dtype = Dtype::void(u32::try_from(typesize).unwrap());
    let mut params = ArrayParams::with_dtype(dtype, &shape);
    if !random.one_in(5) {
        let chunks = random_lens(random, &shape);
        let lens: Vec<u64> = chunks.iter().map(|&len| len.into()).collect();
        let mut blocks = random_lens(random, &lens);
        // Overhanging on many axes multiplies; keep chunks small.
        for (block, &chunk) in blocks.iter_mut().zip(&chunks) {
            if random.one_in(2) {
                *block = (*block).min(chunk);
            }
        }
        params = params.chunkshape(&chunks).blockshape(&blocks);
    }
    let cparams = random_cparams(random, typesize);
    (params.cparams(cparams), typesize)
}

fn check_reads<C: ChunkSource>(random: &mut Random, array: &Array<C>, model: &Model) {
    assert_eq!(array.to_bytes().unwrap(), model.bytes);
    for _ in 0..3 {
        let slice = random_slice(random, &model.shape);
        let expected = model.slice(&slice);
        // What lies behind the result stays as it was.
        let mut dst = vec![0xA5; expected.len() + 3];
        assert_eq!(
            array.slice_bytes_into(&slice, &mut dst).unwrap(),
            expected.len()
        );
        assert_eq!(dst[..expected.len()], expected, "{slice:?}");
        assert_eq!(dst[expected.len()..], [0xA5; 3]);
    }
    if !model.shape.contains(&0) {
        let index: Vec<u64> = model.shape.iter().map(|&len| random.of(0..len)).collect();
        let mut element = vec![0; model.typesize];
        array.get_bytes_into(&index, &mut element).unwrap();
        assert_eq!(element, model.element(&index), "{index:?}");
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
        let frame = array.into_inner().into_bytes().unwrap();
        let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
        check_reads(&mut random, &Array::open(reader).unwrap(), &model);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing() {
    use std::sync::Arc;

    use oxiblosc::Threads;

    let pool = Arc::new(
        rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .unwrap(),
    );
    for case in 0..cases() / 10 {
        let mut random =
            Random(0x5851_F42D_4C95_7F2D ^ (case + 1).wrapping_mul(0x1405_7B7E_F767_814F));
        let (params, typesize) = random_params(&mut random);
        if params.grid().unwrap().chunksize() > 1 << 20 {
            continue;
        }
        let model = Model::random(&mut random, &params.shape, typesize);
        let threads = Threads::Pool(Arc::clone(&pool));
        let parallel = params
            .clone()
            .cparams(params.cparams.clone().threads(threads.clone()))
            .dparams(DParams::new().threads(threads));
        let array = Array::from_bytes(&model.bytes, &parallel).unwrap();
        check_reads(&mut random, &array, &model);
        let serial = Array::from_bytes(&model.bytes, &params).unwrap();
        let (ours, theirs) = (array.into_inner(), serial.into_inner());
        assert_eq!(ours.to_cframe().unwrap(), theirs.to_cframe().unwrap());
    }
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
            .into_inner();
        let mut content = chunks.metalayers().get("b2nd").unwrap().to_vec();
        for _ in 0..random.of(1..4) {
            let at = usize::try_from(random.of(0..content.len() as u64)).unwrap();
            // Small values keep the damage plausible.
            content[at] = u8::try_from(random.pick(&[0, 1, 2, 3, 5, 8, 0x7F, 0x80, 0xFF])).unwrap();
        }
        chunks.metalayers_mut().update("b2nd", &content).unwrap();
        let limits = oxiblosc::Limits::UNTRUSTED.max_alloc(1 << 20);
        let Ok(mut array) = Array::open_with(chunks, DParams::new().limits(limits)) else {
            continue;
        };
        opened += 1;
        let _ = array.to_bytes();
        let whole: Vec<Range<u64>> = array.shape().iter().map(|&len| 0..len).collect();
        let _ = array.slice_bytes(&whole);
        let _ = array.get_bytes_into(&vec![0; array.ndim()], &mut [0; 8]);
        let _ = array.append_bytes(&[0; 7]);
        let _ = array.resize(&[2, 9]);
        let _ = array.to_bytes();
    }
    assert!(
        opened > 20,
        "the damage is too crude: {opened} arrays opened"
    );
}
