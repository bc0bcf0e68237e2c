//! The wasm32 level and its proof.
//!
//! A module with vector instructions is refused as a whole by a runtime without them, so that there
//! is nothing to detect: the level exists in builds with `-C target-feature=+simd128`, and only
//! there.

#![expect(
    unused_unsafe,
    reason = "calls by a token are unsafe elsewhere; here the whole build has the instructions"
)]

mod simd128;

use crate::filters::level::Level;
use crate::filters::plane::Plane;
use crate::filters::portable::Portable;
use crate::filters::vector::bits::{BitTranspose as _, bit_shuffles};
use crate::filters::vector::byte_shuffles::byte_shuffles;
use crate::filters::vector::call::with_proof;
use crate::filters::vector::delta::deltas;
use crate::filters::vector::has::has;
use crate::isa::Isa;
use crate::kernel::Kernel;

/// Proof that the build has vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Simd128(());

impl Simd128 {
    /// Always there: the module is not compiled without the instructions.
    pub(crate) const fn new() -> Self {
        Self(())
    }
}

impl Level for Simd128 {
    type Lower = Portable;

    const ISA: Isa = Isa::Simd128;

    fn lower(self) -> Portable {
        Portable
    }

    fn has(kernel: Kernel, typesize: usize) -> bool {
        has(kernel, typesize, Self::STEP)
    }

    bit_shuffles!();

    deltas!();

    byte_shuffles!(simd128);

    fn adler32(self, src: &[u8]) -> u32 {
        with_proof!(self, simd128::adler32::adler32(src))
    }
}

crate::filters::vector::bits::impl_bit_transpose!(Simd128, simd128, 16);

crate::filters::vector::delta::impl_xor!(Simd128, simd128);
