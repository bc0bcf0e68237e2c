//! [`Level`]: a proof that the instructions of a level can be used, and the kernels it has.
//!
//! A level overrides the kernels it implements and inherits the others from the next lower one, so
//! a new kernel starts in `scalar` and reaches every level at once. Arguments are already checked
//! against [`contract`](crate::filters::contract).

use crate::filters::plane::Plane;
use crate::isa::Isa;
use crate::kernel::Kernel;

/// A level of kernels; a value of the type proves that the CPU has the instructions.
pub(crate) trait Level: Copy {
    /// The next lower level, which runs the kernels that this one lacks.
    type Lower: Level;

    /// The level's name.
    const ISA: Isa;

    /// The proof of the next lower level, which this one includes.
    fn lower(self) -> Self::Lower;

    /// Whether this level has its own implementation of `kernel` for `typesize`, for blocks of any
    /// size but the shortest.
    fn has(kernel: Kernel, typesize: usize) -> bool;

    /// Whether the next lower level runs `kernel` faster for `len` bytes, although this one has it.
    ///
    /// A measured table per level, constant for each typesize and length. A token that carries a
    /// property of the CPU takes it into account here, and kernels need no change.
    #[inline(always)]
    fn lower_is_faster(self, _kernel: Kernel, _typesize: usize, _len: usize) -> bool {
        false
    }

    /// The level whose code runs when `kernel` is called on this one.
    fn isa_of(kernel: Kernel, typesize: usize) -> Isa {
        if Self::has(kernel, typesize) {
            Self::ISA
        } else {
            Self::Lower::isa_of(kernel, typesize)
        }
    }

    #[inline]
    fn shuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.lower().shuffle(typesize, src, dst);
    }

    /// [`Self::shuffle`] if the block is whole blocks of vectors, and few of them; else `false`.
    ///
    /// The calls and checks of the other way take as long as such a block.
    #[inline(always)]
    fn shuffle_small(self, _typesize: usize, _src: &[u8], _dst: &mut [u8]) -> bool {
        false
    }

    /// [`Self::shuffle`] of any block.
    #[inline]
    fn shuffle_any(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.shuffle(typesize, src, dst);
    }

    #[inline]
    fn shuffle_report(
        self,
        typesize: usize,
        src: &[u8],
        dst: &mut [u8],
        constants: &mut [Option<u8>],
    ) {
        self.lower().shuffle_report(typesize, src, dst, constants);
    }

    #[inline]
    fn unshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.lower().unshuffle(typesize, src, dst);
    }

    /// As [`Self::shuffle_small`].
    #[inline(always)]
    fn unshuffle_small(self, _typesize: usize, _src: &[u8], _dst: &mut [u8]) -> bool {
        false
    }

    /// [`Self::unshuffle`] of any block.
    #[inline]
    fn unshuffle_any(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.unshuffle(typesize, src, dst);
    }

    #[inline]
    fn unshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        self.lower().unshuffle_planes(planes, tail, dst);
    }

    /// As [`Self::shuffle_small`]; there is no tail then. False, too, when a plane is constant or
    /// has another length than the planes of `dst`.
    #[inline(always)]
    fn unshuffle_planes_small(self, _planes: &[Plane<'_>], _dst: &mut [u8]) -> bool {
        false
    }

    /// [`Self::unshuffle_planes`] of any block.
    #[inline]
    fn unshuffle_planes_any(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        self.unshuffle_planes(planes, tail, dst);
    }

    #[inline]
    fn bitshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.lower().bitshuffle(typesize, src, dst);
    }

    #[inline]
    fn bitunshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.lower().bitunshuffle(typesize, src, dst);
    }

    #[inline]
    fn bitunshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        self.lower().bitunshuffle_planes(planes, tail, dst);
    }

    #[inline]
    fn delta_encode(self, typesize: usize, reference: Option<&[u8]>, src: &[u8], dst: &mut [u8]) {
        self.lower().delta_encode(typesize, reference, src, dst);
    }

    #[inline]
    fn delta_decode(self, typesize: usize, reference: Option<&[u8]>, block: &mut [u8]) {
        self.lower().delta_decode(typesize, reference, block);
    }

    /// Clears the `zeroed` low bits of every element; serves `trunc_prec` and `int_trunc`.
    #[inline]
    fn truncate(self, typesize: usize, zeroed: u32, src: &[u8], dst: &mut [u8]) {
        self.lower().truncate(typesize, zeroed, src, dst);
    }

    #[inline]
    fn bytedelta_encode(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.lower().bytedelta_encode(typesize, src, dst);
    }

    #[inline]
    fn bytedelta_decode(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.lower().bytedelta_decode(typesize, src, dst);
    }

    #[inline]
    fn bytedelta_decode_buggy(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.lower().bytedelta_decode_buggy(typesize, src, dst);
    }

    /// Bytedelta of the shuffled block, in one pass; typesizes from 2 on.
    #[inline]
    fn shuffle_bytedelta(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        self.lower().shuffle_bytedelta(typesize, src, dst);
    }

    /// The inverse of [`Self::shuffle_bytedelta`], from separate planes.
    #[inline]
    fn unshuffle_bytedelta_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        self.lower().unshuffle_bytedelta_planes(planes, tail, dst);
    }

    #[inline]
    fn repeated_byte(self, src: &[u8]) -> Option<u8> {
        self.lower().repeated_byte(src)
    }

    #[inline]
    fn is_repeat_of(self, item: &[u8], src: &[u8]) -> bool {
        self.lower().is_repeat_of(item, src)
    }

    #[inline]
    fn adler32(self, src: &[u8]) -> u32 {
        self.lower().adler32(src)
    }
}
