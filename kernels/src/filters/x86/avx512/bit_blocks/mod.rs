//! Bitshuffle and its inverse as one transposition of 64 by 64 bytes.
//!
//! A unit is one vector: eight bytes of each of eight items (or two bytes of 32, four of 16).
//! Gathered so that the same byte of eight items fills a lane, `gf2p8affineqb` (see
//! [`bits`](super::bits)) turns it into one column of 64 bit rows. 64 units are 64 such columns:
//!
//! ```text
//! unit --vpermb--> lane j = byte j of 8 items --affine--> byte 8 * j + k = row k of byte j
//! 8 units --3 rotations of bytes--> tile: lanes of 8 columns, one row each
//! 8 of the tile --8x8 lanes--> rows of 64 columns
//! ```
//!
//! No byte is moved for the order of items alone: it is folded into the first permutation, and in
//! the inverse into the order in which rows are loaded. Larger items are cut into pieces of 8
//! bytes, the last one overlapping the one before.

use super::bits::across;

mod back;
mod forward;
mod indices;

pub(crate) use back::bitunshuffle;
pub(crate) use forward::bitshuffle;

/// Blocks of more bytes take several steps at once, for longer runs of each row.
const LARGE: usize = 64 << 10;

/// Whether the blocks are the faster way for `len` bytes, or the only one on this level.
///
/// The rows of large items in large blocks push each other out of the cache: then tiles of the
/// byte shuffle, with eight rows at a time, are better.
pub(crate) const fn pays(typesize: usize, len: usize) -> bool {
    let groups = len / typesize / 8;
    match typesize {
        0 | 1 => false,
        2 => groups >= 256,
        3 | 4 => groups >= 128,
        8 => groups >= 32,
        9 | 11 if groups >= 64 => false,
        _ if across(typesize) => groups >= 32 && groups < 64,
        _ => groups >= 32 && len <= LARGE,
    }
}

/// [`pays`] for the inverse: items that are no power of two are slower to unshuffle as bytes.
pub(crate) const fn inverse_pays(typesize: usize, len: usize) -> bool {
    match typesize {
        _ if across(typesize) => pays(typesize, len),
        9..=15 | 24 | 32 => len / typesize / 8 >= 32,
        8.. => pays(typesize, len) && len <= LARGE,
        _ => pays(typesize, len),
    }
}

/// Where a block starts, and whether it has 32 columns.
struct Columns {
    first: usize,
    half: bool,
}

/// Blocks of `width` that cover `groups`, the last one moved back, and cut in `halves` where that
/// is enough.
fn blocks(groups: usize, width: usize, halves: bool) -> impl Iterator<Item = Columns> {
    (0..groups.div_ceil(width)).map(move |i| {
        let half = halves && groups - i * width <= 32;
        let width_here = if half { 32 } else { width };
        Columns {
            first: (i * width).min(groups - width_here),
            half,
        }
    })
}

/// How many bytes of the piece at `at` the piece before has too.
const fn again<const T: usize, const LAST: bool>(at: usize) -> usize {
    let at = if T > 0 && LAST { T - 8 } else { at };
    at.wrapping_neg() % 8
}

/// Whether blocks of 128 units serve small blocks of items of `T` bytes: rows of a power of two of
/// bytes share sets of the cache, and are better visited for two lines at a time.
const fn doubles(t: usize, m: usize, groups: usize) -> bool {
    matches!(t, 2 | 4 | 8 | 16) && groups.is_multiple_of(128 * m)
}

/// Where the pieces of an item start.
fn pieces(typesize: usize) -> impl Iterator<Item = usize> {
    (0..typesize.div_ceil(8)).map(move |i| (8 * i).min(typesize.saturating_sub(8)))
}
