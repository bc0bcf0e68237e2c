//! Threads change nothing: not the elements read, not the bytes written.

use std::sync::Arc;

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{CParams, DParams, FrameReader, FrameWriter, Threads};

use super::cases::{cases, random_cparams, random_params};
use super::model::{Model, Random};
use super::{check_reads, check_selections};

fn pool(threads: usize) -> Threads {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    Threads::Pool(Arc::new(builder.build().unwrap()))
}

#[test]
fn threads_change_nothing() {
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
        let (ours, theirs) = (array.into_inner().unwrap(), serial.into_inner().unwrap());
        assert_eq!(ours.to_cframe().unwrap(), theirs.to_cframe().unwrap());
    }
}

/// A failure in the middle of a write leaves the chunks before it written, and no others.
#[test]
fn a_write_that_fails_stops_at_the_same_chunk() {
    let written = |threads: Threads| {
        // 24 chunks of 256 KiB; the block that begins with a 7 is refused.
        let cparams = CParams::new(1).threads(threads).prefilter(|_, src, dst| {
            if src.first() == Some(&7) {
                return Err("a 7".into());
            }
            dst.copy_from_slice(src);
            Ok(())
        });
        let params = ArrayParams::new::<u8>(&[24 << 18])
            .chunkshape(&[1 << 18])
            .blockshape(&[1 << 15])
            .cparams(cparams);
        let mut array = Array::zeros(&params).unwrap();
        let mut bytes = vec![1_u8; 24 << 18];
        bytes[(5 << 18) + (3 << 15)] = 7;
        let all = 0..24 << 18;
        let error = array
            .set_slice_bytes(std::slice::from_ref(&all), &bytes)
            .unwrap_err();
        (
            error.to_string(),
            array.into_inner().unwrap().to_cframe().unwrap(),
        )
    };
    let alone = written(Threads::Serial);
    assert!(alone.0.contains("a 7"), "{}", alone.0);
    for threads in [pool(2), pool(5)] {
        assert!(written(threads) == alone);
    }
}

/// Arrays above the size from which reads are shared: few chunks of many blocks, many chunks of
/// few, in memory and on disk, at once and ahead of a reader.
#[test]
fn large_reads_are_shared_and_agree() {
    let threads = pool(3);
    let folder = crate::common::folder();
    for case in 0..cases() / 200 {
        let mut random =
            Random(0x8C62_3B1E_77F0_90D5 ^ (case + 1).wrapping_mul(0x9FB2_1C65_1E98_DF25));
        let ndim = random.of(1..4);
        let typesize = random.pick(&[1_usize, 2, 4, 8, 12]);
        let items = (3_u64 << 20) / typesize as u64;
        let mut left = items;
        let mut shape = Vec::new();
        for axis in 0..ndim {
            let len = if axis + 1 == ndim {
                left
            } else {
                random.of(10..90).min(left)
            };
            left /= len;
            shape.push(len);
        }
        let lens = |random: &mut Random, up_to: &[u64], parts: u64| -> Vec<u64> {
            let cut = |&len: &u64| len.div_ceil(random.of(1..parts));
            up_to.iter().map(cut).collect()
        };
        let chunks = lens(&mut random, &shape, 6);
        let blocks = lens(&mut random, &chunks, 9);
        let dtype = oxiblosc::b2nd::Dtype::void(typesize);
        let params = ArrayParams::with_dtype(dtype, &shape)
            .chunkshape(&chunks)
            .blockshape(&blocks)
            .cparams(random_cparams(&mut random, typesize).threads(threads.clone()));
        if params.grid().is_err() {
            continue;
        }
        let mut model = Model::random(&mut random, &shape, typesize);
        let zeros = model.bytes.len() / 3;
        model.bytes[..zeros].fill(0);
        let dparams = DParams::new().threads(threads.clone());
        let what = format!("case {case}: {params:?}");
        let array = Array::from_bytes(&model.bytes, &params).unwrap();
        let alone = params.cparams.clone().threads(Threads::Serial);
        let alone = Array::from_bytes(&model.bytes, &params.clone().cparams(alone)).unwrap();
        let (shared, alone) = (array.into_inner().unwrap(), alone.into_inner().unwrap());
        assert!(
            shared.to_cframe().unwrap() == alone.to_cframe().unwrap(),
            "{what}"
        );
        let array = Array::open_in_with(shared, dparams.clone()).unwrap();
        assert!(array.to_bytes().unwrap() == model.bytes, "{what}");
        check_selections(&mut random, &array, &model);

        let path = folder.path().join(format!("{case}.b2nd"));
        let writer = FrameWriter::create(&path, params.frame_params().unwrap()).unwrap();
        let frame = array
            .copy_in(writer, &params)
            .unwrap()
            .into_inner()
            .unwrap();
        drop(frame.finish().unwrap());
        let reader = FrameReader::open(&path, dparams.clone()).unwrap();
        let array = Array::open_in_with(Arc::new(reader), dparams).unwrap();
        assert!(array.to_bytes().unwrap() == model.bytes, "{what}");
        check_selections(&mut random, &array, &model);
        let mut nchunks = 0;
        for chunk in array.chunk_boxes_ahead() {
            let chunk = chunk.unwrap();
            assert_eq!(chunk.nchunk, nchunks);
            assert!(chunk.bytes == model.slice(&chunk.region), "{what}");
            nchunks += 1;
        }
        assert_eq!(nchunks, array.schunk().layout().nchunks);
    }
}
