//! Byte shuffle: the transposition of `n` items of `typesize` bytes (format §5.2).
//!
//! ```text
//! items   a0 a1 a2 | b0 b1 b2 | c0 c1 c2 | tail
//! planes  a0 b0 c0 | a1 b1 c1 | a2 b2 c2 | tail
//! ```

use crate::filters::plane::Plane;

/// Items from `first` on into their planes, and the tail.
pub(crate) fn shuffle_from(typesize: usize, first: usize, src: &[u8], dst: &mut [u8]) {
    let n = src.len() / typesize;
    let (items, tail) = src.split_at(n * typesize);
    let (planes, dst_tail) = dst.split_at_mut(n * typesize);
    dst_tail.copy_from_slice(tail);
    if first >= n {
        return;
    }
    for (j, plane) in planes.chunks_exact_mut(n).enumerate() {
        let bytes = items[first * typesize..].chunks_exact(typesize);
        for (to, item) in plane[first..].iter_mut().zip(bytes) {
            *to = item[j];
        }
    }
}

/// Items from `first` on out of their planes, and the tail.
pub(crate) fn unshuffle_from(typesize: usize, first: usize, src: &[u8], dst: &mut [u8]) {
    let n = src.len() / typesize;
    let (planes, tail) = src.split_at(n * typesize);
    let (items, dst_tail) = dst.split_at_mut(n * typesize);
    dst_tail.copy_from_slice(tail);
    if first >= n {
        return;
    }
    for (j, plane) in planes.chunks_exact(n).enumerate() {
        let to = items[first * typesize..].chunks_exact_mut(typesize);
        for (item, from) in to.zip(&plane[first..]) {
            item[j] = *from;
        }
    }
}

/// Items from `first` on out of separate planes, and the tail.
pub(crate) fn unshuffle_planes_from(
    planes: &[Plane<'_>],
    first: usize,
    tail: &[u8],
    dst: &mut [u8],
) {
    let typesize = planes.len();
    let (items, dst_tail) = dst.split_at_mut(dst.len() - tail.len());
    dst_tail.copy_from_slice(tail);
    let items = &mut items[first * typesize..];
    for (j, plane) in planes.iter().enumerate() {
        let to = items.chunks_exact_mut(typesize);
        match plane {
            Plane::Bytes(bytes) => {
                for (item, from) in to.zip(&bytes[first..]) {
                    item[j] = *from;
                }
            }
            Plane::Constant(byte) => {
                for item in to {
                    item[j] = *byte;
                }
            }
        }
    }
}
