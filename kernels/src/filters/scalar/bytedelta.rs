//! Bytedelta: differences of adjacent bytes in each plane of a shuffled block (format §5.6).
//!
//! The block is `typesize` planes of `n` bytes; in each of them every byte becomes its difference
//! (mod 256) from the previous one, the first from 0. Bytes after the planes pass through.

use super::delta::running;

/// The differences of every plane.
pub(crate) fn encode(typesize: usize, src: &[u8], dst: &mut [u8]) {
    encode_inline(typesize, src, dst);
}

/// [`encode`], to be compiled into the callers' instruction sets.
#[inline(always)]
pub(crate) fn encode_inline(typesize: usize, src: &[u8], dst: &mut [u8]) {
    per_plane(typesize, src, dst, differences);
}

/// The difference of each byte from the one before, of the first from 0; there is one at least.
#[inline(always)]
pub(crate) fn differences(src: &[u8], dst: &mut [u8]) {
    dst[0] = src[0];
    for ((to, from), before) in dst[1..].iter_mut().zip(&src[1..]).zip(src) {
        *to = from.wrapping_sub(*before);
    }
}

/// The running sums of every plane: the inverse of [`encode`].
pub(crate) fn decode(typesize: usize, src: &[u8], dst: &mut [u8]) {
    per_plane(typesize, src, dst, sums);
}

/// Decodes the output of the filter's first release on machines with SIMD.
///
/// Its sum restarts at 0 after the last multiple of 16 bytes of each plane.
pub(crate) fn decode_buggy(typesize: usize, src: &[u8], dst: &mut [u8]) {
    per_plane(typesize, src, dst, |src, dst| {
        let restart = src.len() - src.len() % 16;
        let (body, rest) = src.split_at(restart);
        let (dst_body, dst_rest) = dst.split_at_mut(restart);
        sums(body, dst_body);
        sums(rest, dst_rest);
    });
}

/// The running sums of `src`, starting from 0.
pub(crate) fn sums(src: &[u8], dst: &mut [u8]) {
    let mut sum = 0_u8;
    for (to, from) in dst.iter_mut().zip(src) {
        sum = sum.wrapping_add(*from);
        *to = sum;
    }
}

/// Every item of `block`, which is made of items, becomes the sum, byte by byte, of those up to it.
pub(crate) fn item_sums(typesize: usize, block: &mut [u8]) {
    match typesize {
        2 => running::<2, true>(0, block),
        4 => running::<4, true>(0, block),
        8 => running::<8, true>(0, block),
        16 => running::<16, true>(0, block),
        _ => {
            for at in typesize..block.len() {
                block[at] = block[at].wrapping_add(block[at - typesize]);
            }
        }
    }
}

/// Runs `plane` on each of the planes and copies the bytes after them.
#[inline(always)]
pub(crate) fn per_plane(
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
    plane: impl Fn(&[u8], &mut [u8]),
) {
    let n = src.len() / typesize;
    let (planes, tail) = src.split_at(n * typesize);
    let (dst_planes, dst_tail) = dst.split_at_mut(n * typesize);
    dst_tail.copy_from_slice(tail);
    if n > 0 {
        for (src, dst) in planes.chunks_exact(n).zip(dst_planes.chunks_exact_mut(n)) {
            plane(src, dst);
        }
    }
}
