//! Work that is compiled once per group of instruction sets.

use crate::Kernels;
#[cfg(target_arch = "x86_64")]
use crate::kernels::Proof;

/// A loop without vector types that gains from the bit and vector instructions of x86-64-v3.
pub(super) trait Work {
    /// The result.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, and so is all that they call in hot
    /// loops: otherwise the loops are compiled for the baseline.
    fn run(self) -> Self::Output;
}

/// Does the work with the instructions of the level.
#[inline]
pub(super) fn run<W: Work>(kernels: Kernels, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Proof::Avx2(_) | Proof::Avx512(_) = kernels.proof() {
        // SAFETY: the token of either level proves the instructions.
        return unsafe { run_v3(work) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = kernels;
    work.run()
}

/// Its own function for each kind of work: registers are allocated per loop.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_v3<W: Work>(work: W) -> W::Output {
    work.run()
}
