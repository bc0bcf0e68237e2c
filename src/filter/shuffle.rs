//! SHUFFLE and BITSHUFFLE: bytes, or bits, of equal weight brought together
//! ([format §5.2](crate::format#5.2), [§5.3](crate::format#5.3)).
//!
//! ```text
//! items      a0 a1 a2 a3  b0 b1 b2 b3  c0 c1 c2 c3          typesize 4
//! shuffled   a0 b0 c0  a1 b1 c1  a2 b2 c2  a3 b3 c3         4 planes of 3 bytes
//! ```
//!
//! The work is done by the kernels; here are the rules about sizes. SHUFFLE's meta byte, when not
//! 0, is the width of its items in place of the typesize. BITSHUFFLE takes the items up to the
//! last multiple of eight. In chunks of Blosc1 (version 2) and of the alphas of C-Blosc2
//! (version 3) it took all of them or, when their number is no multiple of eight, none.

use super::{Filter, FilterContext, FilterId};
use crate::error::BoxError;

/// Byte shuffle.
#[derive(Debug)]
pub(crate) struct Shuffle;

/// Bit shuffle.
#[derive(Debug)]
pub(crate) struct Bitshuffle;

/// The width of the items that SHUFFLE and BYTEDELTA work on: the meta byte, or the typesize.
pub(super) fn item_width(cx: &FilterContext<'_>) -> Result<usize, BoxError> {
    match (cx.meta, cx.typesize) {
        (0, 0) => Err("the typesize is 0, at least 1 is needed".into()),
        (0, typesize) => Ok(typesize),
        (meta, _) => Ok(usize::from(meta)),
    }
}

impl Filter for Shuffle {
    fn id(&self) -> FilterId {
        FilterId::SHUFFLE
    }

    fn name(&self) -> &str {
        "shuffle"
    }

    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        cx.kernels.shuffle(item_width(cx)?, src, dst);
        Ok(())
    }

    fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        cx.kernels.unshuffle(item_width(cx)?, src, dst);
        Ok(())
    }
}

/// Whether a block of Blosc1 or of the alphas was left as it is, for want of a multiple of eight
/// items.
pub(super) fn blosc1_untouched(cx: &FilterContext<'_>, len: usize) -> bool {
    matches!(cx.version, 2 | 3) && !(len / cx.typesize).is_multiple_of(8)
}

impl Filter for Bitshuffle {
    fn id(&self) -> FilterId {
        FilterId::BITSHUFFLE
    }

    fn name(&self) -> &str {
        "bitshuffle"
    }

    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        super::typesize(cx)?;
        if blosc1_untouched(cx, src.len()) {
            dst.copy_from_slice(src);
        } else {
            cx.kernels.bitshuffle(cx.typesize, src, dst);
        }
        Ok(())
    }

    fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        super::same_len(src, dst)?;
        super::typesize(cx)?;
        if blosc1_untouched(cx, src.len()) {
            dst.copy_from_slice(src);
        } else {
            cx.kernels.bitunshuffle(cx.typesize, src, dst);
        }
        Ok(())
    }
}
