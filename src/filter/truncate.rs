//! `TRUNC_PREC` and `INT_TRUNC`: low bits set to zero, so that they compress
//! ([format §5.5](crate::format#5.5), [§5.7](crate::format#5.7)).
//!
//! The meta byte is a signed number: how many bits to keep (mantissa bits of floats, bits of
//! integers) or, when negative, how many to clear. Both filters lose data; there is nothing to
//! undo when decoding.

use oxiblosc_kernels::{int_trunc_zeroed_bits, trunc_prec_zeroed_bits};

use super::{Filter, FilterContext, FilterId};
use crate::error::BoxError;

/// Clearing of low mantissa bits.
#[derive(Debug)]
pub(crate) struct TruncPrec;

/// Clearing of low integer bits.
#[derive(Debug)]
pub(crate) struct IntTrunc;

/// Truncation is lossy: nothing is undone.
fn unchanged(src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
    super::same_len(src, dst)?;
    dst.copy_from_slice(src);
    Ok(())
}

impl Filter for TruncPrec {
    fn id(&self) -> FilterId {
        FilterId::TRUNC_PREC
    }

    fn name(&self) -> &str {
        "trunc_prec"
    }

    fn is_lossless(&self) -> bool {
        false
    }

    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        let bits = cx.meta.cast_signed();
        if trunc_prec_zeroed_bits(cx.typesize, bits).is_none() {
            return Err(format!(
                "{bits} bits for floats of {} bytes; allowed are 1 to 23 or -1 to -22 bits for \
                 floats of 4 bytes, 1 to 52 or -1 to -51 for floats of 8",
                cx.typesize
            )
            .into());
        }
        cx.kernels.trunc_prec(cx.typesize, bits, src, dst);
        Ok(())
    }

    fn backward(
        &self,
        _cx: &FilterContext<'_>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), BoxError> {
        unchanged(src, dst)
    }
}

impl Filter for IntTrunc {
    fn id(&self) -> FilterId {
        FilterId::INT_TRUNC
    }

    fn name(&self) -> &str {
        "int_trunc"
    }

    fn is_lossless(&self) -> bool {
        false
    }

    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        let bits = cx.meta.cast_signed();
        if int_trunc_zeroed_bits(cx.typesize, bits).is_none() {
            return Err(format!(
                "{bits} bits for integers of {} bytes; allowed are integers of 1, 2, 4 or 8 bytes \
                 of which at least one bit is kept and at most all are",
                cx.typesize
            )
            .into());
        }
        cx.kernels.int_trunc(cx.typesize, bits, src, dst);
        Ok(())
    }

    fn backward(
        &self,
        _cx: &FilterContext<'_>,
        src: &[u8],
        dst: &mut [u8],
    ) -> Result<(), BoxError> {
        unchanged(src, dst)
    }
}
