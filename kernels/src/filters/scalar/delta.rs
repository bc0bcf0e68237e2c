//! Delta: XOR against a reference block, or of the reference block against itself (format §5.4).
//!
//! The block is seen as elements of `w` bytes ([`delta_width`]). The first block of a chunk keeps
//! its first element and stores every other one XOR its predecessor; all later blocks are stored
//! XOR the first one. Bytes after the last whole element pass through.

use crate::filters::contract::{delta_covered, delta_width};

/// The differences of `src`.
pub(crate) fn encode(typesize: usize, reference: Option<&[u8]>, src: &[u8], dst: &mut [u8]) {
    let covered = delta_covered(typesize, src.len());
    let (src, tail) = src.split_at(covered);
    let (dst, dst_tail) = dst.split_at_mut(covered);
    dst_tail.copy_from_slice(tail);
    if let Some(reference) = reference {
        xor(src, reference, dst);
    } else {
        differences_from(delta_width(typesize), 0, src, dst);
    }
}

/// The XOR of each element of `width` bytes with the previous one, from byte `done` of `src` on.
///
/// The first element of `src` is kept. `rest` is the part of the destination from `done` on.
pub(crate) fn differences_from(width: usize, done: usize, src: &[u8], rest: &mut [u8]) {
    if done > 0 {
        return xor(&src[done..], &src[done - width..], rest);
    }
    let width = width.min(src.len());
    rest[..width].copy_from_slice(&src[..width]);
    xor(&src[width..], src, &mut rest[width..]);
}

/// The inverse of [`encode`], in place.
pub(crate) fn decode(typesize: usize, reference: Option<&[u8]>, block: &mut [u8]) {
    let covered = delta_covered(typesize, block.len());
    if let Some(reference) = reference {
        xor_in_place(&mut block[..covered], reference);
    } else {
        running_from::<false>(typesize, 0, &mut block[..covered]);
    }
}

/// `dst = a ^ b`; `b` may be longer.
#[inline(always)]
pub(crate) fn xor(a: &[u8], b: &[u8], dst: &mut [u8]) {
    for ((to, a), b) in dst.iter_mut().zip(a).zip(b) {
        *to = a ^ b;
    }
}

/// `block ^= reference`; the reference may be longer.
#[inline(always)]
pub(crate) fn xor_in_place(block: &mut [u8], reference: &[u8]) {
    for (byte, reference) in block.iter_mut().zip(reference) {
        *byte ^= reference;
    }
}

/// The running XOR (or, byte by byte, the running sum) of the whole elements of `block`; those
/// before element `first` are done already.
pub(crate) fn running_from<const SUM: bool>(typesize: usize, first: usize, block: &mut [u8]) {
    match delta_width(typesize) {
        1 => running::<1, SUM>(first, block),
        2 => running::<2, SUM>(first, block),
        4 => running::<4, SUM>(first, block),
        _ => running::<8, SUM>(first, block),
    }
}

/// [`running_from`] for elements of `W` bytes.
pub(crate) fn running<const W: usize, const SUM: bool>(first: usize, block: &mut [u8]) {
    let (elements, _) = block.as_chunks_mut::<W>();
    let mut before = match first.checked_sub(1) {
        Some(last) => elements[last],
        None => [0; W],
    };
    for element in &mut elements[first..] {
        for (byte, before) in element.iter_mut().zip(before) {
            *byte = if SUM {
                byte.wrapping_add(before)
            } else {
                *byte ^ before
            };
        }
        before = *element;
    }
}
