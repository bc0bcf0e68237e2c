//! Floats as integers with a common exponent, and the integers as the coder sees them.

/// A two's complement integer of the transform.
pub(super) trait Word: Copy {
    /// The width.
    const BITS: u32;
    /// Zero.
    const ZERO: Self;

    /// The sum, wrapped.
    fn plus(self, other: Self) -> Self;
    /// The difference, wrapped.
    fn minus(self, other: Self) -> Self;
    /// Half, rounded down.
    fn half(self) -> Self;
    /// The double, wrapped.
    fn double(self) -> Self;
    /// The number to base -2, in the lowest bits.
    fn negabinary(self) -> u64;
    /// The number whose digits to base -2 are the lowest bits.
    fn from_negabinary(digits: u64) -> Self;
}

/// A float and its integer.
pub(super) trait Scalar: Copy {
    /// The integer of the same width.
    type Int: Word;
    /// The size in bytes.
    const SIZE: usize;
    /// The bits of the exponent, in the stream as in the float.
    const EXPONENT_BITS: u32;
    /// The number that is added to the exponent in the stream.
    const BIAS: i32;
    /// Zero.
    const ZERO: Self;

    /// The float at the front of little-endian bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Writes the float to the front of `bytes`.
    fn write(self, bytes: &mut [u8]);
    /// The least e with |self| < 2^e, no less than that of normal numbers; -BIAS for zero, `None`
    /// for infinities and not-a-numbers.
    fn exponent(self) -> Option<i32>;
    /// The integer for the common exponent `emax`: two bits of the width stay free.
    fn to_int(self, emax: i32) -> Self::Int;
    /// The value of one unit of an integer, in the precision of the float.
    fn unit(emax: i32) -> Self;
    /// The float of an integer.
    fn from_int(int: Self::Int, unit: Self) -> Self;
}

/// 2^exponent, for exponents of normal numbers.
fn power(exponent: i32) -> f64 {
    f64::from_bits(u64::from((exponent + 1023).unsigned_abs()) << 52)
}

macro_rules! word {
    ($int:ty, $digits:ty, $alternating:expr) => {
        impl Word for $int {
            const BITS: u32 = <$int>::BITS;
            const ZERO: Self = 0;

            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline]
            fn half(self) -> Self {
                self >> 1
            }

            #[inline]
            fn double(self) -> Self {
                self << 1
            }

            #[inline]
            fn negabinary(self) -> u64 {
                const ALTERNATING: $digits = $alternating;
                (self.cast_unsigned().wrapping_add(ALTERNATING) ^ ALTERNATING).into()
            }

            #[inline]
            fn from_negabinary(digits: u64) -> Self {
                const ALTERNATING: $digits = $alternating;
                #[expect(
                    clippy::allow_attributes,
                    reason = "of the two widths, only one is cut"
                )]
                #[allow(
                    clippy::cast_possible_truncation,
                    trivial_numeric_casts,
                    reason = "the coder sets no bit above the width"
                )]
                let digits = digits as $digits;
                (digits ^ ALTERNATING)
                    .wrapping_sub(ALTERNATING)
                    .cast_signed()
            }
        }
    };
}

word!(i32, u32, 0xAAAA_AAAA);
word!(i64, u64, 0xAAAA_AAAA_AAAA_AAAA);

impl Scalar for f32 {
    type Int = i32;
    const SIZE: usize = 4;
    const EXPONENT_BITS: u32 = 8;
    const BIAS: i32 = 127;
    const ZERO: Self = 0.0;

    fn read(bytes: &[u8]) -> Self {
        bytes
            .first_chunk()
            .map_or(0.0, |bytes| Self::from_le_bytes(*bytes))
    }

    fn write(self, bytes: &mut [u8]) {
        if let Some(to) = bytes.first_chunk_mut() {
            *to = self.to_le_bytes();
        }
    }

