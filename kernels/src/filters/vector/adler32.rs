//! Adler-32 in vectors: a row is a vector, and all sums are in lanes of 32 bits.

/// Weights of the bytes of a vector: their distances from its end.
pub(crate) const fn weights<const N: usize>() -> [u8; N] {
    let mut weights = [0; N];
    let mut at = 0;
    while at < N {
        weights[at] = (N - at).to_le_bytes()[0];
        at += 1;
    }
    weights
}

/// Defines `adler32` for one level. The caller has `load`; `sum` and `weigh`, which add up the
/// bytes of a vector, plain and weighted, in lanes of 32 bits, eight bytes at most in a lane of
/// `sum`; and `total`, the sum of the lanes.
macro_rules! adler32 {
    ($feature:literal, $bytes:literal, $zero:expr, $add:ident) => {
        /// The checksum of `src`.
        #[target_feature(enable = $feature)]
        pub(crate) fn adler32(src: &[u8]) -> u32 {
            $crate::filters::scalar::adler32::by_rows::<$bytes>(src, |rows| {
                let (mut plain, mut after, mut within) = ($zero, $zero, $zero);
                for row in rows {
                    let bytes = load(row);
                    after = $add(after, plain);
                    plain = $add(plain, sum(bytes));
                    within = $add(within, weigh(bytes));
                }
                $crate::filters::scalar::adler32::Sums {
                    plain: total(plain),
                    after: total(after),
                    within: total(within),
                }
            })
        }
    };
}
pub(crate) use adler32;

/// The sum of lanes of 32 bits, stored with the first byte lowest.
#[cfg(target_arch = "x86_64")]
pub(crate) fn lanes(bytes: &[u8]) -> u64 {
    let lanes = bytes.as_chunks().0.iter();
    lanes.map(|lane| u64::from(u32::from_le_bytes(*lane))).sum()
}
