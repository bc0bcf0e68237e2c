//! ZFP: arrays of floats in cells of four values along each axis, cut to a precision.
//!
//! ```text
//! cell of 4, 16, 64 or 256 values
//!   -> integers with one common exponent        1 bit, the exponent; or one 0 bit for zeros
//!   -> a transform along each axis              few large coefficients, many small ones
//!   -> coefficients by frequency, to base -2
//!   -> bit planes, most significant first       until the precision or the budget is reached
//! ```
//!
//! The stream has no header: shape, type and parameters come from elsewhere. It is a sequence of
//! bits, lowest first, up to a whole word of 64. The algorithm is published: P. Lindstrom,
//! "Fixed-Rate Compressed Floating-Point Arrays", IEEE TVCG 20(12), 2014, and the documentation of
//! zfp 1.0. Decoded floats have the bits of its own decoder, encoded streams the bits of its
//! encoder, except for subnormal numbers, infinities and not-a-numbers, for which zfp has no
//! defined result.

mod bits;
mod cells;
mod error;
mod order;
mod planes;
mod scalar;
mod transform;

use super::DecodeError;
use bits::{BitReader, BitWriter};
use cells::Grid;
use error::invalid;
use order::order;
use planes::Budget;
use scalar::{Scalar, Word};
use transform::MAX_CELL;

/// The bits of a cell that has no limit.
const NO_LIMIT: u32 = 16_658;
/// The most planes.
const ALL_PLANES: u32 = 64;
/// The exponent of the least subnormal double.
const LEAST_EXPONENT: i32 = -1074;

/// The type of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    /// 4 bytes.
    F32,
    /// 8 bytes.
    F64,
}

/// The part of a cell that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// Bits of a cell, at least: shorter ones are filled up.
    min_bits: u32,
    /// Bits of a cell, at most.
    max_bits: u32,
    /// Bit planes, at most.
    planes: u32,
    /// The exponent of the last bit plane.
    min_exponent: i32,
}

impl Precision {
    /// An absolute error of at most 10^`exponent`.
    #[must_use]
    pub fn accuracy(exponent: i8) -> Self {
        // ⌊e · log2(10)⌋: right for all 256, which a test compares with floats.
        let min_exponent = (i32::from(exponent) * 217_706) >> 16;
        Self {
            min_bits: 0,
            max_bits: NO_LIMIT,
            planes: ALL_PLANES,
            min_exponent,
        }
    }

    /// At most `planes` bit planes of each cell; all of them for 64 and more.
    #[must_use]
    pub fn planes(planes: u32) -> Self {
        Self {
            min_bits: 0,
            max_bits: NO_LIMIT,
            planes: planes.min(ALL_PLANES),
            min_exponent: LEAST_EXPONENT,
        }
    }

    /// `percent` of the bits that the values have, for each cell of 1 to 4 axes alike; no less than
    /// the exponent takes.
    #[must_use]
    pub fn rate(percent: u8, float: Float, ndim: usize) -> Self {
        let (width, least) = match float {
            Float::F32 => (32, 1 + f32::EXPONENT_BITS),
            Float::F64 => (64, 1 + f64::EXPONENT_BITS),
        };
        let values = 1_u32 << (2 * ndim.min(cells::MAX_NDIM));
        // Rounded to the nearest; no percentage lies halfway.
        let bits = (values * width * u32::from(percent) * 2 + 100) / 200;
        let bits = bits.max(least);
        Self {
            min_bits: bits,
            max_bits: bits,
            planes: ALL_PLANES,
            min_exponent: LEAST_EXPONENT,
        }
    }

    /// The budget of the planes of a cell with the common exponent `emax`, after `spent` bits.
    fn budget<S: Scalar>(&self, emax: i32, ndim: usize, spent: u32) -> Budget {
        // At most 4.
        let guard = 2 * (i32::try_from(ndim).unwrap_or(4) + 1);
        let planes = emax.saturating_sub(self.min_exponent).saturating_add(guard);
        let planes = self.planes.min(u32::try_from(planes).unwrap_or(0));
        Budget {
            bits: self.max_bits.saturating_sub(spent),
            top: S::Int::BITS,
            bottom: S::Int::BITS.saturating_sub(planes),
        }
    }
}

/// Decodes an array of this shape, whose fastest axis is the last, into all of `dst`, as
/// little-endian floats in row-major order.
///
/// # Errors
/// When `src` is cut or too long, or the shape has other than 1 to 4 axes or another size than
/// `dst`.
pub fn decode(
    precision: &Precision,
    float: Float,
    shape: &[usize],
    src: &[u8],
    dst: &mut [u8],
) -> Result<(), DecodeError> {
    match float {
        Float::F32 => decode_as::<f32>(precision, shape, src, dst),
        Float::F64 => decode_as::<f64>(precision, shape, src, dst),
    }
}

