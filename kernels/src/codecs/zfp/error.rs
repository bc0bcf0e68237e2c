//! The errors of the decoder.

use crate::codecs::{DecodeError, DecodeErrorKind};

/// A rule that the stream or the call breaks.
pub(super) fn invalid(offset: usize, reason: &'static str) -> DecodeError {
    DecodeError::new("zfp", offset, DecodeErrorKind::Invalid { reason })
}

/// A stream without all the bytes that are needed from `offset` on.
#[cold]
pub(super) fn truncated(offset: usize, needed: usize, available: usize) -> DecodeError {
    let kind = DecodeErrorKind::Truncated { needed, available };
    DecodeError::new("zfp", offset, kind)
}
