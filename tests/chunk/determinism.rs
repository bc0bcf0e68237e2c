//! Bytes depend on data and parameters alone: not on the instruction set, not on what an encoder
//! did before, not on the size of the destination or on who called which form.

use crate::common::{KINDS, Rng, codecs, data, pipeline};
use oxiblosc::kernels::{Isa, Kernels};
use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, DParams, max_chunk_len};

fn cparams(rng: &mut Rng, typesize: usize) -> CParams {
    let filters = pipeline(rng, typesize);
    CParams::new(typesize)
        .codec(rng.pick(&codecs()))
        .clevel(rng.pick(&[1, 3, 5, 7]))
        .filters(filters)
        .blocksize(rng.pick(&[None, None, Some(1000), Some(8192)]))
}

#[test]
fn every_instruction_set_writes_and_reads_the_same() {
    let isas: Vec<_> = Kernels::available().map(Kernels::isa).collect();
    println!("instruction sets: {isas:?}");
    for index in 0..300 {
        let mut rng = Rng(index);
        let typesize = rng.pick(&[1, 2, 3, 4, 8, 12, 16, 24]);
        let cparams = cparams(&mut rng, typesize);
        let len = rng.pick(&[33, 1000, 20_000]) + rng.below(100);
        let src = data(rng.below(KINDS), typesize, len, index);
        let expected = oxiblosc::compress(&src, &cparams).unwrap();
        let decoded = oxiblosc::decompress(&expected).unwrap();
        for &isa in &isas {
            let chunk = oxiblosc::compress(&src, &cparams.clone().isa(isa)).unwrap();
            assert!(chunk == expected, "case {index}: {isa} {cparams:?}");
            let mut decoder = ChunkDecoder::new(DParams::new().isa(isa));
            assert!(
                decoder.decode(&chunk).unwrap() == decoded,
                "case {index}: {isa}"
            );
        }
    }
}

#[test]
fn every_codec_runs_on_every_instruction_set() {
    for codec in codecs() {
        for clevel in 1..=9 {
            let src = data(usize::from(clevel) % KINDS, 4, 12_000, u64::from(clevel));
            let cparams = CParams::new(4).codec(codec).clevel(clevel);
            let scalar = cparams.clone().isa(Isa::Scalar);
            let expected = oxiblosc::compress(&src, &scalar).unwrap();
            for isa in Kernels::available().map(Kernels::isa) {
                let chunk = oxiblosc::compress(&src, &cparams.clone().isa(isa)).unwrap();
                assert!(chunk == expected, "{codec}, level {clevel}, {isa}");
                let mut decoder = ChunkDecoder::new(DParams::new().isa(isa));
                let decoded = decoder.decode(&chunk).unwrap();
                assert!(decoded == src, "{codec}, level {clevel}, {isa}");
            }
        }
    }
}

#[test]
fn an_encoder_forgets() {
    for seed in 0..40 {
        let mut rng = Rng(seed);
        let typesize = rng.pick(&[1, 2, 4, 8]);
        let cparams = cparams(&mut rng, typesize);
        let mut encoder = ChunkEncoder::new(cparams.clone()).unwrap();
        let mut decoder = ChunkDecoder::default();
        for index in 0..12 {
            let len = rng.pick(&[0, 20, 500, 9000, 40_000]);
            let src = data(rng.below(KINDS), typesize, len, seed * 100 + index);
            let used = encoder.encode(&src).unwrap();
            let fresh = oxiblosc::compress(&src, &cparams).unwrap();
            assert!(used == fresh, "seed {seed}, chunk {index}: {cparams:?}");
            let decoded = decoder.decode(&used).unwrap();
            assert!(decoded == oxiblosc::decompress(&fresh).unwrap());
        }
    }
}

#[test]
fn a_larger_destination_changes_nothing_and_a_smaller_one_fails_or_fits() {
    for seed in 0..200 {
        let mut rng = Rng(seed);
        let typesize = rng.pick(&[1, 2, 4, 8]);
        let mut encoder = ChunkEncoder::new(cparams(&mut rng, typesize)).unwrap();
        let src = data(rng.below(KINDS), typesize, 40 + rng.below(3000), seed);
        let chunk = encoder.encode(&src).unwrap();
        let mut dst = vec![0xEE; 2 * max_chunk_len(src.len()) + 1000];
        let cbytes = encoder.encode_into(&src, &mut dst).unwrap();
        assert!(dst[..cbytes] == chunk[..], "seed {seed}");
        for capacity in [0, 31, 32, chunk.len() - 1, chunk.len(), chunk.len() + 1] {
            let mut dst = vec![0xEE; capacity];
            let Ok(cbytes) = encoder.encode_into(&src, &mut dst) else {
                assert!(
                    capacity < max_chunk_len(src.len()),
                    "seed {seed}, {capacity} bytes"
                );
                continue;
            };
            let decoded = oxiblosc::decompress(&dst[..cbytes]).unwrap();
            assert!(
                decoded == oxiblosc::decompress(&chunk).unwrap(),
                "seed {seed}, {capacity} bytes"
            );
        }
    }
}
