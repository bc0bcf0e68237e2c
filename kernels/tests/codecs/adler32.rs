//! Adler-32 at every level against its definition; the root crate compares it with libdeflate.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use oxiblosc_kernels::Kernels;

/// RFC 1950, byte by byte.
fn naive(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in bytes {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}

fn check(src: &[u8]) {
    let expected = naive(src);
    for kernels in Kernels::available() {
        let found = kernels.adler32(src);
        assert_eq!(found, expected, "{}, {} bytes", kernels.isa(), src.len());
    }
}

fn noise(len: usize) -> Vec<u8> {
    let mut state = 7_u64;
    (0..len)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            u8::try_from(state >> 56).unwrap()
        })
        .collect()
}

#[test]
fn known_checksums() {
    for kernels in Kernels::available() {
        assert_eq!(kernels.adler32(b""), 1);
        assert_eq!(kernels.adler32(b"a"), 0x0062_0062);
        assert_eq!(kernels.adler32(b"Wikipedia"), 0x11E6_0398);
        assert_eq!(kernels.adler32(&[0; 70_000]), 0x117F_0001);
    }
}

#[test]
fn every_short_length_at_every_alignment() {
    let src = noise(2200);
    for len in 0..2100 {
        check(&src[len % 67..][..len]);
    }
}

/// The largest sums, at lengths around the pieces after which they are reduced: 2048 rows of
/// 8 to 64 bytes.
#[test]
fn the_largest_bytes() {
    let src = vec![255; 3 * 2048 * 64 + 100];
    for pieces in 1..=24 {
        for more in [0, 1, 31, 32, 63, 64] {
            check(&src[..pieces * 2048 * 8 + more]);
            check(&src[..pieces * 2048 * 8 - 1 - more]);
        }
    }
    check(&src);
}

/// A byte alone counts by its place.
#[test]
fn every_place() {
    for len in [64, 1024, 1100] {
        for at in 0..len {
            let mut src = vec![0; len];
            src[at] = 200;
            check(&src);
        }
    }
}
