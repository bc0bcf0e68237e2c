//! The aarch64 level and its proof.
//!
//! The folder `neon` holds safe `#[target_feature]` functions; this file holds the token whose
//! existence permits calling them, and is their only caller outside of the folder.

mod neon;

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

/// Proof that NEON can be used: a value exists only after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Neon(());

impl Neon {
    pub(crate) fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        let found = std::arch::is_aarch64_feature_detected!("neon");
        #[cfg(not(feature = "std"))]
        let found = cfg!(target_feature = "neon");
        // Some kernels treat a vector as wider elements, whose bytes are swapped on big endian.
        (found && cfg!(target_endian = "little")).then_some(Self(()))
    }
}

impl Level for Neon {
    type Lower = Portable;

    const ISA: Isa = Isa::Neon;

    fn lower(self) -> Portable {
        Portable
    }

    fn has(kernel: Kernel, typesize: usize) -> bool {
        has(kernel, typesize, Self::STEP)
    }

    bit_shuffles!();

    deltas!();

    byte_shuffles!(neon);

    fn adler32(self, src: &[u8]) -> u32 {
        with_proof!(self, neon::adler32::adler32(src))
    }
}

crate::filters::vector::bits::impl_bit_transpose!(Neon, neon, 16);

crate::filters::vector::delta::impl_xor!(Neon, neon);
