//! The networks of all shuffles: rotations of an address by unpacking.
//!
//! `P` vectors, a power of two, hold `16 * P` bytes per lane of 16. The address of a byte is a
//! number of bits, the vector's above the byte's in its lane. Unpacking vector `i` with vector
//! `i + P/2`, the lower halves into vector `2 * i` and the upper into `2 * i + 1`, rotates the
//! address to the left by one: the top bit of the vector becomes the lowest of the byte, the top
//! bit of the byte becomes the lowest of the vector. With `P` = 4 and items of 4 bytes
//! (`k`: the vector, `i`: its item, `p`: the byte of the item):
//!
//! ```text
//! unshuffle, units of 1 byte:  p1 p0 | k1 k0 i1 i0 -> p0 k1 | k0 i1 i0 p1 -> k1 k0 | i1 i0 p1 p0
//! shuffle, units of 4 bytes:   k1 k0 | p1 p0 i1 i0 -> k0 p1 | p0 k1 i1 i0 -> p1 p0 | k1 k0 i1 i0
//! ```
//!
//! Wider units keep the low bits of the byte. No constants are needed, and the compiler drops the
//! instructions of unused outputs. All lanes work alike, so that one text serves vectors of 1, 2
//! and 4 lanes. On Zen 5 four unpacks run per cycle, but only two of any other permutation: with
//! `vpermi2b` alone (a third fewer instructions) shuffle of 8 bytes has 0.6 times the speed.

/// Defines `rotate`, and `transpose` out of it, for one vector type.
macro_rules! network {
    ($feature:literal, $vector:ident, $zero:ident, $registers:literal,
     $([$unit:literal $lower:ident $upper:ident])+) => {
        /// Rotates the address by one bit, in units of `U` bytes.
        #[target_feature(enable = $feature)]
        #[inline]
        pub(crate) fn rotate<const P: usize, const U: usize>(x: [$vector; P]) -> [$vector; P] {
            let mut y = [$zero(); P];
            for i in 0..P / 2 {
                let (a, b) = (x[i], x[i + P / 2]);
                (y[2 * i], y[2 * i + 1]) = match U {
                    $($unit => ($lower(a, b), $upper(a, b)),)+
                    _ => unreachable!(),
                };
            }
            y
        }

        /// Rotates the address by the bits of the vector's number.
        ///
        /// With 16 registers, 16 vectors are rotated in two halves, so that fewer of them are live
        /// at once: up to 1.3 times as fast on AVX2. With 32 registers that is slower.
        #[target_feature(enable = $feature)]
        #[inline]
        pub(crate) fn transpose<const P: usize, const U: usize>(
            x: [$vector; P],
        ) -> [$vector; P] {
            let x = rotate::<P, U>(x);
            if P == 16 && $registers < 32 {
                let (mut lower, mut upper) = ([$zero(); 8], [$zero(); 8]);
                for i in 0..8 {
                    (lower[i], upper[i]) = (x[2 * i], x[2 * i + 1]);
                }
                let mut y = [$zero(); P];
                y[..8].copy_from_slice(&transpose_8::<U>(lower));
                y[8..].copy_from_slice(&transpose_8::<U>(upper));
                return y;
            }
            let x = if P > 2 { rotate::<P, U>(x) } else { x };
            let x = if P > 4 { rotate::<P, U>(x) } else { x };
            if P > 8 { rotate::<P, U>(x) } else { x }
        }

        /// [`transpose`] of 8 vectors.
        #[target_feature(enable = $feature)]
        #[inline]
        fn transpose_8<const U: usize>(x: [$vector; 8]) -> [$vector; 8] {
            rotate::<8, U>(rotate::<8, U>(rotate::<8, U>(x)))
        }
    };
}
pub(crate) use network;

/// Evaluates `$body` for each of 16 vectors, `$k` being 0 to 15, without a loop.
///
/// Arrays of vectors live in registers only while every index is a constant. The compiler unrolls
/// short loops, but not 16 rounds of loads with their checks: with a loop, shuffle of 32 bytes
/// spills to the stack and runs at half the speed.
macro_rules! unrolled {
    ($k:ident => $body:expr) => {
        unrolled!(@ $k => $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $k:ident => $body:expr; $($number:literal)+) => {
        $({
            const $k: usize = $number;
            $body
        })+
    };
}
pub(crate) use unrolled;
