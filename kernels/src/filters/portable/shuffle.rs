//! Byte shuffle, eight items at a time.
//!
//! The last eight items overlap the ones before. Items of 3, 5, 6 and 7 bytes are read and written
//! as 8 bytes; where that would leave the block, through a padded copy.

use super::items::{PIECE, gather, pieces, reach, scatter, with_typesize};
use super::words::{load, store};
use crate::filters::plane::Plane;
use crate::filters::scalar::shuffle as scalar;

/// Items that are moved at a time.
const ITEMS: usize = 8;

/// The first items of the groups of [`ITEMS`] that cover `n` items.
fn groups(n: usize) -> impl Iterator<Item = usize> {
    (0..n).step_by(ITEMS).map(move |first| first.min(n - ITEMS))
}

/// Shuffles items and the tail.
pub(super) fn shuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    let n = src.len() / typesize;
    // Of 3 bytes out of 8 too little is kept.
    if matches!(typesize, 1 | 3) || n < ITEMS {
        return scalar::shuffle_from(typesize, 0, src, dst);
    }
    let (src, tail) = src.split_at(n * typesize);
    let (dst, dst_tail) = dst.split_at_mut(n * typesize);
    dst_tail.copy_from_slice(tail);
    with_typesize!(typesize, T => shuffle_items::<T>(typesize, src, dst));
}

fn shuffle_items<const T: usize>(typesize: usize, src: &[u8], dst: &mut [u8]) {
    let typesize = if T > 0 { T } else { typesize };
    let n = src.len() / typesize;
    for at in pieces(typesize) {
        let planes = &mut dst[at * n..][..PIECE.min(typesize) * n];
        let mut write = |words: [u64; PIECE], first: usize| {
            for (j, word) in words.into_iter().enumerate().take(PIECE.min(typesize)) {
                store(word, planes, j * n + first);
            }
        };
        // The groups that can be read where they are.
        let direct = match src.len().checked_sub(reach(typesize, at)) {
            Some(spare) => spare / (ITEMS * typesize) + 1,
            None => 0,
        };
        for group in 0..direct {
            let items = &src[ITEMS * group * typesize..];
            write(gather::<T>(typesize, items, at), ITEMS * group);
        }
        for first in groups(n).skip(direct) {
            let items = &src[first * typesize..][..ITEMS * typesize];
            if typesize < PIECE {
                let mut padded = [0; ITEMS * PIECE];
                padded[..ITEMS * typesize].copy_from_slice(items);
                write(gather::<T>(typesize, &padded, at), first);
            } else {
                write(gather::<T>(typesize, items, at), first);
            }
        }
    }
}

/// Unshuffles items and the tail.
pub(super) fn unshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    let n = src.len() / typesize;
    if typesize == 1 || n < ITEMS {
        return scalar::unshuffle_from(typesize, 0, src, dst);
    }
    let (src, tail) = src.split_at(n * typesize);
    let (dst, dst_tail) = dst.split_at_mut(n * typesize);
    dst_tail.copy_from_slice(tail);
    let read = |j: usize, first: usize| load(&src[j * n..][..n], first);
    with_typesize!(typesize, T => unshuffle_items::<T>(typesize, read, dst));
}

/// Unshuffles items out of separate planes, and the tail.
pub(super) fn unshuffle_planes(planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
    let typesize = planes.len();
    let n = dst.len() / typesize;
    if n < ITEMS {
        return scalar::unshuffle_planes_from(planes, 0, tail, dst);
    }
    let (dst, dst_tail) = dst.split_at_mut(n * typesize);
    dst_tail.copy_from_slice(tail);
    let read = |j: usize, first: usize| match planes[j] {
        Plane::Bytes(bytes) => load(bytes, first),
        Plane::Constant(byte) => u64::from_ne_bytes([byte; 8]),
    };
    with_typesize!(typesize, T => unshuffle_items::<T>(typesize, read, dst));
}

/// `read(j, first)` is plane `j` of eight items.
#[inline(always)]
fn unshuffle_items<const T: usize>(
    typesize: usize,
    read: impl Fn(usize, usize) -> u64,
    dst: &mut [u8],
) {
    let typesize = if T > 0 { T } else { typesize };
    let n = dst.len() / typesize;
    for at in pieces(typesize) {
        for first in groups(n) {
            let mut words = [0; PIECE];
            for (j, word) in words[..PIECE.min(typesize)].iter_mut().enumerate() {
                *word = read(at + j, first);
            }
            let items = &mut dst[first * typesize..];
            if items.len() < reach(typesize, at) {
                let mut padded = [0; ITEMS * PIECE];
                scatter::<T>(typesize, words, &mut padded, at);
                items[..ITEMS * typesize].copy_from_slice(&padded[..ITEMS * typesize]);
            } else {
                scatter::<T>(typesize, words, items, at);
            }
        }
    }
}
