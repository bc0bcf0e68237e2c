//! Instruction set levels: their names and order, and which of them this CPU has.
//!
//! A level is a cluster of features that came together in hardware, not a single flag: `Avx512`
//! means Ice Lake, Zen 4 or newer. Detection runs once; the environment variable `OXIBLOSC_ISA`
//! may lower what [`Kernels::best`](crate::Kernels::best) picks, never raise it.

use core::fmt;

/// A level of kernels, named after its instruction set.
///
/// The order says which level is the faster one within an architecture: `Scalar < Portable <
/// Sse2 < Avx2 < Avx2Gfni < Avx512` on x86, `Scalar < Portable < Neon` on aarch64, `Scalar <
/// Portable < Simd128` on wasm32.
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
    /// Byte by byte, in plain safe Rust: the definition of every other level; on every machine.
    Scalar,
    /// Words of 64 bits, in plain safe Rust; on every machine.
    Portable,
    /// SSE2, the baseline of x86-64.
    Sse2,
    /// AVX2 with BMI1, BMI2, LZCNT and POPCNT, the bit instructions of x86-64-v3 (Haswell, Zen
    /// and newer).
    Avx2,
    /// All of `Avx2`, and GFNI (Alder Lake and newer without AVX-512).
    Avx2Gfni,
    /// All of `Avx2Gfni`, and AVX-512 F, BW, VL, DQ, VBMI and VBMI2 (Ice Lake, Zen 4 and
    /// newer).
    Avx512,
    /// NEON, the baseline of aarch64.
    Neon,
    /// The vector instructions of wasm32, in builds with `-C target-feature=+simd128`.
    Simd128,
}

impl Isa {
    /// All levels, the slowest first.
    pub const ALL: &[Self] = &[
        Self::Scalar,
        Self::Portable,
        Self::Sse2,
        Self::Avx2,
        Self::Avx2Gfni,
        Self::Avx512,
        Self::Neon,
        Self::Simd128,
    ];

    /// The name used by `OXIBLOSC_ISA`, tests and benches: lower case, no punctuation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Portable => "portable",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx2Gfni => "avx2gfni",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        }
    }

    /// The level of that name, or `None` when there is no such level.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|isa| isa.name() == name)
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Isa {
    /// The level that the environment variable `OXIBLOSC_ISA` names; `None` when it is not set.
    ///
    /// [`Kernels::best`](crate::Kernels::best) ignores a name that is no level; a program that
    /// wants to refuse one calls this function first. Without the feature `std` there is no
    /// environment.
    ///
    /// # Errors
    ///
    /// When the variable is set and its value is not the name of a level.
    #[cfg(feature = "std")]
    pub fn from_env() -> Result<Option<Self>, UnknownIsa> {
        match std::env::var_os("OXIBLOSC_ISA") {
            None => Ok(None),
            Some(value) => {
                let name = value.to_string_lossy();
                match Self::from_name(name.trim()) {
                    Some(isa) => Ok(Some(isa)),
                    None => Err(UnknownIsa(name.into_owned())),
                }
            }
        }
    }
}

/// `OXIBLOSC_ISA` holds a value that is not the name of a level.
#[cfg(feature = "std")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownIsa(std::string::String);

#[cfg(feature = "std")]
impl UnknownIsa {
    /// The value of the variable.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

#[cfg(feature = "std")]
impl fmt::Display for UnknownIsa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OXIBLOSC_ISA: expected one of")?;
        for isa in Isa::ALL {
            write!(f, " {isa}")?;
        }
        write!(f, ", found {:?}", self.0)
    }
}

#[cfg(feature = "std")]
impl core::error::Error for UnknownIsa {}
