//! Symbols of lengths and distances.

use crate::codecs::zlib::{DISTS, END_OF_BLOCK};

/// The symbol of the shortest matches.
pub(super) const FIRST_LENGTH: usize = END_OF_BLOCK + 1;

/// Entries by length - 3: the symbol - 257 in the low 8 bits, the number of extra bits in the next
/// 8, their value above.
pub(super) static LENGTHS: [u32; 256] = {
    let mut table = [0; 256];
    let mut symbol = 0_u32;
    let mut at = 0;
    while at < 255 {
        // Eight symbols without extra bits, then four for each number of them.
        let extra = if symbol < 8 { 0 } else { symbol / 4 - 1 };
        let mut value = 0;
        while value < 1 << extra && at < 255 {
            table[at] = symbol | extra << 8 | value << 16;
            value += 1;
            at += 1;
        }
        symbol += 1;
    }
    // Length 258 has its own symbol.
    table[255] = 28;
    table
};

/// The number of extra bits of an entry of [`LENGTHS`].
#[inline(always)]
pub(super) const fn extra_bits(entry: u32) -> u32 {
    entry >> 8 & 255
}

/// The symbol of a match length of 3 to 258 bytes.
#[inline(always)]
pub(super) fn length_symbol(len: u16) -> usize {
    FIRST_LENGTH + (LENGTHS[usize::from(len.wrapping_sub(3)) & 255] & 255) as usize
}

/// The symbol of a distance of 1 to 32768 bytes and its number of extra bits, whose value is the
/// low bits of the distance - 1.
#[inline(always)]
pub(super) fn distance_symbol(distance: u16) -> (usize, u32) {
    let value = u32::from(distance.wrapping_sub(1));
    if value < 4 {
        return (value as usize, 0);
    }
    let extra = value.ilog2() - 1;
    ((2 * extra + (value >> extra)) as usize & (DISTS - 1), extra)
}