fn decode_as<S: Scalar>(
    precision: &Precision,
    shape: &[usize],
    src: &[u8],
    dst: &mut [u8],
) -> Result<(), DecodeError> {
    let mut grid = Grid::new(shape).ok_or_else(|| invalid(0, "expected 1 to 4 axes"))?;
    if grid.len().and_then(|len| len.checked_mul(S::SIZE)) != Some(dst.len()) {
        return Err(invalid(0, "expected an array as large as the output"));
    }
    let mut bits = BitReader::new(src);
    let mut cell = [S::ZERO; MAX_CELL];
    let cell = &mut cell[..1 << (2 * grid.ndim)];
    while let Some(place) = grid.next() {
        decode_cell(precision, grid.ndim, &mut bits, cell)?;
        grid.scatter(&place, cell, dst);
    }
    bits.finish()
}

/// Decodes the values of a cell.
fn decode_cell<S: Scalar>(
    precision: &Precision,
    ndim: usize,
    bits: &mut BitReader<'_>,
    cell: &mut [S],
) -> Result<(), DecodeError> {
    let mut spent = 1;
    if bits.bit()? {
        spent += S::EXPONENT_BITS;
        // At most 11 bits.
        let biased = i32::try_from(bits.bits(S::EXPONENT_BITS)?).unwrap_or(0);
        let emax = biased - S::BIAS;
        let budget = precision.budget::<S>(emax, ndim, spent);
        let mut digits = [0; MAX_CELL];
        let left = planes::decode(bits, budget, &mut digits[..cell.len()])?;
        spent += budget.bits - left;
        let mut ints = [S::Int::ZERO; MAX_CELL];
        let ints = &mut ints[..cell.len()];
        for (&index, digits) in order(ndim).iter().zip(digits) {
            ints[usize::from(index)] = S::Int::from_negabinary(digits);
        }
        transform::inverse(ints, ndim);
        let unit = S::unit(emax);
        for (value, int) in cell.iter_mut().zip(ints) {
            *value = S::from_int(*int, unit);
        }
    } else {
        cell.fill(S::ZERO);
    }
    bits.skip(precision.min_bits.saturating_sub(spent))
}

/// Encodes an array of this shape, whose fastest axis is the last, from little-endian floats in
/// row-major order, into the front of `dst`; returns the length of the stream, a multiple of 8
/// bytes. `None` when it does not fit, when there are infinities or not-a-numbers, which the format
/// cannot hold, and when the shape has other than 1 to 4 axes or another size than `src`.
#[must_use]
pub fn encode(
    precision: &Precision,
    float: Float,
    shape: &[usize],
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    match float {
        Float::F32 => encode_as::<f32>(precision, shape, src, dst),
        Float::F64 => encode_as::<f64>(precision, shape, src, dst),
    }
}

fn encode_as<S: Scalar>(
    precision: &Precision,
    shape: &[usize],
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    let mut grid = Grid::new(shape)?;
    if grid.len()?.checked_mul(S::SIZE)? != src.len() {
        return None;
    }
    let mut bits = BitWriter::new(dst);
    let mut cell = [S::ZERO; MAX_CELL];
    let cell = &mut cell[..1 << (2 * grid.ndim)];
    while let Some(place) = grid.next() {
        grid.gather(&place, src, cell);
        encode_cell(precision, grid.ndim, cell, &mut bits)?;
    }
    bits.finish()
}

/// Encodes the values of a cell.
fn encode_cell<S: Scalar>(
    precision: &Precision,
    ndim: usize,
    cell: &[S],
    bits: &mut BitWriter<'_>,
) -> Option<()> {
    let mut emax = -S::BIAS;
    for value in cell {
        emax = emax.max(value.exponent()?);
    }
    let mut spent = 1 + S::EXPONENT_BITS;
    let budget = precision.budget::<S>(emax, ndim, spent);
    if emax == -S::BIAS || budget.top == budget.bottom {
        spent = 1;
        bits.bits(0, 1)?;
    } else {
        bits.bits(1, 1)?;
        bits.bits((emax + S::BIAS).unsigned_abs().into(), S::EXPONENT_BITS)?;
        let mut ints = [S::Int::ZERO; MAX_CELL];
        let ints = &mut ints[..cell.len()];
        for (int, value) in ints.iter_mut().zip(cell) {
            *int = value.to_int(emax);
        }
        transform::forward(ints, ndim);
        let mut digits = [0; MAX_CELL];
        for (digits, &index) in digits.iter_mut().zip(order(ndim)) {
            *digits = ints[usize::from(index)].negabinary();
        }
        let left = planes::encode(bits, budget, &digits[..cell.len()])?;
        spent += budget.bits - left;
    }
    bits.zeros(precision.min_bits.saturating_sub(spent))
}

#[cfg(test)]
mod tests {
    use super::Precision;

    #[test]
    fn the_tolerance_is_the_power_of_two_below_that_of_ten() {
        for exponent in i8::MIN..=i8::MAX {
            let tolerance = 10_f64.powi(exponent.into());
            let binary = i32::try_from(tolerance.to_bits() >> 52).unwrap() - 1023;
            assert_eq!(Precision::accuracy(exponent).min_exponent, binary);
        }
    }
}
