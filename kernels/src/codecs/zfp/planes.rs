//! Coding the coefficients of a cell bit plane by bit plane, the most significant first.
//!
//! Of a plane, the bits of the coefficients that have had a one in an earlier plane, or are before
//! such a one, are written as they are. Then, while coefficients are left: one bit says whether
//! any of them has a one in this plane; if so, their bits follow up to and with the first one,
//! which the last coefficient need not state.
//!
//! ```text
//! plane      0 1 0 | 0 0 1 0 0 0         3 coefficients in use
//! written    0 1 0   1 0 0 1 0           "a one follows", 0 0 1, "no further one"
//! ```

use super::bits::{BitReader, BitWriter};
use super::transform::MAX_CELL;
use crate::codecs::DecodeError;

/// The bits and planes that a cell may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// The bits at most.
    pub(super) bits: u32,
    /// The highest plane is this one minus 1.
    pub(super) top: u32,
    /// The lowest plane.
    pub(super) bottom: u32,
}

/// Reads the coefficients, in coding order, into `digits`, all of which are 0; the number of bits
/// that is left of the budget.
pub(super) fn decode(
    bits: &mut BitReader<'_>,
    budget: Budget,
    digits: &mut [u64],
) -> Result<u32, DecodeError> {
    // At most 256.
    let size = u32::try_from(digits.len()).unwrap_or(0);
    let mut left = budget.bits;
    let mut used = 0;
    for plane in (budget.bottom..budget.top).rev() {
        if left == 0 {
            break;
        }
        let stated = used.min(left);
        left -= stated;
        let mut at = 0;
        while at < stated {
            let count = (stated - at).min(64);
            let mut ones = bits.bits(count)?;
            while ones != 0 {
                digits[(at + ones.trailing_zeros()) as usize] |= 1 << plane;
                ones &= ones - 1;
            }
            at += count;
        }
        while used < size && left > 0 {
            left -= 1;
            if !bits.bit()? {
                break;
            }
            let (zeros, one) = bits.zeros((size - 1 - used).min(left))?;
            left -= zeros + u32::from(one);
            used += zeros;
            digits[used as usize] |= 1 << plane;
            used += 1;
        }
    }
    Ok(left)
}

/// Writes the coefficients, in coding order; the number of bits that is left of the budget. `None`
/// when the output is full.
pub(super) fn encode(bits: &mut BitWriter<'_>, budget: Budget, digits: &[u64]) -> Option<u32> {
    let size = digits.len();
    let mut left = budget.bits;
    let mut used = 0_usize;
    for plane in (budget.bottom..budget.top).rev() {
        if left == 0 {
            break;
        }
        let mut ones = [false; MAX_CELL];
        let mut end = 0;
        for (index, (one, digits)) in ones.iter_mut().zip(digits).enumerate() {
            *one = digits >> plane & 1 != 0;
            if *one {
                end = index + 1;
            }
        }
        let stated = used.min(left as usize);
        for &one in &ones[..stated] {
            bits.bits(one.into(), 1)?;
        }
        // At most `left`.
        left -= u32::try_from(stated).unwrap_or(left);
        while used < size && left > 0 {
            left -= 1;
            bits.bits((used < end).into(), 1)?;
            if used >= end {
                break;
            }
            while used < size - 1 && left > 0 {
                left -= 1;
                bits.bits(ones[used].into(), 1)?;
                if ones[used] {
                    break;
                }
                used += 1;
            }
            used += 1;
        }
    }
    Some(left)
}
