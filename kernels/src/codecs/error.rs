//! The error of all decoders.

use core::fmt;

/// Why a stream cannot be decoded, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    format: &'static str,
    offset: usize,
    kind: DecodeErrorKind,
}

/// The kind of a [`DecodeError`], with its numbers in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The stream ends too early.
    #[non_exhaustive]
    Truncated {
        /// Bytes needed from the offset on, at least.
        needed: usize,
        /// Bytes of the stream from the offset on.
        available: usize,
    },
    /// The content does not fit the output.
    #[non_exhaustive]
    Overflow {
        /// Bytes to be written, at least.
        needed: usize,
        /// Bytes of the output that are left.
        available: usize,
    },
    /// A distance is 0 or reaches before all history.
    #[non_exhaustive]
    Distance {
        /// The distance.
        distance: usize,
        /// Bytes of history: output so far and dictionary.
        history: usize,
    },
    /// The stream breaks another rule of its format.
    #[non_exhaustive]
    Invalid {
        /// The rule, as "expected …" or "found …".
        reason: &'static str,
    },
}

impl DecodeErrorKind {
    /// A broken rule of the format.
    pub(crate) const fn invalid(reason: &'static str) -> Self {
        Self::Invalid { reason }
    }
}

impl DecodeError {
    pub(crate) const fn new(format: &'static str, offset: usize, kind: DecodeErrorKind) -> Self {
        Self {
            format,
            offset,
            kind,
        }
    }

    /// The name of the stream's format.
    #[must_use]
    pub const fn format(&self) -> &'static str {
        self.format
    }

    /// The byte offset in the stream of the part at fault.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The kind of the error.
    #[must_use]
    pub const fn kind(&self) -> DecodeErrorKind {
        self.kind
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            format,
            offset,
            kind,
        } = self;
        write!(f, "{format} stream: ")?;
        match kind {
            DecodeErrorKind::Truncated { needed, available } => write!(
                f,
                "need {needed} bytes at offset {offset}, found {available}"
            ),
            DecodeErrorKind::Overflow { needed, available } => write!(
                f,
                "output has space for {available} bytes, found {needed} at offset {offset}"
            ),
            DecodeErrorKind::Distance { distance, history } => write!(
                f,
                "expected a distance of 1 to {history} at offset {offset}, found {distance}"
            ),
            DecodeErrorKind::Invalid { reason } => write!(f, "{reason} at offset {offset}"),
        }
    }
}

impl core::error::Error for DecodeError {}
