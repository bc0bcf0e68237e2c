//! The transform of a cell: along one axis after the other, four values become four frequencies.

use super::scalar::Word;

/// The values of the largest cell.
pub(super) const MAX_CELL: usize = 256;

/// Four values in place, the first step of coding: steps of sums and halves, which need no more
/// bits than the values.
fn forward_four<W: Word>([mut x, mut y, mut z, mut w]: [W; 4]) -> [W; 4] {
    x = x.plus(w).half();
    w = w.minus(x);
    z = z.plus(y).half();
    y = y.minus(z);
    x = x.plus(z).half();
    z = z.minus(x);
    w = w.plus(y).half();
    y = y.minus(w);
    w = w.plus(y.half());
    y = y.minus(w.half());
    [x, y, z, w]
}

/// The inverse of [`forward_four`], up to the bits that the halves have dropped.
fn inverse_four<W: Word>([mut x, mut y, mut z, mut w]: [W; 4]) -> [W; 4] {
    y = y.plus(w.half());
    w = w.minus(y.half());
    y = y.plus(w);
    w = w.double().minus(y);
    z = z.plus(x);
    x = x.double().minus(z);
    y = y.plus(z);
    z = z.double().minus(y);
    w = w.plus(x);
    x = x.double().minus(w);
    [x, y, z, w]
}

/// Applies `four` along the axis whose neighbours are `stride` apart.
fn along<W: Word>(cell: &mut [W], stride: usize, four: impl Fn([W; 4]) -> [W; 4]) {
    for group in cell.chunks_exact_mut(4 * stride) {
        for at in 0..stride {
            let indices = [at, at + stride, at + 2 * stride, at + 3 * stride];
            let done = four(indices.map(|index| group[index]));
            for (index, value) in indices.into_iter().zip(done) {
                group[index] = value;
            }
        }
    }
}

/// Values to frequencies, the fastest axis first.
pub(super) fn forward<W: Word>(cell: &mut [W], ndim: usize) {
    for axis in 0..ndim {
        along(cell, 1 << (2 * axis), forward_four);
    }
}

/// Frequencies to values, the fastest axis last.
pub(super) fn inverse<W: Word>(cell: &mut [W], ndim: usize) {
    for axis in (0..ndim).rev() {
        along(cell, 1 << (2 * axis), inverse_four);
    }
}

#[cfg(test)]
mod tests {
    use super::{forward, inverse};

    #[test]
    fn the_inverse_loses_a_few_units_only() {
        for ndim in 1..=4 {
            let mut state = 1_u64;
            let cell: [i64; 256] = core::array::from_fn(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                state.cast_signed() >> 3
            });
            let cell = &cell[..1 << (2 * ndim)];
            let mut done: [i64; 256] = [0; 256];
            let done = &mut done[..cell.len()];
            done.copy_from_slice(cell);
            forward(done, ndim);
            inverse(done, ndim);
            for (value, done) in cell.iter().zip(done) {
                assert!(value.abs_diff(*done) < 64, "{value} {done}");
            }
        }
    }

    #[test]
    fn a_constant_has_one_frequency() {
        let mut cell = [7_i32; 64];
        forward(&mut cell, 3);
        assert_eq!((cell[0], &cell[1..]), (7, &[0; 63][..]));
    }
}
