//! Logarithms in sixteenths.

/// Sixteenths that the four bits after the leading one add to a logarithm, in the middle of the
/// numbers that they stand for.
const FRACTION: [u32; 16] = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 14, 15, 16];

/// The logarithm to base 2 in sixteenths, accurate to about one of them; 0 for 0.
pub(crate) fn log2_16(value: u32) -> u32 {
    let Some(whole) = value.checked_ilog2() else {
        return 0;
    };
    let next = (u64::from(value) << 4 >> whole) & 15;
    16 * whole + FRACTION[usize::try_from(next).unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms() {
        for value in 1..100_000_u32 {
            let exact = 16.0 * f64::from(value).log2();
            assert!((f64::from(log2_16(value)) - exact).abs() < 1.1, "{value}");
        }
    }
}
