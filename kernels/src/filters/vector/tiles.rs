//! Large blocks of large items: transposed in the L1 cache, moved in whole lines.
//!
//! The planes of a large block are far apart, often by a multiple of 4 KiB, so that the same offset
//! of all of them maps to the same few sets of the cache. From 16 planes on they evict each other,
//! and each visit moves a single line. So a tile of items is transposed into (or out of) a scratch
//! buffer, and the pieces of planes in it, 512 bytes each where that fits, are copied.

use crate::filters::vector::scratch::Scratch;

/// Bytes of the buffer.
const TILE: usize = 32_768;

/// Items per tile; planes are copied in pieces of as many bytes.
const fn items(typesize: usize) -> usize {
    let fitting = TILE / typesize / 64 * 64;
    if fitting < 512 { fitting } else { 512 }
}

/// Whether `len` bytes of items of `typesize` bytes gain more than the copies cost.
pub(crate) const fn pays(typesize: usize, len: usize) -> bool {
    typesize >= 16 && typesize <= TILE / 64 && len > 65_536 && (len / typesize).is_multiple_of(512)
}

/// [`pays`] for unshuffle: up to 64 planes, direct reads are faster than copies, 1.1 times for 32
/// bytes and 1.3 times for 64.
pub(crate) const fn unshuffle_pays(typesize: usize, len: usize) -> bool {
    typesize > 64 && pays(typesize, len)
}

/// Shuffles whole items tile by tile; `shuffle` does one tile.
///
/// Not inlined: small blocks would touch every page of the stack that the tile takes.
#[inline(never)]
pub(crate) fn shuffle(
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
    mut shuffle: impl FnMut(&[u8], &mut [u8]),
) {
    let n = src.len() / typesize;
    let count = items(typesize);
    let mut tile = Scratch::<{ TILE / 64 }>::new();
    let tile = &mut tile.bytes()[..count * typesize];
    let mut next = 0;
    while next < n {
        let first = next.min(n - count);
        shuffle(&src[first * typesize..][..count * typesize], tile);
        for (row, plane) in tile.chunks_exact(count).zip(dst.chunks_exact_mut(n)) {
            plane[first..first + count].copy_from_slice(row);
        }
        next += count;
    }
}

/// Unshuffles whole items tile by tile; `unshuffle` does one tile.
#[inline(never)]
pub(crate) fn unshuffle(
    typesize: usize,
    src: &[u8],
    dst: &mut [u8],
    mut unshuffle: impl FnMut(&[u8], &mut [u8]),
) {
    let n = src.len() / typesize;
    let count = items(typesize);
    let mut tile = Scratch::<{ TILE / 64 }>::new();
    let tile = &mut tile.bytes()[..count * typesize];
    let mut next = 0;
    while next < n {
        let first = next.min(n - count);
        for (row, plane) in tile.chunks_exact_mut(count).zip(src.chunks_exact(n)) {
            row.copy_from_slice(&plane[first..first + count]);
        }
        unshuffle(tile, &mut dst[first * typesize..][..count * typesize]);
        next += count;
    }
}
