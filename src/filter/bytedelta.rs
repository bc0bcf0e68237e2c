//! BYTEDELTA: differences of neighbouring bytes inside each byte plane
//! ([format §5.6](crate::format#5.6)).
//!
//! It works on the output of SHUFFLE, planes of `len / width` bytes each, where the width is the
//! meta byte or else the typesize. The first byte of a plane is kept.
//!
//! Releases 2.8 and 2.9 of C-Blosc2 wrote filter 34, whose sums begin again after the last
//! multiple of 16 bytes of each plane. It is read, and never written.

use super::shuffle::item_width;
use super::{Filter, FilterContext, FilterId};
use crate::error::BoxError;

/// Byte differences within each plane.
#[derive(Debug)]
pub(crate) struct Bytedelta;

/// The same as its first releases wrote it.
#[derive(Debug)]
pub(crate) struct BytedeltaBuggy;

impl Filter for Bytedelta {
    fn id(&self) -> FilterId {
        FilterId::BYTEDELTA
    }

    fn name(&self) -> &str {
        "bytedelta"
    }

    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        cx.kernels.bytedelta_encode(item_width(cx)?, src, dst);
        Ok(())
    }

    fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        cx.kernels.bytedelta_decode(item_width(cx)?, src, dst);
        Ok(())
    }
}

impl Filter for BytedeltaBuggy {
    fn id(&self) -> FilterId {
        FilterId::BYTEDELTA_BUGGY
    }

    fn name(&self) -> &str {
        "bytedelta_buggy"
    }

    fn forward(
        &self,
        _cx: &FilterContext<'_>,
        _src: &[u8],
        _dst: &mut [u8],
    ) -> Result<(), BoxError> {
        Err(
            "filter 34 is the faulty bytedelta of old releases and is only read; \
             filter 35 is the one to write"
                .into(),
        )
    }

    fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        cx.kernels.bytedelta_decode_buggy(item_width(cx)?, src, dst);
        Ok(())
    }
}
