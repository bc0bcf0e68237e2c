//! The kernels of AVX2 with GFNI: bit shuffles, everything else being that of AVX2.
//!
//! There is no unsafe code in this folder.

pub(crate) mod bits;
