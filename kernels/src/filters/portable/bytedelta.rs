//! Bytedelta: differences of the bytes of each plane, a word at a time.
//!
//! Running sums gain nothing from words: a byte per cycle is what their chain allows either way.

use super::words::{load, store};
use crate::filters::scalar::bytedelta as scalar;

/// The highest bit of every byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The difference of each byte, without borrows between them: the highest bits apart.
#[inline(always)]
const fn subtract(a: u64, b: u64) -> u64 {
    ((a | HIGH) - (b & !HIGH)) ^ ((a ^ !b) & HIGH)
}

/// The differences of every plane.
pub(super) fn encode(typesize: usize, src: &[u8], dst: &mut [u8]) {
    scalar::per_plane(typesize, src, dst, plane);
}

/// The differences of one plane.
///
/// If the target has vectors, the compiler's form of the scalar loop is faster than words.
pub(super) fn plane(src: &[u8], dst: &mut [u8]) {
    if cfg!(any(
        target_feature = "sse2",
        target_feature = "neon",
        target_feature = "simd128"
    )) {
        return scalar::differences(src, dst);
    }
    differences(src, dst);
}

/// The difference of each byte from the one before, of the first from 0.
fn differences(src: &[u8], dst: &mut [u8]) {
    let mut before = 0;
    let whole = src.len() / 8 * 8;
    for at in (0..whole).step_by(8) {
        let x = load(src, at);
        store(subtract(x, (x << 8) | before), dst, at);
        before = x >> 56;
    }
    let mut before = before.to_le_bytes()[0];
    for (to, from) in dst[whole..].iter_mut().zip(&src[whole..]) {
        *to = from.wrapping_sub(before);
        before = *from;
    }
}

/// The sum of each byte, without carries between them.
#[inline(always)]
const fn add(a: u64, b: u64) -> u64 {
    ((a & !HIGH) + (b & !HIGH)) ^ ((a ^ b) & HIGH)
}

/// Every item of `block`, which is made of items, becomes the sum of those up to it.
pub(super) fn item_sums(typesize: usize, block: &mut [u8]) {
    match typesize {
        2 => sums::<2>(block),
        4 => sums::<4>(block),
        8 => sums::<8>(block),
        16 => {
            let mut sum = [0; 2];
            for item in block.as_chunks_mut::<16>().0 {
                for (word, sum) in item.as_chunks_mut::<8>().0.iter_mut().zip(&mut sum) {
                    *sum = add(*sum, u64::from_le_bytes(*word));
                    *word = sum.to_le_bytes();
                }
            }
        }
        _ => scalar::item_sums(typesize, block),
    }
}

/// [`item_sums`] of items of `W` bytes, several in a word.
fn sums<const W: usize>(block: &mut [u8]) {
    let mut before = 0;
    let (words, rest) = block.as_chunks_mut::<8>();
    for word in words {
        let mut x = u64::from_le_bytes(*word);
        if W <= 2 {
            x = add(x, x << 16);
        }
        if W <= 4 {
            x = add(x, x << 32);
        }
        *word = add(x, before).to_le_bytes();
        let last = match W {
            2 => (x >> 48) * 0x0001_0001_0001_0001,
            4 => (x >> 32) * 0x0000_0001_0000_0001,
            _ => x,
        };
        before = add(before, last);
    }
    let before = before.to_le_bytes();
    // Less than a word: the first item of the rest, if there is one.
    for (byte, before) in rest.iter_mut().zip(&before[..W]) {
        *byte = byte.wrapping_add(*before);
    }
    scalar::item_sums(W, rest);
}

#[cfg(test)]
mod tests {
    use super::differences;

    #[test]
    fn differences_are_those_of_single_bytes() {
        for len in 0..70_u8 {
            let byte = |i: u8| i.wrapping_mul(157) ^ (i << 3);
            let (mut src, mut expected, mut found) = ([0; 70], [0; 70], [0; 70]);
            for i in 0..len {
                src[usize::from(i)] = byte(i);
                let before = if i > 0 { byte(i - 1) } else { 0 };
                expected[usize::from(i)] = byte(i).wrapping_sub(before);
            }
            let len = usize::from(len);
            differences(&src[..len], &mut found[..len]);
            assert_eq!(found[..len], expected[..len], "{len} bytes");
        }
    }
}
