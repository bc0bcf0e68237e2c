//! The x86 levels and their proofs.
//!
//! A folder per level holds safe `#[target_feature]` functions. This file holds the tokens whose
//! existence permits calling them, and it alone calls them from outside of the folders, partly in
//! macros of `vector`. A token also proves the features of other functions, such as the loops of
//! the codecs. `has` and the overridden methods of a level belong together: where `has` is true,
//! the method uses the lower level for remainders and short blocks only, and where
//! `lower_is_faster`.

mod avx2;
mod avx2_gfni;
mod avx512;
mod sse2;

use crate::filters::auto;
use crate::filters::contract::items;
use crate::filters::level::Level;
use crate::filters::plane::Plane;
use crate::filters::portable::Portable;
use crate::filters::vector::bits::{self, BitTranspose as _, bit_shuffles};
use crate::filters::vector::byte_shuffles::byte_shuffles;
use crate::filters::vector::call::with_proof;
use crate::filters::vector::delta::deltas;
use crate::filters::vector::has::has;
use crate::filters::vector::scratch::Scratch;
use crate::filters::vector::window::{Adjacent, Scattered};
use crate::isa::Isa;
use crate::kernel::Kernel;

/// Whether the CPU has all the features: detected at run time with `std`, at compile time without.
macro_rules! has_features {
    ($($feature:tt),+) => {{
        #[cfg(feature = "std")]
        let found = true $(&& std::arch::is_x86_feature_detected!($feature))+;
        #[cfg(not(feature = "std"))]
        let found = true $(&& cfg!(target_feature = $feature))+;
        found
    }};
}

/// Proof that SSE2 can be used: a value exists only after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sse2(());

/// Proof that AVX2 and the bit instructions of x86-64-v3 (BMI1, BMI2, LZCNT, POPCNT) can be used: a
/// value exists only after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx2(());

/// Proof that GFNI, with all of [`Avx2`], can be used: a value exists only after detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx2Gfni(());

/// Proof that the AVX-512 cluster, with all of [`Avx2Gfni`], can be used: a value exists only after
/// detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx512(Ports);

/// How many permutations and unpacks of 64 bytes start in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ports {
    /// One, where two of 32 bytes do: Intel.
    One,
    /// Two, or halves of them on two ports: AMD.
    Two,
}

impl Ports {
    /// Only AMD's processors have `SSE4a`, and it tells without reading the vendor's name.
    fn detect() -> Self {
        if has_features!("sse4a") {
            Self::Two
        } else {
            Self::One
        }
    }
}

impl Sse2 {
    pub(crate) fn detect() -> Option<Self> {
        has_features!("sse2").then_some(Self(()))
    }
}

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        has_features!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt").then_some(Self(()))
    }
}

impl Avx2Gfni {
    pub(crate) fn detect() -> Option<Self> {
        Avx2::detect()?;
        has_features!("gfni").then_some(Self(()))
    }
}

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        Avx2Gfni::detect()?;
        has_features!(
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512dq",
            "avx512vbmi",
            "avx512vbmi2"
        )
        .then(|| Self(Ports::detect()))
    }
}

impl Avx512 {
    /// Whether one permutation or unpack of 64 bytes starts in a cycle, as on Intel's processors.
    #[inline]
    pub(crate) fn has_one_port(self) -> bool {
        self.0 == Ports::One
    }
}

impl Level for Sse2 {
    type Lower = Portable;

    const ISA: Isa = Isa::Sse2;

    fn lower(self) -> Portable {
        Portable
    }

    fn has(kernel: Kernel, typesize: usize) -> bool {
        has(kernel, typesize, Self::STEP)
    }

    deltas!();

    bit_shuffles!();

    byte_shuffles!(sse2);

    fn adler32(self, src: &[u8]) -> u32 {
        with_proof!(self, sse2::adler32::adler32(src))
    }
}

impl Level for Avx2 {
    type Lower = Sse2;

    const ISA: Isa = Isa::Avx2;

    fn lower(self) -> Sse2 {
        Sse2(())
    }

    fn has(kernel: Kernel, typesize: usize) -> bool {
        matches!(kernel, Kernel::BytedeltaEncode | Kernel::Truncate)
            || has(kernel, typesize, Self::STEP)
    }

    deltas!();

    fn bytedelta_encode(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        with_proof!(self, auto::avx2::bytedelta(typesize, src, dst));
    }

    fn truncate(self, typesize: usize, zeroed: u32, src: &[u8], dst: &mut [u8]) {
        with_proof!(self, auto::avx2::truncate(typesize, zeroed, src, dst));
    }

    bit_shuffles!();

    byte_shuffles!(avx2);

    fn adler32(self, src: &[u8]) -> u32 {
        with_proof!(self, avx2::adler32::adler32(src))
    }
}

impl Level for Avx2Gfni {
    type Lower = Avx2;

    const ISA: Isa = Isa::Avx2Gfni;

