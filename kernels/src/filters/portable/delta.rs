//! Delta: XOR of two blocks, and the running XOR of one, a word at a time.

use crate::filters::contract::{delta_covered, delta_width};
use crate::filters::scalar::delta as scalar;

/// The differences of `src`.
pub(super) fn encode(typesize: usize, reference: Option<&[u8]>, src: &[u8], dst: &mut [u8]) {
    let covered = delta_covered(typesize, src.len());
    let (src, tail) = src.split_at(covered);
    let (dst, dst_tail) = dst.split_at_mut(covered);
    dst_tail.copy_from_slice(tail);
    if let Some(reference) = reference {
        return xor(src, reference, dst);
    }
    let width = delta_width(typesize).min(src.len());
    dst[..width].copy_from_slice(&src[..width]);
    xor(&src[width..], src, &mut dst[width..]);
}

/// The inverse of [`encode`], in place.
pub(super) fn decode(typesize: usize, reference: Option<&[u8]>, block: &mut [u8]) {
    let covered = delta_covered(typesize, block.len());
    let block = &mut block[..covered];
    match (reference, delta_width(typesize)) {
        (Some(reference), _) => xor_in_place(block, reference),
        (None, 1) => running::<1>(block),
        (None, 2) => running::<2>(block),
        (None, 4) => running::<4>(block),
        (None, _) => running::<8>(block),
    }
}

/// `dst = a ^ b`; `b` may be longer.
fn xor(a: &[u8], b: &[u8], dst: &mut [u8]) {
    let (words, rest) = dst.as_chunks_mut::<8>();
    let done = 8 * words.len();
    for ((to, a), b) in words
        .iter_mut()
        .zip(a.as_chunks::<8>().0)
        .zip(b.as_chunks::<8>().0)
    {
        *to = (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b)).to_ne_bytes();
    }
    scalar::xor(&a[done..], &b[done..], rest);
}

/// `block ^= reference`; the reference may be longer.
fn xor_in_place(block: &mut [u8], reference: &[u8]) {
    let (words, rest) = block.as_chunks_mut::<8>();
    let done = 8 * words.len();
    for (word, reference) in words.iter_mut().zip(reference.as_chunks::<8>().0) {
        *word = (u64::from_ne_bytes(*word) ^ u64::from_ne_bytes(*reference)).to_ne_bytes();
    }
    scalar::xor_in_place(rest, &reference[done..]);
}

/// The running XOR of elements of `W` bytes.
///
/// Shifts by one, two and four elements make it within a word; the last element, spread to
/// all, is what the next word needs of this one: the chain is one XOR per word.
fn running<const W: usize>(block: &mut [u8]) {
    let mut before = 0;
    let (words, rest) = block.as_chunks_mut::<8>();
    for word in words {
        let mut x = u64::from_le_bytes(*word);
        if W == 1 {
            x ^= x << 8;
        }
        if W <= 2 {
            x ^= x << 16;
        }
        if W <= 4 {
            x ^= x << 32;
        }
        *word = (x ^ before).to_le_bytes();
        before ^= match W {
            1 => (x >> 56) * 0x0101_0101_0101_0101,
            2 => (x >> 48) * 0x0001_0001_0001_0001,
            4 => (x >> 32) * 0x0000_0001_0000_0001,
            _ => x,
        };
    }
    // The first elements of a word: of what is left there are fewer than one word.
    let before = before.to_le_bytes();
    let mut before: [u8; W] = core::array::from_fn(|i| before[i]);
    for element in rest.as_chunks_mut::<W>().0 {
        for (byte, before) in element.iter_mut().zip(&mut before) {
            *byte ^= *before;
            *before = *byte;
        }
    }
}
