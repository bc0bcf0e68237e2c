//! The aarch64 level and its proof.
//!
//! The folder `neon` holds safe `#[target_feature]` functions; this file holds the token whose
//! existence allows to call them, and is their only caller from outside.

use crate::level::Level;
use crate::scalar::Scalar;
use crate::{Isa, Kernel};

/// Proof that NEON can be used: a value exists only after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Neon(());

impl Neon {
    pub(crate) fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        let found = std::arch::is_aarch64_feature_detected!("neon");
        #[cfg(not(feature = "std"))]
        let found = cfg!(target_feature = "neon");
        found.then_some(Self(()))
    }
}

impl Level for Neon {
    type Lower = Scalar;

    const ISA: Isa = Isa::Neon;

    fn lower(self) -> Scalar {
        Scalar
    }

    fn has(_kernel: Kernel, _typesize: usize) -> bool {
        false
    }
}
