//! Which instruction set the codec's loops run with.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::isa::has_features;
use crate::{Isa, Kernels};

/// The instruction sets that the loops are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Portable,
    Avx2,
    Avx512,
}

/// 0 before the first call, then the level and 1.
static LEVEL: AtomicU8 = AtomicU8::new(0);

/// The level for [`Kernels::best`], as far as the CPU has the bit instructions that go with it.
/// Asked for every stream, short ones too: it is found out once.
#[inline]
pub(super) fn level() -> Level {
    match LEVEL.load(Ordering::Relaxed) {
        1 => Level::Portable,
        2 => Level::Avx2,
        3 => Level::Avx512,
        _ => detect(),
    }
}

#[cold]
fn detect() -> Level {
    let level = detected();
    let code = match level {
        Level::Portable => 1,
        Level::Avx2 => 2,
        Level::Avx512 => 3,
    };
    LEVEL.store(code, Ordering::Relaxed);
    level
}

fn detected() -> Level {
    let isa = Kernels::best().isa();
    if isa < Isa::Avx2 || !has_features!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt") {
        Level::Portable
    } else if isa == Isa::Avx512 && has_features!("avx512f", "avx512bw", "avx512vl", "avx512vbmi") {
        Level::Avx512
    } else {
        Level::Avx2
    }
}
