//! The x86 levels and their proofs.
//!
//! A folder per level holds safe `#[target_feature]` functions; this file holds the tokens whose
//! existence allows to call them. It is the only caller of those functions from outside, one
//! `unsafe` call per kernel. `has` and the overridden methods of a level belong together: what `has` claims,
//! the method must do without the lower level, remainders excepted.

mod across;
mod avx2;
mod avx512;
mod sse2;
mod xor;

use crate::bits::{self, BitTranspose, Window};
use crate::delta::{self, Xor};
use crate::isa::has_features;
use crate::level::Level;
use crate::scalar::Scalar;
use crate::{Isa, Kernel, Plane};

/// Proof that SSE2 can be used: a value exists only after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sse2(());

/// Proof that AVX2 can be used: a value exists only after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx2(());

/// Proof that the AVX-512 cluster can be used: a value exists only after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx512(());

impl Sse2 {
    pub(crate) fn detect() -> Option<Self> {
        has_features!("sse2").then_some(Self(()))
    }
}

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        has_features!("avx2").then_some(Self(()))
    }
}

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        has_features!(
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512dq",
            "avx512vbmi",
            "avx512vbmi2",
            "gfni"
        )
        .then_some(Self(()))
    }
}

impl Level for Sse2 {
    type Lower = Scalar;

    const ISA: Isa = Isa::Sse2;

    fn lower(self) -> Scalar {
        Scalar
    }

    fn has(kernel: Kernel, typesize: usize) -> bool {
        match kernel {
            Kernel::Bitshuffle | Kernel::Bitunshuffle | Kernel::BitunshufflePlanes => {
                bits::fits(typesize, Self::STEP)
            }
            Kernel::DeltaEncode | Kernel::DeltaDecode => true,
            _ => false,
        }
    }

    fn delta_encode(self, typesize: usize, reference: Option<&[u8]>, src: &[u8], dst: &mut [u8]) {
        delta::encode(self, typesize, reference, src, dst);
    }

    fn delta_decode(self, typesize: usize, reference: Option<&[u8]>, block: &mut [u8]) {
        delta::decode(self, typesize, reference, block);
    }

    fn bitshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bits::bitshuffle(self, typesize, src, dst);
    }

    fn bitunshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bits::bitunshuffle(self, typesize, src, dst);
    }

    fn bitunshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        bits::bitunshuffle_planes(self, planes, tail, dst);
    }
}

impl Level for Avx2 {
    type Lower = Sse2;

    const ISA: Isa = Isa::Avx2;

    fn lower(self) -> Sse2 {
        Sse2(())
    }

    fn has(kernel: Kernel, typesize: usize) -> bool {
        match kernel {
            Kernel::Bitshuffle | Kernel::Bitunshuffle | Kernel::BitunshufflePlanes => {
                bits::fits(typesize, Self::STEP)
            }
            Kernel::DeltaEncode | Kernel::DeltaDecode => true,
            _ => false,
        }
    }

    fn delta_encode(self, typesize: usize, reference: Option<&[u8]>, src: &[u8], dst: &mut [u8]) {
        delta::encode(self, typesize, reference, src, dst);
    }

    fn delta_decode(self, typesize: usize, reference: Option<&[u8]>, block: &mut [u8]) {
        delta::decode(self, typesize, reference, block);
    }

    fn bitshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bits::bitshuffle(self, typesize, src, dst);
    }

    fn bitunshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bits::bitunshuffle(self, typesize, src, dst);
    }

    fn bitunshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        bits::bitunshuffle_planes(self, planes, tail, dst);
    }
}

impl Level for Avx512 {
    type Lower = Avx2;

    const ISA: Isa = Isa::Avx512;

    fn lower(self) -> Avx2 {
        Avx2(())
    }

    fn has(kernel: Kernel, typesize: usize) -> bool {
        match kernel {
            Kernel::Bitshuffle | Kernel::Bitunshuffle | Kernel::BitunshufflePlanes => {
                bits::fits(typesize, Self::STEP)
            }
            Kernel::DeltaEncode | Kernel::DeltaDecode => true,
            _ => false,
        }
    }

    fn delta_encode(self, typesize: usize, reference: Option<&[u8]>, src: &[u8], dst: &mut [u8]) {
        delta::encode(self, typesize, reference, src, dst);
    }

    fn delta_decode(self, typesize: usize, reference: Option<&[u8]>, block: &mut [u8]) {
        delta::decode(self, typesize, reference, block);
    }

    fn bitshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bits::bitshuffle(self, typesize, src, dst);
    }

    fn bitunshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bits::bitunshuffle(self, typesize, src, dst);
    }

    fn bitunshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        bits::bitunshuffle_planes(self, planes, tail, dst);
    }
}

impl BitTranspose for Avx512 {
    const STEP: usize = 64;
    const ITEMS: usize = 1;

