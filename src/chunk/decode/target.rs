//! The memory that a block is decoded to.

use oxiblosc_kernels::unwritten::Unwritten;

use crate::error::Result;
use crate::filter::FilterContext;
use crate::filter::pipeline::Step;

/// The memory of a block.
pub(super) enum Target<'d> {
    Written(&'d mut [u8]),
    Unwritten(Unwritten<'d>),
}

impl<'d> Target<'d> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Written(dst) => dst.len(),
            Self::Unwritten(dst) => dst.len(),
        }
    }

    /// The bytes, with any content.
    pub(super) fn slice(self) -> &'d mut [u8] {
        match self {
            Self::Written(dst) => dst,
            Self::Unwritten(dst) => dst.zeroed(),
        }
    }

    /// The bytes, all with this value.
    pub(super) fn fill(self, value: u8) -> &'d mut [u8] {
        match self {
            Self::Written(dst) => {
                dst.fill(value);
                dst
            }
            Self::Unwritten(dst) => dst.fill(value),
        }
    }

    /// The bytes that a step makes of `src`.
    pub(super) fn take_step(
        self,
        step: &Step<'_>,
        cx: &FilterContext<'_>,
        src: &[u8],
    ) -> Result<&'d mut [u8]> {
        match self {
            Self::Written(dst) => {
                step.backward(cx, src, dst)?;
                Ok(dst)
            }
            Self::Unwritten(dst) => step.backward_unwritten(cx, src, dst),
        }
    }
}
