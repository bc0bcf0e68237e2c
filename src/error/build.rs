//! Making errors, and adding where they happened.

use std::io;
#[cfg(feature = "frame")]
use std::path::Path;

use super::{Error, Fault, Part};

impl Error {
    /// Moves the offset, for a part that was parsed out of a larger whole.
    #[cfg(feature = "frame")]
    #[must_use]
    pub(crate) fn rebase(mut self, base: u64) -> Self {
        match &mut self {
            Self::Truncated { offset, .. }
            | Self::Corrupt { offset, .. }
            | Self::Unsupported { offset, .. }
            | Self::Codec { offset, .. }
            | Self::LimitExceeded {
                offset: Some(offset),
                ..
            }
            | Self::OutOfMemory {
                offset: Some(offset),
                ..
            }
            | Self::Io {
                offset: Some(offset),
                ..
            } => *offset = offset.saturating_add(base),
            Self::InChunk { source, .. } | Self::InFile { source, .. } => {
                change(source, |inner| inner.rebase(base));
            }
            _ => {}
        }
        self
    }

    /// Adds the number of the chunk of a super-chunk, inside of the path.
    #[cfg(feature = "frame")]
    #[must_use]
    pub(crate) fn in_chunk(mut self, nchunk: u64) -> Self {
        if let Self::InFile { source, .. } = &mut self {
            change(source, |inner| inner.in_chunk(nchunk));
            return self;
        }
        Self::InChunk {
            nchunk,
            source: Box::new(self),
        }
    }

    /// Adds the path of the file to an error about the data or its storage; errors about the
    /// arguments of a call are as before.
    #[cfg(feature = "frame")]
    #[must_use]
    pub(crate) fn in_file(self, path: &Path) -> Self {
        if !self.is_of_data() || path.as_os_str().is_empty() {
            return self;
        }
        Self::InFile {
            path: path.into(),
            source: Box::new(self),
        }
    }

    /// Whether this error is about the data or the storage and has no path yet.
    #[cfg(feature = "frame")]
    fn is_of_data(&self) -> bool {
        match self {
            Self::Truncated { .. }
            | Self::Corrupt { .. }
            | Self::Unsupported { .. }
            | Self::LimitExceeded { .. }
            | Self::OutOfMemory { .. }
            | Self::Mismatch { .. }
            | Self::Codec { .. }
            | Self::Filter { .. }
            | Self::Io { .. } => true,
            Self::InChunk { source, .. } => source.is_of_data(),
            _ => false,
        }
    }

    /// Sets the number of the block in which a codec or filter failed.
    #[must_use]
    pub(crate) fn in_block(mut self, index: usize) -> Self {
        if let Self::Codec { block, .. } | Self::Filter { block, .. } = &mut self {
            *block = index;
        }
        self
    }

    /// A damaged field outside its range.
    pub(crate) fn out_of_range(
        part: Part,
        offset: u64,
        field: &'static str,
        value: impl TryInto<i64>,
        min: impl TryInto<i64>,
        max: impl TryInto<i64>,
    ) -> Self {
        Self::Corrupt {
            part,
            offset,
            fault: Fault::OutOfRange {
                field,
                value: saturating_i64(value),
                min: saturating_i64(min),
                max: saturating_i64(max),
            },
        }
    }

    /// A range that ends before it begins.
    pub(crate) fn reversed(start: impl TryInto<i64>) -> Self {
        Self::InvalidParam {
            name: "start of the range",
            value: saturating_i64(start),
            expected: "a start of at most the end",
        }
    }

    /// A damaged field without its one right value.
    pub(crate) fn unequal(
        part: Part,
        offset: u64,
        field: &'static str,
        value: impl TryInto<i64>,
        expected: impl TryInto<i64>,
    ) -> Self {
        Self::Corrupt {
            part,
            offset,
            fault: Fault::Unequal {
                field,
                value: saturating_i64(value),
                expected: saturating_i64(expected),
            },
        }
    }

    /// A size that exceeds a limit of [`Limits`](crate::Limits).
    pub fn limit_exceeded(limit: &'static str, value: u64, max: u64) -> Self {
        Self::LimitExceeded {
            limit,
            offset: None,
            value,
            max,
        }
    }

    /// A result of `nbytes` bytes that the system cannot allocate.
    pub fn out_of_memory(nbytes: u64) -> Self {
        Self::OutOfMemory {
            nbytes,
            offset: None,
        }
    }

    /// A failure of a storage.
    pub fn io(part: Part, offset: Option<u64>, source: io::Error) -> Self {
        Self::Io {
            part,
            offset,
            source,
        }
    }

    /// A parameter outside its range.
    pub fn invalid_param(
        name: &'static str,
        value: impl TryInto<i64>,
        expected: &'static str,
    ) -> Self {
        Self::InvalidParam {
            name,
            value: saturating_i64(value),
            expected,
        }
    }

    /// An operation that does not fit the state of the data.
    pub fn refused(what: &'static str, why: &'static str) -> Self {
        Self::Refused { what, why }
    }

    /// An index outside the data.
    pub fn out_of_bounds(what: &'static str, index: u64, len: u64) -> Self {
        Self::OutOfBounds { what, index, len }
    }

    /// An element whose bytes are no value of `T`.
    pub(crate) fn invalid_element<T>(index: usize, bytes: &[u8]) -> Self {
        let digits = bytes.iter().take(16).map(|byte| format!("{byte:02x}"));
        Self::InvalidElement {
            index: index as u64,
            expected: std::any::type_name::<T>(),
            found: digits.collect::<String>().into(),
        }
    }

    /// A broken rule of the format.
    pub(crate) fn broken(part: Part, offset: u64, rule: &'static str) -> Self {
        Self::Corrupt {
            part,
            offset,
            fault: Fault::Broken { rule },
        }
    }
}

/// Numbers in messages saturate. (Not from `num`, whose conversions return errors.)
fn saturating_i64(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}

/// Replaces an error inside of another one.
#[cfg(feature = "frame")]
fn change(error: &mut Error, change: impl FnOnce(Error) -> Error) {
    let placeholder = Error::OutputTooSmall {
        needed: 0,
        available: 0,
    };
    *error = change(std::mem::replace(error, placeholder));
}
