//! DELTA: XOR against a reference ([format §5.4](crate::format#5.4)).
//!
//! ```text
//! block 0        e0, e0 ^ e1, e1 ^ e2, ...          each element with the one before
//! every other    b ^ r                              with block 0 at the same place
//! ```
//!
//! The reference of the later blocks is block 0 as a decoder has it in the end, after all filters
//! are undone. The encoder passes the same: the raw block 0, or, after a lossy filter, the output
//! of that filter. Incomplete elements pass through.

use super::{Filter, FilterContext, FilterId};
use crate::error::BoxError;

/// XOR against the first block.
#[derive(Debug)]
pub(crate) struct Delta;

/// The reference, which must cover the block.
fn reference<'a>(cx: &FilterContext<'a>, len: usize) -> Result<Option<&'a [u8]>, BoxError> {
    super::typesize(cx)?;
    match cx.reference {
        Some(reference) if reference.len() < len => Err(format!(
            "the reference block has {} bytes, the block has {len}",
            reference.len()
        )
        .into()),
        reference => Ok(reference),
    }
}

impl Filter for Delta {
    fn id(&self) -> FilterId {
        FilterId::DELTA
    }

    fn name(&self) -> &str {
        "delta"
    }

    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        let reference = reference(cx, src.len())?;
        cx.kernels.delta_encode(cx.typesize, reference, src, dst);
        Ok(())
    }

    fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        let reference = reference(cx, src.len())?;
        if reference.is_some() {
            // XOR with the reference undoes itself, and this form needs no copy first.
            cx.kernels.delta_encode(cx.typesize, reference, src, dst);
        } else {
            dst.copy_from_slice(src);
            cx.kernels.delta_decode(cx.typesize, None, dst);
        }
        Ok(())
    }
}