    fn lower(self) -> Avx2 {
        Avx2(())
    }

    fn has(kernel: Kernel, typesize: usize) -> bool {
        let bits = matches!(
            kernel,
            Kernel::Bitshuffle | Kernel::Bitunshuffle | Kernel::BitunshufflePlanes
        );
        bits && !Self::across(typesize)
    }

    #[inline(always)]
    fn shuffle_small(self, typesize: usize, src: &[u8], dst: &mut [u8]) -> bool {
        self.lower().shuffle_small(typesize, src, dst)
    }

    fn shuffle_any(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.lower().shuffle_any(typesize, src, dst);
    }

    #[inline(always)]
    fn unshuffle_small(self, typesize: usize, src: &[u8], dst: &mut [u8]) -> bool {
        self.lower().unshuffle_small(typesize, src, dst)
    }

    fn unshuffle_any(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.lower().unshuffle_any(typesize, src, dst);
    }

    #[inline(always)]
    fn unshuffle_planes_small(self, planes: &[Plane<'_>], dst: &mut [u8]) -> bool {
        self.lower().unshuffle_planes_small(planes, dst)
    }

    fn unshuffle_planes_any(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        self.lower().unshuffle_planes_any(planes, tail, dst);
    }

    bit_shuffles!();
}

impl Level for Avx512 {
    type Lower = Avx2Gfni;

    const ISA: Isa = Isa::Avx512;

    fn lower(self) -> Avx2Gfni {
        Avx2Gfni(())
    }

    fn has(kernel: Kernel, typesize: usize) -> bool {
        match kernel {
            // Its multiplications of 512 bits slowed down the codec as well, by 6 % on a Granite
            // Rapids. AVX2 is as fast on a Zen 5.
            Kernel::Adler32 => false,
            // Of larger items `bit_blocks` serves blocks up to the first-level cache as well.
            Kernel::BytedeltaEncode | Kernel::Truncate => true,
            _ => has(kernel, typesize, Self::STEP),
        }
    }

    /// From the second-level cache AVX2 unshuffles 4 bytes 1.1 times and 8 bytes 1.05 times as
    /// fast on a Zen 5, and at 0.99 on an Emerald Rapids, which has one port.
    #[inline(always)]
    fn lower_is_faster(self, kernel: Kernel, typesize: usize, len: usize) -> bool {
        match kernel {
            Kernel::Unshuffle => matches!(typesize, 4 | 8) && len > 65_536 && !self.has_one_port(),
            _ => false,
        }
    }

    deltas!();

    fn bytedelta_encode(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        with_proof!(self, auto::avx512::bytedelta(typesize, src, dst));
    }

    fn truncate(self, typesize: usize, zeroed: u32, src: &[u8], dst: &mut [u8]) {
        with_proof!(self, auto::avx512::truncate(typesize, zeroed, src, dst));
    }

    fn bitshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        let groups = items(src.len(), typesize) / 8;
        if !avx512::bit_blocks::pays(typesize, src.len()) {
            return bits::bitshuffle(self, typesize, src, dst);
        }
        let covered = groups * 8 * typesize;
        dst[covered..].copy_from_slice(&src[covered..]);
        let (src, dst) = (&src[..covered], &mut dst[..covered]);
        with_proof!(self, avx512::bit_blocks::bitshuffle(typesize, src, dst));
    }

    fn bitunshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        let groups = items(src.len(), typesize) / 8;
        if !avx512::bit_blocks::inverse_pays(typesize, src.len()) {
            return bits::bitunshuffle(self, typesize, src, dst);
        }
        let covered = groups * 8 * typesize;
        dst[covered..].copy_from_slice(&src[covered..]);
        let rows = Adjacent::new(&src[..covered], typesize);
        let dst = &mut dst[..covered];
        with_proof!(self, avx512::bit_blocks::bitunshuffle(typesize, rows, dst));
    }

    fn bitunshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        let typesize = planes.len();
        let items = items(dst.len(), typesize);
        if !(2..=16).contains(&typesize)
            || !items.is_multiple_of(8)
            || !avx512::bit_blocks::inverse_pays(typesize, dst.len())
        {
            return bits::bitunshuffle_planes(self, planes, tail, dst);
        }
        let (dst, dst_tail) = dst.split_at_mut(items * typesize);
        dst_tail.copy_from_slice(tail);
        let mut rows = Scattered::<16>::new();
        let rows = rows.set(planes, items);
        with_proof!(self, avx512::bit_blocks::bitunshuffle(typesize, rows, dst));
    }

    byte_shuffles!(avx512, half_16);
}

crate::filters::vector::bits::impl_bit_transpose!(
    Avx512,
    avx512,
    64,
    avx2,
    32,
    avx512::bits::across
);

