//! Which instruction set the codec's loops run with.

use crate::isa::has_features;
use crate::{Isa, Kernels};

/// The instruction sets that the loops are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Portable,
    Avx2,
    Avx512,
}

/// The level for [`Kernels::best`], as far as the CPU has the bit instructions that go with it.
#[inline]
pub(super) fn level() -> Level {
    let isa = Kernels::best().isa();
    if isa < Isa::Avx2 || !has_features!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt") {
        Level::Portable
    } else if isa == Isa::Avx512 && has_features!("avx512f", "avx512bw", "avx512vl", "avx512vbmi") {
        Level::Avx512
    } else {
        Level::Avx2
    }
}
