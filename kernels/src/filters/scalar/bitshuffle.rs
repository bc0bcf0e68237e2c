//! Bitshuffle: the transposition of `n` items of `8 * typesize` bits (format §5.3).
//!
//! Only whole groups of eight items are transposed, `n8 = n - n % 8` items; the rest is copied. Row
//! `8 * j + k` of the output holds bit `k` of byte `j` of every item, `n8 / 8` bytes, the first
//! item in the lowest bit. Eight items and one `j` are a square of 8 by 8 bits:
//!
//! ```text
//! byte j of items 8g .. 8g+8   --8x8 bit transpose-->   column g of rows 8j .. 8j+8
//! ```

use crate::filters::plane::Plane;

/// Transposes a square of 8 by 8 bits: bit `c` of byte `r` becomes bit `r` of byte `c`.
#[inline]
pub(crate) const fn transpose8(square: u64) -> u64 {
    // Three rounds swap bits, pairs and nibbles across the diagonal.
    let mut x = square;
    let mut t = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
    x ^ t ^ (t << 28)
}

/// Groups of eight items from `first_group` on into their bit rows, and the bytes after the groups.
pub(crate) fn bitshuffle_from(typesize: usize, first_group: usize, src: &[u8], dst: &mut [u8]) {
    let groups = src.len() / typesize / 8;
    let covered = groups * 8 * typesize;
    dst[covered..].copy_from_slice(&src[covered..]);
    for g in first_group..groups {
        let items = &src[g * 8 * typesize..(g + 1) * 8 * typesize];
        for j in 0..typesize {
            let mut square = [0; 8];
            for (byte, item) in square.iter_mut().zip(items.chunks_exact(typesize)) {
                *byte = item[j];
            }
            let rows = transpose8(u64::from_le_bytes(square)).to_le_bytes();
            for (k, row) in rows.into_iter().enumerate() {
                dst[(8 * j + k) * groups + g] = row;
            }
        }
    }
}

/// Groups of eight items from `first_group` on out of their bit rows, and the bytes after them.
pub(crate) fn bitunshuffle_from(typesize: usize, first_group: usize, src: &[u8], dst: &mut [u8]) {
    let groups = src.len() / typesize / 8;
    let covered = groups * 8 * typesize;
    dst[covered..].copy_from_slice(&src[covered..]);
    collect(typesize, first_group, groups, dst, |offset| src[offset]);
}

/// As [`bitunshuffle_from`], the source being consecutive planes and the tail.
///
/// A plane is a `typesize`-th of the block. With a multiple of eight items that is the eight bit
/// rows of one byte; otherwise the planes cut the rows anywhere.
pub(crate) fn bitunshuffle_planes_from(
    planes: &[Plane<'_>],
    first_group: usize,
    tail: &[u8],
    dst: &mut [u8],
) {
    let typesize = planes.len();
    let n = dst.len() / typesize;
    let groups = n / 8;
    let covered = groups * 8 * typesize;
    let items = n * typesize;
    dst[items..].copy_from_slice(tail);
    for (offset, to) in dst[..items].iter_mut().enumerate().skip(covered) {
        *to = planes[offset / n].at(offset % n);
    }
    collect(typesize, first_group, groups, dst, |offset| {
        planes[offset / n].at(offset % n)
    });
}

/// Writes the items of the groups from `first_group` on, reading row bytes through `at`.
#[inline(always)]
fn collect(
    typesize: usize,
    first_group: usize,
    groups: usize,
    dst: &mut [u8],
    at: impl Fn(usize) -> u8,
) {
    for g in first_group..groups {
        let items = &mut dst[g * 8 * typesize..(g + 1) * 8 * typesize];
        for j in 0..typesize {
            let mut rows = [0; 8];
            for (k, row) in rows.iter_mut().enumerate() {
                *row = at((8 * j + k) * groups + g);
            }
            let square = transpose8(u64::from_le_bytes(rows)).to_le_bytes();
            for (item, byte) in items.chunks_exact_mut(typesize).zip(square) {
                item[j] = byte;
            }
        }
    }
}