crate::filters::vector::bits::impl_bit_transpose!(
    Avx2, avx2, 32;

    fn blocks_to_rows(self, typesize: usize, src: &[u8], dst: &mut [u8]) -> bool {
        let served = avx2::bit_blocks::serve(typesize, src.len());
        if served {
            with_proof!(self, avx2::bit_blocks::to_rows(typesize, src, dst));
        }
        served
    }

    fn blocks_from_rows<'a>(
        self,
        typesize: usize,
        rows: impl Fn(usize) -> Plane<'a>,
        dst: &mut [u8],
    ) -> bool {
        let served = avx2::bit_blocks::inverse_serves(typesize, dst.len());
        if served {
            with_proof!(self, avx2::bit_blocks::from_rows(typesize, rows, dst));
        }
        served
    }
);

crate::filters::vector::bits::impl_bit_transpose!(
    Avx2Gfni,
    avx2_gfni,
    32,
    avx2,
    32,
    avx2_gfni::bits::across
);

crate::filters::vector::bits::impl_bit_transpose!(
    Sse2, sse2, 16;

    fn few_to_rows(self, typesize: usize, groups: usize, src: &[u8], dst: &mut [u8]) -> bool {
        if groups == 1 && typesize >= 16 {
            with_proof!(self, sse2::few::group_to_rows(src, dst));
            return true;
        }
        if groups < 2 || !bits::fits(typesize, Self::STEP) {
            return false;
        }
        if typesize == 1 {
            with_proof!(self, sse2::few::planes_to_rows(src, dst, groups));
        } else if typesize <= 16 {
            self.few_through_tile::<{ 2048 / 64 }>(typesize, groups, src, dst);
        } else {
            self.few_through_tile::<{ bits::TILE / 64 }>(typesize, groups, src, dst);
        }
        true
    }

    fn few_from_rows<'a>(
        self,
        typesize: usize,
        groups: usize,
        rows: impl Fn(usize) -> Plane<'a>,
        dst: &mut [u8],
    ) -> bool {
        if groups == 1 && typesize >= 16 {
            with_proof!(self, sse2::few::rows_to_group(rows, dst));
            return true;
        }
        if groups < 2 || !bits::fits(typesize, Self::STEP) {
            return false;
        }
        if typesize == 1 {
            with_proof!(self, sse2::few::rows_to_planes(rows, dst, groups));
        } else if typesize <= 16 {
            self.few_out_of_tile::<{ 2048 / 64 }>(typesize, groups, rows, dst);
        } else {
            self.few_out_of_tile::<{ bits::TILE / 64 }>(typesize, groups, rows, dst);
        }
        true
    }
);

impl Sse2 {
    /// Bitshuffle of fewer than 16 groups, as planes in a tile of `LINES` lines first.
    #[inline(never)]
    fn few_through_tile<const LINES: usize>(
        self,
        typesize: usize,
        groups: usize,
        src: &[u8],
        dst: &mut [u8],
    ) {
        let mut tile = Scratch::<LINES>::new();
        let tile = &mut tile.bytes()[..src.len()];
        self.shuffle(typesize, src, tile);
        let tile = &*tile;
        with_proof!(self, sse2::few::planes_to_rows(tile, dst, groups));
    }

    /// The inverse of [`Self::few_through_tile`].
    #[inline(never)]
    fn few_out_of_tile<'a, const LINES: usize>(
        self,
        typesize: usize,
        groups: usize,
        rows: impl Fn(usize) -> Plane<'a>,
        dst: &mut [u8],
    ) {
        let mut tile = Scratch::<LINES>::new();
        let tile = &mut tile.bytes()[..dst.len()];
        let planes = &mut *tile;
        with_proof!(self, sse2::few::rows_to_planes(rows, planes, groups));
        self.unshuffle(typesize, tile, dst);
    }
}

crate::filters::vector::delta::impl_xor!(Sse2, sse2);
crate::filters::vector::delta::impl_xor!(Avx2, avx2, differences, sums);
crate::filters::vector::delta::impl_xor!(Avx512, avx512, differences, sums);

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::filters::scalar::Scalar;

    /// The choice for processors that are not at hand changes no byte.
    #[test]
    fn one_port_or_two_unshuffle_alike() {
        let Some(found) = Avx512::detect() else {
            return;
        };
        for level in [found, Avx512(Ports::One), Avx512(Ports::Two)] {
            for typesize in [2, 4, 8, 16] {
                for n in [64_usize, 100, 128, 512, 4096, 20_000] {
                    let bytes = (0_usize..n * typesize).map(|i| (i * 7 + i / 251).to_le_bytes()[0]);
                    let src: Vec<u8> = bytes.collect();
                    let (mut want, mut got) = (vec![0; src.len()], vec![0; src.len()]);
                    Scalar.unshuffle(typesize, &src, &mut want);
                    level.unshuffle(typesize, &src, &mut got);
                    assert!(got == want, "{level:?}, {n} items of {typesize}");
                }
            }
        }
    }
}
