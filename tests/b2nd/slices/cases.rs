//! Random shapes, partitions, slices and parameters.

use std::ops::Range;

use oxiblosc::b2nd::{ArrayParams, Dtype, Grid};
use oxiblosc::{CParams, CodecId, FilterSlot, SplitMode};

use super::model::Random;

pub(crate) fn cases() -> u64 {
    match std::env::var("OXIBLOSC_LONG") {
        Ok(long) if long == "1" => 20_000,
        _ => 2_000,
    }
}

/// 0 to 8 axes of 0 to 40 elements; at most some thousand elements altogether.
pub(crate) fn random_shape(random: &mut Random) -> Vec<u64> {
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

pub(crate) fn random_lens(random: &mut Random, up_to: &[u64]) -> Vec<u64> {
    up_to
        .iter()
        .map(|&len| {
            if random.one_in(4) {
                len.max(1)
            } else {
                random.of(1..len.max(1) + 3)
            }
        })
        .collect()
}

pub(crate) fn random_slice(random: &mut Random, shape: &[u64]) -> Vec<Range<u64>> {
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

pub(crate) fn random_cparams(random: &mut Random, typesize: usize) -> CParams {
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
pub(crate) fn random_params(random: &mut Random) -> (ArrayParams, usize) {
    let typesize = random.pick(&[1_usize, 2, 3, 4, 8, 16, 300]);
    let shape = random_shape(random);
    let dtype = Dtype::void(typesize);
    let mut params = ArrayParams::with_dtype(dtype, &shape);
    if !random.one_in(5) {
        let chunks = random_lens(random, &shape);
        let mut blocks = random_lens(random, &chunks);
        // Overhanging on many axes multiplies; keep chunks small.
        for (block, &chunk) in blocks.iter_mut().zip(&chunks) {
            if random.one_in(2) {
                *block = (*block).min(chunk);
            }
        }
        let grid = Grid::new(params.typesize().unwrap(), &shape, &chunks, &blocks).unwrap();
        params = params.partition(&grid);
    }
    let cparams = random_cparams(random, typesize);
    (params.cparams(cparams), typesize)
}
