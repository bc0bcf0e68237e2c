//! The reference kernels: plain safe Rust.
//!
//! They define the results of every other level, run where there is no other level, and finish the
//! remainders of all others. The `*_from` functions do the latter: everything from a given item on.
#![forbid(unsafe_code)]

pub(crate) mod adler32;
pub(crate) mod bitshuffle;
pub(crate) mod bytedelta;
pub(crate) mod delta;
pub(crate) mod repeat;
pub(crate) mod shuffle;
pub(crate) mod truncate;

use crate::filters::fused;
use crate::filters::level::Level;
use crate::filters::plane::Plane;
use crate::isa::Isa;
use crate::kernel::Kernel;

/// The level that every machine has; it needs no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar;

impl Level for Scalar {
    type Lower = Self;

    const ISA: Isa = Isa::Scalar;

    fn lower(self) -> Self {
        self
    }

    fn has(_: Kernel, _: usize) -> bool {
        true
    }

    fn shuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        shuffle::shuffle_from(typesize, 0, src, dst);
    }

    fn shuffle_report(
        self,
        typesize: usize,
        src: &[u8],
        dst: &mut [u8],
        constants: &mut [Option<u8>],
    ) {
        shuffle::shuffle_from(typesize, 0, src, dst);
        repeat::constant_planes(typesize, dst, constants);
    }

    fn unshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        shuffle::unshuffle_from(typesize, 0, src, dst);
    }

    fn unshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        shuffle::unshuffle_planes_from(planes, 0, tail, dst);
    }

    fn bitshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bitshuffle::bitshuffle_from(typesize, 0, src, dst);
    }

    fn bitunshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bitshuffle::bitunshuffle_from(typesize, 0, src, dst);
    }

    fn bitunshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        bitshuffle::bitunshuffle_planes_from(planes, 0, tail, dst);
    }

    fn delta_encode(self, typesize: usize, reference: Option<&[u8]>, src: &[u8], dst: &mut [u8]) {
        delta::encode(typesize, reference, src, dst);
    }

    fn delta_decode(self, typesize: usize, reference: Option<&[u8]>, block: &mut [u8]) {
        delta::decode(typesize, reference, block);
    }

    fn truncate(self, typesize: usize, zeroed: u32, src: &[u8], dst: &mut [u8]) {
        truncate::truncate(typesize, zeroed, src, dst);
    }

    fn bytedelta_encode(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bytedelta::encode(typesize, src, dst);
    }

    fn bytedelta_decode(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bytedelta::decode(typesize, src, dst);
    }

    fn bytedelta_decode_buggy(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        bytedelta::decode_buggy(typesize, src, dst);
    }

    fn shuffle_bytedelta(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        fused::shuffle_bytedelta(self, typesize, src, dst, bytedelta::differences);
    }

    fn unshuffle_bytedelta_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        fused::unshuffle_bytedelta(self, planes, tail, dst, |items| {
            bytedelta::item_sums(planes.len(), items);
        });
    }

    fn repeated_byte(self, src: &[u8]) -> Option<u8> {
        repeat::repeated_byte(src)
    }

    fn is_repeat_of(self, item: &[u8], src: &[u8]) -> bool {
        repeat::is_repeat_of(item, src)
    }

    fn adler32(self, src: &[u8]) -> u32 {
        adler32::adler32(src)
    }
}
