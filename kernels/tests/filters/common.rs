//! Shared by the kernel tests: paint, canaries, and the levels that are expected to run.
#![allow(dead_code, reason = "each test crate uses a part of this")]
#![allow(clippy::print_stderr, reason = "a skipped level must be seen")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use oxiblosc_kernels::{Isa, Kernels};

/// Bytes with period 251, a prime, so that no two vectors or items of a block are alike.
pub(crate) fn paint(len: usize, seed: usize) -> Vec<u8> {
    (0..len)
        .map(|i| u8::try_from((i * 7 + seed * 31) % 251).unwrap())
        .collect()
}

/// Bytes without structure (a xorshift), so that all bits of all bytes vary.
pub(crate) fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..len)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()[5]
        })
        .collect()
}

/// The kernels of a level, or `None` with a line that says so.
///
/// `OXIBLOSC_EXPECT_ISAS` lists the levels that must run here ("scalar,sse2,avx2"): one of them
/// missing is a failure, not a skip.
pub(crate) fn level(isa: Isa) -> Option<Kernels> {
    let kernels = Kernels::with_isa(isa);
    if kernels.is_none() {
        let expected = std::env::var("OXIBLOSC_EXPECT_ISAS").unwrap_or_default();
        assert!(
            !expected.split(',').any(|name| name.trim() == isa.name()),
            "OXIBLOSC_EXPECT_ISAS lists {isa}, which this CPU lacks"
        );
        eprintln!("level {isa}: not on this CPU, skipped");
    } else {
        eprintln!("level {isa}: runs");
    }
    kernels
}

/// Runs `kernel` on a source at an offset into a larger buffer and a destination at an offset into
/// a line of 64 bytes, and checks that nothing around the destination changes.
pub(crate) fn guarded(
    src: &[u8],
    src_offset: usize,
    dst_offset: usize,
    kernel: impl FnOnce(&[u8], &mut [u8]),
) -> Vec<u8> {
    const GUARD: usize = 64;
    const LINE: usize = 64;
    let canary = |i: usize| u8::try_from((i * 13 + 0x5A) % 256).unwrap();
    let mut from = vec![0xEE; src_offset];
    from.extend_from_slice(src);
    let most = GUARD + LINE + dst_offset;
    let mut to: Vec<u8> = (0..most + src.len() + GUARD).map(canary).collect();
    let before = GUARD + to[GUARD..].as_ptr().align_offset(LINE) + dst_offset;
    kernel(&from[src_offset..], &mut to[before..before + src.len()]);
    for (i, byte) in to.iter().enumerate() {
        if i < before || i >= before + src.len() {
            assert_eq!(*byte, canary(i), "byte {i} outside of dst was written");
        }
    }
    to[before..before + src.len()].to_vec()
}
