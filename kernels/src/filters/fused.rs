//! Shuffle and bytedelta as one filter, for all levels.
//!
//! The difference of neighbouring bytes of a plane is that of neighbouring items in the block:
//!
//! ```text
//! items      a0 a1 | b0 b1 | c0 c1             planes      a0 b0 c0 | a1 b1 c1
//!   minus    0  0  | a0 a1 | b0 b1               minus     0  a0 b0 | 0  a1 b1
//! ```
//!
//! So items are subtracted from each other before they are shuffled, while they are loaded, and
//! summed up after they are unshuffled. A running sum of the bytes of a plane takes `log2`
//! additions of the bytes in a vector, one of items of 4 bytes two less. Unshuffle and sum
//! alternate in strips, which stay in the first-level cache.
#![forbid(unsafe_code)]

use crate::filters::contract::items;
use crate::filters::level::Level;
use crate::filters::plane::Plane;

/// Bytes of a strip: as many of the planes, and as many of the items.
const STRIP: usize = 8192;

/// Bytes of a piece of a plane.
const PIECE: usize = 1024;

/// The last strip is up to this many items longer, so that none is short.
const SHORTEST: usize = 128;

/// Typesizes for which [`Kernels::unshuffle_bytedelta`](crate::Kernels::unshuffle_bytedelta), and
/// up to 8 bytes at levels with vectors
/// [`Kernels::shuffle_bytedelta`](crate::Kernels::shuffle_bytedelta), are faster than their two
/// filters one after the other.
///
/// ```
/// assert!(oxiblosc_kernels::fuses_bytedelta(4));
/// assert!(!oxiblosc_kernels::fuses_bytedelta(3));
/// ```
#[must_use]
#[inline]
pub const fn fuses_bytedelta(typesize: usize) -> bool {
    matches!(typesize, 2 | 4 | 8 | 16)
}

/// Shuffles, then takes the differences in every plane, piece by piece.
///
/// `differences` writes those of a source to a destination, the first one from 0.
pub(crate) fn shuffle_bytedelta<L: Level>(
    level: L,
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
    differences: impl Fn(&[u8], &mut [u8]),
) {
    level.shuffle(typesize, src, dst);
    let n = items(src.len(), typesize);
    if n > 0 {
        for plane in dst[..n * typesize].chunks_exact_mut(n) {
            let (mut copy, mut before) = ([0; PIECE], 0);
            for piece in plane.chunks_mut(PIECE) {
                let copy = &mut copy[..piece.len()];
                copy.copy_from_slice(piece);
                differences(copy, piece);
                piece[0] = piece[0].wrapping_sub(before);
                before = copy[copy.len() - 1];
            }
        }
    }
}

/// Unshuffles in strips, and lets `sums` make each item of a strip the sum of those up to it.
pub(crate) fn unshuffle_bytedelta<L: Level>(
    level: L,
    planes: &[Plane<'_>],
    tail: &[u8],
    dst: &mut [u8],
    sums: impl Fn(&mut [u8]),
) {
    let typesize = planes.len();
    let n = items(dst.len(), typesize);
    let (dst, dst_tail) = dst.split_at_mut(n * typesize);
    dst_tail.copy_from_slice(tail);
    let mut parts = [Plane::Constant(0); 16];
    let Some(parts) = parts.get_mut(..typesize) else {
        level.unshuffle_planes(planes, &[], dst);
        return sums(dst);
    };
    let mut first = 0;
    while first < n {
        let mut count = (STRIP / typesize).min(n - first);
        if n - first - count < SHORTEST {
            count = n - first;
        }
        let (done, strip) = dst.split_at_mut(first * typesize);
        let strip = &mut strip[..count * typesize];
        for (part, plane) in parts.iter_mut().zip(planes) {
            *part = match plane {
                Plane::Bytes(bytes) => Plane::Bytes(&bytes[first..first + count]),
                Plane::Constant(byte) => Plane::Constant(*byte),
            };
        }
        level.unshuffle_planes(parts, &[], strip);
        if first > 0 {
            let last = &done[done.len() - typesize..];
            for (byte, last) in strip.iter_mut().zip(last) {
                *byte = byte.wrapping_add(*last);
            }
        }
        sums(strip);
        first += count;
    }
}
