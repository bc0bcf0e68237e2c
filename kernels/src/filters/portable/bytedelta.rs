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
///
/// If the target has vectors, the compiler's form of the scalar loop is faster than words.
pub(super) fn encode(typesize: usize, src: &[u8], dst: &mut [u8]) {
    if cfg!(any(
        target_feature = "sse2",
        target_feature = "neon",
        target_feature = "simd128"
    )) {
        return scalar::encode(typesize, src, dst);
    }
    scalar::per_plane(typesize, src, dst, differences);
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
