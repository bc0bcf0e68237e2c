//! Delta and bytedelta for the vector levels, from the primitives of each level.

use crate::filters::contract::{delta_covered, delta_width};
use crate::filters::level::Level;
use crate::filters::scalar::bytedelta::per_plane;

/// A level's XOR of blocks and running XOR.
pub(crate) trait Xor: Level {
    /// `dst = a ^ b`; `b` may be longer.
    fn xor(self, a: &[u8], b: &[u8], dst: &mut [u8]);

    /// `block ^= reference`; the reference may be longer.
    fn xor_in_place(self, block: &mut [u8], reference: &[u8]);

    /// The XOR of each element of `width` bytes (1, 2, 4 or 8) with the one before.
    #[inline]
    fn differences(self, width: usize, src: &[u8], dst: &mut [u8]) {
        let width = width.min(src.len());
        dst[..width].copy_from_slice(&src[..width]);
        self.xor(&src[width..], src, &mut dst[width..]);
    }

    /// The running XOR of elements of `width` bytes (1, 2, 4 or 8), which `block` is made of.
    fn running_xor(self, width: usize, block: &mut [u8]);

    /// The running sums of the bytes of `src`.
    #[inline]
    fn sums(self, src: &[u8], dst: &mut [u8]) {
        dst.copy_from_slice(src);
        self.item_sums(1, dst);
    }

    /// Every item of `block`, which is made of items, becomes the sum of those up to it.
    fn item_sums(self, typesize: usize, block: &mut [u8]);
}

/// The differences of `src` (format §5.4).
#[inline]
pub(crate) fn encode<L: Xor>(
    level: L,
    typesize: usize,
    reference: Option<&[u8]>,
    src: &[u8],
    dst: &mut [u8],
) {
    let covered = delta_covered(typesize, src.len());
    let (src, tail) = src.split_at(covered);
    let (dst, dst_tail) = dst.split_at_mut(covered);
    dst_tail.copy_from_slice(tail);
    if let Some(reference) = reference {
        level.xor(src, reference, dst);
    } else {
        level.differences(delta_width(typesize), src, dst);
    }
}

/// The inverse of [`encode`], in place.
#[inline]
pub(crate) fn decode<L: Xor>(
    level: L,
    typesize: usize,
    reference: Option<&[u8]>,
    block: &mut [u8],
) {
    let covered = delta_covered(typesize, block.len());
    let block = &mut block[..covered];
    match reference {
        Some(reference) => level.xor_in_place(block, reference),
        None => level.running_xor(delta_width(typesize), block),
    }
}

/// Decodes bytedelta (format §5.6).
#[inline]
pub(crate) fn bytedelta_decode<L: Xor>(level: L, typesize: usize, src: &[u8], dst: &mut [u8]) {
    per_plane(typesize, src, dst, |src, dst| level.sums(src, dst));
}

/// Decodes bytedelta with the restart after the last multiple of 16 bytes of each plane.
#[inline]
pub(crate) fn bytedelta_decode_buggy<L: Xor>(
    level: L,
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
) {
    per_plane(typesize, src, dst, |src, dst| {
        let restart = src.len() - src.len() % 16;
        level.sums(&src[..restart], &mut dst[..restart]);
        level.sums(&src[restart..], &mut dst[restart..]);
    });
}

/// The delta primitives of a level, from the functions of its folder, with `differences` and `sums`
/// if it has its own.
macro_rules! impl_xor {
    ($level:ident, $folder:ident $(, $differences:ident, $sums:ident)?) => {
        impl $crate::filters::vector::delta::Xor for $level {
            fn xor(self, a: &[u8], b: &[u8], dst: &mut [u8]) {
                with_proof!(self, $folder::delta::xor(a, b, dst))
            }

            fn xor_in_place(self, block: &mut [u8], reference: &[u8]) {
                with_proof!(self, $folder::delta::xor_in_place(block, reference))
            }

            $(fn $sums(self, src: &[u8], dst: &mut [u8]) {
                with_proof!(self, $folder::delta::$sums(src, dst))
            }

            fn $differences(self, width: usize, src: &[u8], dst: &mut [u8]) {
                match width {
                    1 => with_proof!(self, $folder::delta::$differences::<1>(src, dst)),
                    2 => with_proof!(self, $folder::delta::$differences::<2>(src, dst)),
                    4 => with_proof!(self, $folder::delta::$differences::<4>(src, dst)),
                    _ => with_proof!(self, $folder::delta::$differences::<8>(src, dst)),
                }
            })?

            fn running_xor(self, width: usize, block: &mut [u8]) {
                match width {
                    1 => with_proof!(self, $folder::delta::running::<1, false>(block)),
                    2 => with_proof!(self, $folder::delta::running::<2, false>(block)),
                    4 => with_proof!(self, $folder::delta::running::<4, false>(block)),
                    _ => with_proof!(self, $folder::delta::running::<8, false>(block)),
                }
            }

            fn item_sums(self, typesize: usize, block: &mut [u8]) {
                match typesize {
                    1 => with_proof!(self, $folder::delta::running::<1, true>(block)),
                    2 => with_proof!(self, $folder::delta::running::<2, true>(block)),
                    4 => with_proof!(self, $folder::delta::running::<4, true>(block)),
                    8 => with_proof!(self, $folder::delta::running::<8, true>(block)),
                    16 => with_proof!(self, $folder::delta::sixteen(block)),
                    _ => $crate::filters::scalar::bytedelta::item_sums(typesize, block),
                }
            }
        }
    };
}
pub(crate) use impl_xor;

/// The delta methods of a level, from its [`Xor`].
macro_rules! deltas {
    () => {
        fn delta_encode(
            self,
            typesize: usize,
            reference: Option<&[u8]>,
            src: &[u8],
            dst: &mut [u8],
        ) {
            $crate::filters::vector::delta::encode(self, typesize, reference, src, dst);
        }

        fn delta_decode(self, typesize: usize, reference: Option<&[u8]>, block: &mut [u8]) {
            $crate::filters::vector::delta::decode(self, typesize, reference, block);
        }

        fn bytedelta_decode(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
            $crate::filters::vector::delta::bytedelta_decode(self, typesize, src, dst);
        }

        fn bytedelta_decode_buggy(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
            $crate::filters::vector::delta::bytedelta_decode_buggy(self, typesize, src, dst);
        }
    };
}
pub(crate) use deltas;