    fn exponent(self) -> Option<i32> {
        let bits = self.to_bits() & 0x7FFF_FFFF;
        match (bits >> 23).cast_signed() {
            0xFF => None,
            _ if bits == 0 => Some(-127),
            field => Some((field - 126).max(-126)),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "below 2^30, and meant to round to zero"
    )]
    fn to_int(self, emax: i32) -> i32 {
        // Exact in double precision, also for the least numbers.
        (f64::from(self) * power(30 - emax)) as i32
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a power of two, or 0 below the least"
    )]
    fn unit(emax: i32) -> Self {
        power(emax - 30) as Self
    }

    #[inline]
    fn from_int(int: i32, unit: Self) -> Self {
        unit * int as Self
    }
}

impl Scalar for f64 {
    type Int = i64;
    const SIZE: usize = 8;
    const EXPONENT_BITS: u32 = 11;
    const BIAS: i32 = 1023;
    const ZERO: Self = 0.0;

    fn read(bytes: &[u8]) -> Self {
        bytes
            .first_chunk()
            .map_or(0.0, |bytes| Self::from_le_bytes(*bytes))
    }

    fn write(self, bytes: &mut [u8]) {
        if let Some(to) = bytes.first_chunk_mut() {
            *to = self.to_le_bytes();
        }
    }

    fn exponent(self) -> Option<i32> {
        let bits = self.to_bits() & !(1 << 63);
        match i32::try_from(bits >> 52).unwrap_or(0x7FF) {
            0x7FF => None,
            _ if bits == 0 => Some(-1023),
            field => Some((field - 1022).max(-1022)),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "below 2^62, and meant to round to zero"
    )]
    fn to_int(self, emax: i32) -> i64 {
        // The least numbers need a factor beyond the greatest power: in two steps, both exact.
        let (first, second) = ((62 - emax).min(1023), (62 - emax - 1023).max(0));
        (self * power(first) * power(second)) as i64
    }

    fn unit(emax: i32) -> Self {
        match emax - 62 {
            normal @ -1022.. => power(normal),
            below @ -1074..-1022 => Self::from_bits(1 << (below + 1074)),
            _ => 0.0,
        }
    }

    #[inline]
    fn from_int(int: i64, unit: Self) -> Self {
        unit * int as Self
    }
}

#[cfg(test)]
mod tests {
    use super::{Scalar, Word};

    #[test]
    fn base_minus_two_is_undone() {
        for number in [0, 1, -1, 2, -2, 77, i32::MAX, i32::MIN] {
            let digits = number.negabinary();
            assert_eq!(i32::from_negabinary(digits), number);
            // Digit by digit, with weights 1, -2, 4, -8 …
            let sum = (0..32).fold(0_i64, |sum, digit| {
                sum + i64::try_from(digits >> digit & 1).unwrap() * (-2_i64).pow(digit)
            });
            assert_eq!((sum - i64::from(number)) % (1 << 32), 0);
            assert_eq!(
                i64::from_negabinary(i64::from(number).negabinary()),
                number.into()
            );
        }
    }

    #[test]
    fn exponents_and_units_are_those_of_the_floats() {
        assert_eq!(1.0_f32.exponent(), Some(1));
        assert_eq!(0.999_f64.exponent(), Some(0));
        assert_eq!((-3.0_f64).exponent(), Some(2));
        assert_eq!(f32::from_bits(1).exponent(), Some(-126));
        assert_eq!(f64::from_bits(1).exponent(), Some(-1022));
        assert_eq!(f32::NAN.exponent().or(f64::INFINITY.exponent()), None);
        assert_eq!(
            (0.0_f32.exponent(), (-0.0_f64).exponent()),
            (Some(-127), Some(-1023))
        );
        assert_eq!(f32::unit(30), 1.0);
        assert_eq!(f32::unit(-119), f32::from_bits(1));
        assert_eq!(f32::unit(-120), 0.0);
        assert_eq!(f64::unit(-1012), f64::from_bits(1));
        assert_eq!(
            (f64::unit(-1013), f64::unit(1024)),
            (0.0, 2.0_f64.powi(962))
        );
        assert_eq!(f64::from_bits(1).to_int(-1022), 1 << 10);
        assert_eq!((-1.5_f32).to_int(1), -(3 << 28));
    }
}
