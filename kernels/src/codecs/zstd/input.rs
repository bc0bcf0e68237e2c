//! Input of the parts that are read forwards, and the errors of all parts.

use crate::codecs::{DecodeError, DecodeErrorKind};

const FORMAT: &str = "zstd";

/// A broken rule of the format.
#[cold]
pub(super) fn invalid(offset: usize, reason: &'static str) -> DecodeError {
    DecodeError::new(FORMAT, offset, DecodeErrorKind::invalid(reason))
}

/// The stream ends too early.
#[cold]
pub(super) fn truncated(offset: usize, needed: usize, available: usize) -> DecodeError {
    let kind = DecodeErrorKind::Truncated { needed, available };
    DecodeError::new(FORMAT, offset, kind)
}

/// The content does not fit.
#[cold]
pub(super) fn overflow(offset: usize, needed: usize, available: usize) -> DecodeError {
    let kind = DecodeErrorKind::Overflow { needed, available };
    DecodeError::new(FORMAT, offset, kind)
}

/// A match reaches before all history.
#[cold]
pub(super) fn too_far(offset: usize, distance: usize, history: usize) -> DecodeError {
    let kind = DecodeErrorKind::Distance { distance, history };
    DecodeError::new(FORMAT, offset, kind)
}

/// A position in a stream whose end is that of the current part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a> {
    src: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    pub(super) fn new(src: &'a [u8]) -> Self {
        Self { src, at: 0 }
    }

    /// The offset in the stream.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// The stream from its beginning to the end of this part.
    pub(super) fn all(&self) -> &'a [u8] {
        self.src
    }

    /// The bytes that are not read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.src.get(self.at..).unwrap_or_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest().is_empty()
    }

    /// The next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let rest = self.rest();
        let bytes = rest
            .get(..count)
            .ok_or_else(|| truncated(self.at, count, rest.len()))?;
        self.at += count;
        Ok(bytes)
    }

    /// The next `count` bytes as an input of their own, which knows its place in the stream.
    pub(super) fn part(&mut self, count: usize) -> Result<Self, DecodeError> {
        let at = self.at;
        self.take(count)?;
        let src = self.src.get(..self.at).unwrap_or_default();
        Ok(Self { src, at })
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?.first().copied().unwrap_or(0))
    }

    /// The next `count` bytes, at most 8, as a number whose lowest byte is first.
    pub(super) fn number(&mut self, count: usize) -> Result<u64, DecodeError> {
        let bytes = self.take(count)?.iter().rev();
        Ok(bytes.fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }
}