    #[inline]
    fn to_rows(self, _: usize, j: usize, tile: &[u8], rows: &mut [u8], window: Window) {
        // SAFETY: `self` proves the AVX-512 cluster.
        unsafe { avx512::bits::to_rows(j, tile, rows, window) }
    }

    #[inline]
    fn from_rows(self, _: usize, j: usize, rows: Plane<'_>, tile: &mut [u8], window: Window) {
        // SAFETY: `self` proves the AVX-512 cluster.
        unsafe { avx512::bits::from_rows(j, rows, tile, window) }
    }
}

impl BitTranspose for Avx2 {
    const STEP: usize = 32;
    const ITEMS: usize = 8;

    #[inline]
    fn to_rows(self, typesize: usize, j: usize, tile: &[u8], rows: &mut [u8], window: Window) {
        // SAFETY: `self` proves AVX2.
        unsafe { avx2::bits::to_rows(typesize, j, tile, rows, window) }
    }

    #[inline]
    fn from_rows(
        self,
        typesize: usize,
        j: usize,
        rows: Plane<'_>,
        tile: &mut [u8],
        window: Window,
    ) {
        // SAFETY: `self` proves AVX2.
        unsafe { avx2::bits::from_rows(typesize, j, rows, tile, window) }
    }
}

impl BitTranspose for Sse2 {
    const STEP: usize = 16;
    const ITEMS: usize = 8;

    #[inline]
    fn to_rows(self, typesize: usize, j: usize, tile: &[u8], rows: &mut [u8], window: Window) {
        // SAFETY: `self` proves SSE2.
        unsafe { sse2::bits::to_rows(typesize, j, tile, rows, window) }
    }

    #[inline]
    fn from_rows(
        self,
        typesize: usize,
        j: usize,
        rows: Plane<'_>,
        tile: &mut [u8],
        window: Window,
    ) {
        // SAFETY: `self` proves SSE2.
        unsafe { sse2::bits::from_rows(typesize, j, rows, tile, window) }
    }
}

impl Xor for Avx512 {
    fn xor(self, a: &[u8], b: &[u8], dst: &mut [u8]) {
        // SAFETY: `self` proves the AVX-512 cluster.
        unsafe { avx512::delta::xor(a, b, dst) }
    }

    fn xor_in_place(self, block: &mut [u8], reference: &[u8]) {
        // SAFETY: `self` proves the AVX-512 cluster.
        unsafe { avx512::delta::xor_in_place(block, reference) }
    }

    fn running(self, width: usize, block: &mut [u8]) {
        match width {
            // SAFETY: `self` proves the AVX-512 cluster.
            1 => unsafe { avx512::delta::running::<1>(block) },
            // SAFETY: `self` proves the AVX-512 cluster.
            2 => unsafe { avx512::delta::running::<2>(block) },
            // SAFETY: `self` proves the AVX-512 cluster.
            4 => unsafe { avx512::delta::running::<4>(block) },
            // SAFETY: `self` proves the AVX-512 cluster.
            _ => unsafe { avx512::delta::running::<8>(block) },
        }
    }
}

impl Xor for Avx2 {
    fn xor(self, a: &[u8], b: &[u8], dst: &mut [u8]) {
        // SAFETY: `self` proves AVX2.
        unsafe { avx2::delta::xor(a, b, dst) }
    }

    fn xor_in_place(self, block: &mut [u8], reference: &[u8]) {
        // SAFETY: `self` proves AVX2.
        unsafe { avx2::delta::xor_in_place(block, reference) }
    }

    fn running(self, width: usize, block: &mut [u8]) {
        match width {
            // SAFETY: `self` proves AVX2.
            1 => unsafe { avx2::delta::running::<1>(block) },
            // SAFETY: `self` proves AVX2.
            2 => unsafe { avx2::delta::running::<2>(block) },
            // SAFETY: `self` proves AVX2.
            4 => unsafe { avx2::delta::running::<4>(block) },
            // SAFETY: `self` proves AVX2.
            _ => unsafe { avx2::delta::running::<8>(block) },
        }
    }
}

impl Xor for Sse2 {
    fn xor(self, a: &[u8], b: &[u8], dst: &mut [u8]) {
        // SAFETY: `self` proves SSE2.
        unsafe { sse2::delta::xor(a, b, dst) }
    }

    fn xor_in_place(self, block: &mut [u8], reference: &[u8]) {
        // SAFETY: `self` proves SSE2.
        unsafe { sse2::delta::xor_in_place(block, reference) }
    }

    fn running(self, width: usize, block: &mut [u8]) {
        match width {
            // SAFETY: `self` proves SSE2.
            1 => unsafe { sse2::delta::running::<1>(block) },
            // SAFETY: `self` proves SSE2.
            2 => unsafe { sse2::delta::running::<2>(block) },
            // SAFETY: `self` proves SSE2.
            4 => unsafe { sse2::delta::running::<4>(block) },
            // SAFETY: `self` proves SSE2.
            _ => unsafe { sse2::delta::running::<8>(block) },
        }
    }
}
