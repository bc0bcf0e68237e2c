//! Instruction set levels: their names and order, and which of them this CPU has.
//!
//! A level is a cluster of features that came together in hardware, not a single flag: `Avx512`
//! means Ice Lake, Zen 4 or newer. Detection runs once; the environment variable `OXIBLOSC_ISA`
//! may lower what [`Kernels::best`](crate::Kernels::best) picks, never raise it.

use core::fmt;

/// A level of kernels, named after its instruction set.
///
/// The order says which level is the faster one within an architecture: `Scalar < Sse2 < Avx2 <
/// Avx512` on x86, `Scalar < Neon` on aarch64.
///
/// ```
/// use oxiblosc_kernels::Isa;
///
/// assert!(Isa::Sse2 < Isa::Avx2);
/// assert_eq!(Isa::from_name("avx2"), Some(Isa::Avx2));
/// assert!(Isa::Scalar.is_available());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// Plain safe Rust for the compile-time target; on every machine.
    Scalar,
    /// SSE2, the baseline of x86-64.
    Sse2,
    /// AVX2 (Haswell, Zen and newer).
    Avx2,
    /// AVX-512 F, BW, VL, DQ, VBMI and VBMI2 with GFNI (Ice Lake, Zen 4 and newer).
    Avx512,
    /// NEON, the baseline of aarch64.
    Neon,
}

impl Isa {
    /// All levels, the slowest first.
    pub const ALL: [Self; 5] = [
        Self::Scalar,
        Self::Sse2,
        Self::Avx2,
        Self::Avx512,
        Self::Neon,
    ];

    /// The name used by `OXIBLOSC_ISA`, tests and benches: lower case, no punctuation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }

    /// The level of that name, or `None` when there is no such level.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|isa| isa.name() == name)
    }

    /// Whether this CPU (and this build) can run the level.
    #[must_use]
    pub fn is_available(self) -> bool {
        crate::Kernels::with_isa(self).is_some()
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The level `OXIBLOSC_ISA` asks for; `None` when it is unset or names no level.
#[cfg(feature = "std")]
pub(crate) fn from_env() -> Option<Isa> {
    Isa::from_name(std::env::var("OXIBLOSC_ISA").ok()?.trim())
}

/// Without `std` there is no environment.
#[cfg(not(feature = "std"))]
pub(crate) fn from_env() -> Option<Isa> {
    None
}

/// Whether the CPU has all the features: asked at run time with `std`, at compile time without.
#[cfg(target_arch = "x86_64")]
macro_rules! has_features {
    ($($feature:tt),+) => {{
        #[cfg(feature = "std")]
        let found = true $(&& std::arch::is_x86_feature_detected!($feature))+;
        #[cfg(not(feature = "std"))]
        let found = true $(&& cfg!(target_feature = $feature))+;
        found
    }};
}
#[cfg(target_arch = "x86_64")]
pub(crate) use has_features;
