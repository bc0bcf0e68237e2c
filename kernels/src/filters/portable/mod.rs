//! The portable kernels: plain safe Rust on words of 64 bits.
//!
//! The fastest level of targets without kernels of their own, and on the others the one that serves
//! blocks too short for a vector. [`scalar`](super::scalar) stays the definition, against which it
//! is tested.
//!
//! ```text
//! words    transpositions inside eight words
//! items    eight items to and from one word per byte
//! shuffle, bits, delta, bytedelta
//! ```
#![forbid(unsafe_code)]

mod bits;
mod bytedelta;
mod delta;
mod items;
mod shuffle;
mod words;

use crate::filters::fused;
use crate::filters::level::Level;
use crate::filters::plane::Plane;
use crate::filters::scalar::{Scalar, repeat};
use crate::isa::Isa;
use crate::kernel::Kernel;

/// The level of words; every machine has it, and it needs no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Portable;

impl Level for Portable {
    type Lower = Scalar;

    const ISA: Isa = Isa::Portable;

    fn lower(self) -> Scalar {
        Scalar
    }

    fn has(kernel: Kernel, typesize: usize) -> bool {
        match kernel {
            Kernel::Shuffle | Kernel::ShuffleReport => typesize > 1 && typesize != 3,
            Kernel::Unshuffle
            | Kernel::UnshufflePlanes
            | Kernel::ShuffleBytedelta
            | Kernel::UnshuffleBytedelta => typesize > 1,
            Kernel::Bitshuffle
            | Kernel::Bitunshuffle
            | Kernel::BitunshufflePlanes
            | Kernel::DeltaEncode
            | Kernel::DeltaDecode
            | Kernel::BytedeltaEncode => true,
            Kernel::BytedeltaDecode
            | Kernel::Truncate
            | Kernel::RepeatedByte
            | Kernel::IsRepeatOf
            | Kernel::Adler32 => false,
        }
    }

    fn shuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        shuffle::shuffle(typesize, src, dst);
    }

    fn shuffle_report(
        self,
        typesize: usize,
        src: &[u8],
        dst: &mut [u8],
        constants: &mut [Option<u8>],
    ) {
        shuffle::shuffle(typesize, src, dst);
        repeat::constant_planes(typesize, dst, constants);
    }

    fn unshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        shuffle::unshuffle(typesize, src, dst);
    }

    fn unshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        shuffle::unshuffle_planes(planes, tail, dst);
    }

    fn bitshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bits::bitshuffle(typesize, src, dst);
    }

    fn bitunshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bits::bitunshuffle(typesize, src, dst);
    }

    fn bitunshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        bits::bitunshuffle_planes(planes, tail, dst);
    }

    fn delta_encode(self, typesize: usize, reference: Option<&[u8]>, src: &[u8], dst: &mut [u8]) {
        delta::encode(typesize, reference, src, dst);
    }

    fn delta_decode(self, typesize: usize, reference: Option<&[u8]>, block: &mut [u8]) {
        delta::decode(typesize, reference, block);
    }

    fn bytedelta_encode(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bytedelta::encode(typesize, src, dst);
    }

    fn shuffle_bytedelta(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        fused::shuffle_bytedelta(self, typesize, src, dst, bytedelta::plane);
    }

    fn unshuffle_bytedelta_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        fused::unshuffle_bytedelta(self, planes, tail, dst, |items| {
            bytedelta::item_sums(planes.len(), items);
        });
    }
}
