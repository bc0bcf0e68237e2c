//! Truncation: the low bits of every element cleared (format §5.5 and §5.7).
//!
//! Floats (`trunc_prec`, mantissa bits) and integers (`int_trunc`) share it: an AND with one mask
//! per little-endian element. Bytes after the last whole element pass through.

use crate::filters::contract::trunc_mask;

/// Clears the `zeroed` low bits of each element of 1, 2, 4 or 8 bytes.
pub(crate) fn truncate(typesize: usize, zeroed: u32, src: &[u8], dst: &mut [u8]) {
    truncate_inline(typesize, zeroed, src, dst);
}

/// [`truncate`], to be compiled into the callers' instruction sets.
#[inline(always)]
pub(crate) fn truncate_inline(typesize: usize, zeroed: u32, src: &[u8], dst: &mut [u8]) {
    let element = trunc_mask(zeroed).to_le_bytes();
    let mask: [u8; 8] = core::array::from_fn(|i| element[i % typesize]);
    let whole = src.len() - src.len() % typesize;
    let (src, tail) = src.split_at(whole);
    let (dst, dst_tail) = dst.split_at_mut(whole);
    dst_tail.copy_from_slice(tail);
    // Eight bytes hold whole elements of every size.
    let mask_word = u64::from_ne_bytes(mask);
    let (from, from_rest) = src.as_chunks::<8>();
    let (to, to_rest) = dst.as_chunks_mut::<8>();
    for (to, from) in to.iter_mut().zip(from) {
        *to = (u64::from_ne_bytes(*from) & mask_word).to_ne_bytes();
    }
    for ((to, from), mask) in to_rest.iter_mut().zip(from_rest).zip(mask) {
        *to = from & mask;
    }
}
