//! Tables for patterns: registers that hold a few bytes over and over.

/// `PATTERNS[d][i] = i % d` for `1 <= d < D`; row 0 is unused.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) const fn patterns<const N: usize, const D: usize>() -> [[u8; N]; D] {
    let mut rows = [[0; N]; D];
    let mut distance = 1;
    while distance < D {
        let mut value = 0;
        let mut at = 0;
        while at < N {
            rows[distance][at] = value;
            value += 1;
            if value as usize == distance {
                value = 0;
            }
            at += 1;
        }
        distance += 1;
    }
    rows
}

/// The largest multiple of `d` that is at most `N`, for `1 <= d < D`: the step from one store of a
/// pattern of `N` bytes to the next. Looked up, as a division takes longer than the store.
pub(super) const fn strides<const N: usize, const D: usize>() -> [u8; D] {
    let mut strides = [0; D];
    let mut distance = 1;
    while distance < D {
        let stride = N - N % distance;
        assert!(stride <= 255, "a vector has at most 128 bytes");
        #[expect(clippy::cast_possible_truncation, reason = "asserted above")]
        {
            strides[distance] = stride as u8;
        }
        distance += 1;
    }
    strides
}

#[cfg(target_arch = "aarch64")]
pub(super) static PATTERNS_16: [[u8; 16]; 16] = patterns();
pub(super) static STRIDES_16: [u8; 16] = strides::<16, 16>();
pub(super) static STRIDES_32: [u8; 32] = strides::<32, 32>();
