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
//! bytes; the last piece overlaps the one before. [`plan`] has the cuts.

use super::bits::across;
use crate::filters::contract::items;

mod indices;
mod plan;
mod shuffle;
mod unshuffle;

pub(crate) use shuffle::bitshuffle;
pub(crate) use unshuffle::bitunshuffle;

use plan::LARGE;

/// Whether this kernel is the fastest one of the level for `len` bytes, or the only one.
///
/// The rows of large items in large blocks evict each other from the cache: then tiles of the
/// byte shuffle, with eight rows at a time, are faster.
pub(crate) const fn pays(typesize: usize, len: usize) -> bool {
    let groups = items(len, typesize) / 8;
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

/// [`pays`] for the inverse: other sizes than powers of two are slower to unshuffle as bytes.
pub(crate) const fn inverse_pays(typesize: usize, len: usize) -> bool {
    match typesize {
        _ if across(typesize) => pays(typesize, len),
        9..=15 | 24 | 32 => len / typesize / 8 >= 32,
        8.. => pays(typesize, len) && len <= LARGE,
        _ => pays(typesize, len),
    }
}
