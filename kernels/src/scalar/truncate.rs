//! Truncation: the low bits of every element cleared (format §5.5 and §5.7).
//!
//! The same for floats (`trunc_prec`, mantissa bits) and integers (`int_trunc`): an AND with one mask per
//! little-endian element. Bytes behind the last whole element pass through.

use crate::contract::trunc_mask;

/// Clears the `zeroed` low bits of each element of 1, 2, 4 or 8 bytes.
pub(crate) fn truncate(typesize: usize, zeroed: u32, src: &[u8], dst: &mut [u8]) {
    let mask = trunc_mask(zeroed).to_le_bytes();
    let whole = src.len() - src.len() % typesize;
    let (src, tail) = src.split_at(whole);
    let (dst, dst_tail) = dst.split_at_mut(whole);
    dst_tail.copy_from_slice(tail);
    for (to, from) in dst
        .chunks_exact_mut(typesize)
        .zip(src.chunks_exact(typesize))
    {
        for ((to, from), mask) in to.iter_mut().zip(from).zip(mask) {
            *to = from & mask;
        }
    }
}
